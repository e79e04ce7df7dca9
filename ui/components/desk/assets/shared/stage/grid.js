// Frames side by side, cut from one sheet: number and time under each, one of them enlarged on demand.

import { el } from "../dom.js";
import { createEnlarged } from "./enlarged.js";
import { createPrefetch } from "../prefetch.js";
import { frameWords } from "../words.js";
import { tr } from "../texts.js";

// With `choose` a frame is not enlarged: the arrows move a mark, and a click chooses.
export function createGrid({ prefetch, onready, onfail, choose = null }) {
  const tiles = el("div", { class: "tiles" });
  const note = el("p", { class: "grid-note" });
  const room = el("div", { class: "tiles-room" }, tiles, el("p", { class: "loading" }, tr("Loading the frames…")));
  const enlarged = createEnlarged(createPrefetch(8));
  const element = el("div", { class: "grid-stage" }, room, note, enlarged.element);
  let stage = null;
  let canvases = [];
  let at = 0;

  function show(next) {
    stage = next;
    at = 0;
    const [width, height] = stage.tile;
    tiles.style.setProperty("--columns", stage.columns);
    tiles.style.setProperty("--rows", Math.ceil(stage.frames.length / stage.columns));
    tiles.style.setProperty("--ratio", width / height);
    canvases = stage.frames.map(() => el("canvas", { width, height }));
    tiles.replaceChildren(...stage.frames.map(tile));
    if (choose) point(0);
    note.textContent = stage.note ?? "";
    note.hidden = !stage.note;
    draw(prefetch.want(picture(stage)), stage);
  }

  // A single frame deserves its own full picture rather than a tile's.
  const single = (one) => one.frames.length === 1 && one.frames[0].large && one.frames[0].status !== "missing";
  const picture = (one) => (single(one) ? one.frames[0].large : one.sheet);

  function draw(sheet, wanted) {
    if (stage !== wanted) return;
    if (!sheet.image && !sheet.failed) {
      room.classList.add("waiting");
      sheet.ready.then((loaded) => draw(loaded, wanted));
      return;
    }
    room.classList.remove("waiting");
    if (sheet.failed)
      return onfail(tr("The frames could not be loaded: {why}.", { why: sheet.failed }), picture(stage), sheet.lost);
    paint(sheet.image);
    onready();
  }

  function paint(image) {
    const [width, height] = stage.tile;
    if (single(stage)) {
      Object.assign(canvases[0], { width: image.width, height: image.height });
      return canvases[0].getContext("2d").drawImage(image, 0, 0);
    }
    canvases.forEach((canvas, i) => {
      const x = (i % stage.columns) * width;
      const y = Math.floor(i / stage.columns) * height;
      if (stage.frames[i].status !== "missing") {
        canvas.getContext("2d").drawImage(image, x, y, width, height, 0, 0, width, height);
      }
    });
  }

  function tile(frame, i) {
    const alone = stage.frames.length === 1 && Number.isFinite(frame.time); // a number says nothing then
    const words = frameWords(frame, alone ? "" : String(i + 1), 2);
    return el(
      "button",
      {
        type: "button",
        class: `tile ${frame.status}`,
        "data-frame": i,
        "aria-label": tr(choose ? "Frame {words}. Choose." : "Frame {words}. Enlarge.", { words }),
        onmousedown: (event) => event.preventDefault(),
        onclick: () => (choose ? (point(i), choose(frame)) : enlarge(i)),
      },
      el(
        "span",
        { class: "picture" },
        canvases[i],
        frame.status === "missing"
          ? el("span", { class: "gap" }, tr("This frame could not be had from the file."))
          : null,
      ),
      el("span", { class: "caption" }, words),
    );
  }

  function enlarge(i) {
    at = i;
    enlarged.show(stage, i, canvases[i]);
  }

  function point(i) {
    if (!stage.frames[i]) return;
    at = i;
    [...tiles.children].forEach((one, k) => one.classList.toggle("cursor", k === i));
  }

  // The tile that stands for a frame of the video: the last one in time that is not after it.
  function standsFor(index) {
    const before = stage.frames.map((frame, i) => [frame.index, i]).filter(([one]) => one <= index);
    return before.length ? before.reduce((best, one) => (one[0] > best[0] ? one : best))[1] : 0;
  }

  function walk(step) {
    if (choose) return point(at + step);
    if (!enlarged.open()) return enlarge(at);
    const next = at + step;
    if (next >= 0 && next < stage.frames.length) enlarge(next);
  }

  enlarged.onwalk = walk;

  return {
    element,
    show,
    clear() {
      stage = null;
      canvases = [];
      tiles.replaceChildren();
      room.classList.remove("waiting");
      enlarged.close();
    },
    prepare: (next) => prefetch.want(picture(next)),
    bindings: () => [
      {
        key: "ArrowRight",
        words: choose ? tr("Next frame") : tr("Next frame, enlarged"),
        group: tr("Frames"),
        repeat: true,
        run: () => walk(1),
      },
      { key: "ArrowLeft", words: tr("Frame before"), group: tr("Frames"), repeat: true, run: () => walk(-1) },
      {
        key: "ArrowDown",
        words: tr("A row down"),
        group: tr("Frames"),
        repeat: true,
        yields: true,
        run: () => walk(stage.columns),
      },
      {
        key: "ArrowUp",
        words: tr("A row up"),
        group: tr("Frames"),
        repeat: true,
        yields: true,
        run: () => walk(-stage.columns),
      },
    ],
    at: () => stage?.frames[at] ?? null,
    stands: (index) => standsFor(index) === at,
    // Marks the tile that stands for the picked frame.
    mark(index) {
      const i = standsFor(index);
      [...tiles.children].forEach((one, k) => one.classList.toggle("picked", k === i));
      point(i);
    },
    escape() {
      const open = enlarged.open();
      enlarged.close();
      return open;
    },
  };
}
