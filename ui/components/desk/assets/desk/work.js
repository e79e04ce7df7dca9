// What happens to the item on screen: shown, answered, skipped, corrected. Every change of screen is synchronous;
// the answer is in the browser's storage before the next item appears.

import { uid } from "../shared/ids.js";
import * as screens from "./screens.js";

export function createWork(parts) {
  const { task, root, stage, panel, area, queue, outbox, drafts, history, clock, api, keys, common, refresh, onbound, ontrouble } = parts;
  let now = null; // {item, mode: "new" | "correcting", position, form, before, held: uid | null}
  let screen = null;

  // A correction that a reload has interrupted comes first.
  function start() {
    const fix = drafts.unfinished();
    const position = fix ? history.position(fix.item.id) : -1;
    next();
    if (position >= 0) correct(fix.item, position, fix);
  }

  function next() {
    const item = queue.head();
    if (!item) return rest();
    show(item, "new", drafts.best(item));
  }

  function show(item, mode, { response, active_s }, position = null) {
    if (screen) keys.fromNow(); // what was pressed while there was no item is not about this one
    screen = null;
    root.dataset.ready = "0";
    root.dataset.item = item.id;
    root.dataset.state = mode === "new" ? "working" : "correcting";
    area.work();
    const fresh = mode === "new" && !history.entries().length && !Object.keys(response ?? {}).length;
    const remark = fresh ? "Press ? to see all keys." : "";
    panel.hold(false);
    now = null; // while the form is made it has no keys
    now = { item, mode, position, held: null, form: panel.show(item, task, { response: response ?? {}, position, remark }) };
    now.before = JSON.stringify(now.form.response());
    look();
    clock.start(active_s);
    if (document.hidden) clock.pause();
    bind();
    stage.prepare(queue.ahead(mode === "new" ? 2 : 1).map((one) => one.stage));
    refresh();
  }

  function look() {
    stage.show(now.item.stage);
    now.form.attach(stage.look());
  }

  function bind() {
    if (!now) return;
    const looking = task.form.stage_keys === false ? [] : stage.bindings();
    try {
      onbound(keys.base([...common, ...looking, ...now.form.bindings()]));
    } catch (error) {
      keys.base(common);
      panel.say(`This form cannot be used by keyboard: ${error.message} Tell the author of the task.`);
    }
  }

  // Nothing to show: still fetching, cut off, or at the end.
  function rest() {
    now = null;
    stage.clear();
    keys.base(common);
    delete root.dataset.item;
    root.dataset.ready = "0";
    screen = queue.dry() ? "finished" : "fetching";
    queue.refill({ force: true });
    refresh();
  }

  function drawRest() {
    if (!screen) return;
    root.dataset.state = screen;
    if (screen === "fetching") area.screen(`fetching ${parts.offline()}`, () => screens.fetching(parts.offline()));
    else area.screen(`finished ${JSON.stringify(parts.ending())}`, () => screens.finished({ ...parts.ending(), lookAgain }));
  }

  const lookAgain = () => queue.refill({ force: true });

  function submit() {
    if (!now || now.held) return;
    if (!now.form.complete()) {
      now.form.jump();
      return panel.say(now.form.missing());
    }
    const response = now.form.response();
    if (now.mode === "correcting" && JSON.stringify(response) === now.before) return leave();
    store(response, null);
  }

  function store(response, skip) {
    const { item, mode, form } = now;
    const answer = { uid: uid(), item: item.id, lease: item.lease, response, skip, active_s: clock.seconds(), answered_at: Date.now() / 1000 };
    outbox.put({ ...answer, label: item.label, words: skip ? "" : form.words(), fresh: mode === "new" && !item.answer });
    history.remember(item, answer);
    drafts.drop(item.id);
    queue.drop(item.id);
    if (item.practice && !skip) hold(answer.uid);
    else next();
    outbox.flush();
    queue.refill();
  }

  // A practice item stays until the server has said whether it was right.
  function hold(id) {
    now.held = id;
    clock.pause();
    root.dataset.state = "checking";
    panel.hold(true);
    panel.say("Checking your answer…");
  }

  function saveDraft({ quietly = false } = {}) {
    if (!now || now.held) return;
    const response = now.form.response();
    if (now.mode === "new") (quietly ? drafts.tick : drafts.save)(now.item, response, clock.seconds());
    else if (JSON.stringify(response) === now.before) drafts.dropFix(now.item.id);
    else drafts.keepFix(now.item, response, clock.seconds());
  }

  function back() {
    if (now?.held) return;
    const last = history.entries().length - 1;
    const position = now?.mode === "correcting" ? now.position - 1 : last;
    if (position < 0) return panel.say(last < 0 ? "There is no earlier answer yet." : "This is your first answer.");
    open(position);
  }

  async function open(position) {
    const entry = history.at(position);
    if (!entry || now?.held) return;
    saveDraft({ quietly: true });
    const known = history.item(entry.item);
    if (known) return correct(known, position);
    const asked = now;
    panel.say(`Opening #${position + 1}…`);
    try {
      const item = await api.item(entry.item);
      history.keep(item);
      if (now === asked) correct(item, position);
    } catch (trouble) {
      if (trouble.kind !== "refused") ontrouble(trouble);
      panel.say(trouble.kind === "offline" ? `#${position + 1} cannot be opened while offline.` : trouble.message);
    }
  }

  // `fix` is an edit of this answer that was begun before a reload.
  function correct(item, position, fix = null) {
    if (now?.mode === "correcting") drafts.dropFix(now.item.id);
    const given = outbox.answerTo(item.id) ?? item.answer;
    show(item, "correcting", { response: given?.response ?? {}, active_s: fix?.active_s ?? 0 }, position);
    if (fix) {
      now.form.set(fix.response);
      now.form.attach(stage.look());
      panel.update();
      bind();
    }
    if (given?.skip) panel.say(`You skipped this: ${given.skip}. Choose an answer to replace it.`);
  }

  function leave() {
    if (now?.mode !== "correcting" || now.held) return;
    drafts.dropFix(now.item.id);
    next();
  }

  // Shows the stage anew, with fresh addresses if the server has them; the form stays as it is.
  async function again() {
    const asked = now;
    if (!asked) return;
    const fresh = await api.item(asked.item.id).catch(() => asked.item);
    if (now !== asked) return;
    now.item = { ...asked.item, stage: fresh.stage };
    if (now.mode === "new") queue.replace(now.item);
    root.dataset.ready = "0";
    look();
    bind();
  }

  return {
    start,
    next,
    submit,
    back,
    open,
    leave,
    again,
    bind,
    saveDraft,
    drawRest,
    skip: (reason) => now && !now.held && store(null, reason),
    now: () => now,
    heldFor: (id) => Boolean(id) && now?.held === id,
    // The connection is gone: what would be said about the practice item comes later.
    letGo: () => now?.held && next(),
    escape: () => stage.escape() || leave(),
    // The next items have come: go on if the desk stood idle, and have the sheets of the coming two ready.
    arrived() {
      if (!now && queue.head()) return next();
      if (!now) screen = "finished";
      else if (now.mode === "new" && !now.held) stage.prepare(queue.ahead(2).map((one) => one.stage));
      return refresh();
    },
    ready() {
      root.dataset.ready = "1";
      root.dispatchEvent(new CustomEvent("desk-ready", { bubbles: true, composed: true, detail: { item: now?.item.id } }));
    },
  };
}
