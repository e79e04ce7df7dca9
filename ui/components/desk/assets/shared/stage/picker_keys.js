// The keys of the picker, by what it shows: all frames, frame by frame, or the clip.

import { tr } from "../texts.js";

// act: {turn(view), open(), pickShown(), go(by)}; grid and player: the bindings of what is inside.
export function pickerBindings(view, act, { grid, player }) {
  const bind = (key, words, run, more = {}) => ({ key, words, run, group: tr("Frames"), ...more });
  const watch = bind("V", tr("Watch the clip"), () => act.turn("watch"), { yields: true });
  const step = (key, words, by, also) => bind(key, words, () => act.go(by), { repeat: true, also: [also] });
  if (view === "steps") {
    return [
      step(",", tr("One frame back"), -1, "ArrowLeft"),
      step(".", tr("One frame on"), 1, "ArrowRight"),
      step("Shift+,", tr("Ten frames back"), -10, "Shift+ArrowLeft"),
      step("Shift+.", tr("Ten frames on"), 10, "Shift+ArrowRight"),
      watch,
    ];
  }
  if (view === "watch") {
    return [
      bind("Enter", tr("Go frame by frame from the frame shown"), act.pickShown),
      bind("V", tr("Back to all frames"), () => act.turn("grid"), { yields: true }),
      ...player(),
    ];
  }
  return [bind("Enter", tr("Go frame by frame from the marked frame"), act.open), watch, ...grid()];
}
