// One card: a segment's start and end, and the fields that are asked about it.

import { el, press } from "../../shared/dom.js";
import { seconds } from "../../shared/words.js";

// act: {mark(which), go(which), open(), remove(), loop()}
export function createCard(fields, act) {
  const name = el("span", { class: "entry-name" });
  const said = el("span", { class: "entry-words" });
  const edges = { start: edge("Start", "I", () => act.mark("start"), () => act.go("start")), end: edge("End", "O", () => act.mark("end"), () => act.go("end")) };
  const title = el(
    "button",
    { type: "button", class: "entry-title", onmousedown: (event) => event.preventDefault(), onclick: (event) => event.detail < 2 && act.open() },
    name,
    said,
  );
  const loop = press("Loop", act.loop, { key: "X", title: "Play this segment round and round", kind: "quiet" });
  const remove = press("Remove", act.remove, { key: "Del", kind: "quiet" });
  const times = el("div", { class: "edges" }, edges.start.element, edges.end.element);
  const element = el("div", { class: "entry card" }, title, el("div", { class: "card-body" }, times, el("div", { class: "row card-acts" }, loop, remove), fields.element));
  const card = { start: null, end: null, fields, element };

  card.times = () => (card.start === null && card.end === null ? "no times yet" : `${written(card.start)} – ${written(card.end)}`);
  card.missing = () => (card.start === null ? "Mark the start (I)." : card.end === null ? "Mark the end (O)." : fields.missing());
  card.draw = (number, open, active, alone) => {
    element.classList.toggle("open", open);
    element.classList.toggle("filled", !card.missing());
    title.setAttribute("aria-expanded", String(open));
    name.textContent = String(number);
    said.textContent = [card.times(), fields.words()].filter(Boolean).join(" · ");
    for (const which of ["start", "end"]) edges[which].draw(card[which], open && active === which);
    loop.disabled = card.start === null || card.end === null;
    remove.hidden = alone;
  };
  return card;
}

const written = (t) => (t === null ? "…" : seconds(t, 3));

function edge(label, key, mark, go) {
  const value = el("button", { type: "button", class: "edge-time", title: "Show this frame", onmousedown: (event) => event.preventDefault(), onclick: go });
  const set = press("Set", mark, { key, name: `Set the ${label.toLowerCase()} at the frame shown`, title: "Set to the frame shown", kind: "" });
  const element = el("div", { class: "edge", "data-edge": label.toLowerCase() }, el("span", { class: "edge-name" }, label), value, set);
  return {
    element,
    draw(t, active) {
      value.textContent = t === null ? "not set" : seconds(t, 3);
      value.disabled = t === null;
      element.classList.toggle("active", active);
    },
  };
}

