// Moving through the room: what is listed, from the wall to a card and back.

import { NOTHING } from "./filters.js";
import { createWalk, emptyWords } from "./walk.js";

const ON_WALL = { once: true, order: "telling" };

export function createMoves(room) {
  const walk = createWalk(room);
  const listed = () => (room.walled ? room.wallPages : room.pages);
  const know = (found) => knowTagging(room, found);
  const usual = () => (room.walled ? { ...NOTHING, ...ON_WALL } : NOTHING);

  // What the filters offer and the first page come at once; neither waits for the other.
  async function begin() {
    const { data, kept, filters, pages, call } = room;
    const named = data.filter && Object.keys(data.filter).length ? data.filter : null;
    const asked = named ?? kept.get("filter");
    filters.usual(usual());
    filters.set(asked ?? {});
    pages.compare(room.compare);
    const start = Number(data.at) || 0;
    const first = () => listed().open(filters.get(), null, start);
    try {
      [room.facts] = await Promise.all([call(""), first()]);
    } catch (trouble) {
      if (trouble.kind !== "refused" || !asked) return walk.say(trouble.message, true);
      filters.set({}); // what was kept or named is no filter any more
      try {
        [room.facts] = await Promise.all([call(""), first()]);
      } catch (still) {
        return walk.say(still.message, true);
      }
    }
    for (const run of room.facts.runs) room.runs.set(run.id, run);
    room.compare = room.compare.filter((one) => room.runs.has(one));
    room.tags.is(room.facts.person);
    room.standing.know(room.facts);
    know(room.facts);
    filters.know(room.facts);
    await show(start);
  }

  async function open(filter, listing = null, at = 0) {
    const newest = walk.begin();
    room.at = 0;
    room.list.forget();
    try {
      await listed().open(filter, listing, at);
    } catch (trouble) {
      return newest() && walk.say(trouble.message, true);
    }
    if (newest()) await show(at);
  }

  const show = (at) => (room.walled ? onWall(at) : walk.go(at));

  function onWall(at) {
    const { total } = room.wallPages.facts();
    room.root.dataset.view = "wall";
    [room.wallPart.hidden, room.work.hidden] = [false, true];
    room.standing.draw(room.wallPages.facts(), null, "question");
    room.wall.reset(at);
    room.wall.go(at);
    room.wall.element.dataset.empty = total ? "" : emptyWords(room);
    if (!total) room.wallBar.say(emptyWords(room));
    room.bind();
  }

  // The same list in the same order, of which one card is open.
  function toCard(at) {
    if (!room.wallPages.card(at)) return;
    room.walled = false;
    const { listing } = room.wallPages.facts();
    room.filters.usual(usual());
    room.filters.put({ once: true });
    return open(room.filters.get(), listing, at);
  }

  function toWall() {
    const filter = { ...room.filters.get(), once: true };
    const known = room.wallPages.facts();
    const same = known && JSON.stringify({ ...known.filter, once: true }) === JSON.stringify(filter);
    const at = same && room.pages.facts()?.listing === known.listing ? room.at : 0;
    room.walled = true;
    room.filters.usual(usual());
    return open(filter, same ? known.listing : null, at);
  }

  // Everything anew where one is.
  async function again() {
    if (room.walled) return open(room.filters.get(), null, room.wall.at());
    try {
      await room.pages.again(room.at, room.compare);
    } catch (trouble) {
      return room.standing.say(trouble.message);
    }
    room.list.forget();
    walk.draw();
  }

  const { go, turn, draw, drawList } = walk;
  return { begin, know, open, go, turn, draw, drawList, again, toCard, toWall };
}

// Into which task tags go, and its classes.
function knowTagging(room, found) {
  const { kept } = room;
  const own = found.tagging.find((task) => task.name === found.own_task);
  const chosen = found.tagging.find((task) => task.id === kept.get("task")) ?? own;
  const classes = chosen?.classes ?? found.usual;
  room.task = chosen?.id ?? null;
  room.tags.know(classes, room.task);
  room.filters.knowClasses(classes);
  room.wallBar.know(classes);
  room.wall.know(classes);
  const choose = (id) => (kept.set("task", id), knowTagging(room, found));
  room.standing.tasks(found.tagging, found.own_task, room.task, choose);
}
