// The frame that was picked on the stage: its index in the video. What counts is the frame that was on screen.

import { el } from "../../shared/dom.js";
import { heading, part } from "./parts.js";
import { seconds } from "../../shared/words.js";
import { tr } from "../../shared/texts.js";

export function frame(field, values, { changed, onenter }) {
  const said = el("p", { class: "picked", role: "status" });
  let picked; // index in the video
  let picker = null;

  function draw() {
    const time = picker?.time(picked);
    said.classList.toggle("given", picked !== undefined);
    said.textContent =
      picked === undefined
        ? tr("None yet: open a frame with a click or Enter, then go frame by frame.")
        : [tr("Frame {n}", { n: picked + 1 }), Number.isFinite(time) && seconds(time, 3)].filter(Boolean).join(" · ");
  }

  draw();
  return part({
    element: el("section", { class: "field" }, heading(field, values), said),
    get: () => picked,
    set(value) {
      picked = value;
      draw();
    },
    words: () => (picked === undefined ? "" : tr("frame {n}", { n: picked + 1 })),
    missing() {
      if (picker?.loading()) return tr("The frame is still loading.");
      return field.required && picked === undefined ? tr("Pick a frame first.") : null;
    },
    attach(look) {
      picker = look.picker ?? null;
      if (!picker) said.textContent = tr("There are no frames to pick from here. Skip the item (S).");
      else if (picked !== undefined) picker.mark(picked);
      picker?.listen((index) => {
        picked = index;
        draw();
        onenter();
        changed();
      });
      if (picker) draw();
    },
  });
}
