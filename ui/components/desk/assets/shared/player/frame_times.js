// @ts-check
// Frame numbers and playhead times, by the file's own time stamps. Pure.

const LAST_S = 1e-3;

// The frame on screen at a time: the last one that starts at or before it.
export function frameAt(/** @type {number[]} */ times, /** @type {number} */ t) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t + 1e-6) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The frame whose time stamp is nearest: for the time that the browser says it has presented.
export function frameNearest(/** @type {number[]} */ times, /** @type {number} */ t) {
  const before = frameAt(times, t);
  const after = Math.min(before + 1, times.length - 1);
  return Math.abs(times[after] - t) < Math.abs(times[before] - t) ? after : before;
}

// The frame that a browser says it has presented. Chromium gives the frame's own time stamp, sometimes a little less;
// Firefox the position that was sought, anywhere in the frame's time on screen. So only the last quarter is the next's.
export function framePresented(/** @type {number[]} */ times, /** @type {number} */ t) {
  const before = frameAt(times, t);
  const after = Math.min(before + 1, times.length - 1);
  return times[after] - t < (times[after] - times[before]) / 4 ? after : before;
}

export const endOf = (/** @type {number[]} */ times, /** @type {number} */ duration, /** @type {number} */ i) =>
  i + 1 < times.length ? times[i + 1] : Math.max(duration, times[i] + LAST_S);

// Where to seek for a frame: the middle of the interval in which it is on screen, so that rounding cannot miss it.
export const middleOf = (/** @type {number[]} */ times, /** @type {number} */ duration, /** @type {number} */ i) =>
  (times[i] + endOf(times, duration, i)) / 2;

/** @typedef {{times: number[], start?: number | null, end?: number | null}} Clip */

// First and last frame of a segment [start, end): what is on screen at the start, and what begins before the end.
export function segment(/** @type {Clip} */ { times, start, end }) {
  const first = frameAt(times, start ?? 0);
  if (end === null || end === undefined) return { first, last: times.length - 1 };
  let last = frameAt(times, end);
  if (last > first && times[last] >= end - 1e-6) last -= 1;
  return { first, last: Math.max(first, last) };
}
