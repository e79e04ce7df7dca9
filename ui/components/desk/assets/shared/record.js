// A question with its options as somebody saw them, the key and their answer marked, and what they wrote. All of it is text.

import { el } from "./dom.js";

// options: [{letter, text, key, chosen}]
export const markedOptions = (options) =>
  el(
    "ul",
    { class: "marked-options" },
    options.map((one) =>
      el(
        "li",
        { class: ["marked-option", one.key && "is-key", one.chosen && !one.key && "is-wrong"].filter(Boolean).join(" ") },
        el("span", { class: "cap" }, one.letter),
        el("span", { class: "text" }, one.text),
        one.key ? el("span", { class: "sign", title: "the key" }, one.chosen ? "✓ key and answer" : "✓ key") : null,
        one.chosen && !one.key ? el("span", { class: "sign", title: "the model's answer" }, "✗ answer") : null,
      ),
    ),
  );

export const replyOf = (reply) =>
  reply ? el("blockquote", { class: "reply" }, reply) : el("p", { class: "hint" }, "No reply came.");

// A part of a form that is looked at and gives nothing.
export function record(field, values) {
  const { options = [], by = "", reply = "", read = "", note = "" } = values[field.of] ?? {};
  return el(
    "section",
    { class: "record", "aria-label": field.label ?? "What is judged" },
    field.label_from ? el("h2", { class: "question" }, values[field.label_from] ?? "") : null,
    markedOptions(options),
    by ? el("p", { class: "hint" }, `✗ ${by}`) : null,
    replyOf(reply),
    read ? el("p", { class: "hint" }, `Read as: ${read}`) : null,
    note ? el("p", { class: "hint" }, note) : null,
  );
}
