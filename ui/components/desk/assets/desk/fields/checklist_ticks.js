// @ts-check
// What is ticked of a checklist, and which reason is given for what is not. Pure; entries are meant by their position.

/** @typedef {{ticked?: string[], classes?: Record<string, string>}} Response */

/** Ticks of a list, and the reasons given for what is not ticked. */
export function createTicks(/** @type {{id: string}[]} */ items) {
  /** @type {Set<string>} */
  const ticked = new Set();
  /** @type {Map<string, string>} */
  const reasons = new Map(); // id -> value of a reason

  const unticked = () => items.flatMap(({ id }, i) => (ticked.has(id) ? [] : [i]));
  const open = () => unticked().filter((i) => !reasons.has(items[i].id));

  return {
    unticked,
    open, // not ticked and without a reason
    size: () => ticked.size,
    isTicked: (/** @type {number} */ i) => ticked.has(items[i].id),
    reason: (/** @type {number} */ i) => reasons.get(items[i].id),
    toggle(/** @type {number} */ i) {
      const { id } = items[i];
      if (!ticked.delete(id)) ticked.add(id);
    },
    /** Gives a reason, or takes it back where it was given. True when it is given now. */
    classify(/** @type {number} */ i, /** @type {string} */ value) {
      const { id } = items[i];
      if (reasons.get(id) === value) return !reasons.delete(id);
      reasons.set(id, value);
      return true;
    },
    response() {
      if (!ticked.size && !reasons.size) return undefined;
      const given = unticked().filter((i) => reasons.has(items[i].id));
      return {
        ticked: items.filter(({ id }) => ticked.has(id)).map(({ id }) => id),
        classes: Object.fromEntries(given.map((i) => [items[i].id, reasons.get(items[i].id)])),
      };
    },
    /** True when reasons are given, so that the second step has begun. */
    fill(/** @type {Response | undefined} */ value) {
      ticked.clear();
      reasons.clear();
      for (const id of value?.ticked ?? []) ticked.add(id);
      for (const [id, reason] of Object.entries(value?.classes ?? {})) reasons.set(id, reason);
      return reasons.size > 0;
    },
  };
}
