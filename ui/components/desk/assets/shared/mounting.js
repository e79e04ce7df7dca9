// Mounts a component once per place on the page. Streamlit calls a component again whenever its data changes, and the
// returned clean-up only when it goes away.

import { takeFocus } from "./keys.js";

/** What Streamlit calls: `create(root, data)` gives what has `stop()`, anew when `identity(data)` is another. */
export function mounted({ className, sheets, identity, create }) {
  const places = new WeakMap(); // parentElement -> {identity, root, leave}
  return ({ data, parentElement }) => {
    const now = JSON.stringify(identity(data));
    const known = places.get(parentElement);
    if (known?.identity === now) return known.leave;
    known?.leave();
    const root = document.createElement("div");
    root.className = className;
    root.tabIndex = -1;
    root.hidden = true; // until its style sheets are there
    const links = sheets.map(sheet);
    parentElement.append(...links, root);
    Promise.all(links.map(loaded)).then(() => {
      root.hidden = false;
      takeFocus(root);
    });
    const made = create(root, data);
    const leave = () => {
      if (places.get(parentElement)?.root === root) places.delete(parentElement);
      made.stop();
      for (const element of [...links, root]) element.remove();
    };
    places.set(parentElement, { identity: now, root, leave });
    return leave;
  };
}

/** A link to a style sheet, which is named as it lies below the folder of all assets. */
export function sheet(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`../${name}`, import.meta.url).href;
  return link;
}

const loaded = (link) =>
  new Promise((resolve) => {
    link.addEventListener("load", resolve, { once: true });
    link.addEventListener("error", resolve, { once: true });
  });
