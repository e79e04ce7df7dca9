// What is not waited for comes after what is: once the next frame is on screen, and soon in a page that nobody sees.

const LATEST_MS = 150;

export function afterPaint(act) {
  const timer = setTimeout(run, LATEST_MS);
  let waits = true;

  function run() {
    if (!waits) return;
    waits = false;
    clearTimeout(timer);
    act();
  }

  requestAnimationFrame(() => setTimeout(run, 0));
}
