// The declared form of an item: its fields and the keys that move among them.

import { createFields } from "./fields.js";
import { tr } from "../../shared/texts.js";

export function createForm(form, values, { changed, onkeys }) {
  const fields = createFields(form.fields, values, { changed, onkeys });
  fields.element.classList.add("form");

  const asked = form.fields.filter((field) => field.type !== "record");
  const writes = asked.length === 1 && asked[0].type === "text";
  const complete = () => !fields.broken && !fields.missing() && Object.keys(fields.response()).length > 0;

  function moves() {
    if (!fields.many()) return [];
    const bind = (key, words, by, how) => ({
      key,
      words,
      group: tr("Answer"),
      repeat: true,
      run: () => fields.move(by, how),
    });
    return [
      bind("ArrowDown", tr("Next part of the answer"), 1, "step"),
      bind("ArrowUp", tr("The part before"), -1, "step"),
      { ...bind("Tab", tr("Next field"), 1, "tab"), run: (event) => fields.move(1, "tab") || toSubmit(event) },
      bind("Shift+Tab", tr("The field before"), -1, "tab"),
    ];
  }

  const toSubmit = () => fields.element.closest(".panel")?.querySelector(".submit")?.focus();

  return {
    element: fields.element,
    response: fields.response,
    complete,
    broken: fields.broken,
    missing: () => fields.missing() ?? tr("Choose an answer first."),
    jump: fields.jump,
    words: fields.words,
    set(given, begun) {
      fields.set(given, begun);
    },
    // A single text is all there is to do: the cursor is in it from the start.
    begin: () => fields.enter(writes ? 1 : 0),
    writes,
    attach: fields.attach,
    elsewhere: fields.elsewhere,
    bindings: () => [...fields.bindings(), ...fields.always(), ...moves()],
  };
}
