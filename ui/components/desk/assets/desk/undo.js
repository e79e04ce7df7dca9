// @ts-check
// What the form held before, for undo and redo. Pure: the state of the form is a JSON text. What is typed without a
// pause counts as one change.

const PAUSE_MS = 900;
const KEPT = 100;

/** Steps back and forth among the states of one form. */
export function createUndo(now = () => performance.now()) {
  /** @type {string[]} */
  let before = [];
  /** @type {string[]} */
  let after = [];
  let present = "{}";
  let changedAt = -Infinity;
  let typing = false;

  return {
    begin(/** @type {string} */ state) {
      [before, after, present, changedAt, typing] = [[], [], state, -Infinity, false];
    },
    /** Notes a change; `typed` ones that follow each other at once are one step. */
    note(/** @type {string} */ state, typed = false) {
      if (state === present) return;
      const joined = typed && typing && now() - changedAt < PAUSE_MS;
      if (!joined) before = [...before, present].slice(-KEPT);
      [present, after, changedAt, typing] = [state, [], now(), typed];
    },
    /** The state before, or null. */
    undo() {
      const state = before.pop();
      if (state === undefined) return null;
      after.push(present);
      [present, typing] = [state, false];
      return state;
    },
    /** The state that was undone last, or null. */
    redo() {
      const state = after.pop();
      if (state === undefined) return null;
      before.push(present);
      [present, typing] = [state, false];
      return state;
    },
  };
}
