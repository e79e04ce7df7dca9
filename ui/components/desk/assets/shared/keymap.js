// @ts-check
// Keys that a person has exchanged, in pairs: each of two keys does what the other did, so that no key is ever lost
// and none means two things. Remembered in this browser for every task.

const KEY = "rushes/keymap";
const FIXED = ["Enter", "Escape", "Tab", "Shift+Tab", "?"];

/** @type {Record<string, string>} */
let pairs = read();

/** @returns {Record<string, string>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {}; // a browser without storage keeps them as long as the page
  }
}

function write() {
  try {
    localStorage.setItem(KEY, JSON.stringify(pairs));
  } catch {
    // as above
  }
}

/** The key that now does what `key` does by default, and the other way round. */
export const swapped = (/** @type {string} */ key) => pairs[key] ?? key;

export const isChanged = () => Object.keys(pairs).length > 0;

/** Whether a key may be given another meaning. */
export const isFree = (/** @type {string} */ key) => !FIXED.includes(key) && !key.startsWith("Ctrl+");

/** Lets `wanted` do what `key` does by default, and `key` what `wanted` did. */
export function exchange(/** @type {string} */ key, /** @type {string} */ wanted) {
  for (const known of [key, wanted]) {
    const other = pairs[known];
    if (other !== undefined) delete pairs[other];
    delete pairs[known];
  }
  if (key !== wanted) pairs = { ...pairs, [key]: wanted, [wanted]: key };
  write();
}

export function reset() {
  pairs = {};
  write();
}
