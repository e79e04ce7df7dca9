// The segments of all cards on the timeline; those of the active card have handles for their edges.

import { el } from "../dom.js";
import { tr } from "../texts.js";
import { seconds } from "../words.js";
import { edgeAt } from "./segment_edges.js";
import { shareOf } from "./zoom.js";

// now: what the timeline shows, {marks, view, cards, active, edge, expected}; act: {edge(which, i), choose, seekTo}
export function createBars(now, act) {
  const bars = el("div", { class: "bars" });
  const percent = (t) => `${(100 * shareOf(now.view, t)).toFixed(3)}%`;

  function draw(cards, active, edge) {
    Object.assign(now, { cards, active, edge });
    const others = cards.flatMap((card, i) => (i === active ? [] : [bar(card, i, false)]));
    const own = cards[active] ? [bar(cards[active], active, true), ...handles(cards[active], active)] : [];
    bars.replaceChildren(...now.expected.flatMap(expectedBar), ...others, ...own);
  }

  function bar({ start, end }, i, active) {
    if (start === null || end === null || end <= now.view.from || start >= now.view.to) return el("span");
    const name = tr("Card {n}: {start} to {end}", { n: i + 1, start: seconds(start, 3), end: seconds(end, 3) });
    const look = { class: active ? "span active" : "span", title: tr("Card {n}", { n: i + 1 }), tabindex: "-1" };
    const segment = el("button", { type: "button", ...look, "aria-label": name }, el("span", {}, String(i + 1)));
    segment.style.left = percent(start);
    segment.style.width = `${100 * (shareOf(now.view, end) - shareOf(now.view, start))}%`;
    if (!active) segment.addEventListener("click", () => act.choose(i, "start"));
    return segment;
  }

  // A segment that is right, beside what was answered; it only is looked at.
  function expectedBar({ start, end }) {
    if (!(end > now.view.from && start < now.view.to)) return [];
    const name = tr("Right: {start} to {end}", { start: seconds(start, 3), end: seconds(end, 3) });
    const segment = el("div", { class: "span expected", role: "img", "aria-label": name, title: name });
    segment.style.left = percent(start);
    segment.style.width = `${100 * (shareOf(now.view, end) - shareOf(now.view, start))}%`;
    return [segment];
  }

  const inView = (t) => t !== null && t >= now.view.from - 1e-6 && t <= now.view.to + 1e-6;

  function handles(card, i) {
    return ["start", "end"].filter((which) => inView(card[which])).map((which) => handle(card[which], which, i));
  }

  function handle(t, which, i) {
    const name = tr(which === "start" ? "Start of card {n}" : "End of card {n}", { n: i + 1 });
    const element = el("div", {
      class: `handle ${which} ${which === now.edge ? "active" : ""}`,
      "data-edge": which,
      role: "slider",
      tabindex: "0",
      "aria-label": name,
      "aria-valuemin": now.marks.times[now.marks.first],
      "aria-valuemax": now.marks.end,
      "aria-valuenow": t,
      "aria-valuetext": seconds(t, 3),
      onkeydown: (event) => nudge(event, which, t),
    });
    element.style.left = percent(t);
    return element;
  }

  // The arrows move the handle that has the focus, as they do with every slider.
  function nudge(event, which, t) {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const to = edgeAt(now.marks, t) + by;
    act.edge(which, to);
    act.seekTo(Math.min(to, now.marks.last));
    bars.querySelector(`[data-edge=${which}]`)?.focus();
  }

  return { element: bars, draw, clear: () => bars.replaceChildren() };
}
