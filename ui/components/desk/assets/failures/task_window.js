// The window that makes a task of what is listed.

import { el, press } from "../shared/dom.js";
import { count } from "./words.js";

export function taskWindow(dialogs, total, done) {
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
