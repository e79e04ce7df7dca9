// The keyboard: one listener in the capture phase, which only acts while the desk may have the keys.
// A binding is {key, words, run, repeat, also}: `words` go into the key overlay, `also` lists further keys for the same.

export function keyName(event) {
  const { key, code } = event;
  if (key === " ") return "Space";
  if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase();
  if (key.length === 1 && !event.shiftKey && /^Digit\d$/.test(code)) return code.at(-1); // AZERTY's digit row
  if (key.length === 1 && key > "~" && /^Key[A-Z]$/.test(code)) return code.at(-1); // letters that are not Latin
  return key;
}

// Every key means one thing: a clash is a mistake in a form and is said at once.
export function tableOf(bindings) {
  const table = new Map();
  for (const binding of bindings) {
    for (const key of [binding.key, ...(binding.also ?? [])]) {
      if (table.has(key)) {
        throw new Error(`The key ${key} is given twice: “${table.get(key).words}” and “${binding.words}”.`);
      }
      table.set(key, binding);
    }
  }
  return table;
}

export function createKeys(root, signal) {
  const tables = []; // a dialog pushes its own on top

  window.addEventListener("keydown", handle, { capture: true, signal });
  // The house around us sees only our host element, not the text field in it: letters typed there must not reach it.
  root.addEventListener("keydown", (event) => isTextField(event.composedPath()[0]) && event.stopPropagation(), { signal });

  root.addEventListener("pointerdown", (event) => takeFocus(root, event.composedPath()[0]), { signal });

  function handle(event) {
    const table = tables.at(-1);
    if (!table || event.isComposing || !root.isConnected || blocked(root)) return;
    const origin = event.composedPath()[0];
    const inside = event.composedPath().includes(root);
    if (isTextField(origin)) return inText(event, origin, inside, table);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = keyName(event);
    if (belongsToControl(origin, inside, name)) return;
    if (!inside && table.has(name)) takeFocus(root, origin);
    act(event, table.get(name));
  }

  return {
    base: (bindings) => (tables[0] = tableOf(bindings)),
    push: (bindings) => tables.push(tableOf(bindings)),
    pop: () => tables.pop(),
  };
}

function act(event, binding) {
  if (!binding) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!event.repeat || binding.repeat) binding.run(event);
}

function inText(event, origin, inside, table) {
  if (!inside) return;
  const name = keyName(event);
  if (name === "Enter" && event.ctrlKey) act(event, table.get("Enter"));
  else if (name === "Escape" && !origin.closest("dialog")) origin.blur();
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
  if (origin.matches("[role=radio], [role=checkbox]")) return name === "Space" || name === "ArrowUp" || name === "ArrowDown";
  return origin.matches("[data-enter=submits]") ? name === "Space" : pressing;
}

function blocked(root) {
  return [...document.querySelectorAll('[data-testid="stDialog"], [aria-modal="true"]')].some(
    (dialog) => !root.contains(dialog) && dialog.getClientRects().length > 0,
  );
}
