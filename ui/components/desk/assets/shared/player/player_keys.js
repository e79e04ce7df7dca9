// The player's keys. Arrows step frames; with Ctrl they move by a second, with Ctrl and Shift by a tenth of the clip.

import { tr } from "../texts.js";

const TENTH = 0.1;

export function playerBindings(act, marked) {
  const bind = (key, words, run, more = {}) => ({ key, words: tr(words), run, group: tr("Video"), ...more });
  const repeat = { repeat: true };
  const always = [
    bind("Space", "Play or pause", () => act.toggle()),
    bind(",", "One frame back", () => act.step(-1), { ...repeat, also: ["ArrowLeft"] }),
    bind(".", "One frame on", () => act.step(1), { ...repeat, also: ["ArrowRight"] }),
    bind("Ctrl+ArrowLeft", "One second back", () => act.jump(-1), repeat),
    bind("Ctrl+ArrowRight", "One second on", () => act.jump(1), repeat),
    bind("PageUp", "A tenth of the clip back", () => act.jumpShare(-TENTH), {
      ...repeat,
      also: ["Ctrl+Shift+ArrowLeft"],
    }),
    bind("PageDown", "A tenth of the clip on", () => act.jumpShare(TENTH), {
      ...repeat,
      also: ["Ctrl+Shift+ArrowRight"],
    }),
    bind("J", "Slower", () => act.speed(-1)),
    bind("L", "Faster", () => act.speed(1)),
    bind("K", "Pause; when paused, normal speed", () => act.slowDownOrStop()),
    bind("M", "Sound on or off", () => act.mute()),
    bind("R", "Repeat on or off", () => act.loop()),
    bind("P", "Play new videos at once, or not", () => act.autoplay()),
    bind("0", "To the start", () => act.toStart(), { also: ["Home"] }),
    bind("End", "To the end", () => act.toEnd()),
  ];
  if (!marked) return always;
  return [
    ...always,
    bind("Ctrl+ArrowUp", "To the mark before", () => act.toMark(-1), repeat),
    bind("Ctrl+ArrowDown", "To the next mark", () => act.toMark(1), repeat),
    bind("+", "Timeline: closer", () => act.zoomIn(), { ...repeat, also: ["="] }),
    bind("-", "Timeline: wider", () => act.zoomOut(), repeat),
  ];
}
