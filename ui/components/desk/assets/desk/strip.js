// One's own earlier answers, oldest first: press a number to look again and correct.

import { afterPaint } from "../shared/after_paint.js";
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
  const none = tr("None yet. What you answer appears here, so that you can come back and correct it.");
  const hint = el("span", { class: "hint" }, none);
  let drawn = "";
  let chips = []; // {state, element} of those shown, in order

  // Only what is new is drawn: two hundred of them took longer than the next item.
  function draw(mine, at) {
    const state = JSON.stringify([mine.length, mine.at(-1), at, mine.filter((one) => one.skipped).length]);
    if (state === drawn) return;
    drawn = state;
    const from = Math.max(0, mine.length - SHOWN);
    const states = mine.slice(from).map((one, i) => JSON.stringify([from + i, one, from + i === at]));
    while (chips.length && chips[0].state !== states[0] && chips.some((one) => one.state === states[0]))
      chips.shift().element.remove();
    states.forEach((words, i) => {
      if (chips[i]?.state === words) return;
      const element = chip(mine[from + i], from + i, at);
      if (chips[i]) chips[i].element.replaceWith(element);
      else row.append(element);
      chips[i] = { state: words, element };
    });
    for (const { element } of chips.splice(states.length)) element.remove();
    if (mine.length) hint.remove();
    else row.append(hint);
    row.role = mine.length ? "list" : null; // a list without entries is none
    afterPaint(scroll);
  }

  function scroll() {
    const current = row.querySelector("[aria-current]");
    row.scrollLeft = current ? current.offsetLeft - row.clientWidth / 2 : row.scrollWidth;
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
