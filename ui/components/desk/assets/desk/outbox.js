// Keeps every answer until the server has acknowledged it. An answer is written to the browser's storage, one key
// each, before the screen changes; it is sent in order, again and again, under the same uid, which the server
// stores once. Tabs of one person write different keys; an answer whose tab is gone is sent by any other.

import { Trouble } from "../shared/api.js";
import { tr } from "../shared/texts.js";

const BATCH = 40;
const WAITS_MS = [1000, 2000, 4000, 8000];
const SLOW_MS = 15000;
const ORPHAN_MS = 10000;

export function createOutbox({ storage, send, onchange, ontrouble, onresults, onforeign, signal }) {
  const entries = new Map(); // uid -> {uid, item, lease, ..., order, label}
  let sending = false;
  let failures = 0;
  let timer = null;
  let lastOrder = 0;
  let poisoned = false; // the server refused a whole batch: send one by one, so that one bad answer costs itself

  for (const [, entry] of storage.list("out/")) entries.set(entry.uid, entry);

  storage.watch("out/", (_, entry) => onforeign(entry), signal);
  window.addEventListener("online", () => flush(), { signal });
  document.addEventListener("visibilitychange", () => document.hidden || flush(), { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));

  const failed = new Map(); // item -> how often the server broke on an answer to it: the others go first

  const tries = (entry) => failed.get(entry.item) ?? 0;
  const pending = () => [...entries.values()].sort((a, b) => tries(a) - tries(b) || a.order - b.order);
  const refused = () => storage.list("refused/").map(([, entry]) => entry);

  function put(answer) {
    lastOrder = Math.max(lastOrder + 1, Date.now());
    const entry = { ...answer, order: lastOrder };
    entries.set(entry.uid, entry);
    const kept = storage.set(`out/${entry.uid}`, entry);
    onchange();
    return kept;
  }

  function drop(uid) {
    entries.delete(uid);
    storage.remove(`out/${uid}`);
  }

  function refuse(entry, reason) {
    storage.set(`refused/${entry.uid}`, { ...entry, reason });
    drop(entry.uid);
  }

  function adopt() {
    for (const [, entry] of storage.list("out/")) {
      if (!entries.has(entry.uid) && Date.now() - entry.order > ORPHAN_MS) entries.set(entry.uid, entry);
    }
  }

  async function flush() {
    if (sending || signal.aborted) return;
    clearTimeout(timer);
    adopt();
    if (!entries.size) return;
    sending = true;
    let again = null;
    try {
      const batch = pending().slice(0, poisoned ? 1 : BATCH);
      again = await deliver(batch);
    } finally {
      sending = false;
      onchange();
    }
    if (again !== null && entries.size && !signal.aborted) timer = setTimeout(flush, again);
  }

  // Sends one batch; gives the milliseconds to wait before the next try.
  async function deliver(batch) {
    let reply;
    try {
      reply = await send(batch.map(wire));
    } catch (trouble) {
      return undelivered(trouble, batch);
    }
    const before = entries.size;
    const settled = [];
    let broken = "";
    for (const result of reply.results ?? []) {
      const entry = entries.get(result.uid);
      if (!entry) continue;
      if (result.status === "failed") {
        failed.set(entry.item, tries(entry) + 1);
        broken = result.reason;
        continue;
      }
      settled.push({ entry, result });
      if (result.status === "refused") refuse(entry, result.reason || tr("The server gave no reason."));
      else if (["stored", "extra", "again"].includes(result.status)) drop(result.uid);
    }
    const moved = entries.size < before || !batch.length;
    failures = moved ? 0 : failures + 1;
    if (moved) poisoned = false;
    onresults(reply, settled);
    if (broken) ontrouble(new Trouble("offline", broken, 500));
    return moved ? 0 : wait();
  }

  function undelivered(trouble, batch) {
    failures += 1;
    const bad = trouble.kind === "refused" && [400, 413, 422].includes(trouble.status);
    if (bad && batch.length === 1) {
      refuse(batch[0], trouble.message);
      return 0;
    }
    poisoned = bad;
    if (bad) return 0;
    ontrouble(trouble);
    return trouble.kind === "offline" ? wait() : SLOW_MS;
  }

  const wait = () => WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? WAITS_MS[0];

  return {
    put,
    flush,
    // The page is going away: one more try that outlives it. What is stored twice is stored once.
    farewell: () => entries.size && send(pending().slice(0, BATCH).map(wire), { keepalive: true }).catch(() => {}),
    pending,
    refused,
    size: () => entries.size,
    sending: () => sending,
    // Seconds of answers to an item that were refused; they go on counting when it is answered again.
    refusedSeconds: (item) =>
      refused().reduce((sum, entry) => sum + (entry.item === item ? (entry.active_s ?? 0) : 0), 0),
    dismissItem(item) {
      for (const entry of refused()) if (entry.item === item) storage.remove(`refused/${entry.uid}`);
    },
    answerTo: (item) => pending().findLast((entry) => entry.item === item) ?? null,
    dismiss(uid) {
      storage.remove(`refused/${uid}`);
      onchange();
    },
  };
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
