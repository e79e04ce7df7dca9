// Cards, each with a segment of the clip. Times are those of the frame on screen when they were marked, as the file
// has them; an edge that cannot be is refused at once, in words.

import { el, press } from "../../shared/dom.js";
import { heading, home, part } from "./parts.js";
import { edgeAt, edgeTime, refusal } from "../../shared/player/segment_edges.js";
import { createCard } from "./segment_card.js";
import { tr } from "../../shared/texts.js";

export function segments(field, values, { changed, onkeys, onenter, level }) {
  const { least = 1, most = 10 } = field;
  const list = el("div", { class: "entries" });
  const alarm = el("p", { class: "refusal", role: "alert" });
  const more = press(tr("New card"), () => add(), { key: "N", kind: "quiet" });
  const element = el("section", { class: "field segments" }, heading(field, values), alarm, list, more);
  let cards = [];
  let active = 0;
  let edge = "start"; // the one that is nudged
  let inside = false; // Tab has gone on from the times to the card's fields
  let doomed = null; // a card with content goes when Delete is pressed twice
  let marks = null;
  let asked = true;

  const now = () => cards[active] ?? null;

  function create() {
    const at = () => cards.indexOf(card);
    const come = () => (at() !== active && choose(at()), onenter());
    const fields = level(field.fields ?? [], values, { changed: () => (draw(), changed()), onkeys, onenter: come });
    const card = createCard(fields, {
      open: () => (choose(at()), onenter()),
      mark: (which) => (come(), mark(which)),
      go: (which) => (come(), go(which)),
      remove: () => remove(at()),
      loop: () => (come(), loop()),
    });
    if (marks) fields.attach({ marks });
    return card;
  }

  function draw() {
    cards.forEach((card, i) => card.draw(i + 1, i === active, edge, cards.length <= least));
    more.disabled = cards.length >= most;
    marks?.draw(asked ? cards : [], active, edge);
  }

  function say(words) {
    alarm.textContent = words ?? "";
  }

  function choose(i, by = 0) {
    if (!cards[i]) return false;
    if (i !== active) now()?.fields.leave();
    [active, edge, doomed, inside] = [i, "start", null, false];
    say();
    home(element);
    if (by < 0) enterFields(by);
    if (cards[i].start !== null) go("start");
    draw();
    cards[i].element.scrollIntoView({ block: "nearest" });
    onkeys();
    return true;
  }

  function enterFields(by) {
    inside = now().fields.enter(by);
    return inside;
  }

  // The times come first, then the fields, then the next card.
  function tab(by) {
    if (!now()) return false;
    if (!inside) return (by > 0 && enterFields(by)) || choose(active + by, by);
    if (now().fields.move(by, "tab")) return true;
    if (by > 0) return choose(active + by, by);
    now().fields.leave();
    inside = false;
    home(element);
    return true;
  }

  function add() {
    onenter();
    if (cards.length >= most) return say(tr("There are at most {most} cards.", { most }));
    const open = cards.findIndex((card) => card.start === null && card.end === null && !card.fields.words());
    if (open >= 0) return choose(open); // an empty one is there already
    cards.push(create());
    list.append(cards.at(-1).element);
    choose(cards.length - 1);
    changed();
  }

  function remove(i) {
    const card = cards[i];
    if (!card) return;
    if (cards.length <= least)
      return say(least === 1 ? tr("One card stays.") : tr("At least {least} cards stay.", { least }));
    const content = card.start !== null || card.end !== null || card.fields.words();
    if (content && doomed !== card) {
      doomed = card;
      return say(tr("Press Delete once more to remove card {n}.", { n: i + 1 }));
    }
    cards = cards.filter((one) => one !== card);
    card.element.remove();
    choose(Math.min(i, cards.length - 1));
    draw();
    onkeys();
    changed();
  }

  // True when the edge could be set to the frame or, past the last, to the clip's end.
  function set(which, i) {
    const card = now();
    const words = refusal(card, which, i, marks);
    say(words);
    if (words) return false;
    card[which] = edgeTime(marks, i);
    [edge, doomed] = [which, null];
    draw();
    changed();
    return true;
  }

  function mark(which) {
    if (!marks) return;
    if (!now()) add();
    onenter();
    const shown = marks.hold(); // stops there, so that the frame on screen is the one that is marked
    if (shown !== undefined) set(which, shown);
  }

  function go(which) {
    const t = now()?.[which];
    if (!marks || t === null || t === undefined) return;
    edge = which;
    marks.goTo(Math.min(edgeAt(marks, t), marks.last));
    draw();
  }

  // A segment dragged on the timeline: in the active card while it has no times, else in a new one.
  function dragged(from, to, goesOn) {
    onenter();
    if (!goesOn && (!now() || now().start !== null || now().end !== null)) add();
    const card = now();
    if (!card || (!goesOn && card.start !== null)) return false; // there are as many cards as may be
    [card.start, card.end] = [edgeTime(marks, from), edgeTime(marks, to)];
    [edge, doomed] = ["end", null];
    say();
    draw();
    changed();
    return true;
  }

  function nudge(by) {
    const t = now()?.[edge];
    if (!marks || t === null || t === undefined)
      return say(edge === "start" ? tr("Mark the start (I).") : tr("Mark the end (O)."));
    const to = edgeAt(marks, t) + by;
    if (set(edge, to)) marks.goTo(Math.min(to, marks.last));
  }

  function loop() {
    const card = now();
    if (!marks || !card) return;
    if (card.start === null || card.end === null) return say(card.missing());
    say();
    marks.loop(edgeAt(marks, card.start), edgeAt(marks, card.end) - 1);
  }

  function restore(value) {
    cards = (value ?? []).map(({ start = null, end = null, ...rest }) => Object.assign(create(), { start, end, rest }));
    while (cards.length < least) cards.push(Object.assign(create(), { rest: {} }));
    list.replaceChildren(...cards.map((card) => card.element));
    cards.forEach((card) => card.fields.set(card.rest, Boolean(value)));
    [active, edge] = [0, "start"];
    say();
    draw();
  }

  function missing() {
    if (!field.required && !cards.some((card) => card.start !== null || card.end !== null || card.fields.words()))
      return null;
    const i = cards.findIndex((card) => card.missing());
    return i < 0
      ? null
      : cards.length > 1
        ? tr("Card {n}: {missing}", { n: i + 1, missing: cards[i].missing() })
        : cards[i].missing();
  }

  const cardResponse = ({ start, end, fields }) => ({
    ...(start === null ? {} : { start }),
    ...(end === null ? {} : { end }),
    ...fields.response(),
  });
  const bind = (key, words, run, more = {}) => ({ key, words, group: tr("Segment"), run, ...more });

  restore();
  return part({
    element,
    inner: true,
    get() {
      const all = cards.map(cardResponse).filter((one) => Object.keys(one).length);
      return all.length ? all : undefined;
    },
    set: restore,
    words: () => cards.map((card) => card.times()).join(", "),
    shown(on) {
      asked = on;
      draw();
    },
    missing,
    enter: (by) => choose(by < 0 ? cards.length - 1 : by > 0 ? 0 : active, by),
    leave: () => now()?.fields.leave(),
    step: (by) => choose(active + by),
    tab,
    jump() {
      const i = cards.findIndex((card) => card.missing());
      if (i !== active) choose(Math.max(i, 0));
      home(element);
      if (now()?.start === null || now()?.end === null || !now()) return;
      inside = true;
      now().fields.jump();
    },
    bindings: () => now()?.fields.bindings() ?? [],
    always: () => [
      bind("I", tr("Start at the frame shown"), () => mark("start"), { also: ["["] }),
      bind("O", tr("End at the frame shown: the first one after"), () => mark("end"), { also: ["]"] }),
      bind("Shift+,", tr("The active edge one frame back"), () => nudge(-1), {
        repeat: true,
        also: ["Shift+ArrowLeft"],
      }),
      bind("Shift+.", tr("The active edge one frame on"), () => nudge(1), { repeat: true, also: ["Shift+ArrowRight"] }),
      bind("X", tr("Play the segment round and round, or stop"), loop),
      bind("N", tr("New card"), add),
      bind("Delete", tr("Remove the card"), () => remove(active)),
      ...(now()?.fields.always() ?? []),
    ],
    attach(look) {
      marks = look.marks ?? null;
      if (!marks) return say(tr("There is no clip here on which something could be marked. Skip the item (S)."));
      cards.forEach((card) => card.fields.attach(look));
      marks.listen({
        create: dragged,
        edge: (which, i) => (onenter(), set(which, i)),
        choose: (i, which) => (choose(i), go(which), onenter()),
      });
      draw();
    },
  });
}
