// A button with a panel of choices below it: sections of one of several (radio) or some of several (checkbox).

import { el } from "../shared/dom.js";

// sections: [{name, title, several, options: [[value, words]]}]; read(name) and write(name, value) reach the filter.
export function createMenu(label, sections, { read, write, key = null }) {
  const words = el("span", { class: "menu-words" });
  const button = el(
    "button",
    {
      type: "button",
      class: "press menu-button",
      "aria-haspopup": "true",
      "aria-expanded": "false",
      onmousedown: (event) => event.preventDefault(),
      onclick: () => (panel.hidden ? open() : close()),
    },
    el("span", { class: "menu-label" }, label),
    words,
  );
  const panel = el("div", { class: "menu-panel", role: "group", "aria-label": label, hidden: true });
  const element = el("div", { class: "menu", "data-menu": label }, button, panel);

  function open() {
    panel.replaceChildren(
      ...sections()
        .filter((one) => one.options.length)
        .map(section),
    );
    panel.hidden = false;
    button.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", outside, true);
    panel.querySelector("input")?.focus();
  }

  function close() {
    if (panel.hidden) return false;
    panel.hidden = true;
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    element.closest(".desk")?.focus({ preventScroll: true });
    return true;
  }

  const outside = (event) => event.composedPath().includes(element) || close();

  function section({ name, title, several, options }) {
    const chosen = read(name);
    const group = `${label} ${name}`;
    const holds = (value) => (several ? chosen.includes(value) : chosen === value);
    return el(
      "fieldset",
      {},
      title ? el("legend", {}, title) : null,
      options.map(([value, text]) => {
        const input = el("input", {
          type: several ? "checkbox" : "radio",
          name: group,
          onchange: () => write(name, several ? toggled(read(name), value) : value),
        });
        input.checked = holds(value);
        return el("label", { class: "menu-option" }, input, el("span", {}, text));
      }),
    );
  }

  function draw() {
    const given = sections().flatMap(({ name, several, options, usual = "" }) => {
      const chosen = read(name);
      if (several) {
        const named = options.filter(([value]) => chosen.includes(value)).map(([, text]) => text);
        return named.length > 1 ? [`${named.length} of ${options.length}`] : named;
      }
      return chosen === usual ? [] : options.filter(([value]) => value === chosen).map(([, text]) => text);
    });
    words.textContent = given.join(" · ");
    button.classList.toggle("given", given.length > 0);
    button.title = given.length ? `${label}: ${given.join(" · ")}` : label;
  }

  return { element, draw, close, stop: close, key };
}

const toggled = (list, value) => (list.includes(value) ? list.filter((one) => one !== value) : [...list, value]);
