// One person's desk for one task: opens it, and opens it again when the server was away.

import { createApi, Trouble } from "../shared/api.js";
import { createStorage } from "../shared/storage.js";
import { plural, speak, tr } from "../shared/texts.js";
import * as screens from "./screens.js";
import { createSession } from "./session.js";

const AGAIN_MS = 3000;

export function createDesk(root, data) {
  speak(data.texts);
  const life = new AbortController();
  const api = createApi(data);
  const storage = createStorage([data.workspace, data.person, data.task].filter((part) => part !== undefined));
  let session = null;

  async function open() {
    session?.end();
    session = null;
    root.dataset.ready = "0";
    root.dataset.state = "opening";
    root.replaceChildren(screens.opening());
    try {
      const info = await api.open();
      if (!life.signal.aborted) session = createSession(root, data, { api, storage, info, reopen: open });
    } catch (trouble) {
      if (!life.signal.aborted) closed(trouble);
    }
  }

  // The server cannot be reached or does not want us: say so, count what is kept, and go on trying.
  function closed(trouble) {
    if (!(trouble instanceof Trouble)) console.error(trouble);
    const kept = storage.list("out/").length;
    const keptWords = kept
      ? ` ${plural(
          kept,
          "{n} of your answers is kept on this computer and will be sent.",
          "{n} of your answers are kept on this computer and will be sent.",
        )}`
      : "";
    const words = {
      offline:
        (trouble.status
          ? `${trouble.message} ${tr("This page goes on trying.")}`
          : tr("The server cannot be reached. This page goes on trying.")) + keptWords,
      "signed-out": tr("Your session has ended: open your invite link again; your answers are kept.") + keptWords,
    };
    root.dataset.ready = "0";
    root.dataset.state = "closed";
    root.replaceChildren(screens.problem(words[trouble.kind] ?? trouble.message, open));
    const timer = setTimeout(open, AGAIN_MS * (trouble.kind === "offline" ? 1 : 5));
    life.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  }

  open();
  return {
    stop() {
      life.abort();
      session?.end();
    },
  };
}
