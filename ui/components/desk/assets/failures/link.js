// @ts-check
// The address of exactly this view, for a colleague: filter, order, view and place.

/** Part of the filter to its name in the address, as the page reads it. */
const NAMES = {
  runs: "run",
  conditions: "condition",
  categories: "category",
  tags: "tag",
  states: "state",
  classes: "class",
  question: "question",
  text: "text",
  outcome: "outcome",
  people: "people",
  others: "others",
  tagged: "tagged",
  order: "order",
};

/**
 * @param {string} base address of the page, without what is asked
 * @param {Record<string, unknown>} filter
 * @param {string} view
 * @param {number} at
 */
export function linkTo(base, filter, view, at) {
  const query = new URLSearchParams();
  for (const [part, name] of Object.entries(NAMES)) {
    const value = filter[part];
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== "" && one !== undefined && one !== null) query.append(name, String(one));
    }
  }
  if (filter.once) query.set("once", "yes");
  query.set("view", view);
  if (at) query.set("at", String(at));
  return `${base}?${query}`;
}
