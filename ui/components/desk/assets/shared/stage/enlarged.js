// One frame, large, over the tiles: the question and its options stay where they are.

import { el, icon, press } from "../dom.js";
import { frameWords } from "../words.js";
import { tr } from "../texts.js";

const NOT_LARGE = "the large picture could not be loaded ({why}); this is the small one";

export function createEnlarged(larges) {
  const picture = el("div", { class: "large-picture" });
  const caption = el("p", { class: "large-caption", "aria-live": "polite" });
  const element = el(
    "div",
    { class: "enlarged", role: "group", "aria-label": tr("Enlarged frame"), hidden: true },
    el("div", { class: "large-room", onclick: () => close() }, picture),
    el(
      "div",
      { class: "large-foot" },
      press(icon("back"), () => self.onwalk(-1), {
        name: tr("Frame before"),
        title: tr("Frame before (←)"),
        kind: "quiet",
      }),
      caption,
      press(icon("forward"), () => self.onwalk(1), {
        name: tr("Next frame"),
        title: tr("Next frame (→)"),
        kind: "quiet",
      }),
      press(tr("All frames"), () => close(), { key: "Esc", kind: "quiet" }),
    ),
  );
  let shown = null;

  function show(stage, i, small) {
    const frame = stage.frames[i];
    shown = frame;
    element.hidden = false;
    element.dataset.frame = i;
    caption.textContent = frameWords(
      frame,
      tr("Frame {n} of {total}", { n: i + 1, total: stage.frames.length }),
      3,
      true,
    );
    if (frame.status === "missing") {
      picture.replaceChildren(
        el("p", { class: "gap" }, tr("This frame could not be had from the file. Nothing stands in for it.")),
      );
      return;
    }
    put(copy(small, stage.tile), stage.tile, "small");
    if (frame.large) fetchLarge(frame, stage);
    for (const beside of [stage.frames[i + 1], stage.frames[i - 1]]) if (beside?.large) larges.want(beside.large);
  }

  function fetchLarge(frame, stage) {
    const large = larges.want(frame.large);
    const use = ({ image, failed }) => {
      if (shown !== frame) return;
      if (failed) caption.textContent += ` · ${tr(NOT_LARGE, { why: failed })}`;
      else put(copy(image, [image.width, image.height]), stage.tile, "full");
    };
    if (large.image) use(large);
    else large.ready.then(use);
  }

  function put(canvas, [width, height], size) {
    canvas.dataset.size = size;
    picture.style.setProperty("--ratio", width / height);
    picture.replaceChildren(canvas);
  }

  function close() {
    shown = null;
    element.hidden = true;
    delete element.dataset.frame;
    picture.replaceChildren();
    caption.textContent = "";
  }

  const self = { element, show, close, open: () => !element.hidden, onwalk: () => {} };
  return self;
}

function copy(source, [width, height]) {
  const canvas = el("canvas", { width, height });
  canvas.getContext("2d").drawImage(source, 0, 0, width, height);
  return canvas;
}
