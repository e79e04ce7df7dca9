// What happens to the item on screen: shown, answered, skipped. Every change of screen is synchronous; the answer is
// in the browser's storage before the next item appears. Corrections stand in corrections.js.

import { afterPaint } from "../../shared/after_paint.js";
import { tr } from "../../shared/texts.js";
import { createAnswering } from "./answering.js";
import { createCorrections } from "./corrections.js";
import { createEditing } from "./editing.js";
import { createRest } from "./rest.js";

export function createWork(desk) {
  const { root, stage, panel, area, queue, outbox, drafts, history, clock, keys } = desk;
  // now: {item, mode: "new" | "correcting", position, form, before, held: uid | null}
  const state = { now: null, screen: null };
  const { begin, ...editing } = createEditing(desk, { state, bind });
  const corrections = createCorrections(desk, { state, show, next });
  const answering = createAnswering(desk, { state, next, leave: corrections.leave });
  const rest = createRest(desk, state);

  const prepare = () => prepareNext(desk, state.now);

  function next() {
    const item = queue.head();
    if (item) show(item, "new", drafts.best(item));
    else rest.begin();
  }

  function show(item, mode, { response, active_s }, position = null) {
    if (state.screen) keys.fromNow(); // what was pressed while there was no item is not about this one
    state.screen = null;
    root.dataset.ready = "0";
    root.dataset.item = item.id;
    root.dataset.state = mode === "new" ? "working" : "correcting";
    area.work();
    const fresh = mode === "new" && !history.entries().length && !Object.keys(response ?? {}).length;
    const remark = fresh ? tr("Press ? to see all keys.") : "";
    panel.hold(false);
    state.now = null; // while the form is made it has no keys
    const form = panel.show(item, desk.task, { response: response ?? {}, position, remark });
    state.now = { item, mode, position, held: null, form, before: JSON.stringify(form.response()) };
    begin();
    area.fromTop();
    look();
    clock.start((active_s ?? 0) + outbox.refusedSeconds(item.id));
    if (document.hidden) clock.pause();
    bind();
    afterPaint(prepare);
    desk.refresh();
  }

  function look() {
    stage.show(state.now.item.stage);
    state.now.form.attach(stage.look());
  }

  function bind() {
    const { now } = state;
    if (!now) return;
    const looking = desk.task.form.stage_keys === false ? [] : stage.bindings();
    try {
      const table = keys.base([...desk.common, ...looking, ...now.form.bindings()]);
      desk.top.instructionsKey(desk.common.includes(table.get("I")) ? "I" : "H");
    } catch (error) {
      keys.base(desk.common);
      const words = "This form cannot be used by keyboard: {why} Tell the author of the task.";
      panel.say(tr(words, { why: error.message }));
    }
  }

  return {
    ...corrections,
    ...answering,
    ...editing,
    next,
    bind,
    drawRest: rest.draw,
    now: () => state.now,
    heldFor: (id) => Boolean(id) && state.now?.held === id,
    showExpected: (expected) => Boolean(expected) && stage.showExpected(expected),
    // The connection is gone: what would be said about the practice item comes later.
    letGo: () => state.now?.held && next(),
    escape: () => stage.escape() || corrections.leave(),
    // The next items have come: go on if the desk stood idle, and have the sheets of the coming two ready.
    arrived() {
      const { now } = state;
      if (!now && queue.head()) return next();
      if (!now) rest.choose();
      else if (now.mode === "new") prepare();
      return desk.refresh();
    },
    // Shows the stage anew, with fresh addresses if the server has them; the form stays as it is.
    async again() {
      const asked = state.now;
      if (!asked) return;
      const fresh = await desk.api.item(asked.item.id).catch(() => asked.item);
      if (state.now !== asked) return;
      asked.item = { ...asked.item, stage: fresh.stage };
      if (asked.mode === "new") queue.replace(asked.item);
      root.dataset.ready = "0";
      look();
      bind();
    },
    ready() {
      root.dataset.ready = "1";
      panel.update();
      const detail = { item: state.now?.item.id };
      root.dispatchEvent(new CustomEvent("desk-ready", { bubbles: true, composed: true, detail }));
    },
  };
}

// Has ready what the coming items show, while somebody looks at the one on screen.
function prepareNext({ stage, queue, signal }, now) {
  if (!now || now.held || signal.aborted) return;
  stage.prepare(queue.ahead(now.mode === "new" ? 2 : 1).map((item) => item.stage));
}
