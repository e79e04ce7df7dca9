// Cards, each with a segment of the clip. Times are those of the frame on screen when they were marked, as the file
// has them; an edge that cannot be is refused at once, in words.

import { part } from "./parts.js";
import { createCards } from "./segment_cards.js";
import { createMarking } from "./segment_marking.js";
import { createWalk } from "./segment_walk.js";
import { tr } from "../../shared/texts.js";

export function segments(field, values, tools) {
  const cards = createCards(field, values, tools, {
    mark: (which) => marking.mark(which),
    go: (which) => marking.go(which),
    loop: () => marking.loop(),
  });
  const marking = createMarking(cards, tools);
  const { state, open } = cards;

  cards.fill();
  return part({
    element: cards.element,
    inner: true,
    get() {
      const all = state.cards.map(cardResponse).filter((response) => Object.keys(response).length);
      return all.length ? all : undefined;
    },
    set: cards.fill,
    words: () => state.cards.map((card) => card.times()).join(", "),
    shown(on) {
      state.asked = on;
      cards.draw();
    },
    missing: () => missing(field, state.cards),
    ...createWalk(cards),
    bindings: () => open()?.fields.bindings() ?? [],
    always: () => [...segmentKeys(cards, marking), ...(open()?.fields.always() ?? [])],
    attach(look) {
      state.marks = look.marks ?? null;
      if (!state.marks)
        return cards.say(tr("There is no clip here on which something could be marked. Skip the item (S)."));
      state.cards.forEach((card) => card.fields.attach(look));
      state.marks.listen(marking.listeners);
      cards.draw();
    },
  });
}

const cardResponse = ({ start, end, fields }) => ({
  ...(start === null ? {} : { start }),
  ...(end === null ? {} : { end }),
  ...fields.response(),
});

function missing(field, cards) {
  if (!field.required && cards.every((card) => card.empty())) return null;
  const i = cards.findIndex((card) => card.missing());
  if (i < 0) return null;
  const words = cards[i].missing();
  return cards.length > 1 ? tr("Card {n}: {missing}", { n: i + 1, missing: words }) : words;
}

function segmentKeys({ add, remove, state }, { mark, nudge, loop }) {
  const bind = (key, words, run, more = {}) => ({ key, words, group: tr("Segment"), run, ...more });
  return [
    bind("I", tr("Start at the frame shown"), () => mark("start"), { also: ["["] }),
    bind("O", tr("End at the frame shown: the first one after"), () => mark("end"), { also: ["]"] }),
    bind("Shift+,", tr("The active edge one frame back"), () => nudge(-1), { repeat: true, also: ["Shift+ArrowLeft"] }),
    bind("Shift+.", tr("The active edge one frame on"), () => nudge(1), { repeat: true, also: ["Shift+ArrowRight"] }),
    bind("X", tr("Play the segment round and round, or stop"), loop),
    bind("N", tr("New card"), add),
    bind("Delete", tr("Remove the card"), () => remove(state.active)),
  ];
}
