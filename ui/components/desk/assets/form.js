// Renders a declared form. Each field type is one function
//   (field, values, changed) -> {element, get(), set(value), words(), bindings}
// where get() gives undefined while nothing is given.

import { choice, choices } from "./field_choice.js";
import { text } from "./field_text.js";
import { el } from "./dom.js";

const TYPES = { choice, choices, text };

export function createForm(form, values, changed) {
  const element = el("div", { class: "form" });
  const parts = [];
  let broken = false;
  for (const field of form.fields) {
    const make = TYPES[field.type];
    if (!make) {
      broken = true;
      element.append(unknown(field));
      continue;
    }
    const part = make(field, values, changed);
    parts.push([field, part]);
    element.append(part.element);
  }

  function response() {
    const given = parts.map(([field, part]) => [field.name, part.get()]);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  }

  function complete() {
    const given = response();
    const missing = parts.some(([field]) => field.required && given[field.name] === undefined);
    return !broken && !missing && Object.keys(given).length > 0;
  }

  return {
    element,
    response,
    complete,
    broken,
    words: () => parts.map(([, part]) => part.words()).filter(Boolean).join("; "),
    set: (given) => parts.forEach(([field, part]) => part.set(given?.[field.name])),
    bindings: parts.flatMap(([, part]) => part.bindings),
  };
}

function unknown(field) {
  return el(
    "p",
    { class: "problem", role: "alert" },
    `This form has a field of a kind that this page does not know: “${field.type}” (${field.name}). `,
    "Reload the page; if this stays, tell the author of the task. You can skip the item (S).",
  );
}
