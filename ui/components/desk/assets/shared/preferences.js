// How this person likes the player; remembered in this browser for every task.

const KEY = "rushes/player";

export function createPreferences() {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    // Without storage they last as long as the page.
  }
  return {
    get: () => kept,
    set(news) {
      kept = { ...kept, ...news };
      try {
        localStorage.setItem(KEY, JSON.stringify(kept));
      } catch {
        // as above
      }
    },
  };
}
