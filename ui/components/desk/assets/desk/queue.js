// The short queue of leased items. Its first item is the one on screen.

const LOW = 10;
const PAUSE_MS = 10000;
const RECOUNT_MS = 300;

export function createQueue({ api, outbox, onitems, ontrouble, signal }) {
  const { pending } = outbox;
  let items = [];
  let asking = false;
  let again = false; // asked to look while it was looking
  let notBefore = 0; // after an empty or failed answer the server is left alone for a while
  let progress = null;
  let recounting = null;
  let idle = null; // why there is nothing, and what could be done instead, as the server says
  let dry = false; // the server had nothing more when it was last asked
  let over = false; // and the desk held nothing then, so that no answer on its way can open more

  const ids = () => items.map((item) => item.id);
  const head = () => items[0] ?? null;

  function start(first, firstProgress, firstIdle = null) {
    idle = firstIdle;
    items = fresh(first, []);
    progress = firstProgress;
    notBefore = 0;
    dry = false;
    over = !first.length;
  }

  // Answers still in the outbox are unknown to the server, so what it offers may already be answered.
  function fresh(offered, have) {
    const known = new Set([...ids(), ...have, ...pending().map((entry) => entry.item)]);
    return offered.filter((item) => !known.has(item.id) && known.add(item.id));
  }

  async function refill({ force = false } = {}) {
    if (force) dry = false; // what was said may have changed
    if (asking) return void (again ||= force);
    if (signal.aborted || (!force && (items.length >= LOW || Date.now() < notBefore))) return;
    asking = true;
    const have = [...new Set([...ids(), ...pending().map((entry) => entry.item)])];
    try {
      const counting = outbox.sending();
      const reply = await api.lease(have);
      if (signal.aborted) return;
      // While answers are on the way, what the server has counted and what waits here would overlap.
      if (!counting && !outbox.sending()) progress = reply.progress ?? progress;
      idle = reply.idle ?? null;
      const gone = new Set((reply.gone ?? []).filter((id) => id !== head()?.id));
      items = items.filter((item) => !gone.has(item.id));
      // What was changed meanwhile is offered anew in the same reply.
      const added = fresh(reply.items, have.filter((id) => !gone.has(id)));
      // What was returned to the person comes right after the item on screen.
      items.splice(1, 0, ...added.filter((item) => item.remark));
      items.push(...added.filter((item) => !item.remark));
      // A full queue gets nothing either, and a reply to what was asked too early says nothing.
      dry = !again && !added.length && have.length < LOW;
      over = dry && !have.length;
      notBefore = dry ? Date.now() + PAUSE_MS : 0;
      onitems(added);
    } catch (trouble) {
      notBefore = Date.now() + PAUSE_MS / 4;
      ontrouble(trouble);
    } finally {
      asking = false;
    }
    if (!again) return;
    again = false;
    if (!head()) refill({ force: true });
  }

  // The server has taken answers of another tab: ask how far the person is now, once for several answers.
  function recount() {
    clearTimeout(recounting);
    recounting = setTimeout(() => (asking ? recount() : refill({ force: true })), RECOUNT_MS);
  }

  function drop(id) {
    items = items.filter((item) => item.id !== id);
  }

  return {
    start,
    head,
    refill,
    drop,
    recount,
    shift: () => items.shift(),
    ahead: (n) => items.slice(1, 1 + n),
    size: () => items.length,
    dry: () => dry,
    over: () => over,
    idle: () => idle,
    progress: () => progress,
    learn: (news) => (progress = news ?? progress),
    replace: (item) => (items = items.map((old) => (old.id === item.id ? item : old))),
    // What nobody has touched goes back for others, except the item on screen: a reload shows it again.
    letGo(touched) {
      const untouched = ids()
        .slice(1)
        .filter((id) => !touched(id));
      if (untouched.length) api.release(untouched);
    },
  };
}
