// Keeps every answer until the server has acknowledged it. An answer is written to the browser's storage, one key
// each, before the screen changes; it is sent in order, again and again, under the same uid, which the server
// stores once. Tabs of one person write different keys; an answer whose tab is gone is sent by any other.

import { createDelivery } from "./delivery.js";
import { createKeptAnswers } from "./kept_answers.js";

export function createOutbox({ storage, send, onchange, ontrouble, onresults, onforeign, oncounted, signal }) {
  const answers = createKeptAnswers(storage);
  const delivery = createDelivery(answers, { send, ontrouble, onresults });
  let sending = false;
  let timer = null;

  storage.watch("out/", (_, entry) => onforeign(entry), signal, oncounted);
  window.addEventListener("online", () => flush(), { signal });
  document.addEventListener("visibilitychange", () => document.hidden || flush(), { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));

  async function flush() {
    if (sending || signal.aborted) return;
    clearTimeout(timer);
    answers.adopt();
    if (!answers.size()) return;
    sending = true;
    let again = null;
    try {
      again = await delivery.deliver();
    } finally {
      sending = false;
      onchange();
    }
    if (again !== null && answers.size() && !signal.aborted) timer = setTimeout(flush, again);
  }

  return {
    flush,
    sending: () => sending,
    farewell: delivery.farewell,
    size: answers.size,
    pending: answers.pending,
    refused: answers.refused,
    refusedSeconds: answers.refusedSeconds,
    dismissItem: answers.dismissItem,
    answerTo: answers.answerTo,
    put(answer) {
      const kept = answers.put(answer);
      onchange();
      return kept;
    },
    dismiss(uid) {
      answers.dismiss(uid);
      onchange();
    },
  };
}
