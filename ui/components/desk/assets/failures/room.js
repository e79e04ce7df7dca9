// The room of failures: a wall of questions, one card of it open, and everything that moves by keys.

import { createCaller } from "../shared/api.js";
import { createDialogs } from "../shared/dialogs.js";
import { el } from "../shared/dom.js";
import { createKeys } from "../shared/keys.js";
import { createStorage } from "../shared/storage.js";
import { createBindings } from "./bindings.js";
import { createCard } from "./card.js";
import { createDeeds } from "./deeds.js";
import { createFilters } from "./filters.js";
import { createList } from "./list.js";
import { createMoves } from "./moves.js";
import { SIZE, createPages } from "./pages.js";
import { createBeside } from "./runs.js";
import { createStanding } from "./standing.js";
import { createTags } from "./tags.js";
import { createView } from "./view.js";
import { WALL_SIZE, createWall } from "./wall/wall.js";
import { createWallBar } from "./wall/wall_bar.js";
import { createWindows } from "./windows.js";

export function createRoom(root, data) {
  const life = new AbortController();
  const room = stateOf(root, data, life.signal);
  const moves = createMoves(room);
  const deeds = createDeeds(room, moves);
  room.bind = createBindings(room, moves, deeds);
  addParts(room, moves, deeds, life.signal);
  layOut(room);
  moves.begin();

  return {
    stop() {
      room.tags.stop();
      life.abort();
      room.filters.stop();
      room.dialogs.drop();
      room.view.stop();
    },
  };
}

// What the parts share: what was asked and found, where one is, and what they call.
function stateOf(root, data, signal) {
  const call = createCaller(data.base, data.person);
  const kept = createStorage([data.workspace ?? "", data.person, "failures"]);
  const keys = createKeys(root, signal);
  const dialogs = createDialogs(root, keys);
  return {
    root,
    data,
    call,
    kept,
    keys,
    dialogs,
    windows: createWindows(dialogs),
    runs: new Map(), // id -> run
    facts: null, // as the server gave them when the room was opened
    walled: data.view !== "cards",
    at: 0,
    compare: kept.get("compare") ?? [],
    task: null, // that tags go into; null is the authors' own
    pages: createPages((asked) => call("/page", asked), SIZE),
    wallPages: createPages((asked) => call("/wall", asked), WALL_SIZE),
  };
}

function addParts(room, moves, deeds, signal) {
  const { call, kept, runs } = room;
  room.filters = createFilters({ changed: (filter) => (kept.set("filter", filter), moves.open(filter)) });
  room.list = createList({ choose: moves.go, turn: moves.turn });
  room.view = createView({ call, onkeys: () => room.bind(), signal });
  room.beside = createBeside({ unpick: deeds.pick });
  const { whole, pick, seekQuestion, fixKey } = deeds;
  room.card = createCard({ whole, pick, seekQuestion, fixKey });
  room.standing = createStanding({ onpick: deeds.chooseRuns });
  room.tags = createTags({
    send: (one, options) => call("/tag", one, options),
    said: deeds.said,
    sent: deeds.sent,
    signal,
  });
  room.wallBar = createWallBar({
    tagAll: deeds.tagAll,
    clear: () => room.wall.clear(),
    link: deeds.copyLink,
    views: deeds.showViews,
    cards: () => moves.toCard(room.wall.at()),
  });
  room.wall = createWall({
    pages: room.wallPages,
    runs,
    choose: moves.toCard,
    marked: () => room.wallBar.draw(room.wallPages.facts()?.total ?? 0, room.wall.chosen().length),
    onerror: (trouble) => room.wallBar.say(trouble.message),
    signal,
  });
}

function layOut(room) {
  const centre = el(
    "section",
    { class: "centre" },
    room.view.element,
    room.beside.element,
    room.tags.element,
  );
  room.work = el("div", { class: "room" }, room.list.element, centre, room.card.element);
  room.wallPart = el("div", { class: "wall-room" }, room.wall.element, room.wallBar.element);
  [room.wallPart.hidden, room.work.hidden] = [!room.walled, room.walled];
  const lines = el("div", { class: "top-lines" }, room.filters.element, room.standing.element);
  room.root.append(lines, room.wallPart, room.work);
}
