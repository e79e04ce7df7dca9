// What this browser remembers for one place: workspace, person and task. A browser may forbid storage or run out of it;
// then everything lives in memory and `durable()` says so.

export function createStorage(place, backing = safely(() => window.localStorage)) {
  const prefix = `rushes/${place.map(encodeURIComponent).join("/")}/`;
  const memory = new Map();
  let durable = Boolean(backing);

  function set(key, value) {
    memory.set(key, value);
    const kept = safely(() => {
      backing.setItem(prefix + key, JSON.stringify(value));
      return true;
    });
    durable = Boolean(kept);
    if (!durable) safely(() => backing.removeItem(prefix + key)); // an older value must not come back
    return durable;
  }

  function get(key) {
    const text = safely(() => backing.getItem(prefix + key));
    return (text && safely(() => JSON.parse(text))) ?? memory.get(key) ?? null;
  }

  function remove(key) {
    memory.delete(key);
    safely(() => backing.removeItem(prefix + key));
  }

  function list(start) {
    const names = new Set([...memory.keys()].filter((key) => key.startsWith(start)));
    safely(() => {
      for (let i = 0; i < backing.length; i += 1) {
        const key = backing.key(i);
        if (key.startsWith(prefix + start)) names.add(key.slice(prefix.length));
      }
    });
    return [...names].map((key) => [key, get(key)]).filter(([, value]) => value !== null);
  }

  // Calls back with (key, value) for what another tab of the same person writes, `removed` when it takes it away.
  function watch(start, callback, signal, removed = () => {}) {
    window.addEventListener(
      "storage",
      (event) => {
        if (!event.key?.startsWith(prefix + start)) return;
        if (event.newValue === null) return removed();
        const value = safely(() => JSON.parse(event.newValue));
        if (value) callback(event.key.slice(prefix.length), value);
      },
      { signal },
    );
  }

  return { set, get, remove, list, watch, durable: () => durable };
}

function safely(action) {
  try {
    return action();
  } catch {
    return null;
  }
}

// The last parts of the places below a place that keep something under `start`, such as the tasks with unsent answers.
export function placesWith(place, start, backing = safely(() => window.localStorage)) {
  const prefix = `rushes/${place.map(encodeURIComponent).join("/")}/`;
  const names = safely(() => Array.from({ length: backing.length }, (_, i) => backing.key(i))) ?? [];
  const below = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const found = below.filter((name) => name.slice(name.indexOf("/") + 1).startsWith(start));
  return [...new Set(found.map((name) => decodeURIComponent(name.slice(0, name.indexOf("/")))))];
}
