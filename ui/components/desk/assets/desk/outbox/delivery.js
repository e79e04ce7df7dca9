// Sends kept answers in batches, and says what became of each.

import { Trouble } from "../../shared/api.js";
import { tr } from "../../shared/texts.js";

const BATCH = 40;
const WAITS_MS = [1000, 2000, 4000, 8000];
const SLOW_MS = 15000;
const UNREADABLE = [400, 413, 422];

// answers: of kept_answers.js
export function createDelivery(answers, { send, ontrouble, onresults }) {
  let failures = 0;
  let poisoned = false; // the server refused a whole batch: send one by one, so that one bad answer costs itself

  const wait = () => WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? WAITS_MS[0];

  // Sends the next batch; gives the milliseconds to wait before the next try.
  async function deliver() {
    const batch = answers.pending().slice(0, poisoned ? 1 : BATCH);
    let reply;
    try {
      reply = await send(batch.map(wire));
    } catch (trouble) {
      return undelivered(trouble, batch);
    }
    return delivered(reply, batch);
  }

  function delivered(reply, batch) {
    const before = answers.size();
    const settled = [];
    let broken = "";
    for (const result of reply.results ?? []) {
      const entry = answers.entry(result.uid);
      if (!entry) continue;
      if (result.status === "failed") {
        answers.postpone(entry);
        broken = result.reason;
        continue;
      }
      settled.push({ entry, result });
      if (result.status === "refused") answers.refuse(entry, result.reason || tr("The server gave no reason."));
      else if (["stored", "extra", "again"].includes(result.status)) answers.drop(result.uid);
    }
    const moved = answers.size() < before || !batch.length;
    failures = moved ? 0 : failures + 1;
    if (moved) poisoned = false;
    onresults(reply, settled);
    if (broken) ontrouble(new Trouble("offline", broken, 500));
    return moved ? 0 : wait();
  }

  function undelivered(trouble, batch) {
    failures += 1;
    const bad = trouble.kind === "refused" && UNREADABLE.includes(trouble.status);
    if (bad && batch.length === 1) {
      answers.refuse(batch[0], trouble.message);
      return 0;
    }
    poisoned = bad;
    if (bad) return 0;
    ontrouble(trouble);
    return trouble.kind === "offline" ? wait() : SLOW_MS;
  }

  // The page is going away: one more try that outlives it. What is stored twice is stored once.
  const farewell = () =>
    answers.size() && send(answers.pending().slice(0, BATCH).map(wire), { keepalive: true }).catch(() => {});

  return { deliver, farewell };
}

const wire = ({ uid, item, lease, response, skip, drawn = null, fresh = false, active_s, answered_at }) => ({
  uid,
  item,
  lease,
  response,
  skip,
  drawn,
  fresh,
  active_s,
  answered_at,
});
