// Pictures of the clip in the order of time, cut from one sheet, as many as fit.

import { el } from "../dom.js";
import { frameAt } from "./frame_times.js";

export function createStrip() {
  const canvas = el("canvas", { class: "strip-pictures", "aria-hidden": "true" });
  let drawn = null; // {image, preview, from, to}

  function draw() {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    const scale = Math.min(2, window.devicePixelRatio || 1);
    Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
    if (!drawn) return;
    const context = canvas.getContext("2d");
    const { image, preview, from, to } = drawn;
    const wide = (height * scale * preview.tile[0]) / preview.tile[1];
    const count = Math.max(1, Math.ceil(canvas.width / wide));
    for (let i = 0; i < count; i += 1) {
      const t = from + ((to - from) * (i + 0.5)) / count;
      const [x, y, w, h] = tileOf(preview, nearest(preview, t));
      context.drawImage(image, x, y, w, h, i * wide, 0, wide, canvas.height);
    }
  }

  new ResizeObserver(draw).observe(canvas);

  return {
    element: canvas,
    show(image, preview, from, to) {
      drawn = { image, preview, from, to };
      draw();
    },
    clear() {
      drawn = null;
      canvas.width = 1;
    },
  };
}

// Where on its sheet a picture of the preview lies.
export function tileOf({ tile: [w, h], columns }, i) {
  return [(i % columns) * w, Math.floor(i / columns) * h, w, h];
}

export const nearest = (preview, t) =>
  frameAt(
    preview.frames.map((frame) => frame.time ?? 0),
    t,
  );
