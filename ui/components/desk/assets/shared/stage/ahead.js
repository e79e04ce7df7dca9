// The pictures of the next stages, drawn while somebody looks at the one on screen: showing them is moving them.

import { el } from "../dom.js";

const KEPT = 2;

// draw(stage, canvases): draws what has come, and says whether it could.
export function createAhead(draw) {
  // They are part of the page, all but invisible, so that the browser keeps them ready to be put on screen.
  const element = el("div", { class: "tiles-ahead", "aria-hidden": "true" });
  const drawn = new Map(); // stage -> its canvases
  let wanted = [];

  function work() {
    const stage = wanted.shift();
    if (!stage) return;
    const canvases = blank(stage);
    if (!drawn.has(stage) && draw(stage, canvases)) {
      drawn.set(stage, canvases);
      element.append(...canvases);
      for (const old of [...drawn.keys()].slice(0, -KEPT)) take(old)?.forEach((canvas) => canvas.remove());
    }
    if (wanted.length) afterPaint(work);
  }

  function take(stage) {
    const canvases = drawn.get(stage) ?? null;
    drawn.delete(stage);
    wanted = wanted.filter((one) => one !== stage);
    return canvases;
  }

  return {
    element,
    take,
    want(stage) {
      if (drawn.has(stage) || wanted.includes(stage)) return;
      wanted.push(stage);
      if (wanted.length === 1) afterPaint(work);
    },
  };
}

export const blank = ({ tile: [width, height], frames }) => frames.map(() => el("canvas", { width, height }));

// What somebody waits for is on screen first. A page that nobody sees draws nothing ahead.
const afterPaint = (act) => requestAnimationFrame(() => setTimeout(act, 0));
