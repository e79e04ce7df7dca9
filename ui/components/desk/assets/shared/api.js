// Talks to the server. Whatever goes wrong becomes a Trouble with a kind that the desk can act on:
// "offline" (try again), "signed-out" (sign in again), "refused" (the words say why).

import { uid } from "./ids.js";
import { tr } from "./texts.js";

export class Trouble extends Error {
  constructor(kind, words, status = 0) {
    super(words);
    this.kind = kind;
    this.status = status;
  }
}

const PATIENCE_MS = 15000;

// Asks below an address, in a person's name.
export function createCaller(root, person, more = {}) {
  const headers = { "X-Rushes": "1", "X-Rushes-Person": encodeURIComponent(person), ...more };

  return async function call(path, body = null, { keepalive = false } = {}) {
    let reply;
    try {
      reply = await fetch(root + path, {
        method: body ? "POST" : "GET",
        headers: body ? { ...headers, "Content-Type": "application/json" } : headers,
        body: body && JSON.stringify(body),
        credentials: "same-origin",
        cache: "no-store",
        keepalive,
        signal: AbortSignal.timeout?.(PATIENCE_MS),
      });
    } catch {
      throw new Trouble("offline", tr("The server cannot be reached."));
    }
    const content = await reply.json().catch(() => null);
    if (reply.ok && content !== null) return content;
    throw trouble(reply.status, content?.error);
  };
}

export function createApi({ base, task, person, language = "en" }) {
  const here = uid(); // this window: closing it gives back only what no other window of the person holds
  const root = `${base}/tasks/${encodeURIComponent(task)}`;
  const call = createCaller(root, person, { "X-Rushes-Window": here, "X-Rushes-Language": language });

  return {
    open: () => call(""),
    item: (id) => call(`/items/${encodeURIComponent(id)}`),
    lease: (have) => call("/lease", { have, window: here }),
    answers: (answers, options) => call("/answers", { answers }, options),
    draft: (draft, options) => call("/draft", draft, options),
    release(items) {
      const body = new Blob([JSON.stringify({ items, window: here })], { type: "application/json" });
      navigator.sendBeacon?.(`${root}/release`, body);
    },
  };
}

function trouble(status, words) {
  if (status === 401) return new Trouble("signed-out", words || tr("Your session has ended."), status);
  const passing = status >= 500 || status === 408 || status === 429 || (status >= 200 && status < 300);
  if (passing) return new Trouble("offline", words || tr("The server answered {status}.", { status }), status);
  return new Trouble("refused", words || tr("The server refused this ({status}).", { status }), status);
}
