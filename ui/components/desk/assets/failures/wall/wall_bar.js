// Below the wall: how many there are and are selected, and the classes that all of these get at once.

import { cap, el, press } from "../../shared/dom.js";
import { count } from "../words.js";

const MOST_KEYS = 9;

export function createWallBar({ tagAll, clear, link, views, cards }) {
  const words = el("span", { class: "wall-count", role: "status" });
  const chips = el("span", { class: "chips-of-classes", role: "group", "aria-label": "Tag what is selected" });
  const hint = el("span", { class: "hint" }, "Space or Shift and click selects; several are tagged at once.");
  const none = press("Select none", clear, { kind: "quiet" });
  const element = el(
    "div",
    { class: "row wall-bar" },
    words,
    hint,
    chips,
    none,
    el("span", { class: "spring" }),
    press("Views", views, { key: "W", kind: "quiet", title: "Views with a name, for everybody" }),
    press("Copy the link", link, { key: "Y", kind: "quiet", title: "A link to exactly this view" }),
    press("Cards", cards, { key: "Enter", kind: "quiet", title: "Open the card" }),
  );
  let classes = [];
  let given = new Set();

  // What is given is that of the answers selected now; others begin with nothing.
  function draw(total, chosen, anew = true) {
    if (anew) given = new Set();
    const all = count(total, "question");
    words.textContent = chosen ? `${count(chosen, "answer")} selected of ${all}` : all;
    none.hidden = !chosen;
    chips.hidden = !chosen;
    hint.hidden = Boolean(chosen);
    chips.replaceChildren(...classes.map(chip));
  }

  function chip(one, i) {
    return el(
      "button",
      {
        type: "button",
        class: given.has(one.id) ? "class-chip on" : "class-chip",
        "data-class": one.id,
        "aria-pressed": String(given.has(one.id)),
        title: one.description,
        onmousedown: (event) => event.preventDefault(),
        onclick: () => toggle(i),
      },
      i < MOST_KEYS ? cap(String(i + 1)) : null,
      one.label,
    );
  }

  function toggle(i) {
    const id = classes[i]?.id;
    if (!id) return;
    if (!given.delete(id)) given.add(id);
    tagAll([...given]);
  }

  return {
    element,
    draw,
    say: (text) => (words.textContent = text),
    know: (known) => ([classes, given] = [known, new Set()]),
    bindings: () => {
      const group = "Tag what is selected";
      const keyed = classes.slice(0, MOST_KEYS);
      return keyed.map((one, i) => ({ key: String(i + 1), words: one.label, group, run: () => toggle(i) }));
    },
  };
}
