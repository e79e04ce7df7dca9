// One of several, or several of several: options with keys in the order shown. A key that is pressed again takes back,
// but not the one answer that has to be given: who presses twice means it all the more (Ctrl+Z takes it back). Of some
// items several options may be right, which the item says and not the form; one that is `alone` goes with no other.

import { cap, el } from "../../shared/dom.js";
import { optionKeys } from "./option_keys.js";
import { heading, home, labelOf, part } from "./parts.js";
import { tr } from "../../shared/texts.js";

const SHORT = 24;
const ROW = 60;

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export const choice = (field, values, tools) => build(field, values, tools, values[field.several_from] === true);
export const choices = (field, values, tools) => build(field, values, tools, true);

function build(field, values, { changed }, several) {
  const options = (field.options_from ? values[field.options_from] : field.options) ?? [];
  const keys = optionKeys(options.length, field.keys);
  const rows = options.map((option, i) => row(option, keys[i], several, field.brief, () => toggle(i)));
  const walks = keys.includes(null); // more options than keys
  let chosen = new Set();
  let cursor = 0;

  function toggle(i) {
    const had = chosen.has(i);
    if (had && !several && field.required) return;
    if (!several || options[i].alone) chosen.clear();
    else chosen.forEach((other) => options[other].alone && chosen.delete(other));
    if (had) chosen.delete(i);
    else chosen.add(i);
    cursor = i;
    show();
    changed();
  }

  function show() {
    rows.forEach((element, i) => {
      element.setAttribute("aria-checked", String(chosen.has(i)));
      element.classList.toggle("cursor", walks && i === cursor);
      element.tabIndex = several || (chosen.size ? chosen.has(i) : i === 0) ? 0 : -1;
    });
    if (meaning)
      meaning.textContent = [...chosen]
        .map((i) => options[i].description)
        .filter(Boolean)
        .join(" ");
  }

  function step(by) {
    if (!walks || !rows[cursor + by]) return false;
    cursor += by;
    show();
    rows[cursor].scrollIntoView({ block: "nearest" });
    return true;
  }

  const paired = !field.brief && pairs(options);
  const described = paired || (!field.brief && !several && options.some((option) => option.description));
  const list = el(
    "div",
    {
      class: ["options", field.brief ? "brief" : short(options) && "short", paired && "pairs"]
        .filter(Boolean)
        .join(" "),
      role: several ? "group" : "radiogroup",
      "aria-label": labelOf(field, values),
      onkeydown: (event) => walk(event, rows),
    },
    rows,
  );
  const meaning = described ? el("p", { class: "hint said-of-chosen" }) : null; // seen where room is short
  const element = el(
    "section",
    { class: "field" },
    heading(field, values),
    several ? el("p", { class: "hint several" }, tr("Several may be right.")) : null,
    list,
    meaning,
  );
  show();
  return part({
    element,
    get() {
      const given = [...chosen].sort((a, b) => a - b).map((i) => options[i].value);
      if (!given.length) return undefined;
      return several ? given : given[0];
    },
    set(value) {
      const wanted = value === undefined || value === null ? [] : [value].flat();
      chosen = new Set(options.flatMap((option, i) => (wanted.some((one) => same(one, option.value)) ? [i] : [])));
      show();
    },
    words: () =>
      [...chosen]
        .map((i) => (field.label_from ? `${keys[i]?.key ?? i + 1} ${tr("“{text}”", options[i])}` : options[i].text))
        .join(", "),
    missing: () => (field.required && !chosen.size ? tr("Choose an answer first.") : null),
    enter: () => home(element),
    step,
    bindings: () => choiceKeys(options, keys, toggle, walks ? () => toggle(cursor) : null),
  });
}

// toggleMarked: null where every option has a key of its own.
function choiceKeys(options, keys, toggle, toggleMarked) {
  const bind = (words, run) => ({ words, group: tr("Answer"), run });
  const own = (option, i) => ({ ...keys[i], ...bind(tr("Choose “{text}”", option), () => toggle(i)) });
  const marked = { key: "Space", ...bind(tr("Choose the marked option"), toggleMarked), yields: true };
  return [
    ...options.flatMap((option, i) => (keys[i] ? [own(option, i)] : [])),
    ...(toggleMarked ? [marked] : []),
  ];
}

// Few and short: side by side where there are other fields, too.
const short = (options) =>
  options.every((one) => one.text.length <= SHORT && !one.description) &&
  options.reduce((sum, one) => sum + one.text.length, 0) <= ROW;

// Many, or of few words, with more to say of each: two in a row where room is short.
const pairs = (options) => options.length > 1 && options.every((one) => one.text.length <= SHORT) && !short(options);

function row(option, key, several, brief, toggle) {
  return el(
    "div",
    {
      class: "option",
      role: several ? "checkbox" : "radio",
      "aria-checked": "false",
      "data-value": JSON.stringify(option.value),
      "data-enter": "submits",
      title: option.description || null,
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => event.detail < 2 && toggle(),
      onkeydown: (event) => {
        if (event.key !== " " || event.repeat) return;
        event.preventDefault();
        toggle();
      },
    },
    cap(key?.key ?? "·"),
    el(
      "span",
      { class: "text" },
      option.text,
      option.description && !brief ? el("span", { class: "description" }, option.description) : null,
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
