// Two <video> elements: one on screen, the other with the next clip loaded and its first frame decoded.

import { middleOf, segment } from "./frame_times.js";
import { createOpening } from "./opening_frame.js";
import { el } from "../dom.js";

export function createVideos({ onframe, onevent }) {
  const opened = (element) => element === front && onevent("opened", element);
  const opening = createOpening({ seek: toFirst, opened });
  const pair = [video(), video()];
  let front = pair[0];
  let back = pair[1];

  function video() {
    const element = el("video", { preload: "auto", playsinline: true, disablepictureinpicture: true, tabindex: "-1" });
    element.disableRemotePlayback = true;
    for (const name of [
      "play",
      "pause",
      "ended",
      "error",
      "timeupdate",
      "seeked",
      "loadeddata",
      "volumechange",
      "waiting",
    ]) {
      element.addEventListener(name, () => element === front && element.dataset.src && onevent(name, element));
    }
    element.addEventListener("loadedmetadata", () => toFirst(element));
    element.addEventListener("seeked", () => opening.sought(element));
    const watch = () => element.requestVideoFrameCallback?.(presented);
    const presented = (_, { mediaTime }) => {
      opening.presented(element, mediaTime);
      if (element === front) onframe(mediaTime);
      watch();
    };
    watch();
    return element;
  }

  function load(element, stage) {
    element.pause();
    element.stage = stage;
    element.dataset.src = stage.src;
    opening.begin(element, stage);
    element.src = stage.src;
    element.load();
  }

  function toFirst(element, beside = 0) {
    const { times, duration } = element.stage;
    const { first } = segment(element.stage);
    if (first > 0) element.currentTime = middleOf(times, duration, first) + beside;
    else if (element.currentTime > 0) element.currentTime = 0;
  }

  const holds = (element, stage) =>
    element.dataset.src === stage.src && element.stage.start === stage.start && !element.error;

  function prepare(stage) {
    if (!holds(back, stage)) load(back, stage);
  }

  // Brings a clip to the front at its first frame. True when the frame is there already.
  function bring(stage) {
    park();
    if (holds(back, stage)) [front, back] = [back, front];
    else load(front, stage);
    front.stage = stage;
    back.classList.remove("front");
    front.classList.add("front");
    return ready();
  }

  const ready = () => front.readyState >= 2 && !front.seeking && !opening.waits(front);

  // Off the screen and back to nothing: a clip that was watched is not shown again from where it stood.
  function park() {
    if (!front.dataset.src) return;
    front.classList.remove("front");
    unload(front);
  }

  function unload(element) {
    element.pause();
    opening.end(element);
    delete element.dataset.src;
    element.stage = null;
    element.removeAttribute("src");
    element.load();
  }

  return {
    elements: pair,
    prepare,
    bring,
    park,
    ready,
    front: () => front,
    again: (stage) => load(front, stage),
    unloadAll: () => pair.forEach((element) => element.dataset.src && unload(element)),
  };
}
