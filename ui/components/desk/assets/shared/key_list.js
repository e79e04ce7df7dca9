// The list of all keys. Where `onremap` is given, a key can be exchanged for another one by pressing it.

import { cap, el, press } from "./dom.js";
import { exchange, isChanged, isFree, reset, swapped } from "./keymap.js";
import { heard, namesOf } from "./keys.js";
import { tr } from "./texts.js";

const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", Backspace: "⌫" };
const PLAIN = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Dead"];

const signOf = (key) =>
  SIGNS[key] ?? key.replace(/^(Ctrl|Shift)\+(.*)$/, (_, mod, rest) => modified(mod, signOf(rest)));
const modified = (modifier, sign) => (modifier === "Shift" ? `⇧ ${sign}` : `${tr("Ctrl")} ${sign}`);

export function keyList({ show, close, keys }, bindings, { onremap = null, elsewhere = [] } = {}) {
  const say = el("p", { class: "hint", role: "status" }, onremap ? tr("To change a key, click it.") : "");
  const groups = new Map();
  for (const binding of heard(bindings)) groups.set(binding.group, [...(groups.get(binding.group) ?? []), binding]);
  const sections = [...groups].map(([name, some]) =>
    el("section", { class: "key-group" }, el("h3", {}, name), el("dl", {}, some.flatMap(line))),
  );

  // Keys of other parts of the answer, which hold once one is there.
  const plain = ({ key, also = [], words }) => [
    el("dt", {}, [key, ...also].map((name) => cap(signOf(swapped(name)), name))),
    el("dd", {}, words),
  ];
  const there = elsewhere.map(({ name, bindings: own }) =>
    el("section", { class: "key-group" }, el("h3", {}, tr("At “{name}”", { name })), el("dl", {}, own.flatMap(plain))),
  );

  function line(binding) {
    return [el("dt", {}, binding.keys.map(shown)), el("dd", {}, binding.words)];

    function shown(key) {
      const sign = cap(signOf(swapped(key)), key);
      if (!onremap || !isFree(key)) return sign;
      const name = tr("Change the key {key} for: {words}", { key: swapped(key), words: binding.words });
      return press(sign, () => listen(key, binding.words), { name, kind: "quiet key-change" });
    }
  }

  function listen(key, words) {
    say.textContent = tr("Press the new key for: {words} (Esc: leave it)", { words });
    keys.capture((event) => {
      if (PLAIN.includes(event.key)) return false;
      const [wanted] = namesOf(event);
      if (wanted === "Escape") say.textContent = "";
      else if (!isFree(wanted)) say.textContent = tr("{key} cannot be changed.", { key: signOf(wanted) });
      else changed(() => exchange(key, wanted));
      return true;
    });
  }

  function changed(act) {
    act();
    close();
    onremap();
  }

  const back = press(tr("All keys as they were"), () => changed(reset), { kind: "quiet" });
  back.hidden = !onremap || !isChanged();
  const body = el("div", { class: "window-body" }, el("div", { class: "key-groups" }, sections, there), say, back);
  show(tr("Keys"), body, { bindings: [{ key: "?", words: tr("Close"), run: close }], wide: true });
}
