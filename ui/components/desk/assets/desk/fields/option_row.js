// One option of a question under review: its words to edit, whether it is kept, whether it is the key.

import { cap, el, press } from "../../shared/dom.js";
import { tr } from "../../shared/texts.js";

const LONGEST = 500;

// act: {point(), toggle(), mark(), written()}
export function createRow(option, number, key, act) {
  const input = el("textarea", {
    rows: 1,
    "data-lines": 1,
    class: "one-line",
    maxlength: LONGEST,
    "aria-label": tr("Option {n}", { n: number }),
    onfocus: act.point,
    oninput: act.written,
  });
  const box = press(cap(key ?? "·"), act.toggle, {
    name: tr("Keep or drop"),
    title: tr("Keep or drop"),
    kind: "quiet",
  });
  const right = press(tr("Key"), act.mark, {
    name: tr("Make it the key"),
    title: tr("This is the right answer"),
    kind: "quiet key",
  });
  const struck = option.struck
    ? el("s", { class: "struck", title: tr("The key before the edit; it no longer counts") }, tr("old key"))
    : null;
  const element = el("div", { class: "option edited", "data-id": option.id }, box, input, right, struck);
  const text = () => input.value.trim();

  return {
    element,
    input,
    text,
    draw({ cursor, kept, isKey }) {
      element.classList.toggle("cursor", cursor);
      element.classList.toggle("kept", kept);
      element.classList.toggle("right", isKey);
      element.classList.toggle("changed", text() !== option.text);
      box.setAttribute("aria-pressed", String(isKey || kept));
      right.setAttribute("aria-pressed", String(isKey));
    },
  };
}
