// The line of filters: which predictions are looked at, and in which order.

import { cap, el, press } from "../shared/dom.js";
import { createMenu } from "./menu.js";
import { STATES } from "./words.js";

const TYPING_MS = 300;
export const NOTHING = {
  outcome: "wrong",
  runs: [],
  conditions: [],
  categories: [],
  tags: [],
  states: [],
  people: "",
  others: "",
  tagged: "",
  classes: [],
  text: "",
  question: "",
  once: false,
  order: "question",
};

export function createFilters({ changed }) {
  let facts = null; // as the server gave them when the room was opened
  let filter = { ...NOTHING };
  let classes = [];
  let typing = 0;

  const read = (name) => filter[name];
  function write(name, value) {
    filter = { ...filter, [name]: value };
    draw();
    changed(filter);
  }

  const pairs = (named) => Object.entries(named ?? {});
  const plain = (list) => (list ?? []).map((one) => [one, one]);
  const menus = [
    createMenu(
      "Answers",
      () => [
        { name: "outcome", title: "Answer", options: pairs(facts?.outcomes), usual: "wrong" },
        { name: "states", title: "How it was read", several: true, options: pairs(STATES) },
      ],
      { read, write },
    ),
    createMenu(
      "Runs",
      () => [
        { name: "conditions", title: "Condition", several: true, options: plain(facts?.conditions) },
        { name: "runs", title: "Run", several: true, options: (facts?.runs ?? []).map((run) => [run.id, run.name]) },
      ],
      { read, write },
    ),
    createMenu(
      "Beside",
      () => [
        { name: "people", title: "People, over all their answers to the question", options: pairs(facts?.people) },
        { name: "others", title: "Other runs, among those that are chosen", options: pairs(facts?.others) },
      ],
      { read, write },
    ),
    createMenu(
      "Questions",
      () => [
        {
          name: "once",
          options: [
            [false, "every prediction"],
            [true, "each question once"],
          ],
          usual: false,
        },
        { name: "categories", title: "Category", several: true, options: plain(facts?.categories) },
        { name: "tags", title: "Tags", several: true, options: plain(facts?.tags) },
      ],
      { read, write },
    ),
    createMenu(
      "Failures",
      () => [
        { name: "tagged", options: pairs(facts?.tagged) },
        {
          name: "classes",
          title: "Tagged as any of",
          several: true,
          options: classes.map((one) => [one.id, one.label]),
        },
      ],
      { read, write },
    ),
    createMenu("Order", () => [{ name: "order", options: pairs(facts?.orders), usual: "question" }], { read, write }),
  ];
  const search = el("input", {
    type: "search",
    class: "search",
    placeholder: "Search question and reply",
    "aria-label": "Search question and reply",
    oninput() {
      clearTimeout(typing);
      typing = setTimeout(() => write("text", search.value), TYPING_MS);
    },
    onkeydown(event) {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      clearTimeout(typing);
      if (event.key === "Escape") search.value = filter.text;
      else if (search.value !== filter.text) write("text", search.value);
      search.closest(".desk").focus({ preventScroll: true });
    },
  });
  const only = el("span", { class: "only", hidden: true });
  const clear = press("Clear", () => set({ ...NOTHING }, true), {
    kind: "quiet",
    title: "No filter but wrong answers",
  });
  const element = el(
    "div",
    { class: "filters", role: "search" },
    el("span", { class: "searching" }, search, cap("F")),
    menus.map((one) => one.element),
    only,
    clear,
  );

  function draw() {
    for (const menu of menus) menu.draw();
    if (search.value !== filter.text && search !== search.getRootNode().activeElement) search.value = filter.text;
    only.hidden = !filter.question;
    only.textContent = filter.question ? `only ${filter.question}` : "";
    clear.hidden = JSON.stringify({ ...filter, order: "" }) === JSON.stringify({ ...NOTHING, order: "" });
  }

  function set(next, tell = false) {
    filter = { ...NOTHING, ...next };
    draw();
    if (tell) changed(filter);
  }

  return {
    element,
    get: () => filter,
    set,
    know(opened) {
      facts = opened;
      draw();
    },
    knowClasses(known) {
      classes = known;
      draw();
    },
    focus: () => (search.focus(), search.select()),
    escape: () => menus.some((menu) => menu.close()),
    stop: () => (clearTimeout(typing), menus.forEach((menu) => menu.stop())),
  };
}
