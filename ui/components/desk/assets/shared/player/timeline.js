// The clip from left to right with pictures, the playhead, and the segments of all cards. The edges of the active
// card are handles; whatever is dragged shows the frame it lies on.

import { el } from "../dom.js";
import { frameAt } from "./frame_times.js";
import { edgeAt, edgeTime } from "./segment_edges.js";
import { createStrip, nearest, tileOf } from "./pictures.js";
import { seconds } from "../words.js";

// act: {seekTo(i), edge(which, i), choose(card, which)}
export function createTimeline(act, prefetch, larges) {
  const pictures = createStrip();
  const bars = el("div", { class: "bars" });
  const head = el("div", { class: "playhead" });
  const bubble = createBubble(larges);
  const element = el("div", { class: "timeline", hidden: true }, pictures.element, bars, head, bubble.element);
  let stage = null;
  let marks = null; // {times, first, last, end}
  let cards = [];
  let sheet = null;

  const from = () => marks.times[marks.first];
  const share = (t) => (marks.end > from() ? Math.min(1, Math.max(0, (t - from()) / (marks.end - from()))) : 0);
  const percent = (t) => `${(100 * share(t)).toFixed(3)}%`;

  function timeUnder(event) {
    const box = element.getBoundingClientRect();
    return from() + Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * (marks.end - from());
  }

  function show(next, nextMarks) {
    [stage, marks, cards] = [next, nextMarks, []];
    element.hidden = false;
    bars.replaceChildren();
    if (stage.preview?.sheet) draw(prefetch.want(stage.preview.sheet), stage);
  }

  function draw(loaded, wanted) {
    if (stage !== wanted) return;
    if (!loaded.image) return void loaded.ready.then((done) => done.image && draw(done, wanted));
    sheet = loaded.image;
    pictures.show(sheet, stage.preview, from(), marks.end);
  }

  function drawCards(next, active, edge) {
    cards = next;
    bars.replaceChildren(...cards.flatMap((card, i) => (i === active ? [] : [bar(card, i, false)])), ...(cards[active] ? [bar(cards[active], active, true), ...handles(cards[active], active, edge)] : []));
  }

  function bar({ start, end }, i, active) {
    if (start === null || end === null) return el("span");
    const one = el("button", { type: "button", class: active ? "span active" : "span", title: `Card ${i + 1}`, tabindex: "-1", "aria-label": `Card ${i + 1}: ${seconds(start, 3)} to ${seconds(end, 3)}` }, el("span", {}, String(i + 1)));
    Object.assign(one.style, { left: percent(start), width: `${100 * (share(end) - share(start))}%` });
    if (!active) one.addEventListener("click", () => act.choose(i, "start"));
    return one;
  }

  function handles(card, i, edge) {
    return ["start", "end"].filter((which) => card[which] !== null).map((which) => {
      const handle = el("div", { class: `handle ${which} ${which === edge ? "active" : ""}`, "data-edge": which, role: "slider", "aria-label": `${which === "start" ? "Start" : "End"} of card ${i + 1}`, "aria-valuenow": card[which], "aria-valuetext": seconds(card[which], 3) });
      handle.style.left = percent(card[which]);
      return handle;
    });
  }

  // One drag for all: what it began on decides. The bars are drawn anew while it goes on, so the timeline holds it.
  let held = null; // "start" | "end" | "head"

  function drag(event) {
    if (!held || !marks) return;
    const t = timeUnder(event);
    const i = held === "head" ? frameAt(marks.times, t) : edgeAt(marks, t);
    const at = Math.min(Math.max(i, marks.first), held === "end" ? marks.last + 1 : marks.last);
    bubble.show(share(edgeTime(marks, at)), at, edgeTime(marks, at), stage, sheet, marks.last);
    act.seekTo(Math.min(at, marks.last));
    if (held !== "head") act.edge(held, at);
  }

  element.addEventListener("mousedown", (event) => event.preventDefault());
  element.addEventListener("pointerdown", (event) => {
    if (!marks || event.button) return;
    const on = event.composedPath()[0];
    if (on.closest(".span:not(.active)")) return;
    held = on.dataset?.edge ?? "head";
    element.setPointerCapture(event.pointerId);
    if (held === "head") drag(event);
    else act.choose(null, held);
  });
  element.addEventListener("pointermove", (event) => element.hasPointerCapture(event.pointerId) && drag(event));
  for (const end of ["pointerup", "pointercancel"]) {
    element.addEventListener(end, () => {
      held = null;
      bubble.hide();
    });
  }

  return {
    element,
    show,
    drawCards,
    at: (t) => marks && (head.style.left = percent(t)),
    clear() {
      [stage, marks, sheet, held, cards] = [null, null, null, null, []];
      element.hidden = true;
      bars.replaceChildren();
      pictures.clear();
      bubble.hide();
    },
  };
}

// The frame under what is dragged: at once from the preview, then the frame itself.
function createBubble(larges) {
  const canvas = el("canvas", { width: 192, height: 108 });
  const caption = el("span", {});
  const element = el("div", { class: "bubble", hidden: true, "aria-hidden": "true" }, canvas, caption);
  let wanted = null;

  function paint(image, x, y, w, h) {
    canvas.height = Math.round((canvas.width * h) / w);
    canvas.getContext("2d").drawImage(image, x, y, w, h, 0, 0, canvas.width, canvas.height);
  }

  return {
    element,
    show(share, i, t, stage, sheet, last) {
      element.hidden = false;
      element.style.left = `clamp(96px, ${(100 * share).toFixed(2)}%, calc(100% - 96px))`;
      caption.textContent = i > last ? `the clip's end · ${seconds(t, 3)}` : `frame ${i + 1} · ${seconds(t, 3)}`;
      element.dataset.frame = i;
      wanted = i;
      if (sheet) paint(sheet, ...tileOf(stage.preview, nearest(stage.preview, t)));
      if (!stage.frame_url) return;
      const large = larges.want(stage.frame_url.replace("{index}", Math.min(i, last)));
      const use = ({ image }) => image && wanted === i && paint(image, 0, 0, image.width, image.height);
      if (large.image) use(large);
      else large.ready.then(use);
    },
    hide() {
      element.hidden = true;
      wanted = null;
    },
  };
}
