// What happens to the item on screen: shown, answered, skipped, corrected. Every change of screen is synchronous;
// the answer is in the browser's storage before the next item appears.

import { uid } from "./ids.js";
import * as screens from "./screens.js";

export function createWork(parts) {
  const { task, root, stage, panel, area, queue, outbox, drafts, history, clock, api, keys, common, refresh, ontrouble } = parts;
  let now = null; // {item, mode: "new" | "correcting", position, form}
  let screen = null;

  function next() {
    const item = queue.head();
    if (!item) return rest();
    show(item, "new", drafts.best(item));
  }

  function show(item, mode, { response, active_s }, position = null) {
    screen = null;
    root.dataset.ready = "0";
    root.dataset.item = item.id;
    root.dataset.state = mode === "new" ? "working" : "correcting";
    area.work();
    const fresh = mode === "new" && !history.entries().length && !Object.keys(response ?? {}).length;
    const remark = fresh ? "New here? Press I for the instructions, ? for all keys." : "";
    now = { item, mode, position, form: panel.show(item, task, { response: response ?? {}, position, remark }) };
    now.before = JSON.stringify(now.form.response());
    stage.show(item.stage);
    clock.start(active_s);
    if (document.hidden) clock.pause();
    bind();
    stage.prepare(queue.ahead(mode === "new" ? 2 : 1).map((one) => one.stage));
    refresh();
  }

  function bind() {
    const looking = task.form.stage_keys === false ? [] : stage.bindings();
    try {
      keys.base([...common, ...looking, ...now.form.bindings]);
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
    if (!now) return;
    if (!now.form.complete()) return panel.say(now.form.broken ? "This form cannot be answered; you can skip the item (S)." : "Choose an answer first.");
    const response = now.form.response();
    if (now.mode === "correcting" && JSON.stringify(response) === now.before) return leave();
    store(response, null);
  }

  function store(response, skip) {
    const { item, mode, form } = now;
    const answer = { uid: uid(), item: item.id, lease: item.lease, response, skip, active_s: clock.seconds(), answered_at: Date.now() / 1000 };
    outbox.put({ ...answer, label: item.label, words: skip ? "" : form.words(), fresh: mode === "new" });
    history.remember(item, answer);
    drafts.drop(item.id);
    queue.drop(item.id);
    next();
    outbox.flush();
    queue.refill();
  }

  function saveDraft({ quietly = false } = {}) {
    if (now?.mode !== "new") return;
    (quietly ? drafts.tick : drafts.save)(now.item, now.form.response(), clock.seconds());
  }

  function back() {
    const last = history.entries().length - 1;
    const position = now?.mode === "correcting" ? now.position - 1 : last;
    if (position < 0) return panel.say(last < 0 ? "There is no earlier answer yet." : "This is your first answer.");
    open(position);
  }

  async function open(position) {
    const entry = history.at(position);
    if (!entry) return;
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

  function correct(item, position) {
    const given = outbox.answerTo(item.id) ?? item.answer;
    show(item, "correcting", { response: given?.response ?? {}, active_s: 0 }, position);
    if (given?.skip) panel.say(`You skipped this: ${given.skip}. Choose an answer to replace it.`);
  }

  function leave() {
    if (now?.mode === "correcting") next();
  }

  async function again() {
    const asked = now;
    if (!asked) return;
    const response = asked.form.response();
    const fresh = await api.item(asked.item.id).catch(() => asked.item);
    if (now !== asked) return;
    const item = { ...asked.item, stage: fresh.stage };
    if (asked.mode === "new") queue.replace(item);
    show(item, asked.mode, { response, active_s: clock.seconds() }, asked.position);
    now.before = asked.before;
  }

  return {
    next,
    submit,
    back,
    open,
    leave,
    again,
    saveDraft,
    drawRest,
    skip: (reason) => now && store(null, reason),
    now: () => now,
    escape: () => stage.escape() || leave(),
    // The next items have come: go on if the desk stood idle, and have the sheets of the coming two ready.
    arrived() {
      if (!now && queue.head()) return next();
      if (!now) screen = "finished";
      else if (now.mode === "new") stage.prepare(queue.ahead(2).map((one) => one.stage));
      return refresh();
    },
    ready() {
      root.dataset.ready = "1";
      root.dispatchEvent(new CustomEvent("desk-ready", { bubbles: true, composed: true, detail: { item: now?.item.id } }));
    },
  };
}
