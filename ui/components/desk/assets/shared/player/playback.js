// The playhead: plays, pauses and seeks only when the person asks, or when the segment ends. A frame counts as shown
// when the browser has presented it.

import { tr } from "../texts.js";
import { endOf, frameAt, framePresented, middleOf, segment } from "./frame_times.js";
import { createMoves } from "./playback_moves.js";

const LATE_MS = 250;

// videos: the pair of elements; say(words); changed(): the playhead or its state is another now.
export function createPlayback({ videos, preferences, say, changed }) {
  const at = { stage: null, span: { first: 0, last: 0 }, round: null, presented: 0, target: null, turning: false };
  let late = null;

  const video = () => videos.front();
  const reach = () => at.round ?? at.span;
  const inside = (i) => Math.min(at.span.last, Math.max(at.span.first, i));
  const shown = () => at.target ?? at.presented;

  function begin(stage) {
    const span = segment(stage);
    Object.assign(at, { stage, span, round: null, presented: span.first, target: null, turning: false });
  }

  function onframe(mediaTime) {
    if (!at.stage) return;
    at.presented = framePresented(at.stage.times, mediaTime);
    if (at.presented < reach().last || at.presented === reach().first) at.turning = false;
    if (!video().paused && at.presented >= reach().last) atEnd();
    changed();
  }

  // A browser under load may show a frame that was asked for without saying so, or skip it: ask again.
  function certain() {
    clearTimeout(late);
    const asked = at.target;
    if (asked === null || asked === at.presented) return;
    const missed = () => at.stage && at.target === asked && at.presented !== asked && video().paused;
    late = setTimeout(() => missed() && seek(asked, 1e-4), LATE_MS);
  }

  function onevent(name) {
    const { times, duration } = at.stage;
    if (name === "seeked") certain();
    if (name === "ended") atEnd();
    if (name === "timeupdate" && !video().paused && video().currentTime >= endOf(times, duration, reach().last))
      atEnd();
    if (!video().requestVideoFrameCallback) at.presented = frameAt(times, video().currentTime);
    changed();
  }

  function atEnd() {
    if (at.turning) return;
    if (at.round || preferences.get().loop) {
      at.turning = true;
      seek(reach().first);
      if (video().ended || video().paused) play();
      return;
    }
    goTo(at.span.last); // a browser under load may show a frame more after it was told to stop
  }

  function seek(i, beside = 0) {
    video().currentTime = middleOf(at.stage.times, at.stage.duration, i) + beside;
  }

  function play() {
    if (at.presented >= reach().last || at.presented < reach().first) {
      at.turning = true;
      seek(reach().first);
    }
    at.target = null;
    video().play().catch(refused);
  }

  function refused(error) {
    const words = "The browser wants a click or a key before it plays with sound: press Space, or M to mute.";
    if (error.name === "NotAllowedError") say(tr(words));
  }

  function goTo(i) {
    if (!at.stage) return;
    video().pause();
    Object.assign(at, { turning: false, round: null, target: inside(i) });
    seek(at.target);
  }

  return {
    at,
    begin,
    onframe,
    onevent,
    play,
    goTo,
    shown,
    end: () => (clearTimeout(late), Object.assign(at, { stage: null, round: null })),
    ...createMoves({ at, video, inside, shown, seek, play, goTo }),
  };
}
