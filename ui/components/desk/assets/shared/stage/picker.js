// One frame is picked: among many first, then frame by frame around it. The video may be watched in between.
// The pick is the frame that was on screen, whichever way one came to it.

import { el, press } from "../dom.js";
import { createSteps } from "./steps.js";
import { createGrid } from "./grid.js";
import { pickerBindings } from "./picker_keys.js";
import { createPlayer } from "../player/player.js";
import { tr } from "../texts.js";

export function createPicker(tools) {
  const grid = createGrid({ ...tools, choose: (frame) => step(frame.index) });
  const steps = createSteps({ presented, back: () => turn("grid") });
  const player = createPlayer({ ...tools, onready: () => {} });
  const back = press(tr("All frames"), () => turn("grid"), { key: "Esc", kind: "quiet" });
  const here = press(tr("This frame"), () => pickShown(), { key: "Enter", kind: "quiet" });
  const turnTo = press(tr("Watch the clip"), () => turn("watch"), { key: "V", kind: "quiet" });
  const watch = el("div", { class: "watch", hidden: true }, player.element, row("watch-foot", here, back));
  const hint = el("span", { class: "hint" }, tr("Arrows and Enter, or a click: go frame by frame from there."));
  const foot = row("picker-foot", hint, el("span", { class: "spring" }), turnTo);
  const element = el("div", { class: "picker-stage" }, grid.element, foot, steps.element, watch);
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

  const act = { turn, open, pickShown, go: steps.go };

  return {
    element,
    show,
    bindings: () => pickerBindings(view, act, { grid: grid.bindings, player: player.bindings }),
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

const row = (name, ...parts) => el("div", { class: `row ${name}` }, ...parts);
