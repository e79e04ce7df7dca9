// One's own earlier answers, oldest first, and the items behind the recent ones, so that going back needs no server.

const KEPT = 40;

export function createHistory(mine, pending) {
  const entries = mine.map((one) => ({ ...one }));
  const items = new Map(); // id -> ITEM with the answer given here

  for (const one of pending) note(one.item, one.label, one);

  function note(id, label, { skip, answered_at }) {
    const known = entries.find((entry) => entry.item === id);
    const news = { item: id, label: label ?? known?.label ?? "", skipped: skip !== null, answered_at };
    if (known) Object.assign(known, news);
    else entries.push(news);
  }

  function remember(item, answer) {
    note(item.id, item.label, answer);
    items.delete(item.id);
    items.set(item.id, { ...item, draft: null, answer: { response: answer.response, skip: answer.skip } });
    if (items.size > KEPT) items.delete(items.keys().next().value);
  }

  return {
    remember,
    note,
    entries: () => entries,
    at: (position) => entries[position] ?? null,
    position: (id) => entries.findIndex((entry) => entry.item === id),
    item: (id) => items.get(id) ?? null,
    keep: (item) => items.set(item.id, item),
  };
}
