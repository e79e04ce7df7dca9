// Streamlit's window about a lost connection would cover the desk, which goes on without it and says so itself.
// It speaks to whoever runs the server; here it is closed as soon as it opens.

const TITLE = "Connection error";

export function keepInSight(signal) {
  function look() {
    for (const dialog of document.querySelectorAll('[data-testid="stDialog"]')) {
      if (dialog.style.display !== "none" && dialog.querySelector("h2")?.textContent.trim() === TITLE) close(dialog);
    }
  }

  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true });
  signal.addEventListener("abort", () => observer.disconnect());
  look();
}

function close(dialog) {
  dialog.style.display = "none"; // until it is gone
  dialog.querySelector('button[aria-label="Close"]')?.click();
}
