// Going back to an answer that was given, correcting it, and leaving it as it was.

import { tr } from "../../shared/texts.js";

export function createCorrections(desk, { state, show, next }) {
  const { panel, outbox, drafts, history, api, stage } = desk;

  // A correction that a reload has interrupted comes first.
  function start() {
    const fix = drafts.unfinished();
    const position = fix ? history.position(fix.item.id) : -1;
    next();
    if (position >= 0) correct(fix.item, position, fix);
  }

  function back() {
    const { now } = state;
    if (now?.held) return;
    const last = history.entries().length - 1;
    const position = now?.mode === "correcting" ? now.position - 1 : last;
    const words = last < 0 ? "There is no earlier answer yet." : "This is your first answer.";
    if (position < 0) return panel.say(tr(words));
    open(position);
  }

  async function open(position) {
    const entry = history.at(position);
    if (!entry || state.now?.held) return;
    desk.work.saveDraft({ quietly: true });
    const known = history.item(entry.item);
    if (known) return correct(known, position);
    const asked = state.now;
    panel.say(tr("Opening #{n}…", { n: position + 1 }));
    try {
      const item = await api.item(entry.item);
      history.keep(item);
      if (state.now === asked) correct(item, position);
    } catch (trouble) {
      if (trouble.kind !== "refused") desk.news.ofOutbox.ontrouble(trouble);
      const offline = tr("#{n} cannot be opened while offline.", { n: position + 1 });
      panel.say(trouble.kind === "offline" ? offline : trouble.message);
    }
  }

  // `fix` is an edit of this answer that was begun before a reload.
  function correct(item, position, fix = null) {
    if (state.now?.mode === "correcting") drafts.dropFix(state.now.item.id);
    const given = outbox.answerTo(item.id) ?? item.answer;
    show(item, "correcting", { response: given?.response ?? {}, active_s: fix?.active_s ?? 0 }, position);
    if (fix) {
      state.now.form.set(fix.response);
      state.now.form.attach(stage.look());
      panel.update();
      desk.work.bind();
    }
    const why = given?.skip ? tr(given.skip) : null; // a listed reason is stored in English
    if (why) panel.say(tr("You skipped this: {why}. Choose an answer to replace it.", { why }));
  }

  function leave() {
    if (state.now?.mode !== "correcting" || state.now.held) return;
    drafts.dropFix(state.now.item.id);
    next();
  }

  function openItem(id) {
    const position = history.position(id);
    if (position >= 0) open(position);
  }

  // A practice item once more, with what was answered.
  function tryAgain(id) {
    if (state.now) state.now.held = null;
    openItem(id);
  }

  return { start, back, open, openItem, leave, tryAgain };
}
