// What did not load because the server was away is loaded again by itself once the server is back. What the server
// has no more, or what the browser cannot show, waits for the person.

const AGAIN_MS = 2000;

export function createRescue(retry, signal) {
  let asked = null; // {url, lost}: lost when the connection was the reason
  let timer = null;
  const tried = new Set(); // addresses that were tried again although nothing seemed to be wrong

  window.addEventListener("online", () => asked && look(), { signal });
  signal.addEventListener("abort", stop);

  async function look() {
    clearTimeout(timer);
    const now = asked;
    const state = await reach(now.url);
    if (asked !== now) return;
    if (state === "away") {
      now.lost = true;
      timer = setTimeout(look, AGAIN_MS);
    } else if (state === "there" && (now.lost || !tried.has(now.url))) {
      if (!now.lost) tried.add(now.url);
      stop();
      retry();
    }
  }

  function stop() {
    clearTimeout(timer);
    asked = null;
  }

  return {
    start(url, lost) {
      stop();
      if (!url) return;
      asked = { url, lost };
      timer = setTimeout(look, lost ? AGAIN_MS / 4 : 0);
    },
    stop,
  };
}

async function reach(url) {
  try {
    const reply = await fetch(url, { headers: { Range: "bytes=0-0" }, cache: "no-store", credentials: "same-origin" });
    reply.body?.cancel();
    if (reply.ok) return "there";
    return reply.status >= 500 ? "away" : "gone";
  } catch {
    return "away";
  }
}
