// Which keys mean what, on the wall and beside an open card.

export function createBindings(room, moves, deeds) {
  const search = () => ({ key: "F", words: "Search", group: "Filter", also: ["/"], run: room.filters.focus });
  const task = { key: "A", words: "Make a task of what is listed", group: "Filter", run: deeds.tagThese };
  const link = { key: "Y", words: "Copy a link to this view", group: "Filter", run: deeds.copyLink };
  const views = { key: "W", words: "Views with a name", group: "Filter", run: deeds.showViews };

  function wallKeys() {
    const { wall } = room;
    const group = "Wall";
    const step = (key, words, by, row, also) => ({
      key,
      words,
      group,
      repeat: true,
      also,
      run: () => wall.step(by, row),
    });
    return [
      step("ArrowRight", "Next question", 1, false, ["J"]),
      step("ArrowLeft", "Question before", -1, false, ["K"]),
      step("ArrowDown", "A row down", 1, true),
      step("ArrowUp", "A row up", -1, true),
      step("PageDown", "Three rows down", 3, true, ["N"]),
      step("PageUp", "Three rows up", -3, true, ["B"]),
      { key: "Enter", words: "Open the card", group, run: () => moves.toCard(wall.at()) },
      { key: "Space", words: "Select it, or not any more", group, also: ["X"], run: wall.toggle },
      ...room.wallBar.bindings(),
      { key: "Escape", words: "Close, or select none", group, run: () => room.filters.escape() || wall.clear() },
      search(),
      task,
      link,
      views,
    ];
  }

  function cardKeys() {
    const { tags, card, view } = room;
    const group = "Card";
    const step = (key, words, by, also) => ({
      key,
      words,
      group: "Cards",
      repeat: true,
      also,
      run: () => moves.go(room.at + by),
    });
    return [
      step("J", "Next card", 1, ["ArrowDown"]),
      step("K", "Card before", -1, ["ArrowUp"]),
      { key: "PageDown", words: "Next page", group: "Cards", also: ["N"], repeat: true, run: () => moves.turn(1) },
      { key: "PageUp", words: "Page before", group: "Cards", also: ["B"], repeat: true, run: () => moves.turn(-1) },
      ...tags.bindings(),
      { key: "R", words: "Whole reply", group, run: card.more },
      { key: "V", words: "The whole clip, or what the model saw", group, run: view.toggle },
      { key: "C", words: "Choose runs to compare", group, run: deeds.chooseRuns },
      { key: "Q", words: "The question: how it came about, all answers to it", group, run: deeds.seekQuestion },
      { key: "E", words: "Fix the key", group, run: deeds.fixKey },
      task,
      ...view.bindings().map((one) => ({ ...one, yields: true })),
    ];
  }

  return function bind() {
    const { keys, dialogs, filters, view } = room;
    if (room.walled) {
      const all = [...wallKeys(), { key: "?", words: "These keys", group: "Wall", run: () => dialogs.overlay(all) }];
      return keys.base(all);
    }
    const open = room.facts && room.pages.facts() && room.pages.card(room.at);
    room.tags.element.hidden = !open;
    const back = () => filters.escape() || view.escape() || moves.toWall();
    const base = [
      search(),
      link,
      views,
      { key: "?", words: "These keys", group: "Cards", run: () => dialogs.overlay(all) },
      { key: "G", words: "Back to the wall", group: "Cards", run: moves.toWall },
      { key: "Escape", words: "Close what is open, or back to the wall", group: "Cards", run: back },
    ];
    const all = open ? [...cardKeys(), ...base] : base;
    keys.base(all);
  };
}
