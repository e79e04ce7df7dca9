// @ts-check
// How far the person is and how long they worked, from what the server has counted and what it has not yet. Pure.
// Each second is counted once: by the server, in an answer on the way, in a refused answer, or on the running clock.

/**
 * @param {{done: number, active_s: number}} counted what the server has told
 * @param {{fresh?: boolean, active_s?: number}[]} waiting answers on the way
 * @param {{active_s?: number}[]} refused answers that the server did not take
 * @param {number} clock_s seconds of the item on screen that are in no answer yet
 */
export function earned(counted, waiting, refused, clock_s) {
  const sum = (/** @type {{active_s?: number}[]} */ entries) =>
    entries.reduce((total, entry) => total + (entry.active_s ?? 0), 0);
  return {
    done: counted.done + waiting.filter((entry) => entry.fresh).length,
    extra_s: sum(waiting) + sum(refused) + clock_s,
  };
}
