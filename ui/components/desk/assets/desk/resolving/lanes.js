// Everybody's segments of one clip, a line for each person; a press on a segment plays it round and round.

import { el } from "../../shared/dom.js";
import { edgeAt } from "../../shared/player/segment_edges.js";
import { tr } from "../../shared/texts.js";
import { seconds } from "../../shared/words.js";

export function createLanes() {
  const element = el("div", { class: "lanes", role: "list", "aria-label": tr("Segments of each person") });

  // marks(): what the player offers, {times, first, last, end, loop}
  function show({ lanes, item }, marks) {
    const offered = lanes.length ? marks() : null;
    element.hidden = !offered;
    element.dataset.item = item;
    if (!offered) return element.replaceChildren();
    element.replaceChildren(...lanes.map((lane) => line(lane, offered)));
  }

  function line({ label, spans }, marks) {
    const track = el("div", { class: "lane-track" }, ...spans.map((span) => bar(label, span, marks)));
    if (!spans.length) track.append(el("span", { class: "hint" }, tr("no segment")));
    return el("div", { class: "lane-line", role: "listitem" }, el("span", { class: "lane-name" }, label), track);
  }

  function bar(label, { start, end }, marks) {
    const from = marks.times[marks.first];
    const percent = (t) => (100 * (t - from)) / (marks.end - from);
    const words = `${seconds(start, 3)} – ${seconds(end, 3)}`;
    const button = el(
      "button",
      {
        type: "button",
        class: "lane-bar",
        title: words,
        "aria-label": `${label}: ${words}. ${tr("Play it round and round")}`,
        onmousedown: (event) => event.preventDefault(),
        onclick: () => marks.loop(edgeAt(marks, start), edgeAt(marks, end) - 1),
      },
      el("span", {}, words),
    );
    button.style.left = `${percent(start).toFixed(3)}%`;
    button.style.width = `${(percent(end) - percent(start)).toFixed(3)}%`;
    return button;
  }

  return { element, show };
}
