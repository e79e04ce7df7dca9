// Makes the parts of one level of fields, and what stands between them and asks nothing.

import { choice, choices } from "./choice.js";
import { checklist } from "./checklist.js";
import { each } from "./each.js";
import { frame } from "./frame.js";
import { options_edit } from "./options.js";
import { segments } from "./segments.js";
import { text } from "./text.js";
import { el } from "../../shared/dom.js";
import { record } from "../../shared/record.js";
import { tr } from "../../shared/texts.js";

const TYPES = { choice, choices, text, each, segments, frame, checklist, options_edit };

// Adds {field, part, shown} to the slots; gives the fields whose type this page does not know.
// come(i): the person has turned to field i by themselves; tools: what every part is given.
export function addParts(slots, element, fields, values, { come, ...tools }) {
  const unknown = [];
  for (const declared of fields) {
    const field = { ...declared }; // a copy for this item, as `required` may come and go
    const make = TYPES[field.type];
    if (field.type === "record") element.append(record(field, values));
    else if (field.type === "words") element.append(el("p", { class: "item-words" }, values[field.of] ?? ""));
    else if (make) {
      const i = slots.length;
      const part = make(field, values, { ...tools, onenter: () => come(i) });
      for (const sign of ["pointerdown", "focusin"]) part.element.addEventListener(sign, () => come(i));
      slots.push({ field, part, shown: true });
      element.append(part.element);
    } else {
      unknown.push(field);
      element.append(notKnown(field));
    }
  }
  return unknown;
}

const notKnown = (field) =>
  el(
    "p",
    { class: "problem", role: "alert" },
    tr("This form has a field of a kind that this page does not know: “{type}” ({name}).", field) + " ",
    tr("Reload the page; if this stays, tell the author of the task. You can skip the item (S)."),
  );
