// Sheets of the next items, fetched and fully decoded before they are needed, and dropped soon after.

import { tr } from "./texts.js";

export function createPrefetch(kept = 6) {
  const sheets = new Map(); // url -> {image: ImageBitmap | null, ready: Promise, failed: words | null, lost: bool}

  function want(url) {
    const known = sheets.get(url);
    if (known && !known.failed) {
      sheets.delete(url); // most recently wanted last
      sheets.set(url, known);
      return known;
    }
    const sheet = { image: null, failed: null, lost: false, ready: null };
    sheet.ready = load(url).then(
      (image) => ((sheet.image = image), sheet),
      (error) => (Object.assign(sheet, { failed: error.message, lost: error.lost ?? false }), sheet),
    );
    sheets.set(url, sheet);
    for (const old of [...sheets.keys()].slice(0, -kept)) {
      sheets.get(old).ready.then((dropped) => dropped.image?.close());
      sheets.delete(old);
    }
    return sheet;
  }

  return { want };
}

async function load(url) {
  let reply;
  try {
    reply = await fetch(url, { credentials: "same-origin" });
  } catch {
    throw Object.assign(new Error(tr("the connection failed")), { lost: true });
  }
  if (!reply.ok)
    throw Object.assign(new Error(tr("the server answered {status}", { status: reply.status })), {
      lost: reply.status >= 500,
    });
  try {
    return await createImageBitmap(await reply.blob());
  } catch {
    throw new Error(tr("the file is not a picture that this browser can read"));
  }
}
