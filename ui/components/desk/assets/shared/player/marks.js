// What the player offers to cards that mark segments on it: its frames, the frame on screen, the timeline.

import { endOf } from "./frame_times.js";

export function markable(stage, span) {
  const { times, duration, end, start_index, end_index } = stage;
  const first = start_index ?? span.first;
  const last = end_index ?? span.last;
  const after = endOf(times, duration, last);
  return { times, first, last, end: end === null || end === undefined ? after : Math.min(end, after) };
}

// player: {hold(), goTo(i), loop(first, last), draw(cards, active, edge)}
export function createMarks(player) {
  let listeners = null;
  let marks = null;
  let active = 0;

  return {
    // null when the stage is not for marking
    offer(stage, span) {
      listeners = null;
      if (!stage.marks && !stage.preview) return (marks = null);
      marks = {
        ...markable(stage, span),
        hold: player.hold,
        goTo: player.goTo,
        loop: player.loop,
        draw(cards, at, edge) {
          active = at;
          player.draw(cards, at, edge);
        },
        listen: (callbacks) => (listeners = callbacks),
      };
      return marks;
    },
    now: () => marks,
    edge: (which, i) => listeners?.edge(which, i),
    choose: (card, which) => listeners?.choose(card ?? active, which),
    clear() {
      marks = null;
      listeners = null;
    },
  };
}
