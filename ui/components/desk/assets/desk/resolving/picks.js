// The frames that people picked, named on the pictures of the strip that stand for them.

import { el } from "../../shared/dom.js";

export function drawPicks(room, { picks, stage }) {
  for (const badge of room.querySelectorAll(".picked-by")) badge.remove();
  const frames = stage.grid?.frames ?? [];
  for (const { frame, label } of picks) {
    const badge = el("span", { class: "picked-by" }, label);
    room.querySelector(`.tile[data-frame="${standsFor(frames, frame)}"] .picture`)?.append(badge);
  }
}

// The picture that stands for a frame of the video: the last one in time that is not after it.
function standsFor(frames, index) {
  let best = 0;
  frames.forEach((frame, i) => {
    if (frame.index <= index && frame.index >= frames[best].index) best = i;
  });
  return best;
}
