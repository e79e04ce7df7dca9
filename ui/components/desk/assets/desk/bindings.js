// The desk's own keys and windows: skip, back, undo, instructions, the list of keys.

import { tr } from "../shared/texts.js";

export function deskBindings(desk) {
  let welcomed = false;
  const act = {
    instructions: () => desk.dialogs.instructions(desk.task.instructions),
    overlay,
    // On a person's first visit the instructions open by themselves with the first item, until they have been closed
    // once. Where there is no item they would stand before what is said instead: that the task is closed, or done.
    welcome() {
      const { task, info, storage, dialogs } = desk;
      if (welcomed || !desk.work.now()) return;
      welcomed = true;
      if (!task.instructions || info.mine?.length || storage.get("instructions-read")) return;
      const onclose = () => storage.set("instructions-read", true);
      dialogs.instructions(task.instructions, { first: true, onclose });
    },
  };

  function overlay() {
    const now = desk.work.now();
    const own = now ? [...now.form.bindings(), ...desk.stage.bindings()] : [];
    const elsewhere = now ? now.form.elsewhere() : [];
    desk.dialogs.overlay([...own, ...act.all], { onremap: () => desk.reopen(), elsewhere });
  }

  const bind = (key, words, run, also = []) => ({ key, words: tr(words), run, also, group: tr("Desk") });
  const work = (name) => () => desk.work[name]();
  act.all = [
    { ...bind("Enter", "Submit, or go to what is still open", work("submit")), yields: true },
    bind("U", "Back to the answer before, to correct it", work("back"), ["Backspace"]),
    bind("S", "Skip with a reason", work("askSkip")),
    bind("Ctrl+Z", "Undo the last change of this answer", work("undo")),
    bind("Ctrl+Y", "Redo it", work("redo"), ["Ctrl+Shift+Z"]),
    bind("Escape", "Close the enlarged frame; leave a correction", work("escape")),
    { ...bind("I", "Instructions", act.instructions, ["H"]), yields: true },
    bind("T", "Try again to load what did not load", () => desk.stage.retry()),
    bind("?", "All keys", act.overlay),
  ];
  return act;
}
