// One person's desk for one task: opens it, wires its parts, and keeps what is on screen true.

import { createApi, Trouble } from "../shared/api.js";
import { createClock, listen } from "./clock.js";
import { createDialogs } from "../shared/dialogs.js";
import { createDrafts } from "./drafts.js";
import { createFeedback } from "./feedback.js";
import { createHistory } from "./history.js";
import { keepInSight } from "./house.js";
import { createKeys } from "../shared/keys.js";
import { createLayout } from "./layout.js";
import { createNotices } from "./notices.js";
import { createOutbox } from "./outbox.js";
import { createPanel } from "./panel.js";
import { createPreferences } from "../shared/preferences.js";
import { createPrefetch } from "../shared/prefetch.js";
import { createQueue } from "./queue.js";
import * as screens from "./screens.js";
import { createStage } from "../shared/stage/stage.js";
import { createStorage } from "../shared/storage.js";
import { createStrip } from "./strip.js";
import { createTop } from "./top.js";
import { createWork } from "./work.js";

const AGAIN_MS = 3000;
const TICK_MS = 1000;
const LOOK_MS = 15000;
const PROBE_MS = 5000;

export function createDesk(root, data) {
  const life = new AbortController();
  const api = createApi(data);
  const storage = createStorage([data.workspace, data.person, data.task].filter((part) => part !== undefined));
  let session = null;

  async function open() {
    session?.end();
    session = null;
    root.dataset.state = "opening";
    root.replaceChildren(screens.opening());
    try {
      const info = await api.open();
      if (!life.signal.aborted) session = createSession(root, data, { api, storage, info, reopen: open });
    } catch (trouble) {
      if (!life.signal.aborted) closed(trouble);
    }
  }

  // The server cannot be reached or does not want us: say so, count what is kept, and go on trying.
  function closed(trouble) {
    if (!(trouble instanceof Trouble)) console.error(trouble);
    const kept = storage.list("out/").length;
    const keptWords = kept ? ` ${kept} of your answers are kept on this computer and will be sent.` : "";
    const words = {
      offline: `The server cannot be reached. This page goes on trying.${keptWords}`,
      "signed-out": `Your session has ended: open your invite link again; your answers are kept.${keptWords}`,
    };
    root.dataset.state = "closed";
    root.replaceChildren(screens.problem(words[trouble.kind] ?? trouble.message, open));
    const timer = setTimeout(open, AGAIN_MS * (trouble.kind === "offline" ? 1 : 5));
    life.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  }

  keepInSight(life.signal);
  open();
  return {
    stop() {
      life.abort();
      session?.end();
    },
  };
}

