// Marking the segment of the open card: at the frame on screen, by nudging an edge, or by dragging on the timeline.

import { edgeAt, edgeTime, refusal } from "../../shared/player/segment_edges.js";
import { tr } from "../../shared/texts.js";

// Nothing is marked before the stage has offered its frames (`state.marks`).
export function createMarking({ state, open, say, draw, choose, add }, { changed, onenter }) {
  // True when the edge could be set to the frame or, past the last, to the clip's end.
  function set(which, i) {
    const card = open();
    const words = refusal(card, which, i, state.marks);
    say(words);
    if (words) return false;
    card[which] = edgeTime(state.marks, i);
    Object.assign(state, { edge: which, doomed: null });
    draw();
    changed();
    return true;
  }

  function mark(which) {
    if (!state.marks) return;
    if (!open()) add();
    onenter();
    const shown = state.marks.hold(); // stops there, so that the frame on screen is the one that is marked
    if (shown !== undefined) set(which, shown);
  }

  function go(which) {
    const { marks } = state;
    const t = open()?.[which];
    if (!marks || t === null || t === undefined) return;
    state.edge = which;
    marks.goTo(Math.min(edgeAt(marks, t), marks.last));
    draw();
  }

  // A segment dragged on the timeline: in the open card while it has no times, else in a new one.
  function dragged(from, to, goesOn) {
    onenter();
    if (!goesOn && (!open() || open().start !== null || open().end !== null)) add();
    const card = open();
    if (!card || (!goesOn && card.start !== null)) return false; // there are as many cards as may be
    [card.start, card.end] = [edgeTime(state.marks, from), edgeTime(state.marks, to)];
    Object.assign(state, { edge: "end", doomed: null });
    say();
    draw();
    changed();
    return true;
  }

  function nudge(by) {
    const { marks, edge } = state;
    const t = open()?.[edge];
    if (!marks || t === null || t === undefined)
      return say(edge === "start" ? tr("Mark the start (I).") : tr("Mark the end (O)."));
    const to = edgeAt(marks, t) + by;
    if (set(edge, to)) marks.goTo(Math.min(to, marks.last));
  }

  function loop() {
    const { marks } = state;
    const card = open();
    if (!marks || !card) return;
    if (card.start === null || card.end === null) return say(card.missing());
    say();
    marks.loop(edgeAt(marks, card.start), edgeAt(marks, card.end) - 1);
  }

  const listeners = {
    create: dragged,
    edge: (which, i) => (onenter(), set(which, i)),
    choose: (i, which) => (choose(i), go(which), onenter()),
  };
  return { mark, go, nudge, loop, listeners };
}
