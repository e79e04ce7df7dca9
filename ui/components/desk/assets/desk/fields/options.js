// The options of a question under review: which wrong ones are kept, which one is the key, and their words.

import { cap, el, press } from "../../shared/dom.js";
import { optionKeys } from "./option_keys.js";
import { heading, home, part } from "./parts.js";
import { plural, tr } from "../../shared/texts.js";

const LONGEST = 500;

export function options_edit(field, values, { changed, onenter }) {
  const options = (values[field.options_from] ?? []).map((option) => ({
    id: option.id ?? option.value,
    text: option.text,
    key: Boolean(option.key),
    struck: Boolean(option.struck),
  }));
  const keys = optionKeys(options.length);
  const most = Math.max(0, options.length - 1);
  const fits = field.keep.filter((number) => number <= most);
  const keep = fits.length ? fits : [most]; // where there are fewer wrong options than wanted, all of them
  const kept = new Set(); // ids, never the key's
  let key = null;
  let cursor = 0;

  const said = el("p", { class: "hint", role: "status" });
  const rows = options.map((option, i) => createRow(option, i));
  const element = el(
    "section",
    { class: "field options-edit" },
    heading(field, values),
    said,
    el(
      "div",
      { class: "options", role: "group" },
      rows.map((row) => row.element),
    ),
  );

  function createRow(option, i) {
    const input = el("textarea", {
      rows: 1,
      "data-lines": 1,
      class: "one-line",
      maxlength: LONGEST,
      "aria-label": tr("Option {n}", { n: i + 1 }),
      onfocus: () => point(i),
      oninput: () => (draw(), changed()),
    });
    const box = press(cap(keys[i]?.key ?? "·"), () => toggle(i), {
      name: tr("Keep or drop"),
      title: tr("Keep or drop"),
      kind: "quiet",
    });
    const right = press(tr("Key"), () => mark(i), {
      name: tr("Make it the key"),
      title: tr("This is the right answer"),
      kind: "quiet key",
    });
    return {
      input,
      box,
      right,
      element: el(
        "div",
        { class: "option edited", "data-id": option.id },
        box,
        input,
        right,
        ...(option.struck
          ? [el("s", { class: "struck", title: tr("The key before the edit; it no longer counts") }, tr("old key"))]
          : []),
      ),
    };
  }

  const text = (i) => rows[i].input.value.trim();
  const idOf = (i) => options[i].id;
  const keyAt = () => options.findIndex((option) => option.id === key);

  function draw() {
    rows.forEach((row, i) => {
      const isKey = key === idOf(i);
      row.element.classList.toggle("cursor", i === cursor);
      row.element.classList.toggle("kept", kept.has(idOf(i)));
      row.element.classList.toggle("right", isKey);
      row.element.classList.toggle("changed", text(i) !== options[i].text);
      row.box.setAttribute("aria-pressed", String(isKey || kept.has(idOf(i))));
      row.right.setAttribute("aria-pressed", String(isKey));
    });
    const wanted = keep.join(tr(" or "));
    const keyName = keyAt() < 0 ? tr("none yet") : (keys[keyAt()]?.key ?? keyAt() + 1);
    const values = { wanted, key: keyName };
    const sentences = [
      "{n} wrong option kept, {wanted} wanted. Key: {key}.",
      "{n} wrong options kept, {wanted} wanted. Key: {key}.",
    ];
    said.textContent = plural(kept.size, ...sentences, values);
  }

  function point(i) {
    cursor = i;
    draw();
  }

  function toggle(i) {
    point(i);
    onenter();
    if (key === idOf(i)) return; // the key is always kept
    if (kept.has(idOf(i))) kept.delete(idOf(i));
    else kept.add(idOf(i));
    draw();
    changed();
  }

  // The key that was stays as a wrong option.
  function mark(i) {
    point(i);
    onenter();
    if (key === idOf(i)) key = null;
    else {
      if (key !== null) kept.add(key);
      key = idOf(i);
      kept.delete(key);
    }
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

  function missing() {
    if (!field.required) return null;
    if (key === null) return tr("Mark the key: Shift and its letter.");
    if (!keep.includes(kept.size))
      return tr("Keep {wanted} wrong options; kept: {n}.", { wanted: keep.join(tr(" or ")), n: kept.size });
    const used = options.flatMap((_, i) => (kept.has(idOf(i)) || key === idOf(i) ? [text(i)] : []));
    if (used.includes("")) return tr("An option that is kept has no words.");
    return new Set(used.map((one) => one.toLowerCase())).size < used.length
      ? tr("Two of the options that are kept say the same.")
      : null;
  }

  function set(value, begun) {
    kept.clear();
    const first = options.find((option) => option.key)?.id ?? null;
    key = begun && value ? (value.key ?? null) : first;
    for (const id of value?.kept ?? []) kept.add(options.find((option) => String(option.id) === String(id))?.id ?? id);
    rows.forEach((row, i) => (row.input.value = value?.texts?.[idOf(i)] ?? options[i].text));
    draw();
  }

  set(undefined, false);
  return part({
    element,
    inner: options.length > 1,
    get() {
      const touched =
        kept.size ||
        rows.some((_, i) => text(i) !== options[i].text) ||
        key !== (options.find((option) => option.key)?.id ?? null);
      if (!touched) return undefined;
      const used = options.filter(({ id }) => kept.has(id) || id === key);
      return {
        kept: options.filter(({ id }) => kept.has(id)).map(({ id }) => id),
        texts: Object.fromEntries(
          options.flatMap((option, i) =>
            used.includes(option) || text(i) !== option.text ? [[option.id, text(i)]] : [],
          ),
        ),
        key,
      };
    },
    set,
    words: () => tr("{n} kept", { n: kept.size }),
    missing,
    enter: () => home(element),
    step,
    bindings: () => [
      ...options.flatMap((option, i) =>
        keys[i]
          ? [
              {
                key: keys[i].key,
                words: tr("Keep or drop “{text}”", option),
                group: tr("Answer"),
                run: () => toggle(i),
              },
              {
                key: `Shift+${keys[i].key}`,
                words: tr("“{text}” is the key", option),
                group: tr("Answer"),
                run: () => mark(i),
              },
            ]
          : [],
      ),
      {
        key: "F2",
        words: tr("Edit the words of the marked option"),
        group: tr("Answer"),
        run: () => rows[cursor]?.input.focus(),
      },
    ],
  });
}
