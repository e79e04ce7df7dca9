// What the pointer does on the timeline: the playhead, an edge or a new segment follows it; a click on a picture offers
// to start or end the segment there.

import { press, el } from "../dom.js";
import { tr } from "../texts.js";
import { frameAt } from "./frame_times.js";
import { edgeAt, edgeTime } from "./segment_edges.js";
import { shareOf } from "./zoom.js";

// One drag for all: what it began on decides. The bars are drawn anew while it goes on, so the timeline holds it.
export function createDrag(element, { now, act, bubble, pin, timeUnder }) {
  let held = null; // "start" | "end" | "head" | "new"
  let from = 0; // edge on which a new segment began
  let moved = false;

  function follow(event) {
    if (!held || !now.marks) return;
    const { marks } = now;
    const t = timeUnder(event);
    const i = held === "head" ? frameAt(marks.times, t) : edgeAt(marks, t);
    const to = Math.min(Math.max(i, marks.first), held === "end" || held === "new" ? marks.last + 1 : marks.last);
    bubble.show(shareOf(now.view, edgeTime(marks, to)), to, edgeTime(marks, to), now);
    act.seekTo(Math.min(to, marks.last));
    if (held === "new") {
      if (to !== from) moved = act.create(Math.min(from, to), Math.max(from, to), moved) || moved;
    } else if (held !== "head") act.edge(held, to);
  }

  function begin(event) {
    if (!now.marks || event.button) return;
    const on = event.composedPath()[0];
    if (on.closest(".span:not(.active), .pin")) return;
    held = on.dataset?.edge ?? (on.closest(".lane") ? "new" : "head");
    pin.hide();
    element.setPointerCapture(event.pointerId);
    moved = false;
    from = edgeAt(now.marks, timeUnder(event));
    if (held === "head") follow(event);
    else if (held !== "new") act.choose(null, held);
  }

  function end(event) {
    const clicked = held === "head" && event.type === "pointerup" ? frameAt(now.marks.times, timeUnder(event)) : null;
    held = null;
    bubble.hide();
    if (clicked !== null) pin.show(shareOf(now.view, now.marks.times[clicked]), clicked, now.marks);
  }

  element.addEventListener("mousedown", (event) => event.preventDefault());
  element.addEventListener("pointerdown", begin);
  element.addEventListener("pointermove", (event) => element.hasPointerCapture(event.pointerId) && follow(event));
  for (const name of ["pointerup", "pointercancel"]) {
    element.addEventListener(name, (event) => now.marks && held && end(event));
  }
  return { held: () => held !== null, drop: () => (held = null) };
}

// What a click on a picture offers: the segment starts or ends with that frame.
export function createPin(mark) {
  let frame = 0;
  const start = press(tr("Start here"), () => set("start", frame), { name: tr("The segment starts with this frame") });
  const end = press(tr("End here"), () => set("end", frame + 1), { name: tr("The segment ends with this frame") });
  const element = el("div", { class: "pin", hidden: true }, start, end);

  function set(which, i) {
    element.hidden = true;
    mark(which, i);
  }

  return {
    element,
    show(share, i, marks) {
      frame = Math.min(Math.max(i, marks.first), marks.last);
      element.style.left = `clamp(0px, calc(${(100 * share).toFixed(2)}% - 80px), calc(100% - 160px))`;
      element.hidden = false;
    },
    hide: () => (element.hidden = true),
  };
}
