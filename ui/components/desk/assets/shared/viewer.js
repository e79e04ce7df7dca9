// A stage to look at on a page of the house around the desk: the same grid and player, without form, queue or clock.

import { createKeys } from "./keys.js";
import { sheet } from "./mounting.js";
import { createPreferences } from "./preferences.js";
import { createPrefetch } from "./prefetch.js";
import { createStage } from "./stage/stage.js";
import { speak, tr } from "./texts.js";

const SHEETS = ["desk", "work", "stage", "player", "timeline", "clips"].map(
  (name) => `shared/styles/${name}.css`,
);
const mounted = new WeakMap(); // parentElement -> {identity, show, leave}

export default function mount({ data, parentElement }) {
  speak({}); // authors' pages are English
  const viewer = mounted.get(parentElement) ?? create(parentElement);
  mounted.set(parentElement, viewer);
  viewer.show(data);
  return () => {
    viewer.leave();
    mounted.delete(parentElement);
  };
}

function create(parentElement) {
  const life = new AbortController();
  const root = document.createElement("div");
  root.className = "desk viewer";
  root.style.padding = "0";
  root.tabIndex = -1;
  const sheets = SHEETS.map(sheet);
  const keys = createKeys(root, life.signal);
  let shown = null;
  const stage = createStage({
    prefetch: createPrefetch(),
    preferences: createPreferences(),
    onready: () => (root.dataset.ready = "1"),
    onbusy() {},
    onkeys: () => shown && bind(),
    onretry: () => draw(shown),
    signal: life.signal,
  });
  stage.element.style.flex = "1";
  root.append(stage.element);
  parentElement.append(...sheets, root);

  function draw(data) {
    root.dataset.ready = "0";
    root.dataset.item = data.item;
    root.style.setProperty("--desk-height", data.height);
    stage.show(data.stage);
    bind();
  }

  function bind() {
    keys.base([...stage.bindings(), { key: "Escape", words: tr("Close the large frame"), run: () => stage.escape() }]);
  }

  return {
    // A rerun of the page with the same stage changes nothing: what plays goes on playing.
    show(data) {
      if (shown && shown.item === data.item && JSON.stringify(shown.stage) === JSON.stringify(data.stage)) return;
      shown = data;
      draw(data);
    },
    leave() {
      life.abort();
      stage.stop?.();
      for (const element of [...sheets, root]) element.remove();
    },
  };
}
