// One level of fields: those of the form, of one entry, of one card. It knows which are asked (`when`), which one is
// active and has the keys, what is given and what is missing.

import { choice, choices } from "./choice.js";
import { checklist } from "./checklist.js";
import { each } from "./each.js";
import { frame } from "./frame.js";
import { options_edit } from "./options.js";
import { segments } from "./segments.js";
import { labelOf } from "./parts.js";
import { text } from "./text.js";
import { el } from "../../shared/dom.js";
import { record } from "../../shared/record.js";
import { tr } from "../../shared/texts.js";

const TYPES = { choice, choices, text, each, segments, frame, checklist, options_edit };

// changed(): something was given; onkeys(): the keys are others now; onenter(): the person has come to this level.
// Fields that hold fields get this function as `level`.
export function createFields(fields, values, { changed, onkeys, onenter = () => {} }) {
  const element = el("div", { class: "fields" });
  const slots = []; // {field, part, shown}
  const unknown = [];
  let active = 0;
  let before = 0; // the field that was active before this one

  fields.forEach((declared) => {
    const field = { ...declared }; // one's own, as `required` may come and go
    if (field.type === "record") return element.append(record(field, values));
    if (field.type === "words") return element.append(el("p", { class: "item-words" }, values[field.of] ?? ""));
    const make = TYPES[field.type];
    if (!make) {
      unknown.push(field);
      element.append(notKnown(field));
      return;
    }
    const i = slots.length;
    const part = make(field, values, {
      changed: given,
      onkeys,
      onenter: () => come(i),
      onback: () => activate(before, 0),
      level: createFields,
    });
    for (const sign of ["pointerdown", "focusin"]) part.element.addEventListener(sign, () => come(i));
    slots.push({ field, part, shown: true });
    element.append(part.element);
  });

  const asked = () => slots.filter((slot) => slot.shown);
  const value = (name) => slots.find((slot) => slot.shown && slot.field.name === name)?.part.get();

  function holds(when) {
    if (!when) return true;
    const given = value(when.field) ?? null;
    return (Array.isArray(given) ? given : [given]).some((one) => when.among.includes(one));
  }

  // Shows what is asked now. From top to bottom, as a condition may hang on a field that hangs on another.
  function settle() {
    let news = false;
    for (const slot of slots) {
      const shown = holds(slot.field.when);
      if (slot.field.required_when) slot.field.required = holds(slot.field.required_when);
      news ||= shown !== slot.shown;
      slot.shown = shown;
      slot.part.element.hidden = !shown;
      slot.part.shown(shown);
    }
    if (!slots[active]?.shown)
      active = Math.max(
        0,
        slots.findIndex((slot) => slot.shown),
      );
    mark();
    return news;
  }

  function mark() {
    element.classList.toggle("many", asked().length > 1);
    slots.forEach(({ part }, i) => part.element.classList.toggle("active", i === active));
  }

  function given() {
    if (settle()) onkeys();
    changed();
  }

  // The person has turned to a field by themselves.
  function come(i) {
    if (i !== active) {
      slots[active]?.part.leave();
      [before, active] = [active, i];
      mark();
      onkeys();
    }
    onenter();
  }

  function activate(i, by, how = "tab") {
    if (!slots[i]?.shown) return;
    come(i);
    slots[i].part.enter(by, how);
    if (slots.length > 1) slots[i].part.element.scrollIntoView({ block: "nearest" });
    onkeys();
  }

  // Up and Down (`step`) or Tab (`tab`): inside the active field first. False at the edge.
  function move(by, how) {
    if (!slots.length) return false;
    if (slots[active].part[how](by)) return true;
    let next = active + by;
    while (slots[next] && !slots[next].shown) next += by;
    if (!slots[next]) return false;
    activate(next, by, how);
    return true;
  }

  const open = () => slots.findIndex(({ part, shown }) => shown && part.missing());

  function missing() {
    if (unknown.length) return tr("This form cannot be answered; you can skip the item (S).");
    return slots[open()]?.part.missing() ?? null;
  }

  return {
    element,
    move,
    missing,
    broken: unknown.length > 0,
    many: () => asked().length > 1 || asked().some(({ part }) => part.inner),
    response: () =>
      Object.fromEntries(
        asked()
          .map(({ field, part }) => [field.name, part.get()])
          .filter(([, one]) => one !== undefined),
      ),
    words: () =>
      asked()
        .map(({ part }) => part.words())
        .filter(Boolean)
        .join("; "),
    set(response, begun = Object.keys(response ?? {}).length > 0) {
      for (const slot of slots) {
        const { field, part } = slot;
        // A field that was hidden when the rest was given has not been emptied: it is filled beforehand.
        part.set(response?.[field.name], begun && slot.shown);
        settle();
      }
    },
    // To the first open field, and to what is open in it.
    jump() {
      const i = open();
      if (i < 0) return;
      activate(i, 0);
      slots[i].part.jump();
      onkeys();
    },
    // Entered from above (1), from below (-1) or by itself (0: at the first field that is open).
    enter(by) {
      const shown = slots.flatMap((slot, i) => (slot.shown ? [i] : []));
      if (!shown.length) return false;
      const i = by < 0 ? shown.at(-1) : by > 0 ? shown[0] : Math.max(open(), shown[0]);
      activate(i, by);
      return true;
    },
    leave: () => slots[active]?.part.leave(),
    bindings: () => (slots[active]?.shown ? slots[active].part.bindings() : []),
    always: () => asked().flatMap(({ part }) => part.always()),
    elsewhere: () => elsewhere(asked().filter((slot) => slot !== slots[active]), values),
    attach: (look) => slots.forEach(({ part }) => part.attach(look)),
  };
}

const notKnown = (field) =>
  el(
    "p",
    { class: "problem", role: "alert" },
    tr("This form has a field of a kind that this page does not know: “{type}” ({name}).", field) + " ",
    tr("Reload the page; if this stays, tell the author of the task. You can skip the item (S)."),
  );

// The keys that other fields have once one comes to them, for the list of keys.
const elsewhere = (slots, values) =>
  slots
    .map(({ field, part }) => ({ name: labelOf(field, values), bindings: part.bindings() }))
    .filter(({ bindings }) => bindings.length);
