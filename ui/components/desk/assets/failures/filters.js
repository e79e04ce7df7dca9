// The line of filters: which predictions are looked at, and in which order.

import { cap, el, press } from "../shared/dom.js";
import { createMenus } from "./filter_menus.js";

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
  let usual = NOTHING; // what is listed where nothing is asked

  const read = (name) => filter[name];
  function write(name, value) {
    filter = { ...filter, [name]: value };
    draw();
    changed(filter);
  }

  const menus = createMenus({ facts: () => facts, classes: () => classes, read, write, usual: () => usual });
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
  const clear = press("Clear", () => set({}, true), { kind: "quiet", title: "No filter but wrong answers" });
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
    const rest = { once: false, order: "" };
    clear.hidden = JSON.stringify({ ...filter, ...rest }) === JSON.stringify({ ...NOTHING, ...rest });
  }

  function set(next, tell = false) {
    filter = { ...usual, ...next };
    draw();
    if (tell) changed(filter);
  }

  return {
    element,
    get: () => filter,
    set,
    put: (more) => ((filter = { ...filter, ...more }), draw()), // what follows from a move, and tells nobody
    usual: (next) => (usual = next),
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
