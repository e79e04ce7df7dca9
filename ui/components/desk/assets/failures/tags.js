// What went wrong, by number keys. What is tagged shows at once and goes out a moment later; it is sent until it is
// taken.

import { cap, el, press } from "../shared/dom.js";
import { uid } from "../shared/ids.js";
import { createTagOutbox } from "./tag_outbox.js";

const MOST_KEYS = 9;
const LONGEST_ACTIVE_S = 120;
const NONE = "none";

export function createTags({ send, said, sent, signal }) {
  const parts = tagParts({ change: () => change(), leave, reveal: () => reveal() });
  const { element, chips, note, state, others, show } = parts;
  const outbox = createTagOutbox({ send, sent, state, signal });
  let person = { id: 0, name: "" };
  let classes = [];
  let task = null;
  let card = null;
  let given = { classes: [], note: "" };
  let revealed = false;
  let begun = 0;

  const own = (tags) => tags.filter((tag) => tag.person === person.id && tag.task === task).at(-1);

  function know(nextClasses, nextTask) {
    [classes, task] = [nextClasses, nextTask];
    if (card) draw(card);
  }

  function draw(next) {
    if (next !== card) begun = performance.now();
    if (next.id !== card?.id) revealed = false;
    card = next;
    const mine = outbox.get(card.id) ?? own(card.tags);
    given = { classes: [...(mine?.classes ?? [])], note: mine?.note ?? "" };
    if (note !== note.getRootNode().activeElement) note.value = given.note;
    chips.replaceChildren(
      ...classes.map((one, i) => chip(one, i, given.classes.includes(one.id), () => toggle(i))),
    );
    element.classList.toggle("off", !taggable());
    for (const part of [...chips.children, note]) part.disabled = !taggable();
    drawOthers();
  }

  const taggable = () => Boolean(card) && card.scored && !card.right;

  function toggle(i) {
    const one = classes[i]?.id;
    if (!one || !taggable()) return;
    const had = given.classes.includes(one);
    const kept = one === NONE ? [] : given.classes.filter((other) => other !== NONE && other !== one);
    given.classes = had ? given.classes.filter((other) => other !== one) : [...kept, one];
    change();
    draw(card);
  }

  function change() {
    given.note = note.value.trim();
    const before = outbox.get(card.id) ?? own(card.tags);
    if (!given.classes.length && !before) return (state.textContent = given.note ? "Choose a class, too." : "");
    const active = Math.min(LONGEST_ACTIVE_S, (performance.now() - begun) / 1000);
    const { classes: named, note: remark } = given;
    outbox.put(card.id, {
      uid: uid(),
      prediction: card.id,
      classes: named,
      note: remark,
      task,
      active_s: active,
    });
    said(card, { person: person.id, name: person.name, task, note: remark, classes: [...named] });
  }

  // Others' tags would lead whoever has not tagged yet.
  function drawOthers() {
    const theirs = card.tags.filter((tag) => !(tag.person === person.id && tag.task === task));
    const open = revealed || Boolean(own(card.tags));
    others.textContent = open ? wordsOf(theirs, classes) : "";
    show.hidden = open || !theirs.length;
  }

  function reveal() {
    revealed = true;
    if (card) drawOthers();
  }

  return {
    element,
    is: (known) => (person = known),
    know,
    draw,
    clear: () => (card = null),
    isWaiting: outbox.isWaiting,
    stop: outbox.stop,
    bindings: () => [
      ...classes
        .slice(0, MOST_KEYS)
        .map((one, i) => ({ key: String(i + 1), words: one.label, group: "Tag", run: () => toggle(i) })),
      { key: "M", words: "Write a remark", group: "Tag", run: () => note.focus() },
      { key: "O", words: "Show what others said", group: "Tag", run: reveal },
    ],
  };
}

function chip(one, i, on, toggle) {
  return el(
    "button",
    {
      type: "button",
      class: on ? "class-chip on" : "class-chip",
      "data-class": one.id,
      "aria-pressed": String(on),
      title: one.description,
      onmousedown: (event) => event.preventDefault(),
      onclick: toggle,
    },
    i < MOST_KEYS ? cap(String(i + 1)) : null,
    one.label,
  );
}

// What others said of an answer, in one line.
function wordsOf(tags, classes) {
  const label = (id) => classes.find((one) => one.id === id)?.label ?? id;
  return tags
    .map((tag) => `${tag.name}: ${tag.classes.map(label).join(", ")}${tag.note ? ` (${tag.note})` : ""}`)
    .join(" · ");
}

function leave(event) {
  if (event.key !== "Enter" && event.key !== "Escape") return;
  event.preventDefault();
  event.target.closest(".desk").focus({ preventScroll: true });
}

function tagParts({ change, leave: left, reveal }) {
  const chips = el("div", { class: "chips-of-classes", role: "group", "aria-label": "What went wrong" });
  const note = el("input", {
    type: "text",
    class: "tag-note",
    maxlength: 2000,
    placeholder: "Remark",
    "aria-label": "Remark",
    oninput: change,
    onkeydown: left,
  });
  const state = el("span", { class: "saved", role: "status" });
  const others = el("p", { class: "hint others-said" });
  const show = press("What others said", reveal, { key: "O", kind: "quiet" });
  const element = el(
    "div",
    { class: "tagging" },
    el("div", { class: "row tag-line" }, chips, el("label", { class: "noting" }, note, cap("M")), state),
    el("div", { class: "row" }, others, show),
  );
  return { element, chips, note, state, others, show };
}
