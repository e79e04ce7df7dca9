// The wall: every question once, as many as fit, and no more of them in the page than are near what is seen.

import { el } from "../../shared/dom.js";
import { wallCard } from "./wall_card.js";

export const WALL_SIZE = 40;
const CARD_PX = [230, 262]; // least width, height
const GAP_PX = 10;
const ROWS_BESIDE = 2;
const PAGES_KEPT = 3;

const rowPx = CARD_PX[1] + GAP_PX;

const columnsIn = (width) => Math.max(1, Math.floor((width + GAP_PX) / (CARD_PX[0] + GAP_PX)));

// Puts a card where its place is: the places run in rows, from the top.
function setPlace(card, place, columns, width) {
  const wide = (width - (columns - 1) * GAP_PX) / columns;
  const [x, y] = [Math.floor((place % columns) * (wide + GAP_PX)), Math.floor(place / columns) * rowPx];
  card.style.width = `${Math.floor(wide) - 2}px`;
  card.style.transform = `translate(${x}px, ${y}px)`;
}

// As little as is needed for a row to be seen.
function scrollTo(element, top) {
  const { scrollTop, clientHeight } = element;
  if (top < scrollTop) element.scrollTop = top;
  else if (top + rowPx > scrollTop + clientHeight) element.scrollTop = top + rowPx - clientHeight;
}

// The places whose cards are in the page: those that are seen and some rows beside.
function placesNear({ scrollTop, clientHeight }, columns, total) {
  const first = Math.max(0, Math.floor(scrollTop / rowPx) - ROWS_BESIDE) * columns;
  const rows = Math.ceil(clientHeight / rowPx) + 2 * ROWS_BESIDE + 1;
  return [first, Math.min(total, first + rows * columns)];
}

function oncePerFrame(action) {
  let asked = 0;
  return () => (asked ||= requestAnimationFrame(() => ((asked = 0), action())));
}

export function createWall({ pages, runs, choose, marked, onerror, signal }) {
  const space = el("div", { class: "wall-space" });
  const element = el(
    "section",
    { class: "wall", role: "listbox", tabindex: "0", "aria-label": "Questions", "aria-multiselectable": "true" },
    space,
  );
  const drawn = new Map(); // place -> {card, element}
  const labels = new Map();
  const chosen = new Map(); // place -> card, also where the page of the card is let go
  let at = 0;
  let columns = 1;
  const later = oncePerFrame(draw);

  element.addEventListener("scroll", later, { passive: true, signal });
  const watcher = new ResizeObserver(later);
  watcher.observe(element);
  signal.addEventListener("abort", () => watcher.disconnect());

  const total = () => pages.facts()?.total ?? 0;
  function draw() {
    if (!element.clientWidth || !pages.facts()) return;
    columns = columnsIn(element.clientWidth);
    space.style.height = `${Math.ceil(total() / columns) * rowPx}px`;
    const [first, last] = placesNear(element, columns, total());
    for (const [place, one] of drawn) {
      if (place >= first && place < last && one.card === pages.card(place)) continue;
      one.element.remove();
      drawn.delete(place);
    }
    for (let place = first; place < last; place += 1) {
      if (pages.card(place)) put(place);
      else pages.want(place).then(later, onerror);
    }
    pages.keep(Math.floor((first + last) / 2), PAGES_KEPT);
    element.dataset.cards = drawn.size;
    mark();
  }

  function put(place) {
    if (!drawn.has(place)) {
      const card = pages.card(place);
      const made = wallCard(card, place, { runs, labels, choose, mark: toggle });
      drawn.set(place, { card, element: made });
      space.append(made);
    }
    setPlace(drawn.get(place).element, place, columns, element.clientWidth);
  }

  function mark() {
    for (const [place, { element: card }] of drawn) {
      card.classList.toggle("here", place === at);
      card.classList.toggle("chosen", chosen.has(place));
      card.setAttribute("aria-selected", String(chosen.has(place)));
    }
  }

  function toggle(place) {
    if (!chosen.delete(place)) chosen.set(place, pages.card(place));
    at = place;
    mark();
    marked();
  }

  function go(place) {
    at = Math.max(0, Math.min(place, total() - 1));
    scrollTo(element, Math.floor(at / columns) * rowPx);
    draw();
  }

  return {
    element,
    draw: later,
    go,
    at: () => at,
    step: (by, row = false) => go(at + by * (row ? columns : 1)),
    toggle: () => pages.card(at) && toggle(at),
    know: (classes) => (labels.clear(), classes.forEach((one) => labels.set(one.id, one.label)), renew()),
    renew,
    chosen: () => [...chosen.values()],
    clear: () => (chosen.clear(), mark(), marked()),
    // Another list: nothing of the old one stays.
    reset(place = 0) {
      chosen.clear();
      renew();
      element.scrollTop = 0;
      at = place;
      marked();
    },
  };

  function renew() {
    for (const one of drawn.values()) one.element.remove();
    drawn.clear();
    later();
  }
}
