// One of several, or several of several: options with letters in the order shown. A key that is pressed again takes back.

import { cap, el } from "./dom.js";

const LETTERS = "ABCDEFG";

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export const choice = (field, values, changed) => build(field, values, changed, false);
export const choices = (field, values, changed) => build(field, values, changed, true);

function build(field, values, changed, several) {
  const options = (field.options_from ? values[field.options_from] : field.options) ?? [];
  const label = field.label ?? values[field.label_from] ?? "";
  const rows = options.map((option, i) => row(option, i, several, () => toggle(i)));
  let chosen = new Set();

  function toggle(i) {
    const had = chosen.has(i);
    if (!several) chosen.clear();
    if (had) chosen.delete(i);
    else chosen.add(i);
    show();
    changed();
  }

  function show() {
    rows.forEach((element, i) => {
      element.setAttribute("aria-checked", String(chosen.has(i)));
      element.tabIndex = several || (chosen.size ? chosen.has(i) : i === 0) ? 0 : -1;
    });
  }

  const heading = el("h2", { class: "question", "aria-live": "polite" }, label);
  const list = el(
    "div",
    { class: "options", role: several ? "group" : "radiogroup", "aria-label": label, onkeydown: (event) => walk(event, rows) },
    rows,
  );
  show();
  return {
    element: el("section", { class: "field" }, heading, several ? el("p", { class: "hint" }, "Several may be right.") : null, list),
    get() {
      const given = [...chosen].sort((a, b) => a - b).map((i) => options[i].value);
      if (!given.length) return undefined;
      return several ? given : given[0];
    },
    set(value) {
      const wanted = several ? (value ?? []) : value === undefined ? [] : [value];
      chosen = new Set(options.flatMap((option, i) => (wanted.some((one) => same(one, option.value)) ? [i] : [])));
      show();
    },
    words: () => [...chosen].map((i) => `${LETTERS[i] ?? i + 1} “${options[i].text}”`).join(", "),
    bindings: options.slice(0, 9).map((option, i) => ({
      key: LETTERS[i] ?? String(i + 1),
      also: LETTERS[i] ? [String(i + 1)] : [],
      words: `Choose “${option.text}”`,
      group: "Answer",
      run: () => toggle(i),
    })),
  };
}

function row(option, i, several, toggle) {
  return el(
    "div",
    {
      class: "option",
      role: several ? "checkbox" : "radio",
      "aria-checked": "false",
      "data-value": JSON.stringify(option.value),
      "data-enter": "submits",
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => event.detail < 2 && toggle(),
      onkeydown: (event) => {
        if (event.key !== " " || event.repeat) return;
        event.preventDefault();
        toggle();
      },
    },
    cap(LETTERS[i] ?? (i < 9 ? String(i + 1) : "·")),
    el(
      "span",
      { class: "text" },
      option.text,
      option.description ? el("span", { class: "description" }, option.description) : null,
    ),
    el("span", { class: "mark", "aria-hidden": "true" }),
  );
}

// Up and down move the focus among the options for those who walk with Tab; Space then chooses.
function walk(event, rows) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = rows.findIndex((element) => element === event.composedPath()[0]);
  if (!step || at < 0) return;
  event.preventDefault();
  rows[(at + step + rows.length) % rows.length].focus();
}
