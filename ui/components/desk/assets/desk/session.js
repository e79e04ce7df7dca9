// One sitting at one task: wires the parts of the desk together and keeps what is on screen true.

import { createDialogs } from "../shared/dialogs.js";
import { createKeys } from "../shared/keys.js";
import { createPreferences } from "../shared/preferences.js";
import { createPrefetch } from "../shared/prefetch.js";
import { createStage } from "../shared/stage/stage.js";
import { tr } from "../shared/texts.js";
import { deskBindings } from "./bindings.js";
import { createClock, listen } from "./clock.js";
import { createDrafts } from "./drafts.js";
import { earned } from "./earnings.js";
import { createFeedback } from "./feedback.js";
import { createHistory } from "./history.js";
import { createLayout } from "./layout.js";
import { createNews } from "./news.js";
import { createNotices } from "./notices.js";
import { createOutbox } from "./outbox/outbox.js";
import { createPanel } from "./panel.js";
import { createPulse } from "./pulse.js";
import { createQueue } from "./queue.js";
import { createStrip } from "./strip.js";
import { createTop } from "./top.js";
import { createWork } from "./work/work.js";

export function createSession(root, data, { api, storage, info, reopen }) {
  const life = new AbortController();
  const { signal } = life;
  const { task } = info;
  const desk = { root, data, task, info, api, storage, reopen, signal, refresh, remark: "" };

  desk.clock = createClock(task.idle_s ?? 60);
  desk.keys = createKeys(root, signal);
  desk.dialogs = createDialogs(root, desk.keys);
  desk.news = createNews(desk);
  desk.outbox = createOutbox({ storage, send: api.answers, signal, onchange: refresh, ...desk.news.ofOutbox });
  desk.history = createHistory(info.mine ?? [], desk.outbox.pending());
  desk.queue = createQueue({ api, outbox: desk.outbox, signal, ...desk.news.ofQueue });
  desk.drafts = createDrafts({ storage, send: api.draft, signal, ...desk.news.ofDrafts });
  desk.stage = stageOf(desk);
  desk.panel = panelOf(desk);
  desk.feedback = createFeedback(desk.panel.element, desk.keys);
  const bindings = deskBindings(desk);
  desk.common = bindings.all;
  desk.welcome = bindings.welcome;
  const top = createTop(bindings);
  desk.top = top;
  const strip = createStrip((position) => desk.work.open(position));
  const notices = createNotices({ dismiss: desk.outbox.dismiss, reopen: (entry) => desk.work.openItem(entry.item) });
  const [stage, panel] = [desk.stage.element, desk.panel.element];
  desk.area = createLayout(root, {
    top: top.element,
    notices: notices.element,
    stage,
    panel,
    strip: strip.element,
  });
  desk.ending = ending;
  desk.work = createWork(desk);
  const pulse = createPulse(desk);

  listen(desk.clock, signal);
  desk.queue.start(info.items, info.progress, info.idle);
  desk.work.start();
  desk.queue.refill();
  desk.outbox.flush();
  bindings.welcome();

  // The clock of a held item stands in its answer already.
  function clock_s() {
    const now = desk.work.now();
    return now && !now.held ? desk.clock.seconds() : 0;
  }

  function progress() {
    const refused = desk.outbox.refused().filter((entry) => entry.item !== desk.work.now()?.item.id);
    const counted = desk.queue.progress();
    return { ...counted, ...earned(counted, desk.outbox.pending(), refused, clock_s()) };
  }

  function ending() {
    const { pay, rate, currency } = task;
    const now = progress();
    const active_s = now.active_s + now.extra_s;
    const money = pay ? { amount: now.pay + (rate * now.extra_s) / 3600, currency } : null;
    const answered = desk.history.entries().length;
    const { recruited } = now;
    const [waiting, idle] = [desk.outbox.size(), desk.queue.idle()];
    return { progress: now, active_s, money, waiting, answered, recruited, idle };
  }

  function refresh() {
    if (signal.aborted || !desk.work) return;
    const now = desk.work.now();
    const waiting = desk.outbox.size();
    root.dataset.pending = waiting;
    root.dataset.loaded = desk.queue.size();
    const practice = now?.item.practice && tr("Practice");
    const words = [task.preview && tr("Preview: nothing is stored"), practice].filter(Boolean).join(" · ");
    const { rate, currency, pay } = task;
    const title = now?.item.label ?? "";
    const { savedAt, trouble } = desk.news;
    top.draw({ task: task.name, title, words, progress: progress(), rate, currency, pay, waiting, savedAt: savedAt() });
    strip.draw(desk.history.entries(), now?.position ?? null);
    desk.panel.canGoBack(desk.history.entries().length > 0);
    const durable = storage.durable();
    const { remark } = desk;
    notices.draw({ trouble: trouble(), waiting, refused: desk.outbox.refused(), durable, remark });
    desk.work.drawRest();
    desk.area.keepFocus();
  }

  return {
    end() {
      pulse.leavePage();
      for (const part of [pulse, desk.stage]) part.stop();
      for (const part of [desk.dialogs, desk.feedback]) part.drop();
      life.abort();
      root.replaceChildren();
    },
  };
}

const stageOf = (desk) =>
  createStage({
    prefetch: createPrefetch(),
    preferences: createPreferences(),
    onready: () => desk.work.ready(),
    onbusy: () => desk.clock.touch(),
    onkeys: () => desk.work.bind(),
    onretry: () => desk.work.again(),
    signal: desk.signal,
  });

const panelOf = (desk) =>
  createPanel({
    submit: () => desk.work.submit(),
    back: () => desk.work.back(),
    leave: () => desk.work.leave(),
    skip: () => desk.work.askSkip(),
    changed: () => desk.work.changed(),
    onkeys: () => desk.work.bind(),
  });
