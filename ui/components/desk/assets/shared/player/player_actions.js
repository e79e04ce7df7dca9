// What a person can do with a clip, by button or by key; nothing of it before the first frame is there.

import { SPEEDS } from "./controls.js";
import { endOf } from "./frame_times.js";

export const rateOf = (preferences) => (SPEEDS.includes(preferences.get().rate) ? preferences.get().rate : 1);

// marks() and timeline() are made after the actions, which they are given; able(): the first frame is there;
// refresh(): the preferences are others now.
export function createActions(parts, { able, stage, refresh }) {
  const { playback, videos, preferences, marks, timeline } = parts;
  const { at, goTo, shown } = playback;
  const whenAble =
    (run) =>
    (...all) =>
      able() ? run(...all) : undefined;

  const prefer = (name) => () => {
    preferences.set({ [name]: !preferences.get()[name] });
    refresh();
  };

  // One step along the speeds, or back to the normal one (0).
  function speed(by) {
    const step = SPEEDS.indexOf(rateOf(preferences)) + by;
    preferences.set({ rate: by === 0 ? 1 : SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, step))] });
    refresh();
  }

  function length() {
    const { times, duration } = stage();
    return endOf(times, duration, at.span.last) - times[at.span.first];
  }

  return {
    toggle: whenAble(playback.toggle),
    step: whenAble(playback.step),
    goTo: whenAble(goTo),
    seekTo: whenAble(goTo),
    hold: whenAble(playback.hold),
    loopPart: whenAble(playback.goRound),
    toStart: whenAble(playback.toStart),
    toEnd: whenAble(() => goTo(at.span.last)),
    jump: whenAble(playback.jump),
    jumpShare: whenAble((share) => playback.jump(share * length())),
    toMark: whenAble((by) => goTo(marks().beside(shown(), by, at.span))),
    zoomIn: whenAble(() => timeline().zoomIn()),
    zoomOut: whenAble(() => timeline().zoomOut()),
    speed,
    slowDownOrStop: () => (videos.front().paused ? speed(0) : videos.front().pause()),
    mute: prefer("muted"),
    loop: prefer("loop"),
    autoplay: prefer("autoplay"),
  };
}
