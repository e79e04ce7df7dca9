// Windows over the desk: skip with a reason, instructions, the keys. While one is open the desk's own keys are off.

import { cap, el, press } from "./dom.js";
import { heard } from "./keys.js";

export function createDialogs(root, keys) {
  let open = null;
  let closed = null; // called when the open window goes

  function show(title, body, { bindings = [], label = title, wide = false, onclose = null } = {}) {
    close();
    const dialog = el(
      "dialog",
      { class: wide ? "window wide" : "window", "aria-label": label, tabindex: "-1", oncancel: (event) => (event.preventDefault(), close()) },
      el("div", { class: "window-head" }, el("h2", {}, title), press("Close", close, { key: "Esc", kind: "quiet" })),
      body,
    );
    dialog.addEventListener("click", (event) => event.target === dialog && close());
    root.append(dialog);
    keys.push([{ key: "Escape", words: "Close", run: close }, ...bindings]);
    open = dialog;
    closed = onclose;
    dialog.showModal();
    dialog.focus(); // not its first button, which would answer to Enter
  }

  function close() {
    if (!open) return;
    keys.pop();
    open.close();
    open.remove();
    open = null;
    const after = closed;
    closed = null;
    after?.();
  }

  // The desk itself goes: nobody has closed anything.
  function drop() {
    closed = null;
    close();
  }

  function skip(reasons, done) {
    let chosen = null;
    const words = el("textarea", { rows: 2, maxlength: 500, placeholder: "Another reason, in your words", "aria-label": "Another reason" });
    const rows = reasons.map((reason, i) => reasonRow(reason, i, () => choose(i)));
    const confirm = press("Skip this item", () => finish(), { key: "Enter", kind: "solid" });
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
    const numbered = rows.slice(0, 9).map((_, i) => ({ key: String(i + 1), words: reasons[i], run: () => choose(i) }));
    const write = { key: "O", words: "Write another reason", run: () => words.focus() };
    show(
      "Skip this item: why?",
      el("div", { class: "window-body" }, el("div", { class: "options", role: "radiogroup", "aria-label": "Reason" }, rows), el("label", { class: "own-words" }, el("span", { class: "label" }, "Other ", cap("O")), words), el("div", { class: "window-foot" }, confirm)),
      { bindings: [...numbered, write, { key: "Enter", words: "Skip this item", run: finish }] },
    );
  }

  // The server has cleaned this HTML; it is the only markup that the desk takes as markup.
  function instructions(html, { first = false, onclose = null } = {}) {
    const body = el("div", { class: "window-body prose", tabindex: "0" });
    body.innerHTML = html || "<p>The authors have written no instructions for this task.</p>";
    const foot = first ? el("div", { class: "window-foot" }, el("span", { class: "hint" }, "You can open this again at any time."), press("Begin", close, { key: "Enter", kind: "solid" })) : null;
    const all = foot ? el("div", { class: "window-all" }, body, foot) : body;
    show("Instructions", all, { bindings: [{ key: "I", words: "Close", run: close, also: ["H", "Enter"] }], wide: true, onclose });
    body.focus();
  }

  function overlay(bindings) {
    const bound = heard(bindings);
    const groups = Map.groupBy ? Map.groupBy(bound, (one) => one.group) : grouped(bound);
    const lists = [...groups].map(([name, some]) =>
      el("section", { class: "key-group" }, el("h3", {}, name), el("dl", {}, some.flatMap(keyLine))),
    );
    show("Keys", el("div", { class: "window-body key-groups" }, lists), { bindings: [{ key: "?", words: "Close", run: close }], wide: true });
  }

  return { show, skip, instructions, overlay, close, drop, isOpen: () => open !== null };
}

const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", Backspace: "⌫" };

const signOf = (key) => SIGNS[key] ?? key.replace(/^Shift\+(.*)$/, (_, plain) => `⇧ ${SIGNS[plain] ?? plain}`);

const keyLine = (one) => [
  el("dt", {}, one.keys.map((key) => cap(signOf(key), key))),
  el("dd", {}, one.words),
];

function grouped(bindings) {
  const groups = new Map();
  for (const one of bindings) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  return groups;
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
