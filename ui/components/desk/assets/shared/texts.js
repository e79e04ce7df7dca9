// @ts-check
// The words on screen in the annotator's language. English stands in the code and is the key of the other languages,
// so a text that a language lacks is shown in English.

/** @type {Record<string, string>} */
let translations = {};

/** Takes the texts of a language: English words to its own; {} for English. */
export function speak(/** @type {Record<string, string> | undefined} */ texts) {
  translations = texts ?? {};
}

/** The words in the chosen language, with {name} replaced by the value of that name. */
export function tr(/** @type {string} */ words, /** @type {Record<string, unknown>} */ values = {}) {
  const text = translations[words] ?? words;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** One of two texts by a number, which stands in them as {n}. */
export function plural(
  /** @type {number} */ n,
  /** @type {string} */ one,
  /** @type {string} */ many,
  /** @type {Record<string, unknown>} */ values = {},
) {
  return tr(n === 1 ? one : many, { n, ...values });
}
