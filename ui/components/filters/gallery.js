// Cards with a thumbnail: what a filter said of clips. A click, or Enter, opens one.

const galleries = new WeakMap(); // parentElement -> {show}

export default function ({ data, parentElement, setTriggerValue }) {
  let gallery = galleries.get(parentElement);
  if (!gallery) {
    gallery = create(parentElement);
    galleries.set(parentElement, gallery);
  }
  gallery.show(data, (id) => setTriggerValue("open", id));
  return () => galleries.delete(parentElement);
}

function create(parentElement) {
  const root = document.createElement("div");
  root.className = "gallery";
  parentElement.append(root);
  const cards = new Map(); // id -> element, so that pictures are not fetched again
  let open = () => {};

  return {
    show(data, onopen) {
      open = onopen;
      for (const [name, colour] of Object.entries(data.colours)) {
        root.style.setProperty(`--${name}`, colour);
      }
      root.style.setProperty("--card", data.width);
      const wanted = data.cards.map((card) => {
        const element = cards.get(card.id) ?? created(card.id);
        cards.set(card.id, element);
        fill(element, card);
        return element;
      });
      const kept = new Set(data.cards.map((card) => card.id));
      for (const id of [...cards.keys()]) if (!kept.has(id)) cards.delete(id);
      root.replaceChildren(...wanted);
    },
  };

  function created(id) {
    const card = document.createElement("button");
    card.type = "button";
    card.dataset.id = id;
    const picture = document.createElement("img");
    picture.loading = "lazy";
    picture.decoding = "async";
    picture.alt = "";
    picture.addEventListener("error", () => picture.classList.add("lacking"));
    const place = document.createElement("div");
    place.className = "picture";
    place.append(picture);
    const words = document.createElement("div");
    words.className = "words";
    card.append(place, words);
    card.addEventListener("click", () => open(id));
    card.addEventListener("pointerenter", () => play(card));
    card.addEventListener("pointerleave", () => stop(card));
    card.addEventListener("focus", () => card.matches(":focus-visible") && play(card));
    card.addEventListener("blur", () => stop(card));
    return card;
  }
}

// One video at a time, without sound, and none is kept once the pointer has gone.
function play(card) {
  const { play: address, start, end } = card.dataset;
  if (!address || card.querySelector("video")) return;
  const video = document.createElement("video");
  Object.assign(video, { muted: true, playsInline: true, src: `${address}#t=${start}` });
  video.addEventListener("timeupdate", () => {
    if (video.ended || (end && video.currentTime >= Number(end))) again();
  });
  video.addEventListener("ended", () => again());
  video.addEventListener("error", () => stop(card));
  const again = () => ((video.currentTime = Number(start)), video.play().catch(() => {}));
  card.querySelector(".picture").append(video);
  video.play().catch(() => {}); // a browser may refuse; the pictures stay
}

function stop(card) {
  const video = card.querySelector("video");
  if (!video) return;
  video.pause();
  video.removeAttribute("src"); // ends what is being loaded
  video.load();
  video.remove();
}

function fill(card, { play: address, start_s, end_s, ...shown }) {
  Object.assign(card.dataset, { play: address, start: start_s, end: end_s ?? "" });
  fillWords(card, shown);
}

function fillWords(card, { title, src, badges, lines, help }) {
  const picture = card.querySelector("img");
  if (picture.getAttribute("src") !== src) {
    picture.classList.remove("lacking");
    if (src) picture.src = src;
    else picture.classList.add("lacking");
  }
  card.title = help || title;
  const words = card.querySelector(".words");
  words.replaceChildren(line("title", title));
  if (badges.length) {
    const row = document.createElement("div");
    row.className = "badges";
    for (const badge of badges) {
      const one = line(`badge ${badge.tone}`, badge.text);
      row.append(one);
    }
    words.append(row);
  }
  for (const text of lines) words.append(line("line", text));
}

function line(className, text) {
  const element = document.createElement("div");
  element.className = className;
  element.textContent = text;
  return element;
}
