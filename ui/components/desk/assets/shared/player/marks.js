// What the player offers to cards that mark segments on it: its frames, the frame on screen, the timeline.

import { endOf } from "./frame_times.js";
import { edgeAt } from "./segment_edges.js";

export function markable(stage, span) {
  const { times, duration, end, start_index, end_index } = stage;
  const first = start_index ?? span.first;
  const last = end_index ?? span.last;
  const after = endOf(times, duration, last);
  return { times, first, last, end: end === null || end === undefined ? after : Math.min(end, after) };
}

// player: {hold(), goTo(i), loopPart(first, last), draw(cards, active, edge)}
export function createMarks(player) {
  let listeners = null;
  let marks = null;
  let cards = [];
  let active = 0;

  function draw(next, at, edge) {
    [cards, active] = [next, at];
    player.draw(next, at, edge);
  }

  // null when the stage is not for marking
  function offer(stage, span) {
    listeners = null;
    cards = [];
    if (!stage.marks && !stage.preview) return (marks = null);
    const { hold, goTo, loopPart: loop } = player;
    marks = { ...markable(stage, span), hold, goTo, loop, draw, listen: (callbacks) => (listeners = callbacks) };
    return marks;
  }

  return {
    offer,
    now: () => marks,
    offered: {
      edge: (which, i) => listeners?.edge(which, i),
      choose: (card, which) => listeners?.choose(card ?? active, which),
      create: (start, end, goesOn) => listeners?.create(start, end, goesOn) ?? false,
    },
    // The frame of the nearest mark before or after a frame: edges of segments, and the clip's own ends.
    beside(frame, by, { first, last }) {
      const edges = cards.flatMap((card) => [card.start, card.end]).filter((t) => t !== null);
      const frames = edges.map((t) => Math.min(edgeAt(marks, t), last));
      const sorted = [...new Set([first, ...frames, last])].sort((a, b) => a - b);
      return (by > 0 ? sorted.find((i) => i > frame) : sorted.findLast((i) => i < frame)) ?? frame;
    },
    // The segments in a response, whatever the field is called.
    cardsOf: (response) =>
      Object.values(response ?? {}).find((value) => Array.isArray(value) && value[0]?.start !== undefined) ?? [],
    clear() {
      marks = null;
      listeners = null;
      cards = [];
    },
  };
}
