// What the model saw: its frames, or the clip; those of the next cards are fetched ahead.

import { createPreferences } from "../shared/preferences.js";
import { createPrefetch } from "../shared/prefetch.js";
import { createStage } from "../shared/stage/stage.js";
import { el, press } from "../shared/dom.js";

const KEPT = 24;

export function createView({ call, onkeys, signal }) {
  const note = el("p", { class: "hint view-note", role: "status" });
  const whole = press("Whole clip", () => toggle(), { key: "V", kind: "quiet" });
  const prefetch = createPrefetch(8);
  const stage = createStage({
    prefetch,
    preferences: createPreferences(),
    onready: () => (ready(), (ready = () => {})),
    onbusy() {},
    onkeys,
    onretry: () => shown && (known.delete(shown.name), draw(shown.id, shown.clip)),
    signal,
  });
  const element = el(
    "div",
    { class: "view" },
    stage.element,
    el("div", { class: "row view-line" }, note, el("span", { class: "spring" }), whole),
  );
  const known = new Map(); // id or "id whole" -> promise of {stage, note, clip}
  let shown = null; // {id, clip, name}
  let ready = () => {};

  const nameOf = (id, clip) => (clip ? `${id} whole` : String(id));

  function fetched(id, clip = false) {
    const name = nameOf(id, clip);
    if (!known.has(name)) {
      const asked = call(`/stages/${id}${clip ? "?whole" : ""}`);
      asked.catch(() => known.delete(name));
      known.set(name, asked);
      for (const old of [...known.keys()].slice(0, -KEPT)) known.delete(old);
    }
    return known.get(name);
  }

  async function draw(id, clip) {
    const own = (shown = { id, clip, name: nameOf(id, clip) });
    let found;
    try {
      found = await fetched(id, clip);
    } catch (trouble) {
      found = { stage: { type: "none", note: trouble.message }, note: "", clip: false };
    }
    if (shown !== own) return;
    stage.show(found.stage);
    note.textContent =
      found.stage.type === "none"
        ? ""
        : found.note || (clip ? "The whole clip, not what the model saw." : "Exactly what the model saw.");
    whole.hidden = !found.clip || (!clip && found.stage.type === "player");
    whole.firstChild.textContent = clip ? "What the model saw" : "Whole clip";
    onkeys();
  }

  function show(id, next, done) {
    if (shown?.id === id && !shown.clip) return done();
    stage.clear();
    ready = done;
    draw(id, false).then(() => ahead(next));
  }

  async function ahead(ids) {
    for (const id of ids) {
      try {
        const found = await fetched(id);
        if (["grid", "none"].includes(found.stage.type)) stage.prepare([found.stage]);
      } catch {
        // It is asked for again when it is looked at.
      }
    }
  }

  function toggle() {
    if (shown && !whole.hidden) draw(shown.id, !shown.clip);
  }

  return {
    element,
    show,
    ahead,
    toggle,
    note(words) {
      shown = null;
      stage.show({ type: "none", note: words });
      note.textContent = "";
      whole.hidden = true;
    },
    bindings: () => stage.bindings(),
    escape: () => stage.escape(),
    stop: () => stage.stop(),
  };
}
