// @ts-check
// Which wrong options of a question are kept, and which option is its key. Pure; `texts` are the options' words now.

import { tr } from "../../shared/texts.js";

/** @typedef {string | number} Id */
/** @typedef {{id: Id, text: string, key?: boolean}} Option */
/** @typedef {{kept?: Id[], key?: Id | null}} Response */

/** The choice among options; `keep` says how many wrong ones may be kept, such as [3] or [4, 9]. */
export function createSelection(/** @type {Option[]} */ options, /** @type {number[]} */ keep) {
  /** @type {Set<Id>} */
  const kept = new Set(); // never the key's
  const declared = options.find((option) => option.key)?.id ?? null;
  /** @type {Id | null} */
  let key = null;

  const used = (/** @type {Option} */ { id }) => kept.has(id) || id === key;

  return {
    size: () => kept.size,
    keeps: (/** @type {number} */ i) => kept.has(options[i].id),
    isKey: (/** @type {number} */ i) => options[i].id === key,
    keyAt: () => options.findIndex((option) => option.id === key),
    /** Keeps a wrong option or drops it; the key is always kept. */
    toggle(/** @type {number} */ i) {
      const { id } = options[i];
      if (id === key) return false;
      if (!kept.delete(id)) kept.add(id);
      return true;
    },
    /** Makes an option the key, or takes that back. The key that was stays as a wrong option. */
    mark(/** @type {number} */ i) {
      const { id } = options[i];
      if (key === id) {
        key = null;
        return;
      }
      if (key !== null) kept.add(key);
      key = id;
      kept.delete(id);
    },
    missing(/** @type {string[]} */ texts) {
      if (key === null) return tr("Mark the key: Shift and its letter.");
      if (!keep.includes(kept.size))
        return tr("Keep {wanted} wrong options; kept: {n}.", { wanted: keep.join(tr(" or ")), n: kept.size });
      const words = texts.filter((_, i) => used(options[i]));
      if (words.includes("")) return tr("An option that is kept has no words.");
      return new Set(words.map((text) => text.toLowerCase())).size < words.length
        ? tr("Two of the options that are kept say the same.")
        : null;
    },
    response(/** @type {string[]} */ texts) {
      const edited = options.filter((option, i) => texts[i] !== option.text);
      if (!kept.size && !edited.length && key === declared) return undefined;
      const told = options.flatMap((option, i) =>
        used(option) || edited.includes(option) ? [[option.id, texts[i]]] : [],
      );
      const ids = options.filter(({ id }) => kept.has(id)).map(({ id }) => id);
      return { kept: ids, texts: Object.fromEntries(told), key };
    },
    /** `begun` says that the person has answered already, so that no key given means none. */
    fill(/** @type {Response | undefined} */ value, /** @type {boolean} */ begun) {
      kept.clear();
      key = begun && value ? (value.key ?? null) : declared;
      const own = (/** @type {Id} */ id) => options.find((option) => String(option.id) === String(id))?.id ?? id;
      for (const id of value?.kept ?? []) kept.add(own(id));
    },
  };
}
