// One question on the wall: what was seen, what was asked, the key and every run's answer as coloured letters.

import { el } from "../../shared/dom.js";
import { letterRows } from "./letters.js";

const AROUND_PX = 44; // borders, and the key before the letters

export function wallCard(card, place, { runs, labels, choose, mark, width }) {
  return el(
    "article",
    {
      class: "wall-card",
      role: "option",
      "aria-selected": "false",
      "aria-label": `${card.uid}: ${card.text}`,
      "data-id": card.id,
      "data-place": place,
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => (event.shiftKey || event.ctrlKey || event.metaKey ? mark(place) : choose(place)),
    },
    picture(card, runs),
    el(
      "div",
      { class: "wall-line" },
      el("b", { class: "wall-name end-first", title: card.uid }, el("bdi", {}, card.uid)),
      el("span", { class: "hint wall-category" }, card.uid.includes(card.category) ? "" : card.category),
      peopleOf(card.people),
    ),
    el("p", { class: "wall-question" }, card.text),
    el(
      "div",
      { class: "wall-letters" },
      el("span", { class: "letter key", title: "The key" }, card.key ?? "?"),
      letterRows(card.answers, runs, width - AROUND_PX),
    ),
    card.tags.length
      ? el("span", { class: "wall-tags", title: "Tagged" }, card.tags.map((id) => labels.get(id) ?? id).join(", "))
      : null,
    // An option's parts are no controls of their own: Space selects the card, this is for the mouse.
    el("span", {
      class: "wall-mark",
      title: "Select (Space)",
      "aria-hidden": "true",
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => (event.stopPropagation(), mark(place)),
    }),
  );
}

function picture(card, runs) {
  if (!card.picture) return el("div", { class: "wall-picture none" }, card.unseen);
  const seen = runs.get(card.run)?.condition ?? "";
  return el("img", {
    class: "wall-picture",
    src: card.picture,
    alt: `What the model saw: ${seen}`,
    title: `What ${runs.get(card.run)?.name ?? "the model"} saw`,
    decoding: "async",
    draggable: "false",
    onerror: (event) => event.target.replaceWith(el("div", { class: "wall-picture none" }, "no picture here")),
  });
}

function peopleOf([right, asked]) {
  if (!asked) return el("span", { class: "hint wall-people", title: "No person has answered" }, "no people");
  const most = right > asked / 2;
  return el(
    "span",
    { class: `wall-people ${most ? "right" : "wrong"}`, title: `${right} of ${asked} answers of people are right` },
    `people ${right}/${asked}`,
  );
}
