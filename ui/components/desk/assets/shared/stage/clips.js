// Several clips, one of which is on stage and plays; the others stand below it as still pictures and load when chosen.

import { cap, el } from "../dom.js";
import { createHead } from "./head.js";
import { createPlayer } from "../player/player.js";
import { tr } from "../texts.js";

export function createClips(tools) {
  const player = createPlayer(tools);
  const head = createHead("clip");
  const row = el("div", { class: "thumbs", role: "listbox", "aria-label": tr("Clips") });
  const element = el("div", { class: "clips-stage" }, head.element, player.element, row);
  let clips = [];
  let thumbs = [];
  let active = -1;
  let coming = null; // the stage of the next item
  let listener = null;

  function show(stage) {
    [clips, active, listener, coming] = [stage.clips, -1, null, null];
    thumbs = clips.map((clip, i) => thumb(clip, i, () => choose(i)));
    row.replaceChildren(...thumbs);
    choose(0);
  }

  function choose(i) {
    if (i === active || !clips[i]) return;
    active = i;
    tools.oncalm();
    const position = tr("Clip {n} of {total}", { n: i + 1, total: clips.length });
    head.show([position, clips[i].title].filter(Boolean).join(" · "), clips[i].link);
    thumbs.forEach((one, k) => one.setAttribute("aria-selected", String(k === i)));
    player.show(clips[i]);
    ahead();
    listener?.(clips[i].id);
  }

  // The second video element loads what probably comes next, and nothing else.
  function ahead() {
    const next = clips[active + 1] ?? coming?.clips[0];
    if (next) player.prepare(next, 0);
  }

  const bind = (key, words, to, also = []) => ({ key, words, also, group: tr("Clips"), run: () => choose(to()) });

  return {
    element,
    show,
    clear() {
      [clips, thumbs, active, listener, coming] = [[], [], -1, null, null];
      row.replaceChildren();
      head.show("", "");
      player.clear();
    },
    prepare(next, i) {
      if (i > 0) return;
      coming = next;
      if (active < 0 || active === clips.length - 1) ahead();
    },
    stop: player.stop,
    look: () => ({
      clips: {
        choose: (id) => choose(clips.findIndex((clip) => clip.id === id)),
        listen: (callback) => (listener = callback),
      },
    }),
    bindings: () => [
      bind("[", tr("The clip before"), () => active - 1),
      bind("]", tr("Next clip"), () => active + 1),
      ...clips.slice(0, 9).map((_, i) => bind(`Shift+${i + 1}`, tr("Clip {n}", { n: i + 1 }), () => i)),
      ...player.bindings(),
    ],
  };
}

function thumb(clip, i, choose) {
  const picture = clip.poster
    ? el("img", { src: clip.poster, alt: "", loading: "lazy", decoding: "async", draggable: "false" })
    : el("span", { class: "no-picture" });
  return el(
    "button",
    {
      type: "button",
      class: "thumb",
      role: "option",
      title: clip.title || null,
      "aria-label": [tr("Clip {n}", { n: i + 1 }), clip.title].filter(Boolean).join(": "),
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => event.detail < 2 && choose(),
    },
    picture,
    el("span", { class: "thumb-words" }, cap(String(i + 1)), el("span", {}, clip.title || "")),
  );
}
