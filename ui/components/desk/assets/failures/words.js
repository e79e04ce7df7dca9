// Small words of the room of failures.

export const STATES = {
  read: "read",
  unread: "not read",
  refused: "refused",
  several: "several options stated",
  empty: "no reply",
};

const SHORT = {
  "full video": "video",
  "text only": "text",
  "1 random frame": "1 rand",
  "1 handpicked frame": "1 pick",
};

export const shortCondition = (name) =>
  SHORT[name] ?? name.replace(/^(\d+) shuffled frames?$/, "$1 shuf").replace(/^(\d+) frames?$/, "$1 fr");

export const percent = (share) => (share === null ? "–" : `${(100 * share).toFixed(1)} %`);

export const shareOf = ([right, all]) => (all ? right / all : null);

// The letter under which the card shows an option; the option's own number where the card has other options.
export function letterOf(card, choice, version = card.version) {
  if (choice === null || choice === undefined) return "–";
  if (version !== card.version) return `#${choice + 1}`;
  return card.question.options.find((one) => one.index === choice)?.letter ?? String(choice);
}

export const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
