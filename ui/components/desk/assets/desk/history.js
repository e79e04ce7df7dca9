// @ts-check
// One's own earlier answers, oldest first, and the items behind the recent ones, so that going back needs no server.

const KEPT = 40;

/**
 * @typedef {{response?: object, skip: string | null, answered_at: number}} Given
 * @typedef {{item: number, label: string, skipped?: boolean, answered_at?: number}} Entry
 * @typedef {{id: number, label: string, draft: object | null, answer?: object}} Item
 */

/**
 * @param {Entry[]} mine
 * @param {(Entry & Given)[]} pending
 */
export function createHistory(mine, pending) {
  const entries = mine.map((one) => ({ ...one }));
  /** @type {Map<number, Item>} */
  const items = new Map(); // id -> ITEM with the answer given here

  for (const one of pending) note(one.item, one.label, one);

  /**
   * @param {number} id
   * @param {string | undefined} label
   * @param {Given} given
   */
  function note(id, label, { skip, answered_at }) {
    const known = entries.find((entry) => entry.item === id);
    const news = { item: id, label: label ?? known?.label ?? "", skipped: skip !== null, answered_at };
    if (known) Object.assign(known, news);
    else entries.push(news);
  }

  /**
   * @param {Item} item
   * @param {Given} answer
   */
  function remember(item, answer) {
    note(item.id, item.label, answer);
    items.delete(item.id);
    items.set(item.id, { ...item, draft: null, answer: { response: answer.response, skip: answer.skip } });
    if (items.size > KEPT) items.delete([...items.keys()][0]);
  }

  return {
    remember,
    note,
    entries: () => entries,
    at: (/** @type {number} */ position) => entries[position] ?? null,
    position: (/** @type {number} */ id) => entries.findIndex((entry) => entry.item === id),
    item: (/** @type {number} */ id) => items.get(id) ?? null,
    keep: (/** @type {Item} */ item) => items.set(item.id, item),
  };
}
