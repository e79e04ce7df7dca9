// Windows over the room: another key, how a question came about, which runs stand beside, a task of what is listed.

import { el, press } from "../shared/dom.js";
import { fixKeyWindow } from "./fix_key.js";
import { taskWindow } from "./task_window.js";
import { viewsWindow } from "./views_window.js";

export function createWindows(dialogs) {
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

  return {
    fixKey: (card, done) => fixKeyWindow(dialogs, card, done),
    history,
    chooseRuns,
    views: (listed, query, change) => viewsWindow(dialogs, listed, query, change),
    tagThese: (total, done) => taskWindow(dialogs, total, done),
  };
}
