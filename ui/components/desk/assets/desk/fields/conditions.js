// @ts-check
// Which fields of a level are asked: a condition hangs on what another field of the level holds.

/**
 * @typedef {{field: string, among: unknown[]}} Condition
 * @typedef {{name: string, when?: Condition, required?: boolean, required_when?: Condition}} Field
 * @typedef {{element: HTMLElement, get(): unknown, shown(now: boolean): void}} Part
 * @typedef {{field: Field, part: Part, shown: boolean}} Slot
 */

/**
 * @param {Condition | undefined} when
 * @param {(name: string) => unknown} value
 */
function holds(when, value) {
  if (!when) return true;
  const answer = value(when.field) ?? null;
  return (Array.isArray(answer) ? answer : [answer]).some((chosen) => when.among.includes(chosen));
}

// Shows the fields that are asked now; true when they are others than before. From top to bottom, as a condition may
// hang on a field that hangs on another.
/** @param {Slot[]} slots */
export function showAsked(slots) {
  const value = (/** @type {string} */ name) =>
    slots.find((slot) => slot.shown && slot.field.name === name)?.part.get();
  let others = false;
  for (const slot of slots) {
    const shown = holds(slot.field.when, value);
    if (slot.field.required_when) slot.field.required = holds(slot.field.required_when, value);
    others ||= shown !== slot.shown;
    slot.shown = shown;
    slot.part.element.hidden = !shown;
    slot.part.shown(shown);
  }
  return others;
}
