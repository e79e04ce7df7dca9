// Every run's answer as a coloured letter. Letters that stand side by side are one text on one
// drawn ground: a wall shows thousands, and laying out an element for each took most of its time.

import { el } from "../../shared/dom.js";
import { shortCondition } from "../words.js";

const CELL_PX = 15;
const STEP_PX = 17;
const ROWS = 2;
const REST_CELLS = 3; // as wide as "+48"
const BLIND = ["text only", "objects only"];

// How many stand side by side in so many px.
const columnsIn = (width) => Math.max(4, Math.floor(width / STEP_PX));

const kindOf = (answer) => (answer.right ? "right" : answer.letter === "–" ? "unread" : "wrong");

// Runs that saw a picture come first; those that read the text alone stand apart, at the end.
function inOrder({ runs: ids, letters, right }, runs) {
  const answers = ids.map((id, i) => {
    const run = runs.get(id);
    return { run, letter: letters[i], right: Boolean(right[i]), blind: BLIND.includes(run?.condition) };
  });
  return [...answers.filter((one) => !one.blind), ...answers.filter((one) => one.blind)];
}

function told({ run, letter, right, blind }) {
  const name = run ? `${run.model} · ${shortCondition(run.condition)}` : "a run";
  return `${name}: ${letter}, ${kindOf({ letter, right })}${blind ? ", without pictures" : ""}`;
}

function strip(answers) {
  const ground = answers.map((one, i) => {
    const [from, to] = [i * STEP_PX, i * STEP_PX + CELL_PX];
    return `var(--${kindOf(one)}) ${from}px ${to}px, transparent ${to}px ${from + STEP_PX}px`;
  });
  const element = el(
    "span",
    { class: answers[0].blind ? "letters blind" : "letters" },
    answers.map((one) => (one.letter.length === 1 ? one.letter : "#")).join(""),
  );
  element.style.width = `${answers.length * STEP_PX}px`;
  element.style.backgroundImage = `linear-gradient(90deg, ${ground.join(", ")})`;
  element.addEventListener("pointermove", ({ offsetX }) => {
    const one = answers[Math.min(answers.length - 1, Math.max(0, Math.floor(offsetX / STEP_PX)))];
    element.title = told(one);
  });
  return element;
}

export function letterRows(answers, runs, width) {
  const ordered = inOrder(answers, runs);
  const columns = columnsIn(width);
  const fits = ROWS * columns;
  const shown = ordered.length > fits ? ordered.slice(0, fits - REST_CELLS) : ordered;
  const rows = [];
  for (let start = 0; start < shown.length; start += columns) {
    const row = shown.slice(start, start + columns);
    const parts = [row.filter((one) => !one.blind), row.filter((one) => one.blind)];
    rows.push(el("div", { class: "letter-row" }, parts.filter((part) => part.length).map(strip)));
  }
  const rest = ordered.slice(shown.length);
  const title = rest.map(told).join("\n");
  if (rest.length) rows.at(-1).append(el("span", { class: "hint", title }, `+${rest.length}`));
  return el("div", { class: "letter-rows", "data-answers": ordered.length }, rows);
}
