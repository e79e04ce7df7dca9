// The row under the picture: bar, frame number and time, buttons. It shows what it is told and keeps nothing.

import { el, icon, press } from "../dom.js";
import { frameAt } from "./frame_times.js";
import { seconds } from "../words.js";
import { tr } from "../texts.js";

export const SPEEDS = [0.25, 0.5, 1, 1.5, 2];

export function createControls(act) {
  const fill = el("div", { class: "bar-fill" });
  const bar = el(
    "div",
    { class: "bar", role: "slider", tabindex: "0", "aria-label": tr("Position in the video") },
    fill,
  );
  const frame = el("span", { class: "frame-number" });
  const words = el("span", { class: "hint", role: "status" });
  const small = (name, label, key, run) => press(icon(name), run, { key, name: label, title: label, kind: "quiet" });
  const play = small("play", tr("Play"), "Space", () => act.toggle());
  const sound = small("sound", tr("Sound"), "M", () => act.mute());
  const loop = small("loop", tr("Repeat"), "R", () => act.loop());
  const rate = el("span", { class: "rate" });
  const auto = press(tr("Autoplay"), () => act.autoplay(), {
    key: "P",
    title: tr("Play new videos at once"),
    kind: "quiet",
  });
  const element = el(
    "div",
    { class: "controls" },
    bar,
    el(
      "div",
      { class: "row" },
      small("start", tr("To the start"), "0", () => act.toStart()),
      small("back", tr("One frame back"), ",", () => act.step(-1)),
      play,
      small("forward", tr("One frame on"), ".", () => act.step(1)),
      frame,
      words,
      el("span", { class: "spring" }),
      el(
        "span",
        { class: "speed" },
        press("−", () => act.speed(-1), { key: "J", name: tr("Slower"), title: tr("Slower"), kind: "quiet" }),
        rate,
        press("+", () => act.speed(1), { key: "L", name: tr("Faster"), title: tr("Faster"), kind: "quiet" }),
      ),
      loop,
      sound,
      auto,
    ),
  );
  let stage = null;
  let span = null;

  drag(bar, (share) => {
    if (!stage) return;
    const { times } = stage;
    const [from, to] = reach();
    const t = from + share * (to - from);
    act.seekTo(frameAt(times, t));
  });

  const reach = () => [stage.times[span.first], stage.times[span.last]];

  function draw(now) {
    const [from, to] = reach();
    const t = stage.times[now.presented];
    const share = to > from ? Math.min(1, Math.max(0, (t - from) / (to - from))) : 1;
    fill.style.transform = `scaleX(${share})`;
    bar.setAttribute("aria-valuenow", now.presented + 1);
    bar.setAttribute("aria-valuetext", `${tr("frame {n}", { n: now.presented + 1 })}, ${seconds(t, 3)}`);
    const place = tr("frame {n} of {total}", { n: now.presented + 1, total: stage.times.length });
    frame.textContent = `${place} · ${seconds(t, 3)}`;
    swap(play, now.paused ? "play" : "pause", now.paused ? tr("Play") : tr("Pause"));
    swap(sound, now.muted ? "muted" : "sound", now.muted ? tr("Sound is off") : tr("Sound is on"));
    sound.hidden = !stage.has_audio;
    rate.textContent = `${now.rate}×`;
    loop.setAttribute("aria-pressed", String(Boolean(now.loop)));
    auto.setAttribute("aria-pressed", String(Boolean(now.autoplay)));
    if (!now.paused) words.textContent = "";
  }

  return {
    element,
    draw,
    setUp(next, nextSpan) {
      stage = next;
      span = nextSpan;
      words.textContent = "";
      bar.setAttribute("aria-valuemin", span.first + 1);
      bar.setAttribute("aria-valuemax", span.last + 1);
    },
    clear() {
      stage = null;
      frame.textContent = "";
      words.textContent = "";
      fill.style.transform = "scaleX(0)";
    },
    say: (text) => (words.textContent = text),
  };
}

function swap(button, name, label) {
  if (button.dataset.icon === name) return;
  button.dataset.icon = name;
  button.setAttribute("aria-label", label);
  button.title = label;
  button.replaceChildren(icon(name), ...button.querySelectorAll(".cap"));
}

function drag(bar, go) {
  const share = (event) => {
    const box = bar.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  bar.addEventListener("mousedown", (event) => event.preventDefault());
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    go(share(event));
  });
  bar.addEventListener("pointermove", (event) => bar.hasPointerCapture(event.pointerId) && go(share(event)));
}
