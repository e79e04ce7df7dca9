// The room of failures: a list, one card of it open, and everything that moves by keys.

import { createCaller } from "../shared/api.js";
import { createDialogs } from "../shared/dialogs.js";
import { el } from "../shared/dom.js";
import { createCard } from "./card.js";
import { NOTHING, createFilters } from "./filters.js";
import { createList } from "./list.js";
import { SIZE, createPages } from "./pages.js";
import { createBeside } from "./runs.js";
import { createStanding } from "./standing.js";
import { createTags } from "./tags.js";
import { createView } from "./view.js";
import { createWindows } from "./windows.js";
import { createKeys } from "../shared/keys.js";
import { createStorage } from "../shared/storage.js";

export function createRoom(root, data) {
  const life = new AbortController();
  const call = createCaller(data.base, data.person);
  const kept = createStorage([data.workspace ?? "", data.person, "failures"]);
  const keys = createKeys(root, life.signal);
  const dialogs = createDialogs(root, keys);
  const windows = createWindows(dialogs);
  const runs = new Map();
  let facts = null;
  let at = 0;
  let compare = kept.get("compare") ?? [];
  let moving = 0; // the newest move wins

  const pages = createPages((asked) => call("/page", asked));
  const filters = createFilters({ changed: (filter) => (kept.set("filter", filter), open(filter)) });
  const list = createList({ choose: go, turn });
  const view = createView({ call, onkeys: bind, signal: life.signal });
  const beside = createBeside({ unpick: pick });
  const card = createCard({ whole, pick, seekQuestion, fixKey });
  const standing = createStanding({ onpick: () => windows.chooseRuns([...runs.values()], compare, besideThese) });
  const tags = createTags({ send: (one, options) => call("/tag", one, options), said, sent, signal: life.signal });
  const centre = el("section", { class: "centre" }, view.element, beside.element, tags.element);
  const work = el("div", { class: "room" }, list.element, centre, card.element);
  root.append(el("div", { class: "top-lines" }, filters.element, standing.element), work);

  // What the filters offer and the first page come at once; neither waits for the other.
  async function begin() {
    const asked = data.filter && Object.keys(data.filter).length ? data.filter : kept.get("filter");
    filters.set(asked ?? NOTHING);
    pages.compare(compare);
    try {
      [facts] = await Promise.all([call(""), pages.open(filters.get())]);
    } catch (trouble) {
      if (trouble.kind !== "refused" || !asked) return say(trouble.message, true);
      filters.set(NOTHING); // what was kept or named is no filter any more
      try {
        [facts] = await Promise.all([call(""), pages.open(NOTHING)]);
      } catch (still) {
        return say(still.message, true);
      }
    }
    for (const run of facts.runs) runs.set(run.id, run);
    compare = compare.filter((one) => runs.has(one));
    tags.is(facts.person);
    standing.know(facts.standing);
    know(facts);
    filters.know(facts);
    await go(0);
  }

  // Into which task tags go, and its classes.
  function know(found) {
    const own = found.tagging.find((task) => task.name === found.own_task);
    const chosen = found.tagging.find((task) => task.id === kept.get("task")) ?? own;
    const classes = chosen?.classes ?? found.usual;
    tags.know(classes, chosen?.id ?? null);
    filters.knowClasses(classes);
    standing.tasks(found.tagging, found.own_task, chosen?.id ?? null, (id) => (kept.set("task", id), know(found)));
  }

  async function open(filter) {
    const own = (moving += 1);
    at = 0;
    list.forget();
    try {
      await pages.open(filter);
    } catch (trouble) {
      return own === moving && say(trouble.message, true);
    }
    if (own === moving) await go(0);
  }

  async function go(place) {
    const total = pages.facts().total;
    if (!total) return nothing();
    const own = (moving += 1);
    const next = Math.max(0, Math.min(place, total - 1));
    if (!pages.card(next)) {
      try {
        await pages.want(next);
      } catch (trouble) {
        return own === moving && say(trouble.message, false);
      }
      if (own !== moving) return;
    }
    at = next;
    draw();
    pages
      .ahead(at)
      .then((first) => first && view.ahead([first.id]))
      .catch(() => {}); // asked for again when it is gone to
  }

  function turn(by) {
    return go(Math.floor(at / SIZE) * SIZE + by * SIZE);
  }

  function draw() {
    const open = pages.card(at);
    if (!open) return;
    root.dataset.card = open.id;
    root.dataset.place = at;
    list.draw({ ...pages.pageOf(at), total: pages.facts().total, at, runs });
    standing.draw(pages.facts(), runs.get(open.run));
    card.draw(open, { runs, compare, ...pages.of(open) });
    beside.draw(open, runs, compare);
    tags.draw(open);
    view.show(
      open.id,
      [1, 2, 3, -1].map((step) => pages.card(at + step)?.id).filter(Boolean),
      () => (root.dataset.shown = open.id),
    );
    bind();
  }

  function nothing() {
    delete root.dataset.card;
    list.draw({ first: 0, cards: [], total: 0, at: -1, runs });
    standing.draw(pages.facts(), null);
    say(
      facts.runs.length
        ? "No prediction is left under these filters."
        : "There are no predictions yet. Import some, or let a model answer the questions.",
      false,
    );
    root.dataset.shown = "none";
  }

  function say(words, lost) {
    view.note(words);
    card.clear(lost ? "" : words);
    beside.element.hidden = true;
    tags.element.hidden = true;
    bind();
  }

  function bind() {
    const open = facts && pages.facts() && pages.card(at);
    tags.element.hidden = !open;
    const step = (key, words, by, also) => ({ key, words, group: "Cards", repeat: true, also, run: () => go(at + by) });
    const base = [
      { key: "F", words: "Search", group: "Filter", also: ["/"], run: filters.focus },
      { key: "?", words: "These keys", group: "Cards", run: () => dialogs.overlay(all) },
      { key: "Escape", words: "Close what is open", group: "Cards", run: () => filters.escape() || view.escape() },
    ];
    const ofCard = [
      step("J", "Next card", 1, ["ArrowDown"]),
      step("K", "Card before", -1, ["ArrowUp"]),
      { key: "PageDown", words: "Next page", group: "Cards", also: ["N"], repeat: true, run: () => turn(1) },
      { key: "PageUp", words: "Page before", group: "Cards", also: ["B"], repeat: true, run: () => turn(-1) },
      ...tags.bindings(),
      { key: "R", words: "Whole reply", group: "Card", run: card.more },
      { key: "V", words: "The whole clip, or what the model saw", group: "Card", run: view.toggle },
      {
        key: "C",
        words: "Choose runs to compare",
        group: "Card",
        run: () => windows.chooseRuns([...runs.values()], compare, besideThese),
      },
      { key: "Q", words: "The question: how it came about, all answers to it", group: "Card", run: seekQuestion },
      { key: "E", words: "Fix the key", group: "Card", run: fixKey },
      { key: "A", words: "Make a task of what is listed", group: "Filter", run: tagThese },
      ...view.bindings().map((one) => ({ ...one, yields: true })),
    ];
    const all = open ? [...ofCard, ...base] : base;
    keys.base(all);
  }

  async function whole(id) {
    try {
      return (await call(`/replies/${id}`)).reply;
    } catch {
      return null;
    }
  }

  function pick(run) {
    return besideThese(compare.includes(run) ? compare.filter((one) => one !== run) : [...compare, run]);
  }

  async function besideThese(chosen) {
    compare = chosen;
    kept.set("compare", compare);
    await again();
  }

  async function again() {
    try {
      await pages.again(at, compare);
    } catch (trouble) {
      return standing.say(trouble.message);
    }
    list.forget();
    draw();
  }

  // A tag shows before it is stored.
  function said(open, tag) {
    const others = open.tags.filter((one) => !(one.person === tag.person && one.task === tag.task));
    open.tags = tag.classes.length ? [...others, tag] : others;
    list.forget();
    list.draw({ ...pages.pageOf(at), total: pages.facts().total, at, runs });
  }

  function sent(id, reply, more) {
    const open = pages.facts()?.cards.find((one) => one?.id === id);
    if (open && !more) open.tags = reply.tags;
    know(reply);
    if (open && open === pages.card(at)) tags.draw(open);
  }

  async function seekQuestion() {
    const open = pages.card(at);
    try {
      const found = await call(`/questions/${open.question.id}`);
      windows.history(found, {
        only: () => filters.set({ ...NOTHING, outcome: "all", question: open.question.uid }, true),
      });
    } catch (trouble) {
      standing.say(trouble.message);
    }
  }

  function fixKey() {
    const open = pages.card(at);
    windows.fixKey(open, async (key, reason) => {
      const { id, newest } = open.question;
      const reply = await call("/key", { question: id, revision: newest, key, reason });
      standing.moved(reply.words, reply.standing, runs);
      await again();
    });
  }

  function tagThese() {
    windows.tagThese(pages.facts().total, async (given) => {
      const { filter, listing } = pages.facts();
      const made = await call("/task", { filter, listing, ...given });
      know(made);
      standing.say(`A task of ${made.items.toLocaleString("en")} items is made.`, `/tasks?task=${made.task}`);
    });
  }

  begin();

  return {
    stop() {
      tags.stop();
      life.abort();
      filters.stop();
      dialogs.drop();
      view.stop();
    },
  };
}
