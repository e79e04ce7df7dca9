// Answers that the server has not acknowledged yet, one key each in the browser's storage, and those it has refused.

const ORPHAN_MS = 10000;

export function createKeptAnswers(storage) {
  const entries = new Map(); // uid -> {uid, item, lease, ..., order, label}
  const failures = new Map(); // item -> how often the server broke on an answer to it: the others go first
  let lastOrder = 0;

  for (const [, entry] of storage.list("out/")) entries.set(entry.uid, entry);

  const tries = (entry) => failures.get(entry.item) ?? 0;
  const pending = () => [...entries.values()].sort((a, b) => tries(a) - tries(b) || a.order - b.order);
  const refused = () => storage.list("refused/").map(([, entry]) => entry);

  function drop(uid) {
    entries.delete(uid);
    storage.remove(`out/${uid}`);
  }

  return {
    pending,
    refused,
    drop,
    size: () => entries.size,
    entry: (uid) => entries.get(uid),
    // False where the browser could not write it down.
    put(answer) {
      lastOrder = Math.max(lastOrder + 1, Date.now());
      const entry = { ...answer, order: lastOrder };
      entries.set(entry.uid, entry);
      return storage.set(`out/${entry.uid}`, entry);
    },
    // The server broke on it, so that it is sent once more.
    postpone: (entry) => failures.set(entry.item, tries(entry) + 1),
    refuse(entry, reason) {
      storage.set(`refused/${entry.uid}`, { ...entry, reason });
      drop(entry.uid);
    },
    // Takes over the answers of a tab that is gone.
    adopt() {
      for (const [, entry] of storage.list("out/")) {
        if (!entries.has(entry.uid) && Date.now() - entry.order > ORPHAN_MS) entries.set(entry.uid, entry);
      }
    },
    // Seconds of answers to an item that were refused; they go on counting when it is answered again.
    refusedSeconds: (item) =>
      refused().reduce((sum, entry) => sum + (entry.item === item ? (entry.active_s ?? 0) : 0), 0),
    dismissItem(item) {
      for (const entry of refused()) if (entry.item === item) storage.remove(`refused/${entry.uid}`);
    },
    dismiss: (uid) => storage.remove(`refused/${uid}`),
    answerTo: (item) => pending().findLast((entry) => entry.item === item) ?? null,
  };
}
