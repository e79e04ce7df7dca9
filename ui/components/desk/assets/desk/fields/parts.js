// What every field has, whatever its type. A part is
//   {element, get, set, words, missing, bindings, always, enter, leave, step, tab, jump, shown, attach}:
// get() gives undefined while nothing is given; missing() says what is open, or null; bindings() are its keys while
// it is the active field and always() those at any time; step(by) and tab(by) move inside it, false at its edge;
// shown(on) tells whether it is asked, attach(look) what the stage offers.

import { el } from "../../shared/dom.js";
import { tr } from "../../shared/texts.js";

const NOTHING = () => [];

export const part = (own) => ({
  words: () => "",
  missing: () => null,
  bindings: NOTHING,
  always: NOTHING,
  enter: () => {},
  leave: () => {},
  step: () => false,
  tab: () => false,
  jump: () => {},
  shown: () => {},
  attach: () => {},
  ...own,
});

export const helpOf = (field, values) => field.help || values[field.help_from] || "";

// Not where it may become required.
export const optionalWords = (field) =>
  field.required || field.required_when ? null : el("span", { class: "hint" }, ` ${tr("(optional)")}`);

export const labelOf = (field, values) => field.label ?? values[field.label_from] ?? field.name;

// A question that comes with the item is large; a fixed one that stands among others is small.
export function heading(field, values) {
  const label = field.label ?? values[field.label_from] ?? "";
  const help = helpOf(field, values);
  const minor = field.label_from ? "question" : "question minor";
  return [
    el("h2", { class: minor, "aria-live": field.label_from ? "polite" : null }, label, optionalWords(field)),
    help ? el("p", { class: "hint help" }, help) : null,
  ];
}

// Away from a text field and back to the desk, which then has the keys.
export function home(element) {
  const focused = element.getRootNode().activeElement;
  if (focused && element.closest(".desk")?.contains(focused)) element.closest(".desk").focus({ preventScroll: true });
}
