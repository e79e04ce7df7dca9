// The right side: the question as the model saw it, what the model replied, and how that was read.

import { el, press } from "../shared/dom.js";
import { createRuns } from "./runs.js";
import { STATES, letterOf } from "./words.js";
import { markedOptions } from "../shared/record.js";

export function createCard({ whole, pick, seekQuestion, fixKey }) {
  const element = el("section", {
    class: "panel card",
    "aria-label": "The question and the answers to it",
    tabindex: "-1",
  });
  const runs = createRuns({ pick });
  let card = null;
  let reply = null; // {element, more}

  function draw(next, facts) {
    card = next;
    const { question } = card;
    reply = replyPart();
    element.replaceChildren(
      el(
        "p",
        { class: "row card-head" },
        el("b", {}, question.uid),
        el(
          "span",
          { class: "hint" },
          [question.category, ...Object.entries(question.tags).map(([name, value]) => `${name}: ${value}`)].join(" · "),
        ),
      ),
      el("h2", { class: "question" }, question.text),
      markedOptions(
        question.options.map((one) => ({ ...one, key: one.index === question.key, chosen: one.index === card.choice })),
      ),
      ...notesOf(card),
      el(
        "p",
        { class: "row card-acts" },
        press("Fix the key", fixKey, { key: "E", kind: "quiet" }),
        press("The question", seekQuestion, { key: "Q", kind: "quiet" }),
      ),
      el("h3", {}, "Its reply"),
      reply.element,
      el("p", { class: "hint read" }, ...readingOf(card)),
      ...measuredOf(card),
      runs.draw(card, facts),
    );
    element.scrollTop = 0;
  }

  function replyPart() {
    if (card.reply === null) return { element: el("p", { class: "hint" }, "No reply was stored."), more: () => {} };
    const text = el("blockquote", { class: "reply folded", tabindex: "0" }, card.reply || "(an empty reply)");
    const button = press("Whole reply", () => more(), { key: "R", kind: "quiet" });
    const holder = el("div", { class: "reply-part" }, text, button);
    let open = false;
    requestAnimationFrame(() => (button.hidden = !card.longer && text.scrollHeight <= text.clientHeight + 2));
    async function more() {
      open = !open;
      text.classList.toggle("folded", !open);
      button.firstChild.textContent = open ? "Less" : "Whole reply";
      if (open && card.longer) {
        const shown = card;
        const all = await whole(shown.id);
        if (all !== null) Object.assign(shown, { reply: all, longer: 0 });
        if (card === shown) text.textContent = card.reply;
      }
    }
    return { element: holder, more };
  }

  return {
    element,
    draw,
    more: () => reply?.more(),
    clear(words) {
      card = null;
      element.replaceChildren(el("p", { class: "hint" }, words));
    },
  };
}

function notesOf(card) {
  const { question } = card;
  const found = [];
  if (question.options.some((one, i) => one.index !== i))
    found.push("This run saw the options in this order. On the wall letters follow the stored order.");
  if (question.key === null) found.push("This question has no key; nothing is scored.");
  else if (!card.scored) found.push("Its item is withdrawn; this answer is in no metric.");
  if (!question.same)
    found.push(
      `The question was changed since: it is at revision ${question.newest} now, with other options or another ` +
        `clip. This is revision ${question.revision}.`,
    );
  return found.map((words) => el("p", { class: "hint" }, words));
}

function readingOf(card) {
  const said = card.choice === null ? STATES[card.state] : `read as ${letterOf(card, card.choice)}`;
  return [
    el("b", {}, said),
    card.words ? `: ${card.words}` : "",
    card.rule && card.choice !== null ? el("span", { class: "rule" }, ` (rule: ${card.rule})`) : "",
  ];
}

function measuredOf(card) {
  const parts = [];
  if (card.confidence) {
    const listed = Object.entries(card.confidence).map(
      ([name, share]) => `${/^\d+$/.test(name) ? letterOf(card, Number(name)) : name} ${(100 * share).toFixed(0)} %`,
    );
    parts.push(`Confidence: ${listed.join(", ")}`);
  }
  if (card.score !== null) parts.push(`Score: ${card.score}`);
  const { value, name, read } = card.theirs;
  const imported = [value !== null && `score ${value}`, read && `read as “${read}”`].filter(Boolean);
  if (imported.length) parts.push(`Imported${name ? ` (${name})` : ""}: ${imported.join(", ")}`);
  return parts.map((words) => el("p", { class: "hint" }, words));
}
