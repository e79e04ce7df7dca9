// Words of the person's own. A field with a `key` is entered by that key; Escape leaves it. Where room is short, one
// that may stay empty is folded until it is entered (tight.css).

import { cap, el } from "../../shared/dom.js";
import { helpOf, labelOf, optionalWords, part } from "./parts.js";
import { tr } from "../../shared/texts.js";

const LONGEST = 2000;

export function text(field, values, { changed, onback }) {
  const label = labelOf(field, values);
  const lines = field.lines ?? 2;
  const before = values[field.prefill_from] ?? "";
  const input = el("textarea", {
    rows: lines,
    "data-lines": lines,
    class: lines === 1 ? "one-line" : null,
    placeholder: field.placeholder,
    "aria-label": label,
    maxlength: LONGEST,
    oninput: () => changed(),
  });
  let visited = false; // entered by its key from another field, to which Escape goes back
  input.addEventListener("text-left", () => visited && onback());
  input.addEventListener("blur", () => {
    visited = false;
    fold();
  });

  const given = () => input.value.trim();
  const mayFold = () => !field.required && !given() && input.getRootNode().activeElement !== input;
  const fold = () => element.classList.toggle("folded", mayFold());

  function write() {
    element.classList.remove("folded");
    input.focus();
  }

  function visit() {
    write();
    visited = true;
  }

  const element = el(
    "label",
    { class: "field own-words", onpointerdown: () => element.classList.remove("folded") },
    el(
      "span",
      { class: "label", "data-write": tr("Write") },
      label,
      optionalWords(field),
      field.key ? cap(field.key) : null,
      lines > 1 ? el("span", { class: "hint leave" }, tr("Esc leaves, Ctrl+Enter submits")) : null,
    ),
    helpOf(field, values) ? el("span", { class: "hint help" }, helpOf(field, values)) : null,
    input,
  );
  return part({
    element,
    get: () => given() || undefined,
    // A text that was emptied stays empty; only a form that nobody has begun is filled beforehand.
    set(value, begun) {
      input.value = value ?? (begun ? "" : before);
      fold();
    },
    words: () => (given() ? tr("“{text}”", { text: given() }) : ""),
    missing: () => (field.required && !given() ? tr("Write something under “{label}”.", { label }) : null),
    // Up and Down pass by several lines that are filled: letters meant as keys would change them.
    enter: (by, how) => by && !(how === "step" && lines > 1 && given()) && write(),
    jump: write,
    always: () =>
      field.key ? [{ key: field.key, words: tr("Write: {label}", { label }), group: tr("Answer"), run: visit }] : [],
  });
}
