// Submitting and skipping: the answer is kept by the browser before the next item appears.

import { afterPaint } from "../../shared/after_paint.js";
import { uid } from "../../shared/ids.js";
import { tr } from "../../shared/texts.js";

export function createAnswering(desk, { state, next, leave }) {
  const { root, panel, queue, outbox, drafts, history, clock, storage } = desk;

  // Nobody answers what was not on screen: the frames shown are stored with the answer as seen.
  function submit() {
    const { now } = state;
    if (!now || now.held) return;
    if (!now.form.complete()) {
      now.form.jump();
      return panel.say(now.form.missing());
    }
    const response = now.form.response();
    if (now.mode === "correcting" && JSON.stringify(response) === now.before) return leave();
    if (root.dataset.ready !== "1") return panel.say(tr("Wait until it is shown. If it stays away, skip it (S)."));
    store(response, null);
  }

  function store(response, skip) {
    const { item, mode, form } = state.now;
    const drawn = root.dataset.ready === "1";
    const answer = {
      uid: uid(),
      item: item.id,
      lease: item.lease,
      response,
      skip,
      drawn,
      active_s: clock.seconds(),
      answered_at: Date.now() / 1000,
    };
    const fresh = mode === "new" && !item.answer;
    outbox.dismissItem(item.id);
    outbox.put({ ...answer, label: item.label, words: skip ? "" : form.words(), fresh });
    history.remember(item, answer);
    drafts.drop(item.id);
    queue.drop(item.id);
    if (item.practice && !skip) hold(answer.uid);
    else next();
    // The answer is on this computer: sending it does not hold up the next item. Where it is not, it is sent at once.
    if (state.now?.held || !storage.durable()) send();
    else afterPaint(send);
  }

  function send() {
    outbox.flush();
    queue.refill();
  }

  // A practice item stays until the server has said whether it was right.
  function hold(id) {
    state.now.held = id;
    clock.pause();
    root.dataset.state = "checking";
    panel.hold(true);
    panel.say(tr("Checking your answer…"));
  }

  function askSkip() {
    const reasons = desk.task.skip_reasons ?? [];
    if (state.now && !state.now.held) desk.dialogs.skip(reasons, (reason) => state.now && store(null, reason));
  }

  return { submit, askSkip };
}
