// One frame after the other, as the server decodes them. A frame counts as presented once its picture is on screen.

import { el, icon, press } from "../dom.js";
import { createPrefetch } from "../prefetch.js";
import { seconds } from "../words.js";
import { tr } from "../texts.js";

const KEPT = 14;
const AGAIN_MS = 2000;

// act: {presented(index), back()}
export function createSteps(act) {
  const larges = createPrefetch(KEPT);
  const canvas = el("canvas", {});
  const gap = el("p", { class: "gap", hidden: true });
  const picture = el("div", { class: "large-picture" }, canvas, gap);
  const caption = el("p", { class: "large-caption", "aria-live": "polite" });
  const fill = el("div", { class: "bar-fill" });
  const element = layout(picture, caption, fill, { go: (by) => go(by), back: () => act.back() });
  let stage = null;
  let wanted = null; // the frame asked for
  let presented = null; // the frame on screen

  const url = (index) => stage.frame_url.replace("{index}", index);
  const time = (index) => stage.player?.times?.[index] ?? stage.times?.[index];

  function open(next, index) {
    stage = next;
    element.hidden = false;
    presented = null;
    to(index);
  }

  function to(index) {
    wanted = Math.min(stage.end_index, Math.max(stage.start_index, index));
    say();
    const frame = wanted;
    const loaded = larges.want(url(frame));
    if (loaded.image) put(loaded, frame);
    else loaded.ready.then((done) => put(done, frame));
    const way = presented !== null && wanted < presented ? -1 : 1;
    for (const by of [way, 2 * way, -way, 3 * way]) {
      const near = wanted + by;
      if (near >= stage.start_index && near <= stage.end_index) larges.want(url(near));
    }
  }

  function put({ image, failed }, frame) {
    if (!stage || wanted !== frame) return;
    gap.hidden = !failed;
    canvas.hidden = Boolean(failed);
    if (failed) {
      gap.textContent = tr("Frame {n} could not be loaded: {why}.", { n: frame + 1, why: failed });
      setTimeout(() => stage && wanted === frame && presented !== frame && to(frame), AGAIN_MS);
      return;
    }
    Object.assign(canvas, { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    picture.style.setProperty("--ratio", image.width / image.height);
    presented = frame;
    element.dataset.frame = frame;
    say();
    act.presented(frame);
  }

  function say() {
    const t = time(wanted);
    const words = [
      tr("Frame {n}", { n: wanted + 1 }),
      Number.isFinite(t) && seconds(t, 3),
      wanted !== presented && tr("loading…"),
    ];
    caption.textContent = words.filter(Boolean).join(" · ");
    const length = stage.end_index - stage.start_index;
    fill.style.transform = `scaleX(${length ? (wanted - stage.start_index) / length : 1})`;
  }

  const go = (by) => stage && to(wanted + by);

  return {
    element,
    open,
    go,
    loading: () => stage !== null && wanted !== presented,
    close() {
      stage = null;
      [wanted, presented] = [null, null];
      element.hidden = true;
      delete element.dataset.frame;
      caption.textContent = "";
    },
  };
}

function layout(picture, caption, fill, { go, back }) {
  const step = (name, by, key, words) =>
    press(icon(name), () => go(by), { key, name: words, title: words, kind: "quiet" });
  return el(
    "div",
    { class: "enlarged steps", role: "group", "aria-label": tr("Frame by frame"), hidden: true },
    el("div", { class: "large-room" }, picture),
    el("div", { class: "bar quiet" }, fill),
    el(
      "div",
      { class: "large-foot" },
      step("back", -1, ",", tr("One frame back")),
      caption,
      step("forward", 1, ".", tr("One frame on")),
      press(tr("All frames"), back, { key: "Esc", kind: "quiet" }),
    ),
  );
}
