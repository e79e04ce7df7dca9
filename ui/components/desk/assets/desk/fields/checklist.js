// Two steps: tick everything that is there; then say of each that is not ticked what is wrong with it.

import { el, press } from "../../shared/dom.js";
import { question, row } from "./checklist_rows.js";
import { createTicks } from "./checklist_ticks.js";
import { optionKeys } from "./option_keys.js";
import { heading, home, part } from "./parts.js";
import { tr } from "../../shared/texts.js";

const NAMED = 3;

export function checklist(field, values, { changed, onkeys, onenter }) {
  const items = values[field.items_from] ?? [];
  const keys = { items: optionKeys(items.length), reasons: optionKeys(field.second_options.length) };
  const ticks = createTicks(items);
  let second = false;
  let cursor = 0;

  const view = createView(field, values, items, keys, {
    tick: (i) => turnTo(i, () => toggle(i)),
    open: (i) => turnTo(i, show),
    classify: (i, reason) => turnTo(i, () => classify(i, reason)),
    turn,
  });

  const toward = () => ticks.open()[0] ?? ticks.unticked()[0];
  const draw = () => view.draw(ticks, second, cursor);

  function turnTo(i, act) {
    cursor = i;
    act();
    onenter();
  }

  function toggle(i) {
    cursor = i;
    ticks.toggle(i);
    draw();
    changed();
  }

  // Choosing goes on to the next that is open, as there is nothing more to say of this one.
  function classify(i, reason) {
    if (ticks.classify(i, reason.value)) {
      const open = ticks.open();
      cursor = open.find((later) => later > i) ?? open[0] ?? i;
    }
    show();
    changed();
  }

  function turn(to) {
    second = to && ticks.unticked().length > 0;
    cursor = second ? toward() : 0;
    show();
    onkeys();
  }

  function show() {
    draw();
    view.scrollTo(second, cursor);
  }

  function step(by) {
    const walk = second ? ticks.unticked() : items.map((_, i) => i);
    const next = walk[walk.indexOf(cursor) + by];
    if (next === undefined) return by < 0 && second ? (turn(false), true) : false;
    cursor = next;
    show();
    return true;
  }

  draw();
  return part({
    element: view.element,
    inner: true,
    get: ticks.response,
    set(value) {
      second = ticks.fill(value);
      cursor = second ? (toward() ?? 0) : 0;
      draw();
    },
    words: () => tr("{n} of {total} ticked", { n: ticks.size(), total: items.length }),
    missing: () => (field.required ? missing(field, items, ticks.open()) : null),
    enter: () => home(view.element),
    step,
    tab: (by) => second !== by > 0 && (by < 0 || ticks.unticked().length > 0) && (turn(by > 0), true),
    jump: () => turn(true),
    bindings: () =>
      second
        ? reasonKeys(field.second_options, keys.reasons, (reason) => classify(cursor, reason))
        : tickKeys(items, keys.items, toggle, () => toggle(cursor)),
  });
}

// act: {tick(i), open(i), classify(i, reason), turn(to the second step)}
function createView(field, values, items, keys, act) {
  const reasons = field.second_options;
  const rows = items.map((item, i) => row(item, keys.items[i], () => act.tick(i)));
  const questions = items.map((item, i) =>
    question(
      item,
      reasons,
      keys.reasons,
      () => act.open(i),
      (reason) => act.classify(i, reason),
    ),
  );
  const steps = [
    press(tr("1 · Tick what is there"), () => act.turn(false), { kind: "quiet step" }),
    press(tr("2 · The others"), () => act.turn(true), { kind: "quiet step" }),
  ];
  const elements = (parts) => parts.map(({ element }) => element);
  const first = el("div", { class: "options", role: "group", "aria-label": tr("What is there") }, elements(rows));
  const said = el("p", { class: "question minor" }, field.second_label);
  const then = el("div", { class: "classes" }, said, elements(questions));
  const head = [heading(field, values), el("div", { class: "row steps" }, steps)];

  return {
    element: el("section", { class: "field checklist" }, ...head, first, then),
    draw(ticks, second, cursor) {
      first.hidden = second;
      then.hidden = !second;
      steps.forEach((button, i) => button.setAttribute("aria-pressed", String(second === (i === 1))));
      steps[1].firstChild.textContent = tr("2 · The others ({n} open)", { n: ticks.open().length });
      steps[1].disabled = !ticks.unticked().length;
      items.forEach((_, i) => {
        rows[i].draw(ticks.isTicked(i), i === cursor);
        questions[i].draw(!ticks.isTicked(i), ticks.reason(i), i === cursor);
      });
    },
    scrollTo: (second, i) => (second ? questions : rows)[i]?.element.scrollIntoView({ block: "nearest" }),
  };
}

function missing(field, items, open) {
  if (!open.length) return null;
  const names = open.slice(0, NAMED).map((i) => tr("“{text}”", { text: items[i].label }));
  return `${field.second_label} ${names.join(", ")}${open.length > NAMED ? "…" : ""}`;
}

function reasonKeys(reasons, keys, classify) {
  const bind = (reason, i) => ({
    ...keys[i],
    words: tr("“{text}”", reason),
    group: tr("Answer"),
    run: () => classify(reason),
  });
  return reasons.flatMap((reason, i) => (keys[i] ? [bind(reason, i)] : []));
}

function tickKeys(items, keys, toggle, toggleMarked) {
  const bind = (item, i) => ({
    ...keys[i],
    words: tr("Tick “{label}”", item),
    group: tr("Answer"),
    run: () => toggle(i),
  });
  const words = tr("Tick the marked one");
  const marked = { key: "Space", words, group: tr("Answer"), yields: true, run: toggleMarked };
  return [...items.flatMap((item, i) => (keys[i] ? [bind(item, i)] : [])), marked];
}
