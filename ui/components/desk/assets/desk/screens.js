// What fills the desk when there is no item on it: opening, a problem, nothing to do for now, all done.

import { cap, el, press } from "../shared/dom.js";
import { plural, tr } from "../shared/texts.js";
import { minutes, money } from "../shared/words.js";

export const opening = () => screen("opening", tr("Opening the desk…"));

export const problem = (words, again) => screen("problem", words, press(tr("Try again"), again, { kind: "solid" }));

const CUT_OFF = "Nothing more is loaded. Work goes on by itself when the connection is back.";

export const fetching = (offline) => screen("fetching", tr(offline ? CUT_OFF : "Fetching the next items…"));

// Why nothing is handed out; the server says which of these holds. `waits`: whether this page looks again by itself;
// `none`: what is said to somebody who has answered nothing here, where that is something else.
const REASONS = {
  closed: { head: "The authors have closed this task.", more: "What you answered is stored.", none: "" },
  paused: {
    head: "The authors have paused this task.",
    more: "What you answered is stored. Work goes on here when they open it again.",
    none: "Work goes on here when they open it again.",
    waits: true,
  },
  not_ready: {
    head: "The next items are not ready yet.",
    more: "What they show is still being made, or waits for other answers. Nobody waits for you.",
    waits: true,
  },
  hidden: {
    head: "This task opens once you have answered the same questions yourself.",
    more: "It shows their right answers, and another task may still ask you these questions. Answer them there first.",
    waits: true,
  },
  seen: {
    head: "Nothing is left for you here.",
    more: "You have seen the right answers of the questions that are left, so others answer them.",
  },
  aside: {
    head: "Your work here has ended.",
    more: "The authors hand you nothing more. What you answered is kept.",
  },
  failed: {
    head: "The practice was not passed.",
    more: "Fewer practice answers were right than this task needs, so no work is handed out.",
  },
  today: {
    head: "You have done as much as one person may do in a day.",
    more: "Work goes on here tomorrow.",
  },
  limit: {
    head: "You have done as much of this task as one person may.",
    more: "Your answers are stored. Thank you.",
  },
  met: {
    head: "Nothing is left for you here.",
    more: "You know the clips that are left from another task, so others answer these questions.",
  },
  others: {
    head: "Nothing to do right now: others are working on what is left.",
    more: "This page looks again by itself and goes on when something is free for you.",
    waits: true,
  },
};

export const isComplete = ({ complete, done, skipped = 0, total }) => complete ?? done + skipped >= total;

// ending: {progress, active_s, money, waiting, answered, recruited, idle: {reason, next: {id, name}} | null, lookAgain}
export function finished(ending) {
  const { progress, idle } = ending;
  const reason = REASONS[idle?.reason ?? (isComplete(progress) ? "done" : "others")];
  const home = ending.recruited ? code() : null;
  const parts = [sending(ending.waiting), home, correcting(ending.answered), goingOn(idle?.next)];
  const came = cameTo(ending);
  if (!reason) {
    const thanks = "Thank you. Your answers are stored; the authors compare them with those of others.";
    const more = "They come back to you if something is open. You may close this page.";
    return screen("complete", tr("All done: {came}", { came }), el("p", {}, `${tr(thanks)} ${tr(more)}`), ...parts);
  }
  const again = reason.waits ? press(tr("Look again now"), ending.lookAgain, { kind: "solid" }) : null;
  const words =
    progress.done + (progress.skipped ?? 0)
      ? `${tr("You have given {came}.", { came })} ${tr(reason.more)}`
      : tr(reason.none ?? reason.more);
  return screen(idle?.reason ?? "idle", tr(reason.head), el("p", {}, words), ...parts, again);
}

function cameTo({ progress, active_s, money: earned }) {
  const skipped = progress.skipped ? plural(progress.skipped, "{n} skipped", "{n} skipped") : "";
  const answers = plural(progress.done, "{n} answer", "{n} answers");
  return [answers, skipped, minutes(active_s), earned && money(earned.amount, earned.currency)]
    .filter(Boolean)
    .join(", ");
}

const STILL = [
  "{n} answer is still on the way. Keep this page open until it says saved.",
  "{n} answers are still on the way. Keep this page open until it says saved.",
];

const sending = (waiting) => (waiting ? el("p", { class: "sending" }, plural(waiting, ...STILL)) : null);

const correcting = (answered) =>
  answered
    ? el("p", {}, tr("To look at an answer again, press a number below or this key:"), " ", cap("U", "U"))
    : null;

// Who came by a survey link finds there what they take back to the site.
const code = () =>
  el(
    "p",
    { class: "to-code" },
    el("a", { class: "press solid", href: "/recruit/work", target: "_self" }, tr("How far you are, and your code")),
  );

const goingOn = (next) =>
  next
    ? el(
        "p",
        { class: "next-task" },
        el("a", { class: "press solid", href: `?task=${next.id}`, target: "_self" }, tr("Next task: {name}", next)),
      )
    : null;

const screen = (name, heading, ...rest) =>
  el("div", { class: `screen ${name}`, "data-screen": name }, el("h2", {}, heading), ...rest);
