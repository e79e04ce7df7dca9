// What happens by itself while the desk is open: drafts, looking for work, and leaving the page.

const TICK_MS = 1000;
const LOOK_MS = 15000;
const PROBE_MS = 5000;

export function createPulse(desk) {
  const { signal, storage } = desk;
  let lookedAt = Date.now();
  const timer = setInterval(tick, TICK_MS);
  const mayBeLost = () => desk.outbox.size() && !storage.durable();

  document.addEventListener("visibilitychange", () => document.hidden && keepDraft(), { signal });
  window.addEventListener("pagehide", leavePage, { signal });
  window.addEventListener("online", probe, { signal });
  window.addEventListener("beforeunload", (event) => mayBeLost() && event.preventDefault(), { signal });
  window.addEventListener("pageshow", (event) => event.persisted && desk.reopen(), { signal });

  function tick() {
    desk.work.saveDraft({ quietly: true });
    const pause = desk.work.now() ? ((desk.task.lease_s ?? 900) * 1000) / 3 : LOOK_MS;
    const due = Date.now() - lookedAt > pause;
    if (due && !document.hidden) probe(); // also tells the server which items are still held here
    if (desk.news.trouble() && !desk.outbox.size() && Date.now() - lookedAt > PROBE_MS) probe();
    desk.refresh();
  }

  function probe() {
    lookedAt = Date.now();
    desk.queue.refill({ force: true });
  }

  function keepDraft() {
    desk.work.saveDraft();
    desk.drafts.flush({ keepalive: true });
  }

  function leavePage() {
    keepDraft();
    desk.outbox.farewell();
    desk.queue.letGo((id) => storage.get(`draft/${id}`) !== null);
  }

  return { leavePage, stop: () => clearInterval(timer) };
}
