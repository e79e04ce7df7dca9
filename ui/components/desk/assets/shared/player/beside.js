// Other videos beside the one that plays, to compare it with: one frame each, with words. The one that is looked at
// plays large beside it, muted and round and round.

import { cap, el } from "../dom.js";
import { tr } from "../texts.js";

export function createBeside() {
  const list = el("div", { class: "beside-list" });
  const strip = el(
    "aside",
    { class: "beside", "aria-label": tr("Videos that look alike"), hidden: true },
    el("p", { class: "beside-head" }, tr("Looks alike "), cap("W")),
    list,
  );
  const large = el("div", {
    class: "beside-large",
    role: "group",
    "aria-label": tr("A video that looks alike"),
    hidden: true,
    onclick: () => look(-1),
  });
  let pictures = [];
  let at = -1; // the one that is large

  function show(stage) {
    clear();
    pictures = stage.beside ?? [];
    strip.hidden = !pictures.length;
    list.replaceChildren(
      ...pictures.map((one, i) =>
        el(
          "button",
          {
            type: "button",
            class: "beside-one",
            title: tr("Show it large (W)"),
            onmousedown: (event) => event.preventDefault(),
            onclick: () => look(at === i ? -1 : i),
          },
          framed(one),
          el("span", { class: "caption" }, one.label),
        ),
      ),
    );
  }

  // A picture that cannot be had says so in its place.
  function framed(one) {
    const image = el("img", {
      src: one.large,
      alt: one.label,
      onerror: () => image.replaceWith(el("span", { class: "gap small" }, tr("This picture could not be loaded."))),
    });
    return el("span", { class: "beside-picture" }, image);
  }

  // What cannot be played is shown as its frame.
  function moving(one) {
    if (!one.src) return framed(one);
    const still = framed(one);
    const video = el("video", { src: one.src, poster: one.large, autoplay: true, loop: true, playsinline: true });
    video.setAttribute("aria-label", one.label);
    video.muted = true;
    video.addEventListener("error", () => video.parentElement.replaceWith(still));
    return el("span", { class: "beside-picture" }, video);
  }

  function look(i) {
    at = pictures[i] ? i : -1;
    large.querySelector("video")?.pause();
    large.hidden = at < 0;
    large.replaceChildren(
      ...(at < 0
        ? []
        : [moving(pictures[at]), el("p", { class: "large-caption", "aria-live": "polite" }, pictures[at].label)]),
    );
  }

  function clear() {
    pictures = [];
    look(-1);
    strip.hidden = true;
    list.replaceChildren();
  }

  return {
    strip,
    large,
    show,
    clear,
    escape: () => at >= 0 && (look(-1), true),
    bindings: () =>
      pictures.length
        ? [
            {
              key: "W",
              words: tr("What looks alike, large beside the video: next, then away"),
              group: tr("Video"),
              yields: true,
              run: () => look(at + 1),
            },
          ]
        : [],
  };
}
