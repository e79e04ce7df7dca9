// Nothing to show: still fetching, cut off, or at the end.

import * as screens from "../screens.js";

export function createRest(desk, state) {
  const { root, stage, keys, queue, area } = desk;
  const lookAgain = () => queue.refill({ force: true });
  const offline = () => desk.news.trouble()?.kind === "offline";
  // What the server said while answers were on the way is not the end: the last one of practice opens the work.
  const ended = () => queue.over() || (queue.dry() && screens.isComplete(desk.ending().progress));
  const choose = () => (state.screen = ended() ? "finished" : "fetching");

  return {
    choose,
    begin() {
      state.now = null;
      stage.clear();
      keys.base(desk.common);
      delete root.dataset.item;
      root.dataset.ready = "0";
      choose();
      queue.refill({ force: true });
      desk.refresh();
    },
    draw() {
      if (!state.screen) return;
      root.dataset.state = state.screen;
      if (state.screen === "fetching") return area.screen(`fetching ${offline()}`, () => screens.fetching(offline()));
      const ending = desk.ending();
      area.screen(`finished ${JSON.stringify(ending)}`, () => screens.finished({ ...ending, lookAgain }));
    },
  };
}
