// One frame is picked: among many first, then frame by frame around it. The video may be watched in between.
// The pick is the frame that was on screen, whichever way one came to it.

import { el, press } from "../dom.js";
import { createSteps } from "./steps.js";
import { createGrid } from "./grid.js";
import { createPlayer } from "../player/player.js";
import { tr } from "../texts.js";

export function createPicker(tools) {
  const grid = createGrid({ ...tools, choose: (frame) => step(frame.index) });
  const steps = createSteps({ presented, back: () => turn("grid") });
  const player = createPlayer({ ...tools, onready: () => {} });
  const back = press(tr("All frames"), () => turn("grid"), { key: "Esc", kind: "quiet" });
  const here = press(tr("This frame"), () => pickShown(), { key: "Enter", kind: "quiet" });
  const watch = el(
    "div",
    { class: "watch", hidden: true },
    player.element,
    el("div", { class: "row watch-foot" }, here, back),
  );
  const turnTo = press(tr("Watch the clip"), () => turn("watch"), { key: "V", kind: "quiet" });
  const element = el(
    "div",
    { class: "picker-stage" },
    grid.element,
    el(
      "div",
      { class: "row picker-foot" },
      el("span", { class: "hint" }, tr("Arrows and Enter, or a click: go frame by frame from there.")),
      el("span", { class: "spring" }),
      turnTo,
    ),
    steps.element,
    watch,
  );
  let stage = null;
  let view = "grid";
  let picked = null;
  let listener = null;

  function show(next) {
    [stage, picked, listener] = [next, null, null];
    turnTo.hidden = !stage.player;
    grid.show(stage.grid);
    turn("grid");
  }

  function turn(next) {
    if (!stage || (next === "watch" && !stage.player)) return;
    if (view === "watch") player.clear();
    if (view === "steps") steps.close();
    view = next;
    element.dataset.view = view;
    watch.hidden = view !== "watch";
    if (view === "watch") player.show(stage.player);
    tools.oncalm();
    tools.onkeys();
  }

  function step(index) {
    turn("steps");
    steps.open(stage, index);
  }

  function presented(index) {
    picked = index;
    grid.mark(index);
    listener?.(index);
  }

  const pickShown = () => step(player.shown());

  // From the tile that stands for the pick one comes back to the pick itself.
  function open() {
    const frame = grid.at();
    if (frame) step(picked !== null && grid.stands(picked) ? picked : frame.index);
  }

  const bind = (key, words, run, more = {}) => ({ key, words, run, group: tr("Frames"), ...more });

  function bindings() {
    if (view === "steps") {
      return [
        bind(",", tr("One frame back"), () => steps.go(-1), { repeat: true, also: ["ArrowLeft"] }),
        bind(".", tr("One frame on"), () => steps.go(1), { repeat: true, also: ["ArrowRight"] }),
        bind("Shift+,", tr("Ten frames back"), () => steps.go(-10), { repeat: true, also: ["Shift+ArrowLeft"] }),
        bind("Shift+.", tr("Ten frames on"), () => steps.go(10), { repeat: true, also: ["Shift+ArrowRight"] }),
        bind("V", tr("Watch the clip"), () => turn("watch"), { yields: true }),
      ];
    }
    if (view === "watch") {
      return [
        bind("Enter", tr("Go frame by frame from the frame shown"), pickShown),
        bind("V", tr("Back to all frames"), () => turn("grid"), { yields: true }),
        ...player.bindings(),
      ];
    }
    return [
      bind("Enter", tr("Go frame by frame from the marked frame"), open),
      bind("V", tr("Watch the clip"), () => turn("watch"), { yields: true }),
      ...grid.bindings(),
    ];
  }

  return {
    element,
    show,
    bindings,
    clear() {
      [stage, picked, listener] = [null, null, null];
      view = "grid";
      grid.clear();
      steps.close();
      player.clear();
      watch.hidden = true;
    },
    prepare(next, i) {
      grid.prepare(next.grid);
      if (i === 0 && view !== "watch" && next.player) player.prepare(next.player, 0);
    },
    stop: player.stop,
    escape() {
      if (view === "grid") return false;
      turn("grid");
      return true;
    },
    look: () => ({
      picker: {
        time: (index) => stage?.player?.times?.[index],
        loading: () => view === "steps" && steps.loading(),
        mark(index) {
          picked = index;
          grid.mark(index);
        },
        listen: (callback) => (listener = callback),
      },
    }),
  };
}
