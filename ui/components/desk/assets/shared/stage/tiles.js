// The frames of a grid as tiles: cut from one sheet, with number and time under each.

import { blank, createAhead } from "./ahead.js";
import { el } from "../dom.js";
import { frameWords } from "../words.js";
import { tr } from "../texts.js";

// label(words): what a screen reader is told of a tile; press(i): what a click on it does; onready() and
// onfail(words, url, lost): whether the sheet could be had.
export function createTiles({ prefetch, label, press, onready, onfail }) {
  const tiles = el("div", { class: "tiles" });
  const ahead = createAhead((next, blanks) => {
    const { image } = prefetch.want(pictureOf(next));
    if (image) paint(next, blanks, image);
    return Boolean(image);
  });
  const loading = el("p", { class: "loading" }, tr("Loading the frames…"));
  const element = el("div", { class: "tiles-room" }, tiles, loading, ahead.element);
  let stage = null;
  let canvases = [];
  let drawn = false; // before it was to be shown

  function show(next) {
    stage = next;
    const [width, height] = stage.tile;
    const ready = ahead.take(stage);
    drawn = Boolean(ready);
    canvases = ready ?? blank(stage);
    tiles.style.setProperty("--columns", stage.columns);
    tiles.style.setProperty("--rows", Math.ceil(stage.frames.length / stage.columns));
    tiles.style.setProperty("--ratio", width / height);
    tiles.replaceChildren(...stage.frames.map(tile));
  }

  function tile(frame, i) {
    const alone = stage.frames.length === 1 && Number.isFinite(frame.time); // a number says nothing then
    const words = frameWords(frame, alone ? "" : String(i + 1), 2);
    const gap = el("span", { class: "gap" }, tr("This frame could not be had from the file."));
    return el(
      "button",
      {
        type: "button",
        class: `tile ${frame.status}`,
        "data-frame": i,
        "aria-label": label(words),
        onmousedown: (event) => event.preventDefault(),
        onclick: () => press(i),
      },
      el("span", { class: "picture" }, canvases[i], frame.status === "missing" ? gap : null),
      el("span", { class: "caption" }, words),
    );
  }

  // Draws when the sheet is there; what came too late for its stage is left.
  function draw(sheet = prefetch.want(pictureOf(stage)), wanted = stage) {
    if (stage !== wanted) return;
    if (!drawn && !sheet.image && !sheet.failed) {
      element.classList.add("waiting");
      sheet.ready.then((loaded) => draw(loaded, wanted));
      return;
    }
    element.classList.remove("waiting");
    if (!drawn && sheet.failed) {
      const words = tr("The frames could not be loaded: {why}.", { why: sheet.failed });
      return onfail(words, pictureOf(stage), sheet.lost);
    }
    if (!drawn) paint(stage, canvases, sheet.image);
    onready();
  }

  return {
    element,
    show,
    draw: () => draw(),
    canvas: (i) => canvases[i],
    mark: (name, i) => [...tiles.children].forEach((tile, k) => tile.classList.toggle(name, k === i)),
    prepare: (next) => prefetch.want(pictureOf(next)).ready.then(() => ahead.want(next)),
    clear() {
      stage = null;
      canvases = [];
      tiles.replaceChildren();
      element.classList.remove("waiting");
    },
  };
}

function paint(stage, canvases, image) {
  const [width, height] = stage.tile;
  if (single(stage)) {
    Object.assign(canvases[0], { width: image.width, height: image.height });
    return void canvases[0].getContext("2d").drawImage(image, 0, 0);
  }
  canvases.forEach((canvas, i) => {
    const x = (i % stage.columns) * width;
    const y = Math.floor(i / stage.columns) * height;
    if (stage.frames[i].status !== "missing") {
      canvas.getContext("2d").drawImage(image, x, y, width, height, 0, 0, width, height);
    }
  });
}

// A single frame deserves its own full picture rather than a tile's.
const single = ({ frames }) => frames.length === 1 && frames[0].large && frames[0].status !== "missing";
const pictureOf = (stage) => (single(stage) ? stage.frames[0].large : stage.sheet);

// The tile that stands for a frame of the video: the last one in time that is not after it.
export function standsFor(frames, index) {
  let latest = null;
  frames.forEach((frame, i) => {
    if (frame.index <= index && (latest === null || frame.index > frames[latest].index)) latest = i;
  });
  return latest ?? 0;
}
