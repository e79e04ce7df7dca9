// What start and end of a segment may be. Both are time stamps of frames, or the clip's end; pure.
// `marks` is what the stage offers: {times, first, last, end}, frames of the clip and its end in s.

import { frameNearest } from "./frame_times.js";
import { seconds } from "../words.js";
import { tr } from "../texts.js";

// Edges are counted as frames are; the one after the last frame is the clip's end.
export const edgeTime = ({ times, last, end }, i) => (i > last ? end : times[i]);

export function edgeAt({ times, last, end }, t) {
  const nearest = frameNearest(times, t);
  return nearest >= last && Math.abs(end - t) < Math.abs(times[last] - t) ? last + 1 : Math.min(nearest, last);
}

// Why an edge cannot be set there, in words; null when it can.
export function refusal(card, which, i, marks) {
  const t = edgeTime(marks, i);
  if (i < marks.first || i > marks.last + 1) return tr("{t} is outside the clip.", { t: seconds(t ?? 0, 3) });
  if (which === "start" && i > marks.last) return tr("A start cannot be at the clip's end.");
  if (which === "end" && i <= marks.first)
    return tr("An end cannot be at the clip's first frame: nothing would lie before it.");
  if (which === "start" && card.end !== null && t >= card.end) {
    return tr("The start ({start}) would not come before the end ({end}). Move the end first.", {
      start: seconds(t, 3),
      end: seconds(card.end, 3),
    });
  }
  if (which === "end" && card.start !== null && t <= card.start) {
    return tr("The end ({end}) would not come after the start ({start}). Move the start first.", {
      start: seconds(card.start, 3),
      end: seconds(t, 3),
    });
  }
  return null;
}
