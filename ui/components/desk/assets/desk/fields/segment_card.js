// One card: a segment's start and end, and the fields that are asked about it.

import { el, press } from "../../shared/dom.js";
import { seconds } from "../../shared/words.js";
import { tr } from "../../shared/texts.js";

// act: {mark(which), go(which), open(), remove(), loop()}
export function createCard(fields, act) {
  const name = el("span", { class: "entry-name" });
  const said = el("span", { class: "entry-words" });
  const edges = {
    start: edge("start", tr("Start"), "I", act),
    end: edge("end", tr("End"), "O", act),
  };
  const title = el(
    "button",
    {
      type: "button",
      class: "entry-title",
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => event.detail < 2 && act.open(),
    },
    name,
    said,
  );
  const loop = press(tr("Loop"), act.loop, { key: "X", title: tr("Play this segment round and round"), kind: "quiet" });
  const remove = press(tr("Remove"), act.remove, { key: "Del", kind: "quiet" });
  const times = el("div", { class: "edges" }, edges.start.element, edges.end.element);
  const element = el(
    "div",
    { class: "entry card" },
    title,
    el("div", { class: "card-body" }, times, el("div", { class: "row card-acts" }, loop, remove), fields.element),
  );
  const card = { start: null, end: null, fields, element };

  card.times = () =>
    card.start === null && card.end === null ? tr("no times yet") : `${written(card.start)} – ${written(card.end)}`;
  card.missing = () =>
    card.start === null ? tr("Mark the start (I).") : card.end === null ? tr("Mark the end (O).") : fields.missing();
  card.empty = () => card.start === null && card.end === null && !fields.words();
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

function edge(which, label, key, act) {
  const value = el("button", {
    type: "button",
    class: "edge-time",
    title: tr("Show this frame"),
    onmousedown: (event) => event.preventDefault(),
    onclick: () => act.go(which),
  });
  const set = press(tr("Set"), () => act.mark(which), {
    key,
    name: tr(which === "start" ? "Set the start at the frame shown" : "Set the end at the frame shown"),
    title: tr("Set to the frame shown"),
    kind: "",
  });
  const element = el(
    "div",
    { class: "edge", "data-edge": which },
    el("span", { class: "edge-name" }, label),
    value,
    set,
  );
  return {
    element,
    draw(t, active) {
      value.textContent = t === null ? tr("not set") : seconds(t, 3);
      value.disabled = t === null;
      element.classList.toggle("active", active);
    },
  };
}
