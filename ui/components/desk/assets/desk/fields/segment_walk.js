// How the keys walk through the cards of a field of segments: in each the times come first, then its fields.

import { home } from "./parts.js";

export function createWalk({ element, state, open, choose }) {
  function enterFields(by) {
    state.inside = open().fields.enter(by);
    return state.inside;
  }

  return {
    enter: (by) => choose(by < 0 ? state.cards.length - 1 : by > 0 ? 0 : state.active, by),
    leave: () => open()?.fields.leave(),
    step: (by) => choose(state.active + by),
    // From the times to the fields, from those to the next card.
    tab(by) {
      const next = () => choose(state.active + by, by);
      if (!open()) return false;
      if (!state.inside) return (by > 0 && enterFields(by)) || next();
      if (open().fields.move(by, "tab")) return true;
      if (by > 0) return next();
      open().fields.leave();
      state.inside = false;
      home(element);
      return true;
    },
    // To the first card in which something is missing.
    jump() {
      const i = state.cards.findIndex((card) => card.missing());
      if (i !== state.active) choose(Math.max(i, 0));
      home(element);
      const card = open();
      if (!card || card.start === null || card.end === null) return;
      state.inside = true;
      card.fields.jump();
    },
  };
}
