// The line above the work: what is open, how far one is, what it came to, and whether everything is saved.

import { el, press } from "../shared/dom.js";
import { plural, tr } from "../shared/texts.js";
import { minutes, money, wallClock } from "../shared/words.js";

export function createTop({ instructions, overlay }) {
  const name = el("span", { class: "task-name" });
  const label = el("span", { class: "item-label" });
  const mode = el("span", { class: "mode", role: "status", hidden: true });
  const how = press(tr("Instructions"), instructions, { key: "I", kind: "quiet" });
  const fill = el("div", { class: "progress-fill" });
  const named = { "aria-label": tr("Items answered"), "aria-valuemin": "0" };
  const bar = el("div", { class: "progress", role: "progressbar", ...named }, fill);
  const done = el("span", { class: "done" });
  const time = el("span", { class: "time" });
  const saved = el("span", { class: "saved", "aria-live": "polite" });
  const element = el(
    "header",
    { class: "top" },
    name,
    label,
    mode,
    el("span", { class: "how-far" }, bar, done),
    el("span", { class: "spring" }),
    time,
    saved,
    how,
    press(tr("Keys"), overlay, { key: "?", kind: "quiet" }),
  );

  function draw({ task, title, words, progress, rate, currency, pay, waiting, savedAt }) {
    name.textContent = task;
    name.title = task;
    label.textContent = title;
    mode.hidden = !words;
    if (mode.textContent !== words) mode.textContent = words;
    drawProgress(progress);
    const earned = pay ? ` · ${money(progress.pay + (rate * progress.extra_s) / 3600, currency)}` : "";
    time.textContent = `${minutes(progress.active_s + progress.extra_s)}${earned}`;
    time.title = tr("Active time: it runs while this page is visible and you are at work");
    const sent = savedAt ? tr("saved {time}", { time: wallClock(savedAt) }) : "";
    const state = waiting ? tr("{n} to send", { n: waiting }) : sent;
    if (saved.textContent !== state) saved.textContent = state;
    saved.classList.toggle("waiting", waiting > 0);
    const onTheWay = ["{n} answer on the way to the server", "{n} answers on the way to the server"];
    saved.title = waiting ? plural(waiting, ...onTheWay) : "";
  }

  function drawProgress(progress) {
    const total = Math.max(progress.total, progress.done);
    fill.style.transform = `scaleX(${total ? progress.done / total : 0})`;
    bar.setAttribute("aria-valuemax", total);
    bar.setAttribute("aria-valuenow", progress.done);
    done.textContent = tr("{n} of {total}", { n: progress.done, total });
  }

  // Another key means instructions where a form needs this one.
  function instructionsKey(key) {
    how.lastChild.textContent = key;
    how.setAttribute("aria-keyshortcuts", key);
  }

  return { element, draw, instructionsKey };
}
