// Sheets of the next items, fetched and fully decoded before they are needed, and dropped soon after.

export function createPrefetch(kept = 6) {
  const sheets = new Map(); // url -> {image: ImageBitmap | null, ready: Promise, failed: words | null}

  function want(url) {
    const known = sheets.get(url);
    if (known && !known.failed) {
      sheets.delete(url); // most recently wanted last
      sheets.set(url, known);
      return known;
    }
    const sheet = { image: null, failed: null, ready: null };
    sheet.ready = load(url).then(
      (image) => ((sheet.image = image), sheet),
      (error) => ((sheet.failed = error.message), sheet),
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
    throw new Error("the connection failed");
  }
  if (!reply.ok) throw new Error(`the server answered ${reply.status}`);
  try {
    return await createImageBitmap(await reply.blob());
  } catch {
    throw new Error("the file is not a picture that this browser can read");
  }
}
