// Frames side by side, cut from one sheet: number and time under each, one of them enlarged on demand.

import { el } from "../dom.js";
import { createEnlarged } from "./enlarged.js";
import { createPrefetch } from "../prefetch.js";
import { createTiles, standsFor } from "./tiles.js";
import { tr } from "../texts.js";

const LARGES = 8;

// With `choose` a frame is not enlarged: the arrows move a mark, and a click chooses.
export function createGrid({ prefetch, onready, onfail, choose = null }) {
  const tiles = createTiles({
    prefetch,
    label: (words) => tr(choose ? "Frame {words}. Choose." : "Frame {words}. Enlarge.", { words }),
    press: (i) => (choose ? (point(i), choose(stage.frames[i])) : enlarge(i)),
    onready,
    onfail,
  });
  const note = el("p", { class: "grid-note" });
  const enlarged = createEnlarged(createPrefetch(LARGES));
  const element = el("div", { class: "grid-stage" }, tiles.element, note, enlarged.element);
  let stage = null;
  let at = 0;

  function show(next) {
    stage = next;
    at = 0;
    tiles.show(stage);
    if (choose) point(0);
    note.textContent = stage.note ?? "";
    note.hidden = !stage.note;
    tiles.draw();
  }

  function enlarge(i) {
    at = i;
    enlarged.show(stage, i, tiles.canvas(i));
  }

  function point(i) {
    if (!stage.frames[i]) return;
    at = i;
    tiles.mark("cursor", i);
  }

  function walk(step) {
    if (choose) return point(at + step);
    if (!enlarged.open()) return enlarge(at);
    const next = at + step;
    if (next >= 0 && next < stage.frames.length) enlarge(next);
  }

  enlarged.onwalk = walk;

  function bindings() {
    const bind = (key, words, by, more = {}) => {
      const run = () => walk(by());
      return { key, words, group: tr("Frames"), repeat: true, ...more, run };
    };
    return [
      bind("ArrowRight", choose ? tr("Next frame") : tr("Next frame, enlarged"), () => 1),
      bind("ArrowLeft", tr("Frame before"), () => -1),
      bind("ArrowDown", tr("A row down"), () => stage.columns, { yields: true }),
      bind("ArrowUp", tr("A row up"), () => -stage.columns, { yields: true }),
    ];
  }

  return {
    element,
    show,
    bindings,
    prepare: tiles.prepare,
    clear() {
      stage = null;
      tiles.clear();
      enlarged.close();
    },
    at: () => stage?.frames[at] ?? null,
    stands: (index) => standsFor(stage.frames, index) === at,
    // Marks the tile that stands for the picked frame.
    mark(index) {
      const i = standsFor(stage.frames, index);
      tiles.mark("picked", i);
      point(i);
    },
    escape() {
      const open = enlarged.open();
      enlarged.close();
      return open;
    },
  };
}
