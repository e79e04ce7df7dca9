// The keyboard: one listener in the capture phase, which only acts while the desk may have the keys.
// A binding is {key, words, run, repeat, also, yields}: `words` go into the key overlay, `also` lists further keys
// for the same; one that `yields` leaves a key to whoever else wants it.

import { swapped } from "./keymap.js";
import { tr } from "./texts.js";

const SIGNS = { Comma: ",", Period: ".", BracketLeft: "[", BracketRight: "]" };

export function keyName(event) {
  const { key, code, shiftKey } = event;
  if (key === " ") return "Space";
  if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase();
  if (code?.startsWith("Bracket") && !shiftKey) return SIGNS[code]; // where the letter there is not Latin, too
  if (key.length === 1 && !shiftKey && /^Digit\d$/.test(code)) return code.at(-1); // AZERTY's digit row
  if (key.length === 1 && key > "~" && /^Key[A-Z]$/.test(code)) return code.at(-1); // letters that are not Latin
  return key;
}

// What was pressed, by name and with its modifiers, the more particular name first.
export function namesOf(event) {
  const name = keyName(event);
  const plain = SIGNS[event.code] ?? event.code?.match(/^Digit(\d)$/)?.[1] ?? name;
  // Some keyboards want Shift for the sign itself.
  const typed = ",.?[]".includes(event.key) && SIGNS[event.code] !== event.key;
  const names = event.shiftKey && !typed ? [`Shift+${plain}`, name] : [name];
  if (writtenWithAltGr(event)) return names;
  if (event.altKey) return [`Alt+${names[0]}`];
  return event.ctrlKey || event.metaKey ? [`Ctrl+${names[0]}`] : names;
}

// The names under which a press is looked up: of the keys that it stands for.
const keyNames = (event) => namesOf(event).map(swapped);

const keysOf = (binding) => [binding.key, ...(binding.also ?? [])];

// Every key means one thing: a clash is a mistake in a form and is said at once.
export function tableOf(bindings) {
  const table = new Map();
  for (const binding of bindings.filter((one) => !one.yields)) {
    for (const key of keysOf(binding)) {
      if (table.has(key)) {
        const words = { key, one: table.get(key).words, other: binding.words };
        throw new Error(tr("The key {key} is given twice: “{one}” and “{other}”.", words));
      }
      table.set(key, binding);
    }
  }
  for (const binding of bindings.filter((one) => one.yields)) {
    for (const key of keysOf(binding)) if (!table.has(key)) table.set(key, binding);
  }
  return table;
}

// The bindings with those keys that are left to them, for the list of keys.
export function heard(bindings) {
  const table = tableOf(bindings);
  const left = (binding) => keysOf(binding).filter((key) => table.get(key) === binding);
  return bindings.map((binding) => ({ ...binding, keys: left(binding) })).filter((binding) => binding.keys.length);
}

export function createKeys(root, signal) {
  const tables = []; // a dialog pushes its own on top
  let captured = null; // takes the next press instead of the tables
  let from = performance.now(); // a key pressed before this does nothing, however late it comes

  window.addEventListener("keydown", handle, { capture: true, signal });
  // The house around us sees only our host element, not the text field in it: letters typed there must not reach it.
  root.addEventListener("keydown", (event) => isTextField(event.composedPath()[0]) && event.stopPropagation(), {
    signal,
  });

  root.addEventListener("pointerdown", (event) => takeFocus(root, event.composedPath()[0]), { signal });

  function offer(event) {
    swallow(event);
    if (captured(event)) captured = null;
  }

  function handle(event) {
    const table = tables.at(-1);
    if (captured && !event.isComposing && root.isConnected) return offer(event);
    if (!table || event.isComposing || !root.isConnected || blocked(root)) return;
    const origin = event.composedPath()[0];
    const inside = event.composedPath().includes(root);
    if (isTextField(origin)) return inText(event, origin, inside, table);
    if (withModifier(event) && !find(table, event)) return;
    const name = keyName(event);
    if (belongsToControl(origin, inside, name) && !(name === "Enter" && withModifier(event))) return;
    const binding = find(table, event);
    if (binding && event.timeStamp < from) return swallow(event);
    if (!inside && binding) takeFocus(root, origin);
    act(event, binding);
  }

  return {
    base: (bindings) => (tables[0] = tableOf(bindings)), // gives the table
    push: (bindings) => tables.push(tableOf(bindings)),
    pop: () => ((captured = null), tables.pop()),
    capture: (take) => (captured = take),
    fromNow: () => (from = performance.now()),
  };
}

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function act(event, binding) {
  if (!binding) return;
  swallow(event);
  if (!event.repeat || binding.repeat) binding.run(event);
}

const find = (table, event) =>
  keyNames(event)
    .map((name) => table.get(name))
    .find(Boolean);

// Combinations that nobody here has asked for stay the browser's.
const withModifier = (event) => (event.ctrlKey || event.metaKey || event.altKey) && !writtenWithAltGr(event);

// On some keyboards brackets are had with AltGr, which counts as Ctrl and Alt together.
const writtenWithAltGr = (event) => "[]".includes(event.key) && event.getModifierState?.("AltGraph");

// In a field of one line Enter, Up and Down go on as Tab does; nothing is submitted from inside it but with Ctrl.
function inText(event, origin, inside, table) {
  if (!inside) return;
  const name = keyName(event);
  const oneLine = origin.dataset.lines === "1";
  if (name === "Enter" && event.ctrlKey) act(event, table.get("Ctrl+Enter") ?? table.get("Enter"));
  else if (name === "Escape" && !origin.closest("dialog")) leaveText(event, origin);
  else if (name === "Tab") act(event, find(table, event));
  else if (oneLine && (name === "ArrowUp" || name === "ArrowDown")) act(event, table.get(name));
  else if (oneLine && name === "Enter" && !event.shiftKey)
    act(event, table.get("Tab") ?? { run: () => leaveText(event, origin) });
}

function leaveText(event, origin) {
  event.preventDefault();
  origin.dispatchEvent(new CustomEvent("text-left"));
  origin.closest(".desk")?.focus({ preventScroll: true });
}

// A link or button that was pressed before must not answer to Enter once the person works on the desk again.
export function takeFocus(root, from = document.activeElement) {
  if (!isTextField(from) && !root.querySelector("dialog")) root.focus({ preventScroll: true });
}

const isTextField = (element) =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element.matches("textarea, select, input:not([type=radio], [type=checkbox], [type=range], [type=button])"));

const CONTROLS = "button, a, summary, input, [role=button], [role=slider], [role=tab], [role=radio], [role=checkbox]";

// Someone who walks with Tab presses the button that has the focus; letters stay ours.
function belongsToControl(origin, inside, name) {
  if (!(origin instanceof Element) || !origin.matches(CONTROLS)) return false;
  const pressing = name === "Enter" || name === "Space";
  if (!inside) return pressing || name.startsWith("Arrow") || name === "Backspace";
  if (origin.matches(".handle")) return name.startsWith("Arrow"); // an edge on the timeline moves as every slider does
  if (name === "Tab") return !origin.closest(".form"); // outside the form Tab walks as everywhere
  if (origin.matches("[role=radio], [role=checkbox]"))
    return name === "Space" || name === "ArrowUp" || name === "ArrowDown";
  return origin.matches("[data-enter=submits]") ? name === "Space" : pressing;
}

function blocked(root) {
  return [...document.querySelectorAll('[data-testid="stDialog"], [aria-modal="true"]')].some(
    (dialog) => !root.contains(dialog) && dialog.getClientRects().length > 0,
  );
}
