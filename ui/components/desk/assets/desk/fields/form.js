// The declared form of an item: its fields and the keys that move among them.

import { createFields } from "./fields.js";

export function createForm(form, values, { changed, onkeys }) {
  const fields = createFields(form.fields, values, { changed, onkeys });
  fields.element.classList.add("form");

  const complete = () => !fields.broken && !fields.missing() && Object.keys(fields.response()).length > 0;

  function moves() {
    if (!fields.many()) return [];
    const bind = (key, words, by, how) => ({ key, words, group: "Answer", repeat: true, run: () => fields.move(by, how) });
    return [
      bind("ArrowDown", "Next part of the answer", 1, "step"),
      bind("ArrowUp", "The part before", -1, "step"),
      { ...bind("Tab", "Next field", 1, "tab"), run: (event) => fields.move(1, "tab") || toSubmit(event) },
      bind("Shift+Tab", "The field before", -1, "tab"),
    ];
  }

  const toSubmit = () => fields.element.closest(".panel")?.querySelector(".submit")?.focus();

  return {
    element: fields.element,
    response: fields.response,
    complete,
    broken: fields.broken,
    missing: () => fields.missing() ?? "Choose an answer first.",
    jump: fields.jump,
    words: fields.words,
    set(given) {
      fields.set(given);
    },
    begin: () => fields.enter(0),
    attach: fields.attach,
    bindings: () => [...fields.bindings(), ...fields.always(), ...moves()],
  };
}
