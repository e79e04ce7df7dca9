// What comes from the server and from other tabs: receipts, troubles, answers given elsewhere.

import { tr } from "../shared/texts.js";

export function createNews(desk) {
  let trouble = null;
  let savedAt = null;

  function ontrouble(report) {
    if (desk.signal.aborted) return;
    trouble = report;
    desk.work.letGo();
    desk.refresh();
  }

  function fine() {
    if (!trouble) return;
    trouble = null;
    desk.queue.refill();
    desk.outbox.flush();
    desk.refresh();
  }

  function onforeign(entry) {
    desk.history.note(entry.item, entry.label, entry);
    desk.queue.drop(entry.item);
    const now = desk.work.now();
    if (now?.mode === "new" && now.item.id === entry.item) {
      const label = entry.label;
      desk.remark = tr("You have answered {label} in another window; here is the next one.", { label });
      desk.work.next();
    }
    desk.refresh();
  }

  function onresults(reply, settled) {
    fine();
    settled.forEach(tell);
    desk.queue.learn(reply.progress);
    if (reply.results?.some((result) => result.status !== "refused")) savedAt = new Date();
    // What was held back for these answers is free now: it is fetched while a practice answer is read about.
    if (!desk.work.now() || !desk.queue.head()) desk.queue.refill({ force: true });
    desk.refresh();
  }

  function tell({ entry, result }) {
    const held = desk.work.heldFor(entry.uid);
    const goOn = () => held && desk.work.heldFor(entry.uid) && desk.work.next();
    if (!result.feedback) return goOn();
    const again = held && !result.feedback.right ? () => desk.work.tryAgain(entry.item) : null;
    const drawn = held && desk.work.showExpected(result.feedback.expected);
    desk.feedback.show(entry.label, result.feedback, { drawn, done: goOn, again });
  }

  return {
    ofOutbox: { ontrouble, onresults, onforeign, oncounted: () => desk.queue.recount() },
    ofQueue: { ontrouble, onitems: () => (fine(), desk.work.arrived(), desk.welcome()) },
    ofDrafts: { ontrouble, onsent: fine },
    trouble: () => trouble,
    savedAt: () => savedAt,
  };
}
