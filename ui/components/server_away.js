// Says that the server does not answer, where Streamlit would open a window about its own command line.
// That window speaks to whoever runs the server; here it is closed as soon as it opens.

const TITLE = "Connection error";
const CONNECTED = "CONNECTED";
const PATIENCE_MS = 1500; // a connection that is back at once is not worth a word

export default function ({ parentElement, data }) {
  const notice = parentElement.querySelector("[role=status]");
  const app = document.querySelector('[data-testid="stApp"]');
  let timer = 0;

  function closeWindow() {
    for (const dialog of document.querySelectorAll('[data-testid="stDialog"]')) {
      if (dialog.style.display === "none" || dialog.querySelector("h2")?.textContent.trim() !== TITLE) continue;
      dialog.style.display = "none"; // until it is gone
      dialog.querySelector('button[aria-label="Close"]')?.click();
    }
  }

  function tell() {
    clearTimeout(timer);
    const connected = app.dataset.testConnectionState === CONNECTED;
    if (connected) notice.textContent = "";
    else timer = setTimeout(() => (notice.textContent = data.words), PATIENCE_MS);
  }

  const windows = new MutationObserver(closeWindow);
  windows.observe(document.body, { childList: true });
  const connection = new MutationObserver(tell);
  connection.observe(app, { attributeFilter: ["data-test-connection-state"] });
  closeWindow();
  tell();
  return () => {
    clearTimeout(timer);
    windows.disconnect();
    connection.disconnect();
  };
}
