// What is looked at: one of several stages, each {element, show(stage), prepare(stage), clear(), bindings()}.
// show() draws in the same moment what has been prepared; nothing of the item before it is left over.

import { createClips } from "./clips.js";
import { createGrid } from "./grid.js";
import { createPicker } from "./picker.js";
import { createPlayer } from "../player/player.js";
import { createRescue } from "./rescue.js";
import { cap, el, press } from "../dom.js";
import { tr } from "../texts.js";

export function createStage({ prefetch, preferences, onready, onbusy, onkeys, onretry, signal }) {
  const host = el("div", { class: "stage", role: "region", "aria-label": tr("What is shown") });
  const tools = { prefetch, preferences, onready, onbusy, onkeys, onfail: failed, oncalm: calm };
  const makers = {
    grid: createGrid,
    player: createPlayer,
    clips: createClips,
    picker: createPicker,
    none: createNote,
    unknown: createNote,
  };
  const made = new Map(); // a task has one or two kinds of stages, and the others cost nothing
  const rescue = createRescue(onretry, signal);
  let active = null;
  let trouble = null;

  function kindOf(type) {
    const name = type in makers ? type : "unknown";
    if (!made.has(name)) {
      const kind = makers[name](tools);
      kind.element.hidden = true;
      host.append(kind.element);
      made.set(name, kind);
    }
    return made.get(name);
  }

  function show(stage) {
    clear();
    active = kindOf(stage.type);
    active.element.hidden = false;
    const known = stage.type in makers;
    active.show(
      known ? stage : { note: tr("This page does not know the kind of stage “{type}”. Reload the page.", stage) },
    );
  }

  function calm() {
    rescue.stop();
    trouble?.remove();
    trouble = null;
  }

  function clear() {
    calm();
    for (const kind of made.values()) {
      kind.clear();
      kind.element.hidden = true;
    }
    active = null;
  }

  // `url` is what did not load; `lost` when the connection was the reason.
  function failed(words, url = null, lost = false) {
    calm();
    trouble = el(
      "div",
      { class: "trouble", role: "alert" },
      el("p", {}, words),
      press(tr("Try again"), onretry, { key: "T", kind: "solid" }),
      el("p", { class: "hint" }, tr("If it stays like this, skip the item with a reason "), cap("S")),
    );
    host.append(trouble);
    rescue.start(url, lost);
  }

  return {
    element: host,
    show,
    clear,
    retry: () => trouble && onretry(),
    prepare: (stages) => stages.forEach((stage, i) => kindOf(stage.type).prepare(stage, i)),
    bindings: () => active?.bindings() ?? [],
    look: () => active?.look?.() ?? {},
    stop: () => (clear(), made.forEach((kind) => kind.stop?.())),
    // Whether there is anything of the known answer to be drawn here.
    showExpected: (expected) => active?.showExpected?.(expected) ?? false,
    escape: () => active?.escape?.() ?? false,
  };
}

function createNote({ onready }) {
  const words = el("p", { role: "note" });
  return {
    element: el("div", { class: "note-stage" }, words),
    show(stage) {
      words.textContent = (stage.note && tr(stage.note)) || tr("There is nothing to look at for this item.");
      onready();
    },
    prepare() {},
    clear: () => (words.textContent = ""),
    bindings: () => [],
  };
}
