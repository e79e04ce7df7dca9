// What an author does with a card: runs beside, its tags, another key, a task of what is listed.

import { NOTHING } from "./filters.js";
import { createWallDeeds } from "./wall/wall_deeds.js";

export function createDeeds(room, moves) {
  async function whole(id) {
    try {
      return (await room.call(`/replies/${id}`)).reply;
    } catch {
      return null;
    }
  }

  const openCard = () => room.pages.card(room.at);

  function pick(run) {
    const { compare } = room;
    return besideThese(compare.includes(run) ? compare.filter((one) => one !== run) : [...compare, run]);
  }

  async function besideThese(chosen) {
    room.compare = chosen;
    room.kept.set("compare", chosen);
    await moves.again();
  }

  const chooseRuns = () => room.windows.chooseRuns([...room.runs.values()], room.compare, besideThese);

  // A tag shows before it is stored.
  function said(open, tag) {
    const others = open.tags.filter((one) => !(one.person === tag.person && one.task === tag.task));
    open.tags = tag.classes.length ? [...others, tag] : others;
    room.list.forget();
    moves.drawList();
  }

  function sent(id, reply, more) {
    const open = room.pages.facts()?.cards.find((one) => one?.id === id);
    if (open && !more) open.tags = reply.tags;
    moves.know(reply);
    if (open && open === openCard()) room.tags.draw(open);
  }

  async function seekQuestion() {
    const open = openCard();
    try {
      const found = await room.call(`/questions/${open.question.id}`);
      room.windows.history(found, {
        only: () => room.filters.set({ ...NOTHING, outcome: "all", question: open.question.uid }, true),
      });
    } catch (trouble) {
      room.standing.say(trouble.message);
    }
  }

  function fixKey() {
    const open = openCard();
    room.windows.fixKey(open, async (key, reason) => {
      const { id, newest } = open.question;
      const reply = await room.call("/key", { question: id, revision: newest, key, reason });
      room.standing.moved(reply.words, reply.standing, room.runs);
      await moves.again();
    });
  }

  function tagThese() {
    const pages = room.walled ? room.wallPages : room.pages;
    room.windows.tagThese(pages.facts().total, async (given) => {
      const { filter, listing } = pages.facts();
      const made = await room.call("/task", { filter, listing, ...given });
      moves.know(made);
      room.standing.say(`A task of ${made.items.toLocaleString("en")} items is made.`, `/tasks?task=${made.task}`);
    });
  }

  return { whole, pick, chooseRuns, said, sent, seekQuestion, fixKey, tagThese, ...createWallDeeds(room) };
}
