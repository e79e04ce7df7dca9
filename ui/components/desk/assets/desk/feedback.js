// What the server says about an answer whose result is known: a card over the panel, until Enter.

import { el, press } from "../shared/dom.js";
import { tr } from "../shared/texts.js";

// What nobody can judge, such as a question that was written, is only shown beside a known answer.
const compares = (words) => Boolean(words?.startsWith(`${tr("For comparison")}:`));

// The heading says already that it was right, or what the words are for.
const withoutVerdict = (words) => {
  const verdict = compares(words) ? `${tr("For comparison")}:` : `${tr("Right")}.`;
  return words?.startsWith(verdict) ? words.slice(verdict.length).trim() : words;
};

export function createFeedback(host, keys) {
  let open = null; // {element, done}
  const waiting = [];

  // drawn: whether the right segment is on the timeline. again: opens the item once more; null where that cannot be.
  function show(label, { right, words }, { drawn, done, again }) {
    waiting.push({ label, right, words, drawn, done, again });
    if (!open) next();
  }

  function next() {
    const entry = waiting.shift();
    if (!entry) return;
    const { right, again } = entry;
    const words = withoutVerdict(entry.words);
    const compared = compares(entry.words);
    const verdict = right ? tr("Right") : tr("Not right");
    const look = compared ? "compared" : right ? "right" : "wrong";
    const retry = () => close(again);
    const drawn = entry.drawn ? tr("The right segment is drawn on the timeline, in green.") : null;
    const go = press(tr("Go on"), () => close(), { key: "Enter", kind: "solid" });
    const buttons = [go, again ? press(tr("Try again"), retry, { key: "R", kind: "quiet" }) : null];
    const element = el(
      "div",
      { class: `feedback ${look}`, role: "alertdialog", "aria-label": tr("About your answer") },
      el("p", { class: "feedback-about" }, entry.label),
      el("h2", {}, compared ? tr("For comparison") : verdict),
      words ? el("p", { class: "feedback-words" }, words) : null,
      drawn ? el("p", { class: "feedback-words" }, drawn) : null,
      el("div", { class: "row" }, buttons),
    );
    open = { element, done: entry.done };
    host.append(element);
    keys.push([
      { key: "Enter", words: tr("Go on"), run: () => close(), also: ["Escape"] },
      ...(again ? [{ key: "R", words: tr("Try again"), run: retry }] : []),
    ]);
  }

  function close(then = open?.done) {
    if (!open) return;
    const { element } = open;
    open = null;
    keys.pop();
    element.remove();
    then?.();
    next();
  }

  return {
    show,
    isOpen: () => open !== null,
    drop() {
      waiting.length = 0;
      if (open) keys.pop();
      open?.element.remove();
      open = null;
    },
  };
}
