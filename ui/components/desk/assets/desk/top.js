// The line above the work: what is open, how far one is, what it came to, and whether everything is saved.

import { el, press } from "../shared/dom.js";
import { count, minutes, money, wallClock } from "../shared/words.js";

export function createTop({ instructions, overlay }) {
  const label = el("span", { class: "item-label" });
  const mode = el("span", { class: "mode", role: "status", hidden: true });
  const how = press("Instructions", instructions, { key: "I", kind: "quiet" });
  const fill = el("div", { class: "progress-fill" });
  const bar = el("div", { class: "progress", role: "progressbar", "aria-label": "Items answered", "aria-valuemin": "0" }, fill);
  const done = el("span", { class: "done" });
  const time = el("span", { class: "time" });
  const saved = el("span", { class: "saved", "aria-live": "polite" });
  const element = el(
    "header",
    { class: "top" },
    label,
    mode,
    el("span", { class: "how-far" }, bar, done),
    el("span", { class: "spring" }),
    time,
    saved,
    how,
    press("Keys", overlay, { key: "?", kind: "quiet" }),
  );

  function draw({ title, words, progress, extra_s, rate, currency, pay, waiting, savedAt }) {
    label.textContent = title;
    mode.hidden = !words;
    if (mode.textContent !== words) mode.textContent = words;
    const total = Math.max(progress.total, progress.done);
    fill.style.transform = `scaleX(${total ? progress.done / total : 0})`;
    bar.setAttribute("aria-valuemax", total);
    bar.setAttribute("aria-valuenow", progress.done);
    done.textContent = `${progress.done} of ${total}`;
    const active = progress.active_s + extra_s;
    const earned = pay ? ` · ${money(progress.pay + (rate * extra_s) / 3600, currency)}` : "";
    time.textContent = `${minutes(active)}${earned}`;
    time.title = "Active time: it runs while this page is visible and you are at work";
    const state = waiting ? `${waiting} to send` : savedAt ? `saved ${wallClock(savedAt)}` : "";
    if (saved.textContent !== state) saved.textContent = state;
    saved.classList.toggle("waiting", waiting > 0);
    saved.title = waiting ? `${count(waiting, "answer")} on the way to the server` : "";
  }

  // Another key means instructions where a form needs this one.
  function instructionsKey(key) {
    how.lastChild.textContent = key;
    how.setAttribute("aria-keyshortcuts", key);
  }

  return { element, draw, instructionsKey };
}
