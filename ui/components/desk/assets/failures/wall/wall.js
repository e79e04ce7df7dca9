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

const widthOf = (columns, width) => Math.floor((width - (columns - 1) * GAP_PX) / columns) - 2;

// Puts a card where its place is: the places run in rows, from the top.
function setPlace(card, place, columns, width) {
  const wide = (width - (columns - 1) * GAP_PX) / columns;
  const [x, y] = [Math.floor((place % columns) * (wide + GAP_PX)), Math.floor(place / columns) * rowPx];
  card.style.width = `${widthOf(columns, width)}px`;
  card.style.transform = `translate(${x}px, ${y}px)`;
}

// As little as is needed for a row to be seen.
function scrollTo(element, top) {
  const { scrollTop, clientHeight } = element;
  if (top < scrollTop) element.scrollTop = top;
  else if (top + rowPx > scrollTop + clientHeight) element.scrollTop = top + rowPx - clientHeight;
}

// The places whose cards are seen, with so many rows beside, before and after.
function placesNear({ scrollTop, clientHeight }, columns, total, beside) {
  const first = Math.max(0, Math.floor(scrollTop / rowPx) - beside) * columns;
  const rows = Math.ceil((scrollTop + clientHeight) / rowPx) + beside;
  return [first, Math.min(total, rows * columns)];
}

function oncePerFrame(action) {
  let asked = 0;
  return () => (asked ||= requestAnimationFrame(() => ((asked = 0), action())));
}

// After what was drawn now has been painted.
const oncePainted = (action) => oncePerFrame(() => setTimeout(action));

function markCards(drawn, at, chosen) {
  for (const [place, { element: card }] of drawn) {
    card.classList.toggle("here", place === at);
    card.classList.toggle("chosen", chosen.has(place));
    card.setAttribute("aria-selected", String(chosen.has(place)));
  }
}

function takeOut(drawn, gone) {
  for (const [place, one] of drawn) {
    if (!gone(one, place)) continue;
    one.element.remove();
    drawn.delete(place);
  }
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
  let [columns, laidOut] = [1, 0]; // for a wall of this width, px
  let sought = false; // the card that one is at has to be scrolled to, once the wall has a size
  const later = oncePerFrame(draw);
  const besideLater = oncePainted(() => drawRows(ROWS_BESIDE));

  element.addEventListener("scroll", later, { passive: true, signal });
  const watcher = new ResizeObserver(later);
  watcher.observe(element);
  signal.addEventListener("abort", () => watcher.disconnect());

  const total = () => pages.facts()?.total ?? 0;
  // What is seen first: the rows beside it wait until that is painted.
  function draw() {
    drawRows(0);
    besideLater();
  }

  // Sizes are read before anything is put in: read in between, the page would be laid out for each card.
  function drawRows(beside) {
    const { clientWidth, clientHeight } = element;
    if (!clientWidth || !pages.facts()) return;
    [columns, laidOut] = [columnsIn(clientWidth), clientWidth];
    space.style.height = `${Math.ceil(total() / columns) * rowPx}px`;
    if (sought) scrollTo(element, Math.floor(at / columns) * rowPx);
    sought = false;
    const view = { scrollTop: element.scrollTop, clientHeight };
    const [first, last] = placesNear(view, columns, total(), beside);
    const [least, most] = placesNear(view, columns, total(), ROWS_BESIDE);
    const stands = ({ card, width }, place) => card === pages.card(place) && width === clientWidth;
    takeOut(drawn, (one, place) => place < least || place >= most || !stands(one, place));
    const made = document.createDocumentFragment();
    for (let place = first; place < last; place += 1) {
      if (!pages.card(place)) pages.want(place).then(later, onerror);
      else if (!drawn.has(place)) made.append(madeCard(place));
    }
    space.append(made);
    pages.keep(Math.floor((first + last) / 2), PAGES_KEPT);
    element.dataset.cards = drawn.size;
    mark();
  }

  function madeCard(place) {
    const card = pages.card(place);
    const made = wallCard(card, place, { runs, labels, choose, mark: toggle, width: widthOf(columns, laidOut) });
    setPlace(made, place, columns, laidOut);
    drawn.set(place, { card, element: made, width: laidOut });
    return made;
  }

  const mark = () => markCards(drawn, at, chosen);
  function toggle(place) {
    if (!chosen.delete(place)) chosen.set(place, pages.card(place));
    at = place;
    mark();
    marked();
  }

  function go(place) {
    at = Math.max(0, Math.min(place, total() - 1));
    sought = true;
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
    takeOut(drawn, () => true);
    later();
  }
}
