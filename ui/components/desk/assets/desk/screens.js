// What fills the desk when there is no item on it: opening, a problem, nothing to do for now, all done.

import { cap, el, press } from "../shared/dom.js";
import { count, minutes } from "../shared/words.js";

export function opening() {
  return screen("opening", "Opening the desk…");
}

export function problem(words, again) {
  return screen("problem", words, press("Try again", again, { kind: "solid" }));
}

export function fetching(offline) {
  return screen("fetching", offline ? "Nothing more is loaded. Work goes on by itself when the connection is back." : "Fetching the next items…");
}

// `complete` is true when the task itself has all its answers, not merely this person.
export function finished({ progress, active_s, waiting, answered, lookAgain }) {
  const complete = progress.complete ?? progress.done >= progress.total;
  const counts = `${count(progress.done, "answer")}, ${minutes(active_s)}`;
  const sending = waiting
    ? el("p", { class: "sending" }, `${count(waiting, "answer is", "answers are")} still on the way. Keep this page open until it says saved.`)
    : null;
  const correct = answered ? el("p", {}, "To look at an answer again, press ", cap("U", "U"), " or a number below.") : null;
  if (complete) {
    return screen(
      "complete",
      `All done: ${counts}`,
      el("p", {}, "Thank you. Your answers are stored; the authors compare them with those of others and come back to you if something is open. You may close this page."),
      sending,
      correct,
    );
  }
  return screen(
    "idle",
    "Nothing to do right now: others are working on what is left.",
    el("p", {}, `You have given ${counts}. This page looks again by itself and goes on when something is free for you.`),
    sending,
    correct,
    press("Look again now", lookAgain, { kind: "solid" }),
  );
}

const screen = (name, heading, ...rest) =>
  el("div", { class: `screen ${name}`, "data-screen": name }, el("h2", {}, heading), ...rest);
