// What the server says about an answer whose result is known: a card over the panel, until Enter.

import { el, press } from "../shared/dom.js";

export function createFeedback(host, keys) {
  let open = null; // {element, done}
  const waiting = [];

  function show(label, { right, words }, done) {
    waiting.push({ label, right, words, done });
    if (!open) next();
  }

  function next() {
    const one = waiting.shift();
    if (!one) return;
    const element = el(
      "div",
      { class: `feedback ${one.right ? "right" : "wrong"}`, role: "alertdialog", "aria-label": "About your answer" },
      el("p", { class: "feedback-about" }, one.label),
      el("h2", {}, one.right ? "Right" : "Not right"),
      one.words ? el("p", { class: "feedback-words" }, one.words) : null,
      press("Go on", close, { key: "Enter", kind: "solid" }),
    );
    open = { element, done: one.done };
    host.append(element);
    keys.push([{ key: "Enter", words: "Go on", run: close, also: ["Escape"] }]);
  }

  function close() {
    if (!open) return;
    const { element, done } = open;
    open = null;
    keys.pop();
    element.remove();
    done?.();
    next();
  }

  return {
    show,
    isOpen: () => open !== null,
    drop() {
      waiting.length = 0;
      if (open) keys.pop();
      open?.element.remove();
      open = null;
    },
  };
}
