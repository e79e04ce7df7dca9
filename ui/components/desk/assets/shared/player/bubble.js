// The frame under what is dragged: at once from the preview, then the frame itself.

import { el } from "../dom.js";
import { tr } from "../texts.js";
import { seconds } from "../words.js";
import { nearest, tileOf } from "./pictures.js";

export function createBubble(larges) {
  const canvas = el("canvas", { width: 192, height: 108 });
  const caption = el("span", {});
  const element = el("div", { class: "bubble", hidden: true, "aria-hidden": "true" }, canvas, caption);
  let wanted = null;

  function paint(image, x, y, w, h) {
    canvas.height = Math.round((canvas.width * h) / w);
    canvas.getContext("2d").drawImage(image, x, y, w, h, 0, 0, canvas.width, canvas.height);
  }

  function show(share, i, t, { stage, sheet, marks }) {
    const { last } = marks;
    element.hidden = false;
    element.style.left = `clamp(96px, ${(100 * share).toFixed(2)}%, calc(100% - 96px))`;
    const name = i > last ? tr("the clip's end") : tr("frame {n}", { n: i + 1 });
    caption.textContent = `${name} · ${seconds(t, 3)}`;
    element.dataset.frame = i;
    wanted = i;
    if (sheet) paint(sheet, ...tileOf(stage.preview, nearest(stage.preview, t)));
    if (!stage.frame_url) return;
    const large = larges.want(stage.frame_url.replace("{index}", Math.min(i, last)));
    const use = ({ image }) => image && wanted === i && paint(image, 0, 0, image.width, image.height);
    if (large.image) use(large);
    else large.ready.then(use);
  }

  function hide() {
    element.hidden = true;
    wanted = null;
  }

  return { element, show, hide };
}
