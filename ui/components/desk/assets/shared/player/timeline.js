// The clip from left to right with pictures, the playhead, and the segments of all cards. The edges of the active card
// are handles; whatever is dragged shows the frame it lies on. A drag on the lane below the pictures makes a segment;
// a click on a picture offers to start or end the segment there; the wheel zooms.

import { el, press } from "../dom.js";
import { tr } from "../texts.js";
import { seconds } from "../words.js";
import { createBubble } from "./bubble.js";
import { frameAt } from "./frame_times.js";
import { createStrip } from "./pictures.js";
import { edgeAt, edgeTime } from "./segment_edges.js";
import { follow, shareOf, timeAt, whole, zoomed } from "./zoom.js";

const WHEEL = 1.25;
const STEP = 2;

// act: {seekTo(i), edge(which, i), choose(card, which), create(start, end)}
export function createTimeline(act, prefetch, larges) {
  const pictures = createStrip();
  const bars = el("div", { class: "bars" });
  const head = el("div", { class: "playhead" });
  const lane = el("div", { class: "lane", title: tr("Drag here to mark a segment") });
  const bubble = createBubble(larges);
  const pin = createPin((which, i) => act.edge(which, i));
  const said = el("span", { class: "zoom-words hint", role: "status" });
  const element = el("div", { class: "timeline", hidden: true }, [
    pictures.element,
    lane,
    bars,
    head,
    bubble.element,
    pin.element,
    said,
  ]);
  const now = {
    stage: null,
    marks: null,
    cards: [],
    expected: [],
    active: 0,
    edge: "start",
    sheet: null,
    view: null,
    playhead: 0,
  };

  const percent = (t) => `${(100 * shareOf(now.view, t)).toFixed(3)}%`;

  function show(stage, marks) {
    Object.assign(now, { stage, marks, cards: [], expected: [], view: whole(marks) });
    element.hidden = false;
    bars.replaceChildren();
    pin.hide();
    said.textContent = "";
    if (stage.preview?.sheet) load(prefetch.want(stage.preview.sheet), stage);
  }

  function load(loaded, wanted) {
    if (now.stage !== wanted) return;
    if (!loaded.image) return void loaded.ready.then((done) => done.image && load(done, wanted));
    now.sheet = loaded.image;
    pictures.show(now.sheet, now.stage.preview, now.view.from, now.view.to);
  }

  function drawCards(cards, active, edge) {
    Object.assign(now, { cards, active, edge });
    const others = cards.flatMap((card, i) => (i === active ? [] : [bar(card, i, false)]));
    const own = cards[active] ? [bar(cards[active], active, true), ...handles(cards[active], active)] : [];
    bars.replaceChildren(...now.expected.flatMap(expectedBar), ...others, ...own);
  }

  function bar({ start, end }, i, active) {
    if (start === null || end === null || end <= now.view.from || start >= now.view.to) return el("span");
    const name = tr("Card {n}: {start} to {end}", { n: i + 1, start: seconds(start, 3), end: seconds(end, 3) });
    const look = { class: active ? "span active" : "span", title: tr("Card {n}", { n: i + 1 }), tabindex: "-1" };
    const segment = el("button", { type: "button", ...look, "aria-label": name }, el("span", {}, String(i + 1)));
    segment.style.left = percent(start);
    segment.style.width = `${100 * (shareOf(now.view, end) - shareOf(now.view, start))}%`;
    if (!active) segment.addEventListener("click", () => act.choose(i, "start"));
    return segment;
  }

  // A segment that is right, beside what was answered; it only is looked at.
  function expectedBar({ start, end }) {
    if (!(end > now.view.from && start < now.view.to)) return [];
    const name = tr("Right: {start} to {end}", { start: seconds(start, 3), end: seconds(end, 3) });
    const segment = el("div", { class: "span expected", role: "img", "aria-label": name, title: name });
    segment.style.left = percent(start);
    segment.style.width = `${100 * (shareOf(now.view, end) - shareOf(now.view, start))}%`;
    return [segment];
  }

  const inView = (t) => t !== null && t >= now.view.from - 1e-6 && t <= now.view.to + 1e-6;

  function handles(card, i) {
    return ["start", "end"].filter((which) => inView(card[which])).map((which) => handle(card[which], which, i));
  }

  function handle(t, which, i) {
    const name = tr(which === "start" ? "Start of card {n}" : "End of card {n}", { n: i + 1 });
    const element = el("div", {
      class: `handle ${which} ${which === now.edge ? "active" : ""}`,
      "data-edge": which,
      role: "slider",
      tabindex: "0",
      "aria-label": name,
      "aria-valuemin": now.marks.times[now.marks.first],
      "aria-valuemax": now.marks.end,
      "aria-valuenow": t,
      "aria-valuetext": seconds(t, 3),
      onkeydown: (event) => nudge(event, which, t),
    });
    element.style.left = percent(t);
    return element;
  }

  // The arrows move the handle that has the focus, as they do with every slider.
  function nudge(event, which, t) {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const to = edgeAt(now.marks, t) + by;
    act.edge(which, to);
    act.seekTo(Math.min(to, now.marks.last));
    bars.querySelector(`[data-edge=${which}]`)?.focus();
  }

  function zoom(factor, around) {
    if (!now.marks) return;
    now.view = zoomed(now.view, factor, around, whole(now.marks));
    pin.hide();
    redraw();
    const times = Math.round((10 * span(whole(now.marks))) / span(now.view)) / 10;
    said.textContent = times > 1 ? tr("{n}× as wide", { n: times }) : "";
  }

  const span = ({ from, to }) => to - from;

  function redraw() {
    if (now.sheet) pictures.show(now.sheet, now.stage.preview, now.view.from, now.view.to);
    drawCards(now.cards, now.active, now.edge);
    at(now.playhead);
  }

  function at(t) {
    if (!now.marks) return;
    now.playhead = t;
    const view = follow(now.view, t, whole(now.marks));
    if (view !== now.view && !drag.held()) {
      now.view = view;
      return redraw();
    }
    head.style.left = percent(t);
    head.hidden = t < now.view.from || t > now.view.to;
  }

  function wheel(event) {
    if (!now.marks) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? WHEEL : 1 / WHEEL, timeUnder(event));
  }

  function timeUnder(event) {
    const box = element.getBoundingClientRect();
    return timeAt(now.view, (event.clientX - box.left) / box.width);
  }

  const drag = createDrag(element, { now, act, bubble, pin, timeUnder });
  element.addEventListener("wheel", wheel, { passive: false });

  return {
    element,
    show,
    drawCards,
    at,
    showExpected(cards) {
      now.expected = cards;
      if (now.marks) redraw();
    },
    zoomIn: () => zoom(STEP, now.playhead),
    zoomOut: () => zoom(1 / STEP, now.playhead),
    clear() {
      Object.assign(now, { stage: null, marks: null, sheet: null, cards: [], expected: [], view: null });
      drag.drop();
      element.hidden = true;
      bars.replaceChildren();
      pictures.clear();
      bubble.hide();
      pin.hide();
    },
  };
}

// One drag for all: what it began on decides. The bars are drawn anew while it goes on, so the timeline holds it.
function createDrag(element, { now, act, bubble, pin, timeUnder }) {
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
function createPin(mark) {
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
