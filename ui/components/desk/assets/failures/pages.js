// The cards under a filter, page by page: what was asked for once is kept, and the pages beside are fetched ahead.

export const SIZE = 20;

export function createPages(ask, size = SIZE) {
  let list = null; // {filter, listing, total, pool, wrong, pages: Map(number -> Promise), cards: [], questions: {}}
  let compare = [];

  // A list that another one was made of keeps its name, so that both stand in the same order.
  function open(filter, listing = null, at = 0) {
    list = { filter, listing, total: 0, pool: 0, wrong: 0, pages: new Map(), cards: [], questions: {} };
    return page(numberOf(at));
  }

  function page(number) {
    const of = list;
    if (!of.pages.has(number)) {
      const asked = ask({ filter: of.filter, listing: of.listing, offset: number * size, limit: size, compare }).then(
        (found) => {
          Object.assign(of, { listing: found.listing, total: found.total, pool: found.pool, wrong: found.wrong });
          found.cards.forEach((card, i) => (of.cards[number * size + i] = card));
          Object.assign(of.questions, found.questions);
          return of;
        },
      );
      asked.catch(() => of.pages.delete(number));
      of.pages.set(number, asked);
    }
    return of.pages.get(number);
  }

  const numberOf = (at) => Math.floor(at / size);

  return {
    open,
    // Everything anew, where one is: another key, or other runs beside.
    async again(at, runs = compare) {
      compare = runs;
      list.pages = new Map();
      await page(numberOf(at));
    },
    compare: (runs) => (compare = runs),
    want: (at) => page(numberOf(at)),
    // Pages that are farther away than some others are let go: whoever scrolls for long keeps no more than these.
    keep(at, most) {
      for (const number of [...list.pages.keys()]) {
        if (Math.abs(number - numberOf(at)) <= most) continue;
        list.pages.delete(number);
        for (let i = number * size; i < (number + 1) * size; i += 1) delete list.cards[i];
      }
    },
    // The pages beside; gives the card that the next one begins with.
    async ahead(at) {
      const [of, next] = [list, numberOf(at) + 1];
      if (next > 1) page(next - 2).catch(() => {});
      if (next * size >= of.total) return null;
      await page(next);
      return of.cards[next * size] ?? null;
    },
    card: (at) => list?.cards[at] ?? null,
    of: (card) => list.questions[card.question.id] ?? { cells: [], people: [] },
    facts: () => list,
    pageOf: (at) => {
      const first = numberOf(at) * size;
      return { first, cards: list.cards.slice(first, Math.min(first + size, list.total)) };
    },
  };
}
