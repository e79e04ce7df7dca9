// Words of the person's own. A field with a `key` is entered by that key and left by Escape.

import { cap, el } from "./dom.js";

export function text(field, values, changed) {
  const label = field.label ?? values[field.label_from] ?? field.name;
  const input = el("textarea", {
    rows: field.rows ?? 2,
    placeholder: field.placeholder,
    "aria-label": label,
    maxlength: field.max_length ?? 4000,
    oninput: () => changed(),
  });
  return {
    element: el(
      "label",
      { class: "field own-words" },
      el("span", { class: "label" }, label, field.required ? null : el("span", { class: "hint" }, " (optional)"), field.key ? cap(field.key) : null),
      input,
      el("span", { class: "hint" }, "Esc leaves the field, Ctrl+Enter submits."),
    ),
    get: () => input.value.trim() || undefined,
    set: (value) => (input.value = value ?? ""),
    words: () => (input.value.trim() ? `“${input.value.trim()}”` : ""),
    bindings: field.key
      ? [{ key: field.key, words: `Write: ${label}`, group: "Answer", run: () => input.focus() }]
      : [],
  };
}
