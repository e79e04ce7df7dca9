// Windows over the desk. While one is open the desk's own keys are off.

import { el, press } from "./dom.js";
import { keyList } from "./key_list.js";
import { skipWindow } from "./skip_window.js";
import { tr } from "./texts.js";

export function createDialogs(root, keys) {
  let open = null;
  let closed = null; // called when the open window goes

  function show(title, body, { bindings = [], label = title, wide = false, onclose = null } = {}) {
    close();
    const dialog = el(
      "dialog",
      {
        class: wide ? "window wide" : "window",
        "aria-label": label,
        tabindex: "-1",
        oncancel: (event) => (event.preventDefault(), close()),
      },
      el(
        "div",
        { class: "window-head" },
        el("h2", {}, title),
        press(tr("Close"), close, { key: "Esc", kind: "quiet" }),
      ),
      body,
    );
    dialog.addEventListener("click", (event) => event.target === dialog && close());
    root.append(dialog);
    keys.push([{ key: "Escape", words: tr("Close"), run: close }, ...bindings]);
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
    root.focus({ preventScroll: true });
    const after = closed;
    closed = null;
    after?.();
  }

  // The desk itself goes: nobody has closed anything.
  function drop() {
    closed = null;
    close();
  }

  // The server has cleaned this HTML; it is the only markup that the desk takes as markup.
  function instructions(html, { first = false, onclose = null } = {}) {
    const body = el("div", { class: "window-body prose", tabindex: "0" });
    body.innerHTML = html || `<p>${tr("The authors have written no instructions for this task.")}</p>`;
    const begin = () => press(tr("Begin"), close, { key: "Enter", kind: "solid" });
    const hint = () => el("span", { class: "hint" }, tr("You can open this again at any time."));
    const foot = first ? el("div", { class: "window-foot" }, hint(), begin()) : null;
    const all = foot ? el("div", { class: "window-all" }, body, foot) : body;
    const bindings = [{ key: "I", words: tr("Close"), run: close, also: ["H", "Enter"] }];
    show(tr("Instructions"), all, { bindings, wide: true, onclose });
    body.focus();
  }

  return {
    show,
    instructions,
    close,
    drop,
    skip: (reasons, done) => skipWindow({ show, close }, reasons, done),
    overlay: (bindings, options) => keyList({ show, close, keys }, bindings, options),
    isOpen: () => open !== null,
  };
}
