// The window in which an author says which answer is right, and why.

import { cap, el, press } from "../shared/dom.js";

export function fixKeyWindow(dialogs, card, done) {
  const { question } = card;
  let chosen = null;
  const reason = el("textarea", {
    rows: 2,
    maxlength: 2000,
    placeholder: "Why? It stands in the history of the question.",
    "aria-label": "Why",
  });
  const confirm = press("Change the key", () => finish(), { key: "Enter", kind: "solid" });
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const rows = question.options.map((one) => keyOption(one, question.key, choose));

  function choose(index) {
    chosen = index;
    draw();
    reason.focus();
  }

  function draw() {
    rows.forEach((row, i) => row.setAttribute("aria-checked", String(question.options[i].index === chosen)));
    confirm.disabled = chosen === null || chosen === question.key || !reason.value.trim();
  }

  async function finish() {
    if (confirm.disabled) return;
    confirm.disabled = true;
    try {
      await done(chosen, reason.value.trim());
      dialogs.close();
    } catch (trouble) {
      problem.hidden = false;
      problem.textContent = trouble.message;
      draw();
    }
  }

  reason.addEventListener("input", draw);
  reason.addEventListener("keydown", (event) => {
    if (event.key === "Escape") dialogs.close();
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) finish();
    else return;
    event.preventDefault();
  });
  const letters = question.options
    .slice(0, 26)
    .map((one) => ({ key: one.letter, words: one.text, run: () => choose(one.index) }));
  dialogs.show(
    `Which answer is right? ${question.uid}`,
    el(
      "div",
      { class: "window-body" },
      question.same
        ? null
        : el(
            "p",
            { class: "problem" },
            "The question was changed since the model answered it. Fix it as it is now, from the page where it is " +
              "reviewed.",
          ),
      el("p", {}, question.text),
      el("div", { class: "options", role: "radiogroup", "aria-label": "Key" }, rows),
      el("label", { class: "own-words" }, el("span", { class: "label" }, "Why"), reason),
      problem,
      el(
        "div",
        { class: "window-foot" },
        el("span", { class: "hint" }, "A new revision; the old one stays, and every metric moves at once."),
        confirm,
      ),
    ),
    { bindings: [...letters, { key: "Enter", words: "Change the key", run: finish }] },
  );
  for (const row of rows) row.inert = !question.same;
  draw();
}

const keyOption = (one, key, choose) =>
  el(
    "div",
    {
      class: "option",
      role: "radio",
      tabindex: "0",
      "aria-checked": "false",
      "data-enter": "submits",
      onmousedown: (event) => event.preventDefault(),
      onclick: () => choose(one.index),
    },
    cap(one.letter),
    el(
      "span",
      { class: "text" },
      one.text,
      one.index === key ? el("span", { class: "description" }, "the key now") : null,
    ),
    el("span", { class: "mark" }),
  );
