// The page of the list: one line a card, the open one marked.

import { el, press } from "../shared/dom.js";
import { SIZE } from "./pages.js";
import { letterOf, shortCondition } from "./words.js";

export function createList({ choose, turn }) {
  const where = el("p", { class: "hint where", role: "status" });
  const rows = el("div", { class: "rows", role: "listbox", "aria-label": "Predictions" });
  const back = press("Page before", () => turn(-1), { key: "B", title: "Page before (B or Page Up)", kind: "quiet" });
  const on = press("Next page", () => turn(1), { key: "N", title: "Next page (N or Page Down)", kind: "quiet" });
  const element = el(
    "aside",
    { class: "list", "aria-label": "Failures" },
    where,
    rows,
    el("div", { class: "row turns" }, back, on),
  );
  let drawn = null; // {cards, first}

  function draw({ first, cards, total, at, runs }) {
    where.textContent = total ? `${(at + 1).toLocaleString("en")} of ${total.toLocaleString("en")}` : "none";
    back.disabled = first === 0;
    on.disabled = first + SIZE >= total;
    if (
      drawn?.first !== first ||
      drawn.cards.length !== cards.length ||
      drawn.cards.some((card, i) => card !== cards[i])
    ) {
      rows.replaceChildren(...cards.map((card, i) => row(card, first + i, runs)));
      drawn = { first, cards };
    }
    [...rows.children].forEach((one, i) => one.setAttribute("aria-selected", String(first + i === at)));
    rows.children[at - first]?.scrollIntoView({ block: "nearest" });
  }

  function row(card, place, runs) {
    const said = card.choice === null ? "–" : letterOf(card, card.choice);
    const key = card.question.key === null ? "?" : letterOf(card, card.question.key);
    const tags = [...new Set(card.tags.flatMap((tag) => tag.classes))];
    return el(
      "button",
      {
        type: "button",
        class: card.right ? "list-row right" : "list-row",
        role: "option",
        "data-id": card.id,
        onmousedown: (event) => event.preventDefault(),
        onclick: () => choose(place),
      },
      el("span", { class: "row-name end-first", title: card.question.uid }, el("bdi", {}, card.question.uid)),
      el(
        "span",
        { class: "row-letters", title: `key ${key}, answer ${said}` },
        el("b", {}, key),
        card.right ? " = " : " ≠ ",
        said,
      ),
      el(
        "span",
        { class: "row-run" },
        `${shortCondition(runs.get(card.run)?.condition ?? "")} · ${runs.get(card.run)?.model ?? ""}`,
      ),
      tags.length ? el("span", { class: "row-tags", title: "tagged" }, "●".repeat(Math.min(3, tags.length))) : null,
    );
  }

  return { element, draw, forget: () => (drawn = null) };
}
