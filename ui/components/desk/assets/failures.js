// The room of failures, mounted once per place on the page, as the desk is.

import { createRoom } from "./failures_room.js";
import { takeFocus } from "./keys.js";

const SHEETS = ["desk.css", "stage.css", "timeline.css", "clips.css", "form.css", "dialogs.css", "record.css", "failures.css", "failures_card.css"];
const mounted = new WeakMap(); // parentElement -> {identity, root, leave}

export default function mount({ data, parentElement }) {
  const identity = JSON.stringify([data.base, data.person, data.filter]);
  const known = mounted.get(parentElement);
  if (known?.identity === identity) return known.leave;
  known?.leave();
  const root = document.createElement("div");
  root.className = "desk failures";
  root.tabIndex = -1;
  root.hidden = true; // until its style sheets are there
  const sheets = SHEETS.map((name) => sheet(new URL(name, import.meta.url).href));
  parentElement.append(...sheets, root);
  Promise.all(sheets.map(loaded)).then(() => {
    root.hidden = false;
    takeFocus(root);
  });
  const room = createRoom(root, data);
  const leave = () => {
    if (mounted.get(parentElement)?.root === root) mounted.delete(parentElement);
    room.stop();
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
