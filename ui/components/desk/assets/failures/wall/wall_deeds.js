// What an author does with the wall: the same tag for everything that is selected, a link to what is seen.

import { uid } from "../../shared/ids.js";
import { linkTo } from "../link.js";
import { count } from "../words.js";

export function createWallDeeds(room) {
  let before = Promise.resolve(); // what is tagged twice in a hurry is stored in that order

  // The same of everything that is selected on the wall.
  const tagAll = (classes) => (before = before.then(() => tagChosen(classes)));

  async function tagChosen(classes) {
    const { wall, wallBar } = room;
    const chosen = wall.chosen();
    if (!chosen.length) return;
    const total = room.wallPages.facts().total;
    wallBar.draw(total, chosen.length, false);
    const predictions = chosen.map((card) => card.id);
    try {
      const reply = await room.call("/tags", { uid: uid(), predictions, classes, note: "", task: room.task });
      for (const card of chosen) card.tags = reply.tags[card.id] ?? card.tags;
      wall.renew();
      wallBar.draw(total, chosen.length, false);
      wallBar.say(saidWords(reply.refused, predictions.length));
    } catch (trouble) {
      wallBar.say(`Not saved: ${trouble.message}`);
    }
  }

  function saidWords(refused, all) {
    const out = refused.reduce((sum, one) => sum + one.predictions.length, 0);
    const done = `${count(all - out, "answer")} tagged`;
    return out ? `${done}; ${out} not: ${refused.map((one) => one.why).join(" ")}` : `${done}. Saved.`;
  }

  async function copyLink() {
    const { origin, pathname } = window.location;
    const at = room.walled ? room.wall.at() : room.at;
    const link = linkTo(`${origin}${pathname}`, room.filters.get(), room.walled ? "wall" : "cards", at);
    room.root.dataset.link = link;
    try {
      await navigator.clipboard.writeText(link);
      room.standing.say("The link to this view is copied.", link);
    } catch {
      room.standing.say(`The link to this view: ${link}`, link); // a browser may keep its clipboard to itself
    }
  }

  async function showViews() {
    const [, query] = linkTo("", room.filters.get(), room.walled ? "wall" : "cards", 0).split("?");
    const change = async (body) => (await room.call("/views", body)).views;
    try {
      room.windows.views(await change(null), query, change);
    } catch (trouble) {
      room.standing.say(trouble.message);
    }
  }

  return { tagAll, copyLink, showViews };
}
