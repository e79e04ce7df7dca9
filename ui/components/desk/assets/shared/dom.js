// Builds elements. Text always goes in as text, never as markup.

import { swapped } from "./keymap.js";

const SVG = "http://www.w3.org/2000/svg";

export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const cap = (key, name = "") => el("kbd", { "aria-hidden": name ? null : "true", class: "cap" }, swapped(key));

// A press with the mouse leaves the focus where it was, so that Space and Enter keep their meaning,
// and the second click of a double click counts for nothing.
export function press(label, run, { key = null, name = null, title = null, kind = "" } = {}) {
  const button = el(
    "button",
    {
      type: "button",
      class: `press ${kind}`.trim(),
      title,
      "aria-label": name,
      "aria-keyshortcuts": key,
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => {
        if (event.detail < 2) run(event);
      },
    },
    typeof label === "string" ? el("span", {}, label) : label,
  );
  if (key) button.append(cap(key));
  return button;
}

const PATHS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  start: "M5 5h2.5v14H5zM20 5v14L9 12z",
  back: "M15.5 5v14L6 12zM17 5h2v14h-2z",
  forward: "M8.5 5v14L18 12zM5 5h2v14H5z",
  loop: "M7 7h9V4l5 4.5L16 13v-3H10v3H7zM17 17H8v3l-5-4.5L8 11v3h6v-3h3z",
  sound: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM14.5 8.2v7.6a4 4 0 0 0 0-7.6zM14.5 4.3v2a6 6 0 0 1 0 11.4v2a8 8 0 0 0 0-15.4z",
  muted:
    "M4 9.5v5h3.5L12 19V5L7.5 9.5zM15 9.4l1.4-1.4 2.1 2.1L20.6 8 22 9.4l-2.1 2.1L22 13.6 20.6 15l-2.1-2.1" +
    "-2.1 2.1-1.4-1.4 2.1-2.1z",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
