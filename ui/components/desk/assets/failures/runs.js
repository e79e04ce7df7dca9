// Every other run's answer to the question, models by conditions, and what people answered.

import { el } from "../shared/dom.js";
import { STATES, letterOf, shortCondition } from "./words.js";

export function createRuns({ pick }) {
  function draw(card, { runs, cells, people, compare }) {
    const of = new Map(cells.map((cell) => [cell.run, cell]));
    const asked = [...runs.values()].filter((run) => of.has(run.id));
    const conditions = [...new Set(asked.map((run) => run.condition))];
    const models = [...new Set(asked.map((run) => run.model))];
    const right = cells.filter((cell) => cell.right).length;
    return el(
      "section",
      { class: "others" },
      el(
        "h3",
        {},
        "All runs ",
        el(
          "span",
          { class: "hint" },
          `${right} of ${cells.length} right; choose runs to see their replies side by side`,
        ),
      ),
      el(
        "div",
        { class: "matrix-room" },
        el(
          "table",
          { class: "matrix" },
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              el("th"),
              conditions.map((one) => el("th", { title: one, scope: "col" }, shortCondition(one))),
            ),
          ),
          el(
            "tbody",
            {},
            models.map((model) =>
              el(
                "tr",
                {},
                el("th", { title: model, scope: "row" }, model),
                conditions.map((condition) =>
                  cellOf(asked.find((run) => run.model === model && run.condition === condition)),
                ),
              ),
            ),
          ),
        ),
      ),
      el("h3", {}, "People"),
      ...peopleOf(card, people),
    );

    function cellOf(run) {
      const cell = run && of.get(run.id);
      if (!cell) return el("td", { class: "no-run" }, "");
      const said = cell.choice === null ? "–" : letterOf(card, cell.choice, cell.version);
      const answer = cell.choice === null ? STATES[cell.state] : said;
      const words = `${run.name}: ${answer}, ${cell.right ? "right" : "wrong"}`;
      const kinds = [
        "cell",
        cell.right ? "right" : "wrong",
        cell.id === card.id && "this",
        compare.includes(run.id) && "compared",
      ];
      return el(
        "td",
        {},
        el(
          "button",
          {
            type: "button",
            class: kinds.filter(Boolean).join(" "),
            title: words,
            "aria-label": words,
            "aria-pressed": String(compare.includes(run.id)),
            "data-run": run.id,
            onmousedown: (event) => event.preventDefault(),
            onclick: () => cell.id !== card.id && pick(run.id),
          },
          said,
        ),
      );
    }
  }

  return { draw };
}

function peopleOf(card, people) {
  if (!people.length) return [el("p", { class: "hint" }, "Nobody has answered this question yet.")];
  const by = new Map();
  for (const one of people) by.set(one.condition, [...(by.get(one.condition) ?? []), one]);
  return [...by].map(([condition, given]) =>
    el(
      "p",
      { class: "people-line" },
      el("span", { class: "hint" }, `${condition || "unknown condition"}: `),
      given.map((one, i) => {
        const right =
          typeof one.choice === "number" && one.version === card.version && one.choice === card.question.key;
        const said = one.text
          ? `“${one.text}”`
          : typeof one.choice === "number"
            ? letterOf(card, one.choice, one.version)
            : String(one.choice).replace("_", " ");
        const note = one.counted ? "" : ", extra, not counted";
        return el(
          "span",
          { class: right ? "person right" : "person", title: `${one.name}${note}` },
          `${i ? ", " : ""}${one.name} `,
          el("b", {}, said),
        );
      }),
    ),
  );
}

// Replies of chosen runs, side by side, this one first.
export function createBeside({ unpick }) {
  const element = el("div", {
    class: "side-by-side",
    role: "region",
    "aria-label": "Replies side by side",
    hidden: true,
  });

  function draw(card, runs, compare) {
    const shown = compare.length ? [card, ...card.beside.filter((one) => compare.includes(one.run))] : [];
    element.hidden = shown.length < 2;
    element.replaceChildren(
      ...shown.map((one, i) => {
        const run = runs.get(one.run);
        const said = one.choice === null ? STATES[one.state] : letterOf(card, one.choice);
        return el(
          "article",
          { class: one.right ? "reply-beside right" : "reply-beside" },
          el(
            "h3",
            {},
            el("span", { title: run?.name }, run?.name ?? "a run"),
            i
              ? el(
                  "button",
                  {
                    type: "button",
                    class: "press quiet",
                    title: "Not beside any more",
                    "aria-label": `Not beside any more: ${run?.name}`,
                    onclick: () => unpick(one.run),
                  },
                  "×",
                )
              : null,
          ),
          el(
            "p",
            { class: "said" },
            el("b", {}, `${one.right ? "✓" : "✗"} ${said}`),
            el("span", { class: "hint" }, one.words ? ` ${one.words}` : ""),
          ),
          el("blockquote", { class: "reply" }, one.reply || "No reply came."),
          one.longer ? el("p", { class: "hint" }, `and ${one.longer.toLocaleString("en")} more characters`) : null,
        );
      }),
    );
  }

  return { element, draw };
}
