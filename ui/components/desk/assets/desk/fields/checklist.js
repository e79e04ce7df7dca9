// Two steps: tick everything that is there; then say of each that is not ticked what is wrong with it.

import { cap, el, press } from "../../shared/dom.js";
import { optionKeys } from "./option_keys.js";
import { heading, home, part } from "./parts.js";
import { tr } from "../../shared/texts.js";

export function checklist(field, values, { changed, onkeys, onenter }) {
  const items = values[field.items_from] ?? [];
  const keys = optionKeys(items.length);
  const reasons = field.second_options;
  const reasonKeys = optionKeys(reasons.length);
  const ticked = new Set(); // ids
  const classes = new Map(); // id -> value of a reason
  let second = false;
  let cursor = 0;

  const rows = items.map((item, i) => row(item, keys[i], () => turnTo(i, () => toggle(i))));
  const questions = items.map((item, i) =>
    question(
      item,
      reasons,
      reasonKeys,
      () => turnTo(i, show),
      (reason) => turnTo(i, () => classify(i, reason)),
    ),
  );
  const steps = [
    press(tr("1 · Tick what is there"), () => turn(false), { kind: "quiet step" }),
    press(tr("2 · The others"), () => turn(true), { kind: "quiet step" }),
  ];
  const first = el(
    "div",
    { class: "options", role: "group", "aria-label": tr("What is there") },
    rows.map((one) => one.element),
  );
  const said = el("p", { class: "question minor" }, field.second_label);
  const then = el(
    "div",
    { class: "classes" },
    said,
    questions.map((one) => one.element),
  );
  const element = el(
    "section",
    { class: "field checklist" },
    heading(field, values),
    el("div", { class: "row steps" }, steps),
    first,
    then,
  );

  const unticked = () => items.flatMap(({ id }, i) => (ticked.has(id) ? [] : [i]));
  const open = () => unticked().filter((i) => !classes.has(items[i].id));

  function draw() {
    first.hidden = second;
    then.hidden = !second;
    steps.forEach((button, i) => button.setAttribute("aria-pressed", String(second === (i === 1))));
    steps[1].firstChild.textContent = tr("2 · The others ({n} open)", { n: open().length });
    steps[1].disabled = !unticked().length;
    items.forEach(({ id }, i) => {
      rows[i].draw(ticked.has(id), i === cursor);
      questions[i].draw(!ticked.has(id), classes.get(id), i === cursor);
    });
  }

  function turnTo(i, act) {
    cursor = i;
    act();
    onenter();
  }

  function toggle(i) {
    const { id } = items[i];
    cursor = i;
    if (ticked.has(id)) ticked.delete(id);
    else ticked.add(id);
    draw();
    changed();
  }

  // Choosing goes on to the next that is open, as there is nothing more to say of this one.
  function classify(i, reason) {
    const { id } = items[i];
    if (classes.get(id) === reason.value) classes.delete(id);
    else {
      classes.set(id, reason.value);
      cursor = open().find((one) => one > i) ?? open()[0] ?? i;
    }
    show();
    changed();
  }

  function turn(to) {
    second = to && unticked().length > 0;
    cursor = second ? (open()[0] ?? unticked()[0]) : 0;
    show();
    onkeys();
  }

  function show() {
    draw();
    (second ? questions : rows)[cursor]?.element.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const walk = second ? unticked() : items.map((_, i) => i);
    const next = walk[walk.indexOf(cursor) + by];
    if (next === undefined) return by < 0 && second ? (turn(false), true) : false;
    cursor = next;
    show();
    return true;
  }

  draw();
  return part({
    element,
    inner: true,
    get: () =>
      ticked.size || classes.size
        ? {
            ticked: items.filter(({ id }) => ticked.has(id)).map(({ id }) => id),
            classes: Object.fromEntries(
              unticked().flatMap((i) => (classes.has(items[i].id) ? [[items[i].id, classes.get(items[i].id)]] : [])),
            ),
          }
        : undefined,
    set(value) {
      ticked.clear();
      classes.clear();
      for (const id of value?.ticked ?? []) ticked.add(id);
      for (const [id, reason] of Object.entries(value?.classes ?? {})) classes.set(id, reason);
      second = classes.size > 0;
      cursor = second ? (open()[0] ?? unticked()[0] ?? 0) : 0;
      draw();
    },
    words: () => tr("{n} of {total} ticked", { n: ticked.size, total: items.length }),
    missing() {
      if (!field.required || !open().length) return null;
      const words = open()
        .slice(0, 3)
        .map((i) => `“${items[i].label}”`)
        .join(", ");
      return `${field.second_label} ${words}${open().length > 3 ? "…" : ""}`;
    },
    enter: () => home(element),
    step,
    tab: (by) => second !== by > 0 && (by < 0 || unticked().length > 0) && (turn(by > 0), true),
    jump: () => turn(true),
    bindings: () =>
      second
        ? reasons.flatMap((reason, i) =>
            reasonKeys[i]
              ? [
                  {
                    ...reasonKeys[i],
                    words: `“${reason.text}”`,
                    group: tr("Answer"),
                    run: () => classify(cursor, reason),
                  },
                ]
              : [],
          )
        : [
            ...items.flatMap((item, i) =>
              keys[i]
                ? [{ ...keys[i], words: tr("Tick “{label}”", item), group: tr("Answer"), run: () => toggle(i) }]
                : [],
            ),
            {
              key: "Space",
              words: tr("Tick the marked one"),
              group: tr("Answer"),
              yields: true,
              run: () => toggle(cursor),
            },
          ],
  });
}

function row(item, key, toggle) {
  const element = el(
    "div",
    {
      class: "option",
      role: "checkbox",
      tabindex: "-1",
      "data-id": item.id,
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => event.detail < 2 && toggle(),
    },
    cap(key?.key ?? "·"),
    el("span", { class: "text" }, item.label),
    el("span", { class: "mark", "aria-hidden": "true" }),
  );
  return {
    element,
    draw(on, here) {
      element.setAttribute("aria-checked", String(on));
      element.classList.toggle("cursor", here);
    },
  };
}

function question(item, reasons, keys, open, choose) {
  const options = reasons.map((reason, i) =>
    el(
      "div",
      {
        class: "option",
        role: "radio",
        tabindex: "-1",
        title: reason.description || null,
        onmousedown: (event) => event.preventDefault(),
        onclick: (event) => event.detail < 2 && choose(reason),
      },
      cap(keys[i]?.key ?? "·"),
      el("span", { class: "text" }, reason.text),
    ),
  );
  const said = el("span", { class: "entry-words" });
  const title = el(
    "button",
    {
      type: "button",
      class: "entry-title",
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => event.detail < 2 && open(),
    },
    el("span", { class: "entry-name" }, item.label),
    said,
  );
  const element = el(
    "div",
    { class: "class-of entry", "data-id": item.id },
    title,
    el("div", { class: "options short", role: "radiogroup", "aria-label": item.label }, options),
  );
  return {
    element,
    draw(asked, value, here) {
      element.hidden = !asked;
      element.classList.toggle("cursor", here);
      element.classList.toggle("filled", value !== undefined);
      title.setAttribute("aria-expanded", String(here));
      said.textContent = reasons.find((reason) => reason.value === value)?.text ?? tr("open");
      options.forEach((option, i) => option.setAttribute("aria-checked", String(reasons[i].value === value)));
    },
  };
}
