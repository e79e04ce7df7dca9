// Tags on their way to the server: what was given last for each answer is sent until it is taken.

const PAUSE_MS = 350;
const AGAIN_MS = 2500;

/** `state` is the element that says whether everything is saved; `sent` is told what the server replied. */
export function createTagOutbox({ send, sent, state, signal }) {
  const waiting = new Map(); // prediction id -> {uid, prediction, classes, note, task, active_s}
  let timer = 0;
  let busy = false;

  function put(id, one) {
    waiting.set(id, one);
    state.textContent = "…";
    later(PAUSE_MS);
  }

  function later(wait) {
    clearTimeout(timer);
    timer = setTimeout(flush, wait);
  }

  async function flush(options) {
    if (busy || !waiting.size) return;
    busy = true;
    const [[id, one]] = waiting;
    try {
      const reply = await send(one, options);
      if (waiting.get(id) === one) waiting.delete(id);
      sent(id, reply, waiting.has(id));
      state.classList.remove("waiting");
      state.textContent = waiting.size ? "…" : "Saved";
    } catch (trouble) {
      if (trouble.kind === "refused" && waiting.get(id) === one) waiting.delete(id);
      state.classList.add("waiting");
      state.textContent = trouble.kind === "refused" ? trouble.message : `Not saved yet: ${trouble.message}`;
    }
    busy = false;
    if (waiting.size) later(state.classList.contains("waiting") ? AGAIN_MS : 0);
  }

  const leave = () => flush({ keepalive: true });
  window.addEventListener("pagehide", leave, { signal });

  return { put, get: (id) => waiting.get(id), isWaiting: () => waiting.size > 0, stop: leave };
}
