// The cards of a field of segments: which one is open, and how one comes and goes.

import { el, press } from "../../shared/dom.js";
import { heading, home } from "./parts.js";
import { createCard } from "./segment_card.js";
import { tr } from "../../shared/texts.js";

// act: {mark(which), go(which), loop()} for the open card. Of the state, which marking and walking share,
// `edge` is the one that is nudged, `inside` says that Tab has gone on from the times to the card's fields, and
// `doomed` is a card with content, which goes when Delete is pressed twice.
export function createCards(field, values, { changed, onkeys, onenter, level }, act) {
  const { least = 1, most = 10 } = field;
  const list = el("div", { class: "entries" });
  const alarm = el("p", { class: "refusal", role: "alert" });
  const more = press(tr("New card"), () => add(), { key: "N", kind: "quiet" });
  const element = el("section", { class: "field segments" }, heading(field, values), alarm, list, more);
  const state = { cards: [], active: 0, edge: "start", inside: false, doomed: null, marks: null, asked: true };

  const open = () => state.cards[state.active] ?? null;

  function create() {
    const at = () => state.cards.indexOf(card);
    const come = () => (at() !== state.active && choose(at()), onenter());
    const fields = level(field.fields ?? [], values, { changed: () => (draw(), changed()), onkeys, onenter: come });
    const card = createCard(fields, {
      open: () => (choose(at()), onenter()),
      mark: (which) => (come(), act.mark(which)),
      go: (which) => (come(), act.go(which)),
      remove: () => remove(at()),
      loop: () => (come(), act.loop()),
    });
    if (state.marks) fields.attach({ marks: state.marks });
    return card;
  }

  function draw() {
    const { cards, active, edge } = state;
    cards.forEach((card, i) => card.draw(i + 1, i === active, edge, cards.length <= least));
    more.disabled = cards.length >= most;
    state.marks?.draw(state.asked ? cards : [], active, edge);
  }

  function say(words) {
    alarm.textContent = words ?? "";
  }

  function choose(i, by = 0) {
    const card = state.cards[i];
    if (!card) return false;
    if (i !== state.active) open()?.fields.leave();
    Object.assign(state, { active: i, edge: "start", doomed: null, inside: false });
    say();
    home(element);
    if (by < 0) state.inside = card.fields.enter(by);
    if (card.start !== null) act.go("start");
    draw();
    card.element.scrollIntoView({ block: "nearest" });
    onkeys();
    return true;
  }

  function add() {
    onenter();
    if (state.cards.length >= most) return say(tr("There are at most {most} cards.", { most }));
    const empty = state.cards.findIndex((card) => card.empty());
    if (empty >= 0) return choose(empty);
    state.cards.push(create());
    list.append(state.cards.at(-1).element);
    choose(state.cards.length - 1);
    changed();
  }

  function remove(i) {
    const card = state.cards[i];
    if (!card) return;
    if (state.cards.length <= least) return say(staying(least));
    if (!card.empty() && state.doomed !== card) {
      state.doomed = card;
      return say(tr("Press Delete once more to remove card {n}.", { n: i + 1 }));
    }
    state.cards = state.cards.filter((kept) => kept !== card);
    card.element.remove();
    choose(Math.min(i, state.cards.length - 1));
    draw();
    onkeys();
    changed();
  }

  // As many cards as the value has, and at least as many as have to be.
  function fill(value) {
    const card = ({ start = null, end = null, ...rest }) => Object.assign(create(), { start, end, rest });
    state.cards = (value ?? []).map(card);
    while (state.cards.length < least) state.cards.push(card({}));
    list.replaceChildren(...state.cards.map(({ element }) => element));
    state.cards.forEach(({ fields, rest }) => fields.set(rest, Boolean(value)));
    Object.assign(state, { active: 0, edge: "start" });
    say();
    draw();
  }

  return { element, state, open, draw, say, choose, add, remove, fill };
}

const staying = (least) => (least === 1 ? tr("One card stays.") : tr("At least {least} cards stay.", { least }));
