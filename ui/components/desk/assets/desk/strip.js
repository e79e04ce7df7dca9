// One's own earlier answers, oldest first: press a number to look again and correct.

import { el } from "../shared/dom.js";
import { wallClock } from "../shared/words.js";
import { tr } from "../shared/texts.js";

const SHOWN = 200;

export function createStrip(open) {
  const row = el("div", { class: "chips" });
  const element = el(
    "nav",
    { class: "strip", "aria-label": tr("Your earlier answers") },
    el("span", { class: "strip-name" }, tr("Your answers")),
    row,
  );
  let drawn = "";

  function draw(mine, at) {
    const state = JSON.stringify([mine.length, mine.at(-1), at, mine.filter((one) => one.skipped).length]);
    if (state === drawn) return;
    drawn = state;
    const from = Math.max(0, mine.length - SHOWN);
    row.replaceChildren(...mine.slice(from).map((one, i) => chip(one, from + i, at)));
    if (!mine.length)
      row.append(
        el(
          "span",
          { class: "hint" },
          tr("None yet. What you answer appears here, so that you can come back and correct it."),
        ),
      );
    row.role = mine.length ? "list" : null; // a list without entries is none
    const current = row.querySelector("[aria-current]");
    if (current) row.scrollLeft = current.offsetLeft - row.clientWidth / 2;
    else row.scrollLeft = row.scrollWidth;
  }

  function chip(one, position, at) {
    const when = one.answered_at ? ` · ${wallClock(new Date(one.answered_at * 1000))}` : "";
    const words = `#${position + 1} ${one.label}${when}${one.skipped ? ` · ${tr("skipped")}` : ""}`;
    return el(
      "span",
      { role: "listitem" },
      el(
        "button",
        {
          type: "button",
          class: one.skipped ? "chip skipped" : "chip",
          title: words,
          "aria-label": words,
          "aria-current": position === at ? "true" : null,
          onmousedown: (event) => event.preventDefault(),
          onclick: (event) => event.detail < 2 && open(position),
        },
        String(position + 1),
      ),
    );
  }

  return { element, draw };
}
