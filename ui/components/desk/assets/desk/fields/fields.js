// One level of fields: those of the form, of one entry, of one card. It knows which are asked (`when`), which one is
// active and has the keys, what is given and what is missing.

import { showAsked } from "./conditions.js";
import { labelOf } from "./parts.js";
import { addParts } from "./slots.js";
import { el } from "../../shared/dom.js";
import { tr } from "../../shared/texts.js";

// changed(): something was given; onkeys(): the keys are others now; onenter(): the person has come to this level.
// Fields that hold fields get this function as `level`.
export function createFields(fields, values, { changed, onkeys, onenter = () => {} }) {
  const element = el("div", { class: "fields" });
  const slots = []; // {field, part, shown}
  let [active, previous] = [0, 0]; // previous: the field that was active before this one
  const unknown = addParts(slots, element, fields, values, {
    changed: given,
    onkeys,
    come,
    onback: () => activate(previous, 0),
    level: createFields,
  });

  const asked = () => slots.filter((slot) => slot.shown);

  function settle() {
    const others = showAsked(slots);
    if (!slots[active]?.shown) active = Math.max(0, entrance(slots, 1));
    mark();
    return others;
  }

  function mark() {
    element.classList.toggle("many", slots.length > 1); // also before the others are asked: nothing moves then
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
      [previous, active] = [active, i];
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

  return {
    element,
    move,
    missing: () => (unknown.length ? unanswerable() : (slots[open()]?.part.missing() ?? null)),
    broken: unknown.length > 0,
    many: () => asked().length > 1 || asked().some(({ part }) => part.inner),
    response: () => responseOf(asked()),
    words: () => wordsOf(asked()),
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
      const i = entrance(slots, by, open());
      if (i >= 0) activate(i, by);
      return i >= 0;
    },
    leave: () => slots[active]?.part.leave(),
    bindings: () => (slots[active]?.shown ? slots[active].part.bindings() : []),
    always: () => asked().flatMap(({ part }) => part.always()),
    elsewhere: () => elsewhere(asked().filter((slot) => slot !== slots[active]), values),
    attach: (look) => slots.forEach(({ part }) => part.attach(look)),
  };
}

// The field at which a level is entered; -1 where none is asked.
function entrance(slots, by, open = -1) {
  const shown = slots.flatMap((slot, i) => (slot.shown ? [i] : []));
  if (!shown.length) return -1;
  return by < 0 ? shown.at(-1) : by > 0 ? shown[0] : Math.max(open, shown[0]);
}

const unanswerable = () => tr("This form cannot be answered; you can skip the item (S).");

const responseOf = (slots) =>
  Object.fromEntries(
    slots.map(({ field, part }) => [field.name, part.get()]).filter(([, value]) => value !== undefined),
  );

const wordsOf = (slots) =>
  slots
    .map(({ part }) => part.words())
    .filter(Boolean)
    .join("; ");

// The keys that other fields have once one comes to them, for the list of keys.
const elsewhere = (slots, values) =>
  slots
    .map(({ field, part }) => ({ name: labelOf(field, values), bindings: part.bindings() }))
    .filter(({ bindings }) => bindings.length);
