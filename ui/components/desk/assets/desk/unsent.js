// Answers of this person that this browser still keeps, such as those of a tab that was closed while offline: says how
// many there are and sends them, for every task.

import { createApi } from "../shared/api.js";
import { el } from "../shared/dom.js";
import { createStorage, placesWith } from "../shared/storage.js";
import { plural, speak } from "../shared/texts.js";
import { createOutbox } from "./outbox/outbox.js";

const WAITING = [
  "{n} answer of yours waits on this computer and is being sent. Keep this page open.",
  "{n} answers of yours wait on this computer and are being sent. Keep this page open.",
];
const SENT = [
  "{n} answer that waited on this computer is stored now.",
  "{n} answers that waited on this computer are stored now.",
];

export default function mount({ data, parentElement }) {
  speak(data.texts);
  const life = new AbortController();
  const line = el("p", { role: "status", class: "unsent" });
  line.style.cssText =
    "margin: 0 0 .5rem; padding: .6rem .8rem; border-radius: .4rem; background: #fff2d8; color: #4a3200";
  line.hidden = true;
  parentElement.append(line);
  const tasks = placesWith([data.workspace, data.person], "out/");
  const boxes = tasks.map((task) => boxOf(task));
  const before = count();

  function boxOf(task) {
    const api = createApi({ base: data.base, task, person: data.person });
    const storage = createStorage([data.workspace, data.person, task]);
    const onchange = () => draw();
    const nothing = () => {};
    return createOutbox({
      storage,
      send: api.answers,
      onchange,
      ontrouble: nothing,
      onresults: nothing,
      onforeign: nothing,
      signal: life.signal,
    });
  }

  function count() {
    return boxes.reduce((sum, box) => sum + box.size(), 0);
  }

  function draw() {
    const waiting = count();
    line.hidden = !before;
    line.textContent = waiting ? plural(waiting, ...WAITING) : plural(before, ...SENT);
  }

  if (before) draw();
  for (const box of boxes) box.flush();
  return () => {
    life.abort();
    line.remove();
  };
}
