// @ts-check
// The part of a clip that the timeline shows, in seconds. Pure.

const LEAST_S = 0.2;

/** @typedef {{from: number, to: number}} View */

/** The whole clip. */
export const whole = (/** @type {{times: number[], first: number, end: number}} */ marks) => ({
  from: marks.times[marks.first],
  to: marks.end,
});

/** Where a time lies in the view, 0 (left) to 1 (right); times outside lie on the edge. */
export function shareOf(/** @type {View} */ view, /** @type {number} */ t) {
  const span = view.to - view.from;
  return span > 0 ? Math.min(1, Math.max(0, (t - view.from) / span)) : 0;
}

/** The time at a share of the view. */
export const timeAt = (/** @type {View} */ view, /** @type {number} */ share) =>
  view.from + Math.min(1, Math.max(0, share)) * (view.to - view.from);

/** The view `factor` times as wide on screen; the time `around` stays where it is as far as the clip allows. */
export function zoomed(
  /** @type {View} */ view,
  /** @type {number} */ factor,
  /** @type {number} */ around,
  /** @type {View} */ clip,
) {
  const all = clip.to - clip.from;
  const span = Math.min(all, Math.max(Math.min(LEAST_S, all), (view.to - view.from) / factor));
  return placed(around - shareOf(view, around) * span, span, clip);
}

/** The same view while it holds a time, else one of the same width around it. */
export function follow(/** @type {View} */ view, /** @type {number} */ t, /** @type {View} */ clip) {
  if (t >= view.from && t <= view.to) return view;
  if (t < clip.from || t > clip.to) return view;
  const span = view.to - view.from;
  return placed(t - span / 2, span, clip);
}

/** A view of a width that begins at a time, moved into the clip. */
function placed(/** @type {number} */ from, /** @type {number} */ span, /** @type {View} */ clip) {
  const begin = Math.min(Math.max(from, clip.from), clip.to - span);
  return { from: begin, to: begin + span };
}
