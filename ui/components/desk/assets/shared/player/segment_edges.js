// What start and end of a segment may be. Both are time stamps of frames, or the clip's end; pure.
// `marks` is what the stage offers: {times, first, last, end}, frames of the clip and its end in s.

import { frameNearest } from "./frame_times.js";
import { seconds } from "../words.js";

// Edges are counted as frames are; the one after the last frame is the clip's end.
export const edgeTime = ({ times, last, end }, i) => (i > last ? end : times[i]);

export function edgeAt({ times, last, end }, t) {
  const nearest = frameNearest(times, t);
  return nearest >= last && Math.abs(end - t) < Math.abs(times[last] - t) ? last + 1 : Math.min(nearest, last);
}

// Why an edge cannot be set there, in words; null when it can.
export function refusal(card, which, i, marks) {
  const t = edgeTime(marks, i);
  if (i < marks.first || i > marks.last + 1) return `${seconds(t ?? 0, 3)} is outside the clip.`;
  if (which === "start" && i > marks.last) return "A start cannot be at the clip's end.";
  if (which === "end" && i <= marks.first) return "An end cannot be at the clip's first frame: nothing would lie before it.";
  if (which === "start" && card.end !== null && t >= card.end) {
    return `The start (${seconds(t, 3)}) would not come before the end (${seconds(card.end, 3)}). Move the end first.`;
  }
  if (which === "end" && card.start !== null && t <= card.start) {
    return `The end (${seconds(t, 3)}) would not come after the start (${seconds(card.start, 3)}). Move the start first.`;
  }
  return null;
}
