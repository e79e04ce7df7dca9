// A question with its options as somebody saw them, the key and their answer marked, and what they wrote.
// All of it is text.

import { el } from "./dom.js";
import { tr } from "./texts.js";

// options: [{letter, text, key, chosen}]
export const markedOptions = (options) =>
  el(
    "ul",
    { class: "marked-options" },
    options.map((one) =>
      el(
        "li",
        {
          class: ["marked-option", one.key && "is-key", one.chosen && !one.key && "is-wrong"].filter(Boolean).join(" "),
        },
        el("span", { class: "cap" }, one.letter),
        el("span", { class: "text" }, one.text),
        one.key
          ? el("span", { class: "sign", title: tr("the key") }, one.chosen ? tr("✓ key and answer") : tr("✓ key"))
          : null,
        one.chosen && !one.key ? el("span", { class: "sign", title: tr("the model's answer") }, tr("✗ answer")) : null,
      ),
    ),
  );

export const replyOf = (reply) =>
  reply ? el("blockquote", { class: "reply" }, reply) : el("p", { class: "hint" }, tr("No reply came."));

// A part of a form that is looked at and gives nothing.
export function record(field, values) {
  const { options = [], by = "", reply = "", read = "", note = "" } = values[field.of] ?? {};
  return el(
    "section",
    { class: "record", "aria-label": field.label ?? tr("What is judged") },
    field.label_from ? el("h2", { class: "question" }, values[field.label_from] ?? "") : null,
    markedOptions(options),
    by ? el("p", { class: "hint" }, `✗ ${by}`) : null,
    replyOf(reply),
    read ? el("p", { class: "hint" }, tr("Read as: {read}", { read })) : null,
    note ? el("p", { class: "hint" }, note) : null,
  );
}
