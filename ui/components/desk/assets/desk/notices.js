// Plain words about what is not as it should be: the connection, the session, refused answers, storage.

import { el, press } from "../shared/dom.js";
import { plural, tr } from "../shared/texts.js";

const NOT_KEPT = "This browser does not keep data for this page. Leave the tab open until everything is saved.";
const GO_ON = "Offline. You can go on with what is loaded; answers will be kept and sent.";
const ENDED = "Your session has ended: open your invite link again; your answers are kept.";

export function createNotices({ dismiss, reopen }) {
  const element = el("div", { class: "notices", role: "status", "aria-live": "polite" });
  let drawn = "";

  function draw({ trouble, waiting, refused, durable, remark }) {
    const ids = refused.map((entry) => entry.uid);
    const state = JSON.stringify([trouble?.kind, trouble?.message, waiting, ids, durable, remark]);
    if (state === drawn) return;
    drawn = state;
    const notices = [
      trouble && el("p", { class: `notice ${trouble.kind}` }, connection(trouble, waiting)),
      !durable && el("p", { class: "notice" }, tr(NOT_KEPT)),
      ...refused.map(refusal),
      remark && el("p", { class: "notice remark" }, remark),
    ];
    element.replaceChildren(...notices.filter(Boolean));
  }

  const refusal = (entry) =>
    el(
      "p",
      { class: "notice refused" },
      el("span", {}, tr("The server did not take your answer to {label}: {reason}", entry), " ", answerOf(entry)),
      press(tr("Open the item"), () => reopen(entry), { kind: "quiet" }),
      press(tr("Put aside"), () => dismiss(entry.uid), { kind: "quiet" }),
    );

  return { element, draw };
}

function answerOf(entry) {
  const words = entry.skip ? `${tr("skipped")}, ${entry.skip}` : entry.words || JSON.stringify(entry.response);
  return tr("Your answer was: {words}.", { words });
}

function connection(trouble, waiting) {
  const sent = "Offline. {n} answer is kept on this computer and will be sent.";
  const many = "Offline. {n} answers are kept on this computer and will be sent.";
  const kept = plural(waiting, "{n} answer is kept on this computer.", "{n} answers are kept on this computer.");
  // A server that answers is not out of reach: it says itself what is wrong.
  if (trouble.kind === "offline" && trouble.status) return waiting ? `${trouble.message} ${kept}` : trouble.message;
  if (trouble.kind === "offline") return waiting ? plural(waiting, sent, many) : tr(GO_ON);
  if (trouble.kind === "signed-out") return waiting ? `${tr(ENDED)} (${tr("{n} to send", { n: waiting })})` : tr(ENDED);
  return waiting ? `${trouble.message} ${kept}` : trouble.message;
}
