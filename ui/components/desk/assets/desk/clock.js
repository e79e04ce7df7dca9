// Active seconds on one item: they run while the tab is visible and the person did something within `idle_s`.
// The stretch after the last sign of life counts up to `idle_s` and no further.

export function createClock(idle_s, now = () => performance.now()) {
  let total = 0;
  let last = null; // when counting was settled last; null while stopped
  let sign = 0; // when the person last did something

  function settle() {
    const at = now();
    if (last !== null) total += Math.max(0, Math.min(at, sign + idle_s * 1000) - last) / 1000;
    if (last !== null) last = at;
  }

  return {
    start(seconds) {
      total = seconds;
      last = sign = now();
    },
    touch() {
      settle();
      sign = now();
    },
    pause() {
      settle();
      last = null;
    },
    resume() {
      if (last === null) last = sign = now();
    },
    seconds() {
      settle();
      return Math.round(total * 100) / 100;
    },
  };
}

// Feeds the clock with what happens on the page; a playing video counts as watching (see the player).
export function listen(clock, signal) {
  for (const sign of ["keydown", "pointerdown", "pointermove", "wheel"]) {
    window.addEventListener(sign, () => clock.touch(), { signal, capture: true, passive: true });
  }
  document.addEventListener(
    "visibilitychange",
    () => (document.visibilityState === "visible" ? clock.resume() : clock.pause()),
    { signal },
  );
}
