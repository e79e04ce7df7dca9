// The right side: what is asked, the answer form, and the buttons that end it.

import { el, press } from "../shared/dom.js";
import { tr } from "../shared/texts.js";
import { createForm } from "./fields/form.js";

const STEPS = ["tight", "dense", "closest"];

export function createPanel({ submit, skip, back, leave, changed, onkeys }) {
  const head = el("div", { class: "panel-head", role: "status" });
  const body = el("div", { class: "panel-body" });
  const send = press(tr("Submit"), submit, { key: "Enter", kind: "solid submit" });
  send.dataset.enter = "submits";
  const skipping = press(tr("Skip"), skip, { key: "S", kind: "quiet" });
  const before = tr("Back to the answer before (U or Backspace)");
  const going = press(tr("Back"), back, { key: "U", title: before, kind: "quiet" });
  const hint = el("p", { class: "hint panel-hint", role: "status" });
  const foot = el(
    "div",
    { class: "panel-foot" },
    hint,
    el("div", { class: "row" }, send, el("span", { class: "spring" }), going, skipping),
  );
  const element = el("section", { class: "panel", "aria-label": tr("Your answer") }, head, body, foot);
  const remarked = (remark) =>
    el(
      "div",
      { class: "returned", role: "note" },
      el("p", { class: "returned-from" }, remark.from ? tr("Returned by {from}", remark) : tr("Returned by an author")),
      el("p", {}, remark.text ?? remark),
    );
  let form = null;

  function show(item, task, { response, position = null, remark = "" }) {
    form = createForm(task.form, item.values, {
      onkeys() {
        fit(body);
        onkeys();
      },
      changed() {
        hint.textContent = "";
        update();
        changed();
      },
    });
    form.set(response);
    body.replaceChildren(...(item.remark ? [remarked(item.remark)] : []), form.element);
    body.scrollTop = 0;
    body.classList.remove(...STEPS);
    form.begin();
    hint.textContent = remark;
    header(position);
    ending();
    fitWhole(body);
    if (body.querySelector(".record")) body.scrollTop = 0; // what is judged comes first
    return form;
  }

  function header(position) {
    const correcting = position !== null;
    element.classList.toggle("correcting", correcting);
    send.firstChild.textContent = correcting ? tr("Store correction") : tr("Submit");
    send.querySelector(".cap").textContent = form.writes ? `${tr("Ctrl")}+Enter` : "Enter";
    head.replaceChildren(
      ...(correcting
        ? [
            el("strong", {}, tr("Correcting #{n}", { n: position + 1 })),
            press(tr("Leave it as it was"), leave, { key: "Esc", kind: "quiet" }),
          ]
        : []),
    );
  }

  function update() {
    ending();
    fit(body);
  }

  function ending() {
    send.disabled = !form?.complete();
    send.title = send.disabled ? (form?.missing() ?? "") : "";
    if (!send.disabled) hint.textContent = "";
  }

  new ResizeObserver(() => fit(body)).observe(element);

  return {
    element,
    show,
    update,
    hold(held) {
      element.classList.toggle("held", held);
      body.inert = held;
      if (held) send.disabled = true;
    },
    say: (words) => (hint.textContent = words),
    canGoBack: (can) => (going.disabled = !can),
  };
}

// A form that would have to be scrolled is drawn closer (tight.css), in steps and only where it has to be.
// Never back while one item is on screen: what one reads does not change its place when a part opens or closes.
function fit(body) {
  for (const step of STEPS) if (body.scrollHeight > body.clientHeight) body.classList.add(step);
}

// What may still be asked counts from the start, so that nothing moves when a part of the form opens.
function fitWhole(body) {
  const later = [...body.querySelectorAll(".field[hidden]")];
  for (const field of later) field.hidden = false;
  fit(body);
  for (const field of later) field.hidden = true;
}
