// From card to card of what is listed.

import { SIZE } from "./pages.js";

export const emptyWords = (room) =>
  room.facts.runs.length
    ? "No prediction is left under these filters. Clear takes them back."
    : "There are no predictions yet. Import some, or let a model answer the questions.";

export function createWalk(room) {
  let moving = 0; // the newest move wins

  // A move begins; the answer says whether it is still the newest.
  function begin() {
    const own = (moving += 1);
    return () => own === moving;
  }

  async function go(place) {
    const { pages, view } = room;
    room.root.dataset.view = "cards";
    [room.wallPart.hidden, room.work.hidden] = [true, false];
    const { total } = pages.facts();
    if (!total) return nothing();
    const newest = begin();
    const next = Math.max(0, Math.min(place, total - 1));
    if (!pages.card(next)) {
      try {
        await pages.want(next);
      } catch (trouble) {
        return newest() && say(trouble.message, false);
      }
      if (!newest()) return;
    }
    room.at = next;
    draw();
    pages
      .ahead(next)
      .then((first) => first && view.ahead([first.id]))
      .catch(() => {}); // asked for again when it is gone to
  }

  const turn = (by) => go(Math.floor(room.at / SIZE) * SIZE + by * SIZE);

  function draw() {
    const { root, pages, runs, at, compare } = room;
    const open = pages.card(at);
    if (!open) return;
    root.dataset.card = open.id;
    root.dataset.place = at;
    drawList();
    room.standing.draw(pages.facts(), runs.get(open.run));
    room.card.draw(open, { runs, compare, ...pages.of(open) });
    room.beside.draw(open, runs, compare);
    room.tags.draw(open);
    room.view.show(
      open.id,
      [1, 2, 3, -1].map((step) => pages.card(at + step)?.id).filter(Boolean),
      () => (root.dataset.shown = open.id),
    );
    room.bind();
  }

  function drawList() {
    const { pages, at, runs } = room;
    room.list.draw({ ...pages.pageOf(at), total: pages.facts().total, at, runs });
  }

  function nothing() {
    delete room.root.dataset.card;
    room.list.draw({ first: 0, cards: [], total: 0, at: -1, runs: room.runs });
    room.standing.draw(room.pages.facts(), null);
    say(emptyWords(room), false);
    room.root.dataset.shown = "none";
  }

  function say(words, lost) {
    room.wallBar.say(words);
    room.view.note(words);
    room.card.clear(lost ? "" : words);
    room.beside.element.hidden = true;
    room.tags.element.hidden = true;
    room.bind();
  }

  return { begin, go, turn, draw, drawList, say };
}
