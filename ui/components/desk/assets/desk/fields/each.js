// The same fields for each entry, such as a clip. One entry is open at a time; where the stage shows the entries,
// the one on stage and the open one follow each other.

import { el } from "../../shared/dom.js";
import { heading, home, part } from "./parts.js";
import { tr } from "../../shared/texts.js";

export function each(field, values, { changed, onkeys, onenter, level }) {
  const entries = (values[field.of] ?? []).map((entry, i) => {
    const come = () => (open(i), onenter());
    const tools = { changed: () => (draw(), changed()), onkeys, onenter: come };
    return createEntry(entry, level(field.fields, { ...values, ...entry }, tools), () => enter(i, 0));
  });
  let active = 0;
  let clips = null;

  function draw() {
    entries.forEach((entry, i) => entry.draw(i === active));
  }

  function open(i) {
    if (i === active || !entries[i]) return;
    entries[active].fields.leave();
    active = i;
    draw();
    clips?.choose(entries[i].id);
    onkeys();
  }

  function enter(i, by) {
    if (!entries[i]) return false;
    open(i);
    onenter();
    entries[i].fields.enter(by);
    entries[i].element.scrollIntoView({ block: "nearest" });
    return true;
  }

  const move = (how) => (by) => entries.length > 0 && (entries[active].fields.move(by, how) || enter(active + by, by));
  const waiting = () => entries.findIndex(({ fields }) => fields.missing());
  const list = entries.map((entry) => entry.element);
  const element = el("section", { class: "field each" }, heading(field, values), list);

  draw();
  return part({
    element,
    inner: entries.length > 0,
    get: () => responseOf(entries),
    set(value, begun) {
      entries.forEach(({ id, fields }) => fields.set(value?.[id], begun));
      draw();
    },
    words: () => wordsOf(entries),
    missing() {
      const i = field.required ? waiting() : -1;
      return i < 0 ? null : tr("Still open: {name}.", entries[i]);
    },
    bindings: () => entries[active]?.fields.bindings() ?? [],
    always: () => entries[active]?.fields.always() ?? [],
    enter(by) {
      home(element);
      enter(by > 0 ? 0 : by < 0 ? entries.length - 1 : Math.max(waiting(), 0), by);
    },
    leave: () => entries[active]?.fields.leave(),
    step: move("step"),
    tab: move("tab"),
    jump() {
      if (waiting() < 0) return;
      enter(waiting(), 0);
      entries[active].fields.jump();
    },
    attach(look) {
      clips = look.clips ?? null;
      entries.forEach(({ fields }) => fields.attach(look));
      const at = (id) => entries.findIndex((entry) => entry.id === id);
      clips?.listen((id) => enter(at(id), 0));
      if (entries[active]) clips?.choose(entries[active].id);
    },
  });
}

function responseOf(entries) {
  const responses = entries
    .map(({ id, fields }) => [id, fields.response()])
    .filter(([, response]) => Object.keys(response).length);
  return responses.length ? Object.fromEntries(responses) : undefined;
}

const wordsOf = (entries) =>
  entries
    .filter(({ fields }) => fields.words())
    .map(({ name, fields }) => `${name}: ${fields.words()}`)
    .join("; ");

function createEntry(entry, fields, enter) {
  const name = entry.label ?? entry.id;
  const said = el("span", { class: "entry-words" });
  const title = el(
    "button",
    {
      type: "button",
      class: "entry-title",
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => event.detail < 2 && enter(),
    },
    el("span", { class: "entry-name" }, name),
    said,
  );
  const element = el("div", { class: "entry" }, title, fields.element);
  return {
    id: entry.id,
    name,
    fields,
    element,
    draw(open) {
      element.classList.toggle("open", open);
      element.classList.toggle("filled", !fields.missing());
      title.setAttribute("aria-expanded", String(open));
      said.textContent = fields.words() || (fields.missing() ? tr("open") : "");
    },
  };
}
