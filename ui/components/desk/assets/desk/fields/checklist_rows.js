// The rows of a checklist: one to tick, and one that asks what is wrong with what is not ticked.

import { cap, el } from "../../shared/dom.js";
import { tr } from "../../shared/texts.js";

export function row(item, key, toggle) {
  const element = el(
    "div",
    {
      class: "option",
      role: "checkbox",
      tabindex: "-1",
      "data-id": item.id,
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => event.detail < 2 && toggle(),
    },
    cap(key?.key ?? "·"),
    el("span", { class: "text" }, item.label),
    el("span", { class: "mark", "aria-hidden": "true" }),
  );
  return {
    element,
    draw(on, here) {
      element.setAttribute("aria-checked", String(on));
      element.classList.toggle("cursor", here);
    },
  };
}

export function question(item, reasons, keys, open, choose) {
  const options = reasons.map((reason, i) =>
    el(
      "div",
      {
        class: "option",
        role: "radio",
        tabindex: "-1",
        title: reason.description || null,
        onmousedown: (event) => event.preventDefault(),
        onclick: (event) => event.detail < 2 && choose(reason),
      },
      cap(keys[i]?.key ?? "·"),
      el("span", { class: "text" }, reason.text),
    ),
  );
  const said = el("span", { class: "entry-words" });
  const title = el(
    "button",
    {
      type: "button",
      class: "entry-title",
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => event.detail < 2 && open(),
    },
    el("span", { class: "entry-name" }, item.label),
    said,
  );
  const element = el(
    "div",
    { class: "class-of entry", "data-id": item.id },
    title,
    el("div", { class: "options short", role: "radiogroup", "aria-label": item.label }, options),
  );
  return {
    element,
    draw(asked, value, here) {
      element.hidden = !asked;
      element.classList.toggle("cursor", here);
      element.classList.toggle("filled", value !== undefined);
      title.setAttribute("aria-expanded", String(here));
      said.textContent = reasons.find((reason) => reason.value === value)?.text ?? tr("open");
      options.forEach((option, i) => option.setAttribute("aria-checked", String(reasons[i].value === value)));
    },
  };
}
