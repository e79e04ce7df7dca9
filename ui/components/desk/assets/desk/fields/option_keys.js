// @ts-check
// Which keys stand for the options of a field, in the order shown.

const LETTERS = ["A", "B", "C", "D", "E", "F", "G"];
const FURTHER = ["8", "9", "Q", "V", "Y", "Z"]; // letters that mean nothing else on the desk

// A list of {key, also} for `count` options; an option without a key is reached with Up, Down and Space.
/**
 * @param {number} count
 * @param {string | string[]} wanted
 */
export function optionKeys(count, wanted = "letters") {
  const all = Array.isArray(wanted)
    ? wanted.map((key) => ({ key: key.length === 1 ? key.toUpperCase() : key, also: [] }))
    : wanted === "digits"
      ? Array.from({ length: 9 }, (_, i) => ({ key: String(i + 1), also: [] }))
      : [...LETTERS.map((key, i) => ({ key, also: [String(i + 1)] })), ...FURTHER.map((key) => ({ key, also: [] }))];
  return Array.from({ length: count }, (_, i) => all[i] ?? null);
}
