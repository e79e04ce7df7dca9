// Where things are: the line on top, notices, stage and panel (or one screen in their place), the strip below.

import { el } from "../shared/dom.js";

export function createLayout(root, { top, notices, stage, panel, strip }) {
  const work = el("div", { class: "work" }, stage, panel);
  const screens = el("div", { class: "screens", role: "status" });
  let drawn = null;
  let moved = false; // to another item or screen
  const stacked = matchMedia("(max-width: 860px)"); // as in work.css: the page scrolls, and the form is below
  root.replaceChildren(top, notices, work, screens, strip);

  // What had the focus has gone with the item before: it stays on the desk, for screen readers too.
  function keepFocus() {
    if (moved && document.activeElement === document.body) root.focus({ preventScroll: true });
    moved = false;
  }

  // What is new is seen from its top, also by whoever has scrolled down to answer the item before.
  function fromTop() {
    if (stacked.matches) root.scrollIntoView({ block: "start" });
  }

  return {
    keepFocus,
    fromTop,
    work() {
      drawn = null;
      moved = true;
      work.hidden = false;
      screens.hidden = true;
    },
    // Draws a screen when its name changes, so that a button on it keeps the focus.
    screen(name, make) {
      work.hidden = true;
      screens.hidden = false;
      moved ||= drawn !== name;
      if (drawn !== name) screens.replaceChildren(make());
      drawn = name;
    },
  };
}
