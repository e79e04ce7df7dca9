// What authors look at when they settle a disagreement: the stage with everybody's segments and frames on it, the keys
// of the page around it, and the task's own form where they give another answer.

import { createForm } from "../fields/form.js";
import { createLanes } from "./lanes.js";
import { drawPicks } from "./picks.js";
import { el } from "../../shared/dom.js";
import { createKeys } from "../../shared/keys.js";
import { sheet } from "../../shared/mounting.js";
import { createPreferences } from "../../shared/preferences.js";
import { createPrefetch } from "../../shared/prefetch.js";
import { createStage } from "../../shared/stage/stage.js";
import { speak, tr } from "../../shared/texts.js";

const SHEETS = [
  ...["desk", "work", "stage", "player", "timeline", "clips", "form", "record"].map(
    (name) => `shared/styles/${name}.css`,
  ),
  "desk/styles/fields.css",
  "desk/styles/lists.css",
  "desk/styles/resolving.css",
];
const TOLD_AFTER_MS = 300;
const places = new WeakMap(); // parentElement -> {show, leave}

export default function mount({ data, parentElement, setStateValue }) {
  speak({}); // authors' pages are English
  const place = places.get(parentElement) ?? create(parentElement);
  places.set(parentElement, place);
  place.show(data, (written) => setStateValue("written", written));
  return () => {
    place.leave();
    places.delete(parentElement);
  };
}

function create(parentElement) {
  const life = new AbortController();
  const stageRoom = el("div", { class: "resolving-stage" });
  const lanes = createLanes();
  const answer = createAnswer({ bind });
  const root = el("div", { class: "desk viewer resolving", tabindex: "-1" }, stageRoom, lanes.element, answer.element);
  const sheets = SHEETS.map(sheet);
  const keys = createKeys(root, life.signal);
  let shown = null;
  const stage = createStage({
    prefetch: createPrefetch(),
    preferences: createPreferences(),
    onready: () => (root.dataset.ready = "1"),
    onbusy() {},
    onkeys: bind,
    onretry: () => draw(),
    signal: life.signal,
  });
  stageRoom.append(stage.element);
  parentElement.append(...sheets, root);

  function draw() {
    root.dataset.ready = "0";
    root.dataset.item = shown.item;
    stageRoom.style.setProperty("--desk-height", shown.height);
    stage.show(shown.stage);
    answer.attach(stage.look());
  }

  function bind() {
    if (!shown) return;
    const close = { key: "Escape", words: tr("Close the large frame"), run: () => stage.escape() };
    keys.base([...stage.bindings(), close, ...answer.bindings(), ...shown.keys.map(pageKey)]);
  }

  return {
    // A rerun of the page with the same stage changes nothing on it: what plays goes on playing.
    show(data, tell) {
      const before = shown;
      shown = data;
      const same = (...names) => names.every((name) => JSON.stringify(before?.[name]) === JSON.stringify(data[name]));
      const restaged = !same("item", "stage");
      if (!same("item", "answering")) answer.show(data.answering, (response) => tell({ item: data.item, response }));
      if (restaged) draw();
      if (restaged || !same("lanes", "picks")) {
        lanes.show(data, () => stage.look().marks);
        drawPicks(stageRoom, data);
      }
      if (!restaged && !same("answering")) answer.attach(stage.look());
      bind();
    },
    leave() {
      answer.end();
      life.abort();
      stage.stop();
      for (const element of [...sheets, root]) element.remove();
    },
  };
}

// A key of the page presses its button or option; the page's own shortcuts rest while a radio button has the focus.
function pageKey({ key, words, at, nth }) {
  const run = () => document.querySelectorAll(`.${at} :is(button, input[type=radio])`)[nth]?.click();
  return { key, words, yields: true, run };
}

// The task's form. What it holds is told a moment after the last change, and at once when the author turns away.
function createAnswer({ bind }) {
  const element = el("section", { class: "panel-body answer-form", "aria-label": tr("Another answer"), hidden: true });
  let form = null;
  let tell = () => {};
  let late = null;
  let told = "{}";

  function now() {
    clearTimeout(late);
    const response = form?.response() ?? {};
    if (JSON.stringify(response) === told) return;
    told = JSON.stringify(response);
    tell(response);
  }

  function changed() {
    clearTimeout(late);
    late = setTimeout(now, TOLD_AFTER_MS);
  }

  element.addEventListener("focusout", now);
  element.addEventListener("pointerleave", now);

  return {
    element,
    show(answering, say) {
      clearTimeout(late);
      [tell, told] = [say, "{}"];
      form = answering && createForm(answering.form, answering.values, { changed, onkeys: bind });
      form?.set({});
      element.hidden = !form;
      element.replaceChildren(...(form ? [form.element] : []));
      if (form) element.scrollIntoView({ block: "nearest" });
    },
    attach: (look) => form?.attach(look),
    bindings: () => form?.bindings() ?? [],
    end: () => clearTimeout(late),
  };
}
