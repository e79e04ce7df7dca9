// Plain words about what is not as it should be: the connection, the session, refused answers, storage.

import { el, press } from "../shared/dom.js";
import { count } from "../shared/words.js";

export function createNotices({ dismiss, reopen }) {
  const element = el("div", { class: "notices", role: "status", "aria-live": "polite" });
  let drawn = "";

  function draw({ trouble, waiting, refused, durable, remark }) {
    const state = JSON.stringify([trouble?.kind, trouble?.message, waiting, refused.map((one) => one.uid), durable, remark]);
    if (state === drawn) return;
    drawn = state;
    element.replaceChildren(
      ...[
        trouble && el("p", { class: `notice ${trouble.kind}` }, connection(trouble, waiting)),
        !durable && el("p", { class: "notice" }, "This browser does not keep data for this page. Leave the tab open until everything is saved."),
        ...refused.map(refusal),
        remark && el("p", { class: "notice remark" }, remark),
      ].filter(Boolean),
    );
  }

  const refusal = (one) =>
    el(
      "p",
      { class: "notice refused" },
      el("span", {}, `The server did not take your answer to ${one.label}: ${one.reason} `, given(one)),
      press("Open the item", () => reopen(one), { kind: "quiet" }),
      press("Put aside", () => dismiss(one.uid), { kind: "quiet" }),
    );

  return { element, draw };
}

const given = (one) => `Your answer was: ${one.skip ? `skipped, ${one.skip}` : one.words || JSON.stringify(one.response)}.`;

function connection(trouble, waiting) {
  const kept = `${count(waiting, "answer is", "answers are")} kept on this computer`;
  if (trouble.kind === "offline") {
    return waiting ? `Offline. ${kept} and will be sent.` : "Offline. You can go on with what is loaded; answers will be kept and sent.";
  }
  if (trouble.kind === "signed-out") {
    return `Your session has ended: open your invite link again; your answers are kept${waiting ? ` (${waiting} to send)` : ""}.`;
  }
  return `${trouble.message}${waiting ? ` ${kept}.` : ""}`;
}
