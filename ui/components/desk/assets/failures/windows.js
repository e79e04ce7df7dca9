// Windows over the room: another key, how a question came about, which runs stand beside, a task of what is listed.

import { cap, el, press } from "../shared/dom.js";
import { count } from "./words.js";

export function createWindows(dialogs) {
  function fixKey(card, done) {
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
    const rows = question.options.map((one) =>
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
          one.index === question.key ? el("span", { class: "description" }, "the key now") : null,
        ),
        el("span", { class: "mark" }),
      ),
    );

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

  function history(found, { only }) {
    const lines = found.events.map((event) =>
      el(
        "li",
        {},
        el("span", { class: "hint" }, event.at.replace("T", " ").slice(0, 16)),
        ` ${[event.who, event.what, event.detail].filter(Boolean).join(" · ")}`,
      ),
    );
    dialogs.show(
      `The question ${found.uid}`,
      el(
        "div",
        { class: "window-body" },
        el("ul", { class: "history" }, lines),
        el(
          "div",
          { class: "window-foot" },
          press("All answers to it", () => (dialogs.close(), only()), { key: "Enter", kind: "solid" }),
        ),
      ),
      { wide: true, bindings: [{ key: "Enter", words: "All answers to it", run: () => (dialogs.close(), only()) }] },
    );
  }

  function chooseRuns(runs, chosen, done) {
    let now = [...chosen];
    const boxes = runs.map((run) => {
      const box = el("input", {
        type: "checkbox",
        "data-enter": "submits",
        onchange: () => (now = box.checked ? [...now, run.id] : now.filter((one) => one !== run.id)),
      });
      box.checked = now.includes(run.id);
      return el("label", { class: "menu-option" }, box, el("span", {}, run.name));
    });
    const finish = () => (dialogs.close(), done(now));
    dialogs.show(
      "Which replies stand beside?",
      el(
        "div",
        { class: "window-all" },
        el("div", { class: "window-body run-boxes" }, boxes),
        el(
          "div",
          { class: "window-foot" },
          press("None", () => (dialogs.close(), done([])), { kind: "quiet" }),
          press("Show them", finish, { key: "Enter", kind: "solid" }),
        ),
      ),
      { wide: true, bindings: [{ key: "Enter", words: "Show them", run: finish }] },
    );
    boxes[0]?.querySelector("input").focus();
  }

  function tagThese(total, done) {
    const field = (words, input) => el("label", { class: "own-words" }, el("span", { class: "label" }, words), input);
    const name = el("input", {
      type: "text",
      maxlength: 120,
      "aria-label": "Name of the task",
      placeholder: "Failures of …",
    });
    const people = el("input", { type: "number", min: 1, max: 100, value: 2, "aria-label": "People for each" });
    const most = el("input", {
      type: "number",
      min: 1,
      max: Math.min(total, 5000),
      value: Math.min(total, 100),
      "aria-label": "How many",
    });
    const draw = el("input", { type: "checkbox", "data-enter": "submits" });
    draw.checked = true;
    const problem = el("p", { class: "problem", role: "alert", hidden: true });
    const make = press("Make the task", () => finish(), { key: "Enter", kind: "solid" });

    async function finish() {
      make.disabled = true;
      try {
        await done({ name: name.value, overlap: Number(people.value), most: Number(most.value), draw: draw.checked });
        dialogs.close();
      } catch (trouble) {
        problem.hidden = false;
        problem.textContent = trouble.message;
        make.disabled = false;
      }
    }

    for (const input of [name, people, most]) {
      input.addEventListener("keydown", (event) => {
        if (event.key === "Escape") dialogs.close();
        else if (event.key === "Enter") finish();
        else return;
        event.preventDefault();
      });
    }
    dialogs.show(
      "A task of what is listed",
      el(
        "div",
        { class: "window-body" },
        el(
          "p",
          { class: "hint" },
          `People say what went wrong in each; ${count(total, "prediction is", "predictions are")} listed, ` +
            "of which the wrong ones count.",
        ),
        field("Name", name),
        el("div", { class: "row numbers" }, field("How many at most", most), field("People for each", people)),
        el("label", { class: "menu-option" }, draw, el("span", {}, "drawn by chance, not the first ones")),
        problem,
        el("div", { class: "window-foot" }, make),
      ),
      { bindings: [{ key: "Enter", words: "Make the task", run: finish }] },
    );
    name.focus();
  }

  return { fixKey, history, chooseRuns, tagThese };
}
