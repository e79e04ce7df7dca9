// The right side: what is asked, the answer form, and the buttons that end it.

import { cap, el, press } from "../shared/dom.js";
import { createForm } from "./fields/form.js";

export function createPanel({ submit, skip, back, leave, changed, onkeys }) {
  const head = el("div", { class: "panel-head", role: "status" });
  const body = el("div", { class: "panel-body" });
  const send = press("Submit", submit, { key: "Enter", kind: "solid submit" });
  send.dataset.enter = "submits";
  const skipping = press("Skip", skip, { key: "S", kind: "quiet" });
  const going = press("Back", back, { key: "U", title: "Back to the answer before (U or Backspace)", kind: "quiet" });
  const hint = el("p", { class: "hint panel-hint", role: "status" });
  const foot = el("div", { class: "panel-foot" }, hint, el("div", { class: "row" }, send, el("span", { class: "spring" }), going, skipping));
  const element = el("section", { class: "panel", "aria-label": "Your answer" }, head, body, foot);
  const remarked = (remark) => el("div", { class: "returned", role: "note" }, el("p", { class: "returned-from" }, `Returned by ${remark.from}`), el("p", {}, remark.text));
  let form = null;

  function show(item, task, { response, position = null, remark = "" }) {
    form = createForm(task.form, item.values, {
      onkeys() {
        fit();
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
    form.begin();
    if (body.querySelector(".record")) body.scrollTop = 0; // what is judged comes first
    hint.textContent = remark;
    header(position);
    update();
    return form;
  }

  // A form that would have to be scrolled is drawn closer (tight.css), in two steps and only where it has to be.
  function fit() {
    body.classList.remove("tight", "dense");
    for (const step of ["tight", "dense"]) if (body.scrollHeight > body.clientHeight) body.classList.add(step);
  }

  function header(position) {
    const correcting = position !== null;
    element.classList.toggle("correcting", correcting);
    send.firstChild.textContent = correcting ? "Store correction" : "Submit";
    head.replaceChildren(
      ...(correcting
        ? [el("strong", {}, `Correcting #${position + 1}`), press("Leave it as it was", leave, { key: "Esc", kind: "quiet" })]
        : []),
    );
  }

  function update() {
    send.disabled = !form?.complete();
    send.title = send.disabled ? (form?.missing() ?? "") : "";
    if (!send.disabled) hint.textContent = "";
    fit();
  }

  new ResizeObserver(fit).observe(element);

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
