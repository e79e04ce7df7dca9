// @ts-check
// Small words of the room of failures.

/** @type {Record<string, string>} */
export const STATES = {
  read: "read",
  unread: "not read",
  refused: "refused",
  several: "several options stated",
  empty: "no reply",
};

/** @type {Record<string, string>} */
const SHORT = {
  "full video": "video",
  "text only": "text",
  "1 random frame": "1 rand",
  "1 handpicked frame": "1 pick",
};

export const shortCondition = (/** @type {string} */ name) =>
  SHORT[name] ?? name.replace(/^(\d+) shuffled frames?$/, "$1 shuf").replace(/^(\d+) frames?$/, "$1 fr");

export const percent = (/** @type {number | null} */ share) => (share === null ? "–" : `${(100 * share).toFixed(1)} %`);

export const shareOf = (/** @type {[number, number]} */ [right, all]) => (all ? right / all : null);

// The letter under which the card shows an option; the option's own number where the card has other options.
/**
 * @param {{version: number, question: {options: {index: number, letter: string}[]}}} card
 * @param {number | null | undefined} choice
 */
export function letterOf(card, choice, version = card.version) {
  if (choice === null || choice === undefined) return "–";
  if (version !== card.version) return `#${choice + 1}`;
  return card.question.options.find((one) => one.index === choice)?.letter ?? String(choice);
}

/**
 * @param {number} number
 * @param {string} one
 */
export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
