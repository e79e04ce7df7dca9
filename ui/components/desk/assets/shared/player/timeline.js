// The clip from left to right with pictures, the playhead, and the segments of all cards. The edges of the active card
// are handles; whatever is dragged shows the frame it lies on. A drag on the lane below the pictures makes a segment;
// a click on a picture offers to start or end the segment there; the wheel zooms.

import { el } from "../dom.js";
import { tr } from "../texts.js";
import { createBubble } from "./bubble.js";
import { createStrip } from "./pictures.js";
import { createBars } from "./timeline_bars.js";
import { createDrag, createPin } from "./timeline_drag.js";
import { follow, shareOf, timeAt, whole, zoomed } from "./zoom.js";

const WHEEL = 1.25;
const STEP = 2;
const EMPTY = { stage: null, marks: null, sheet: null, cards: [], expected: [], view: null };

// act: {seekTo(i), edge(which, i), choose(card, which), create(start, end)}
export function createTimeline(act, prefetch, larges) {
  const now = { ...EMPTY, active: 0, edge: "start", playhead: 0 };
  const pictures = createStrip();
  const bars = createBars(now, act);
  const head = el("div", { class: "playhead" });
  const lane = el("div", { class: "lane", title: tr("Drag here to mark a segment") });
  const bubble = createBubble(larges);
  const pin = createPin((which, i) => act.edge(which, i));
  const said = el("span", { class: "zoom-words hint", role: "status" });
  const element = el("div", { class: "timeline", hidden: true }, [
    pictures.element,
    lane,
    bars.element,
    head,
    bubble.element,
    pin.element,
    said,
  ]);
  const percent = (t) => `${(100 * shareOf(now.view, t)).toFixed(3)}%`;

  function show(stage, marks) {
    Object.assign(now, { stage, marks, cards: [], expected: [], view: whole(marks) });
    element.hidden = false;
    bars.clear();
    pin.hide();
    said.textContent = "";
    if (stage.preview?.sheet) load(prefetch.want(stage.preview.sheet), stage);
  }

  function load(loaded, wanted) {
    if (now.stage !== wanted) return;
    if (!loaded.image) return void loaded.ready.then((done) => done.image && load(done, wanted));
    now.sheet = loaded.image;
    paint();
  }

  const paint = () => pictures.show(now.sheet, now.stage.preview, now.view.from, now.view.to);

  function zoom(factor, around) {
    if (!now.marks) return;
    now.view = zoomed(now.view, factor, around, whole(now.marks));
    pin.hide();
    redraw();
    said.textContent = zoomWords(now.view, whole(now.marks));
  }

  function redraw() {
    if (now.sheet) paint();
    bars.draw(now.cards, now.active, now.edge);
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
    drawCards: bars.draw,
    at,
    showExpected(cards) {
      now.expected = cards;
      return Boolean(now.marks) && (redraw(), cards.length > 0);
    },
    zoomIn: () => zoom(STEP, now.playhead),
    zoomOut: () => zoom(1 / STEP, now.playhead),
    clear() {
      Object.assign(now, EMPTY);
      drag.drop();
      element.hidden = true;
      bars.clear();
      pictures.clear();
      bubble.hide();
      pin.hide();
    },
  };
}

function zoomWords(view, clip) {
  const times = Math.round((10 * (clip.to - clip.from)) / (view.to - view.from)) / 10;
  return times > 1 ? tr("{n}× as wide", { n: times }) : "";
}
