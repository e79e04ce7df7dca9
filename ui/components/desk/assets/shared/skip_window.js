// Why an item is skipped: one of the reasons, or the person's own words.

import { cap, el, press } from "./dom.js";
import { tr } from "./texts.js";

export function skipWindow({ show, close }, reasons, done) {
  let chosen = null;
  const words = el("textarea", {
    rows: 2,
    maxlength: 500,
    placeholder: tr("Another reason, in your words"),
    "aria-label": tr("Another reason"),
  });
  const rows = reasons.map((reason, i) => reasonRow(tr(reason), i, () => choose(i)));
  const confirm = press(tr("Skip this item"), () => finish(), { key: "Enter", kind: "solid" });
  confirm.disabled = true;

  function choose(i) {
    chosen = i;
    words.value = "";
    draw();
  }

  function draw() {
    rows.forEach((row, i) => row.setAttribute("aria-checked", String(i === chosen)));
    confirm.disabled = chosen === null && !words.value.trim();
  }

  // A listed reason is stored as the list has it, whatever the language on screen.
  function finish() {
    const reason = words.value.trim() || reasons[chosen];
    if (!reason) return;
    close();
    done(reason);
  }

  words.addEventListener("input", () => {
    chosen = null;
    draw();
  });
  words.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) finish();
    else return;
    event.preventDefault();
  });
  const bindings = rows
    .slice(0, 9)
    .map((_, i) => ({ key: String(i + 1), words: tr(reasons[i]), run: () => choose(i) }));
  bindings.push({ key: "O", words: tr("Write another reason"), run: () => words.focus() });
  bindings.push({ key: "Enter", words: tr("Skip this item"), run: finish });
  const list = el("div", { class: "options", role: "radiogroup", "aria-label": tr("Reason") }, rows);
  const label = el("span", { class: "label" }, tr("Other"), " ", cap("O"));
  const own = el("label", { class: "own-words" }, label, words);
  const body = el("div", { class: "window-body" }, list, own, el("div", { class: "window-foot" }, confirm));
  show(tr("Skip this item: why?"), body, { bindings });
}

const reasonRow = (reason, i, choose) =>
  el(
    "div",
    {
      class: "option",
      role: "radio",
      tabindex: "0",
      "aria-checked": "false",
      "data-enter": "submits",
      onmousedown: (event) => event.preventDefault(),
      onclick: choose,
      onkeydown: (event) => event.key === " " && (event.preventDefault(), choose()),
    },
    cap(i < 9 ? String(i + 1) : "·"),
    el("span", { class: "text" }, reason),
    el("span", { class: "mark", "aria-hidden": "true" }),
  );
