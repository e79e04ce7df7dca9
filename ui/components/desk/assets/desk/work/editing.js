// What follows a change of the form: a draft is kept, and the change can be undone.

import { createUndo } from "../undo.js";
import { tr } from "../../shared/texts.js";

export function createEditing(desk, { state, bind }) {
  const { root, stage, panel, drafts, clock } = desk;
  const undo = createUndo();

  function saveDraft({ quietly = false } = {}) {
    const { now } = state;
    if (!now || now.held) return;
    const response = now.form.response();
    if (now.mode === "new") (quietly ? drafts.tick : drafts.save)(now.item, response, clock.seconds());
    else if (JSON.stringify(response) === now.before) drafts.dropFix(now.item.id);
    else drafts.keepFix(now.item, response, clock.seconds());
  }

  function changed() {
    const { now } = state;
    if (!now || now.held) return;
    const focused = root.getRootNode().activeElement;
    undo.note(JSON.stringify(now.form.response()), focused?.tagName === "TEXTAREA");
    saveDraft();
  }

  function restore(text, nothing) {
    if (!state.now || state.now.held) return;
    if (text === null) return panel.say(nothing);
    state.now.form.set(JSON.parse(text), true);
    state.now.form.attach(stage.look());
    panel.update();
    bind();
    saveDraft();
  }

  return {
    begin: () => undo.begin(state.now.before),
    saveDraft,
    changed,
    undo: () => restore(undo.undo(), tr("There is nothing to undo.")),
    redo: () => restore(undo.redo(), tr("There is nothing to redo.")),
  };
}
