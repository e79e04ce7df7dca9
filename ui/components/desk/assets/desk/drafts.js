// Half-given answers survive a reload and a lost server: kept here at once, and on the server a moment later.

const QUIET_MS = 1200;

export function createDrafts({ storage, send, onsent, ontrouble, signal }) {
  let waiting = null; // the draft that the server has not been told yet
  let timer = null;

  signal.addEventListener("abort", () => clearTimeout(timer));

  function save(item, response, active_s) {
    storage.set(`draft/${item.id}`, { response, active_s });
    const empty = Object.keys(response).length === 0;
    if (empty && !waiting && !item.draft) return;
    waiting = { item: item.id, lease: item.lease, response, active_s };
    clearTimeout(timer);
    timer = setTimeout(() => flush(), QUIET_MS);
  }

  // Only this browser is told; the seconds go on counting without traffic.
  const tick = (item, response, active_s) => storage.set(`draft/${item.id}`, { response, active_s });

  function flush(options) {
    clearTimeout(timer);
    if (!waiting) return;
    const draft = waiting;
    waiting = null;
    send(draft, options).then(onsent, ontrouble);
  }

  // The draft to go on with: active seconds only ever grow, so the copy with more of them is the newer one.
  function best(item) {
    const local = storage.get(`draft/${item.id}`);
    const remote = item.draft;
    // Returned with a remark: go on from what was given.
    const earlier = item.remark ? (item.answer?.response ?? {}) : {};
    if (!local || !remote) return local ?? remote ?? { response: earlier, active_s: 0 };
    return remote.active_s > local.active_s ? remote : local;
  }

  // A correction in the making, with its item, so that a reload finds it without the server.
  const keepFix = (item, response, active_s) =>
    storage.set(`fix/${item.id}`, { item, response, active_s, at: Date.now() });
  const unfinished = () =>
    storage
      .list("fix/")
      .map(([, fix]) => fix)
      .sort((a, b) => b.at - a.at)[0] ?? null;

  function drop(id) {
    storage.remove(`draft/${id}`);
    storage.remove(`fix/${id}`);
    if (waiting?.item === id) waiting = null;
  }

  return { save, tick, flush, best, drop, keepFix, dropFix: (id) => storage.remove(`fix/${id}`), unfinished };
}
