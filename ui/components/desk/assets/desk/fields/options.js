// The options of a question under review: which wrong ones are kept, which one is the key, and their words.

import { el } from "../../shared/dom.js";
import { optionKeys } from "./option_keys.js";
import { createRow } from "./option_row.js";
import { createSelection } from "./option_selection.js";
import { heading, home, part } from "./parts.js";
import { plural, tr } from "../../shared/texts.js";

export function options_edit(field, values, { changed, onenter }) {
  const options = (values[field.options_from] ?? []).map((option) => ({
    id: option.id ?? option.value,
    text: option.text,
    key: Boolean(option.key),
    struck: Boolean(option.struck),
  }));
  const keys = optionKeys(options.length);
  const keep = wanted(field, options);
  const selection = createSelection(options, keep);
  let cursor = 0;

  const said = el("p", { class: "hint", role: "status" });
  const rows = options.map((option, i) =>
    createRow(option, i + 1, keys[i]?.key, {
      point: () => point(i),
      toggle: () => toggle(i),
      mark: () => mark(i),
      written: () => (draw(), changed()),
    }),
  );
  const list = el(
    "div",
    { class: "options", role: "group" },
    rows.map((row) => row.element),
  );
  const element = el("section", { class: "field options-edit" }, heading(field, values), said, list);
  const texts = () => rows.map((row) => row.text());

  function draw() {
    rows.forEach((row, i) =>
      row.draw({ cursor: i === cursor, kept: selection.keeps(i), isKey: selection.isKey(i) }),
    );
    said.textContent = standing(selection, keep, keys);
  }

  function point(i) {
    cursor = i;
    draw();
  }

  function toggle(i) {
    point(i);
    onenter();
    if (!selection.toggle(i)) return;
    draw();
    changed();
  }

  function mark(i) {
    point(i);
    onenter();
    selection.mark(i);
    draw();
    changed();
  }

  function step(by) {
    if (!rows[cursor + by]) return false;
    const writing = element.getRootNode().activeElement === rows[cursor].input;
    point(cursor + by);
    rows[cursor].element.scrollIntoView({ block: "nearest" });
    if (writing) rows[cursor].input.focus();
    return true;
  }

  function set(value, begun) {
    selection.fill(value, begun);
    rows.forEach((row, i) => (row.input.value = value?.texts?.[options[i].id] ?? options[i].text));
    draw();
  }

  set(undefined, false);
  return part({
    element,
    inner: options.length > 1,
    get: () => selection.response(texts()),
    set,
    words: () => tr("{n} kept", { n: selection.size() }),
    missing: () => (field.required ? selection.missing(texts()) : null),
    enter: () => home(element),
    step,
    bindings: () => optionBindings(options, keys, { toggle, mark, write: () => rows[cursor]?.input.focus() }),
  });
}

// How many wrong options may be kept; where there are fewer than wanted, all of them.
function wanted(field, options) {
  const most = Math.max(0, options.length - 1);
  const fits = field.keep.filter((number) => number <= most);
  return fits.length ? fits : [most];
}

function standing(selection, keep, keys) {
  const at = selection.keyAt();
  const key = at < 0 ? tr("none yet") : (keys[at]?.key ?? at + 1);
  const sentences = [
    "{n} wrong option kept, {wanted} wanted. Key: {key}.",
    "{n} wrong options kept, {wanted} wanted. Key: {key}.",
  ];
  return plural(selection.size(), ...sentences, { wanted: keep.join(tr(" or ")), key });
}

function optionBindings(options, keys, { toggle, mark, write }) {
  const bind = (key, words, run) => ({ key, words, group: tr("Answer"), run });
  const own = (option, i) => [
    bind(keys[i].key, tr("Keep or drop “{text}”", option), () => toggle(i)),
    bind(`Shift+${keys[i].key}`, tr("“{text}” is the key", option), () => mark(i)),
  ];
  return [
    ...options.flatMap((option, i) => (keys[i] ? own(option, i) : [])),
    bind("F2", tr("Edit the words of the marked option"), write),
  ];
}