function createSession(root, data, { api, storage, info, reopen }) {
  const life = new AbortController();
  const { signal } = life;
  const { task } = info;
  let trouble = null;
  let savedAt = null;
  let remark = "";
  let lookedAt = Date.now();

  const clock = createClock(task.idle_s ?? 60);
  const keys = createKeys(root, signal);
  const prefetch = createPrefetch();
  const dialogs = createDialogs(root, keys);
  const outbox = createOutbox({ storage, send: api.answers, onchange: refresh, ontrouble, onresults, onforeign, signal });
  const history = createHistory(info.mine ?? [], outbox.pending());
  const queue = createQueue({ lease: api.lease, release: api.release, pending: outbox.pending, onitems: () => (fine(), work.arrived()), ontrouble, signal });
  const drafts = createDrafts({ storage, send: api.draft, onsent: fine, ontrouble, signal });
  const stage = createStage({ prefetch, preferences: createPreferences(), onready: () => work.ready(), onbusy: () => clock.touch(), onkeys: () => work.bind(), onretry: () => work.again(), signal });
  const panel = createPanel({ submit: () => work.submit(), back: () => work.back(), leave: () => work.leave(), skip, changed: () => work.saveDraft(), onkeys: () => work.bind() });
  const feedback = createFeedback(panel.element, keys);
  const top = createTop({ instructions, overlay });
  const strip = createStrip((position) => work.open(position));
  const notices = createNotices({ dismiss: outbox.dismiss, reopen: openRefused });
  const area = createLayout(root, { top: top.element, notices: notices.element, stage: stage.element, panel: panel.element, strip: strip.element });
  const common = deskBindings({ submit: () => work.submit(), back: () => work.back(), escape: () => work.escape(), retry: () => stage.retry(), skip, instructions, overlay });
  const work = createWork({ task, root, stage, panel, area, queue, outbox, drafts, history, clock, api, keys, common, refresh, onbound, ontrouble, offline: () => trouble?.kind === "offline", ending });

  listen(clock, signal);
  const timer = setInterval(tick, TICK_MS);
  document.addEventListener("visibilitychange", () => document.hidden && keepDraft(), { signal });
  window.addEventListener("pagehide", leavePage, { signal });
  window.addEventListener("online", probe, { signal });
  window.addEventListener("beforeunload", (event) => outbox.size() && !storage.durable() && event.preventDefault(), { signal });
  window.addEventListener("pageshow", (event) => event.persisted && reopen(), { signal });
  queue.start(info.items, info.progress);
  work.start();
  queue.refill();
  outbox.flush();
  welcome();

  function skip() {
    if (work.now() && !work.now().held) dialogs.skip(task.skip_reasons ?? [], (reason) => work.skip(reason));
  }

  function instructions() {
    dialogs.instructions(task.instructions);
  }

  // On a person's first visit the instructions open by themselves, until they have been closed once.
  function welcome() {
    if (!task.instructions || info.mine?.length || storage.get("instructions-read")) return;
    dialogs.instructions(task.instructions, { first: true, onclose: () => storage.set("instructions-read", true) });
  }

  function onbound(table) {
    top.instructionsKey(common.includes(table.get("I")) ? "I" : "H");
  }

  function overlay() {
    const now = work.now();
    dialogs.overlay([...(now ? [...now.form.bindings(), ...stage.bindings()] : []), ...common]);
  }

  function openRefused(entry) {
    const position = history.position(entry.item);
    if (position >= 0) work.open(position);
  }

  function onforeign(entry) {
    history.note(entry.item, entry.label, entry);
    queue.drop(entry.item);
    const now = work.now();
    if (now?.mode === "new" && now.item.id === entry.item) {
      remark = `You have answered ${entry.label} in another window; here is the next one.`;
      work.next();
    }
    refresh();
  }

  function onresults(reply, settled) {
    fine();
    settled.forEach(tell);
    queue.learn(reply.progress);
    if (reply.results?.some((one) => one.status !== "refused")) savedAt = new Date();
    if (!work.now()) queue.refill({ force: true }); // what was held back for these answers is free now
    refresh();
  }

  function tell({ entry, result }) {
    const held = work.heldFor(entry.uid);
    const goOn = () => held && work.heldFor(entry.uid) && work.next();
    if (result.feedback) feedback.show(entry.label, result.feedback, goOn);
    else goOn();
  }

  function ontrouble(news) {
    if (signal.aborted) return;
    trouble = news;
    work.letGo();
    refresh();
  }

  function fine() {
    if (!trouble) return;
    trouble = null;
    queue.refill();
    outbox.flush();
    refresh();
  }

  // Counted here until the server has counted it: answers on the way, and the seconds of the item on screen.
  function progress() {
    const told = queue.progress();
    const waiting = outbox.pending().filter((entry) => entry.fresh).length;
    return { ...told, done: told.done + waiting };
  }

  function extraSeconds() {
    const waiting = outbox.pending().reduce((sum, entry) => sum + (entry.active_s ?? 0), 0);
    return waiting + (work.now() ? clock.seconds() : 0);
  }

  function ending() {
    return { progress: progress(), active_s: queue.progress().active_s + extraSeconds(), waiting: outbox.size(), answered: history.entries().length };
  }

  function refresh() {
    if (signal.aborted) return;
    const now = work.now();
    const { rate, currency, pay } = task;
    const waiting = outbox.size();
    root.dataset.pending = waiting;
    root.dataset.loaded = queue.size();
    const mode = [task.preview && "Preview: nothing is stored", now?.item.practice && "Practice"].filter(Boolean).join(" · ");
    top.draw({ title: now?.item.label ?? task.name, words: mode, progress: progress(), extra_s: extraSeconds(), rate, currency, pay, waiting, savedAt });
    strip.draw(history.entries(), now?.position ?? null);
    panel.canGoBack(history.entries().length > 0);
    notices.draw({ trouble, waiting, refused: outbox.refused(), durable: storage.durable(), remark });
    work.drawRest();
  }

  function tick() {
    work.saveDraft({ quietly: true });
    const due = Date.now() - lookedAt > (work.now() ? ((task.lease_s ?? 900) * 1000) / 3 : LOOK_MS);
    if (due && !document.hidden) probe(); // also tells the server which items are still held here
    if (trouble && !outbox.size() && Date.now() - lookedAt > PROBE_MS) probe();
    refresh();
  }

  function probe() {
    lookedAt = Date.now();
    queue.refill({ force: true });
  }

  function keepDraft() {
    work.saveDraft();
    drafts.flush({ keepalive: true });
  }

  function leavePage() {
    keepDraft();
    outbox.farewell();
    queue.letGo((id) => storage.get(`draft/${id}`) !== null);
  }

  return {
    end() {
      leavePage();
      clearInterval(timer);
      dialogs.drop();
      feedback.drop();
      stage.stop();
      life.abort();
      root.replaceChildren();
    },
  };
}

function deskBindings(act) {
  const bind = (key, words, run, also = []) => ({ key, words, run, also, group: "Desk" });
  return [
    { ...bind("Enter", "Submit, or go to what is still open", act.submit), yields: true },
    bind("U", "Back to the answer before, to correct it", act.back, ["Backspace"]),
    bind("S", "Skip with a reason", act.skip),
    bind("Escape", "Close the enlarged frame; leave a correction", act.escape),
    { ...bind("I", "Instructions", act.instructions, ["H"]), yields: true },
    bind("T", "Try again to load what did not load", act.retry),
    bind("?", "All keys", act.overlay),
  ];
}
