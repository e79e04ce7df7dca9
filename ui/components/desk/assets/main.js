// Mounts the desk once per place on the page. Streamlit calls the default export again whenever its data changes,
// and the returned clean-up only when the component goes away.

import { createDesk } from "./desk.js";
import { takeFocus } from "./keys.js";

const SHEETS = ["desk.css", "stage.css", "timeline.css", "clips.css", "form.css", "fields.css", "record.css", "tight.css", "dialogs.css"];
const mounted = new WeakMap(); // parentElement -> {desk, root, identity}

export default function mount({ data, parentElement }) {
  const identity = JSON.stringify([data.base, data.task, data.person]);
  const known = mounted.get(parentElement);
  if (known?.identity === identity) return known.leave;
  known?.leave();
  const root = document.createElement("div");
  root.className = "desk";
  root.tabIndex = -1;
  root.hidden = true; // until its style sheets are there
  const sheets = SHEETS.map((name) => sheet(new URL(name, import.meta.url).href));
  parentElement.append(...sheets, root);
  Promise.all(sheets.map(loaded)).then(() => {
    root.hidden = false;
    takeFocus(root);
  });
  const desk = createDesk(root, data);
  const leave = () => {
    if (mounted.get(parentElement)?.root === root) mounted.delete(parentElement);
    desk.stop();
    for (const element of [...sheets, root]) element.remove();
  };
  mounted.set(parentElement, { identity, root, leave });
  return leave;
}

function sheet(href) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  return link;
}

const loaded = (link) =>
  new Promise((resolve) => {
    link.addEventListener("load", resolve, { once: true });
    link.addEventListener("error", resolve, { once: true });
  });
