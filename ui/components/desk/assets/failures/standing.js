// How the run of the open card and people stand, and how far a fixed key has moved every run.

import { el, press } from "../shared/dom.js";
import { count, percent, shareOf } from "./words.js";

const LISTED = 4;

export function createStanding({ onpick }) {
  const line = el("span", { class: "standing-words" });
  const whose = el("span", { class: "hint whose", hidden: true });
  const totals = el("span", { class: "hint totals" });
  const into = el("select", { class: "into", "aria-label": "Tags go into", title: "Tags go into this task" });
  const choice = el("label", { class: "hint", hidden: true }, "Tags go into ", into);
  const notice = el("div", { class: "notice moved", role: "status", hidden: true });
  const compare = press("Compare runs", onpick, { key: "C", kind: "quiet" });
  const element = el(
    "div",
    { class: "standing" },
    el("div", { class: "row" }, line, whose, totals, el("span", { class: "spring" }), choice, compare),
    notice,
  );
  let standing = { runs: {}, people: [0, 0] };
  let population = [];
  let leftOut = 0;

  // unit: what is listed, a question on the wall and an answer beside a card.
  function draw(facts, run, unit = "answer") {
    compare.hidden = !run; // replies stand beside a card, not on the wall
    const parts = [];
    if (run) parts.push(el("span", { class: "run-name", title: run.name }, run.name));
    if (run) parts.push(el("span", {}, `${percent(shareOf(standing.runs[run.id] ?? [0, 0]))} right`));
    const [, asked] = standing.people;
    if (asked) parts.push(el("span", {}, `people: ${percent(shareOf(standing.people))} right`));
    // Whose answers these are and which are left out, as on the page Metrics.
    whose.hidden = !asked;
    whose.textContent = `of ${count(asked, "answer")}${leftOut ? `; ${leftOut} left out` : ""}`;
    whose.title = population.join(".\n");
    line.replaceChildren(...parts);
    const wrong = facts.wrong.toLocaleString("en");
    const pool = count(facts.pool, "answer is", "answers are");
    totals.textContent = `${count(facts.total, unit)} listed; ${wrong} of ${pool} wrong`;
  }

  // Before and after, those that moved most first.
  function moved(words, next, runs) {
    const changes = Object.entries(next.runs)
      .map(([id, after]) => ({
        name: runs.get(Number(id))?.name ?? id,
        before: shareOf(standing.runs[id] ?? [0, 0]),
        after: shareOf(after),
      }))
      .filter((one) => one.before !== one.after)
      .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
    const people = [shareOf(standing.people), shareOf(next.people)];
    if (people[0] !== people[1]) changes.unshift({ name: "people", before: people[0], after: people[1] });
    standing = next;
    const moves = count(changes.length, "accuracy moves", "accuracies move");
    const lines = changes.slice(0, LISTED).map((one) => `${one.name} ${percent(one.before)} → ${percent(one.after)}`);
    if (changes.length > LISTED) lines.push(`and ${changes.length - LISTED} more`);
    say(`${words}. ${changes.length ? `${moves}: ${lines.join("; ")}.` : "No accuracy moves."}`);
  }

  function say(words, link = null) {
    notice.hidden = false;
    notice.replaceChildren(
      el("span", {}, words),
      ...(link ? [el("a", { href: link, target: "_self" }, "Open it")] : []),
      el("span", { class: "spring" }),
      press("Close", () => (notice.hidden = true), { kind: "quiet" }),
    );
  }

  function know(facts) {
    ({ standing, population, left_out: leftOut } = facts);
  }

  function tasks(found, own, chosen, choose) {
    const options = found.some((one) => one.name === own) ? found : [{ id: "", name: own }, ...found];
    into.replaceChildren(...options.map((one) => el("option", { value: one.id }, one.name)));
    into.value = chosen ?? "";
    choice.hidden = options.length < 2;
    into.onchange = () => choose(into.value ? Number(into.value) : null);
  }

  return { element, draw, moved, say, tasks, know };
}
