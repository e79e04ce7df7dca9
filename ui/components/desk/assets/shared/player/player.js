// A clip, frame by frame. The number and time shown are those of the frame that the browser has presented.
// It plays, pauses and seeks only when the person asks, or when the segment ends.

import { el } from "../dom.js";
import { endOf, frameAt, frameNearest, middleOf, segment } from "./frame_times.js";
import { createBeside } from "./beside.js";
import { createControls, SPEEDS } from "./controls.js";
import { createMarks } from "./marks.js";
import { createTimeline } from "./timeline.js";
import { createVideos } from "./videos.js";
import { createPrefetch } from "../prefetch.js";
import { createHead } from "../stage/head.js";

const REASONS = {
  1: "loading was stopped",
  2: "the connection failed while it was loading",
  3: "the file is damaged or its coding is not supported by this browser",
  4: "the file cannot be had, or this browser cannot play its kind",
};

const LARGES = 12;
const LATE_MS = 250;

export function createPlayer({ prefetch, preferences, onready, onbusy, onfail }) {
  const videos = createVideos({ onframe, onevent });
  const picture = el("div", { class: "player-picture" }, videos.elements, el("p", { class: "loading" }, "Loading the video…"));
  const controls = createControls({ toggle, step, speed, mute, loop, toStart, seekTo: goTo, autoplay });
  const marks = createMarks({ hold, goTo, loop: goRound, draw: (...all) => timeline.drawCards(...all) });
  const timeline = createTimeline({ seekTo: goTo, edge: marks.edge, choose: marks.choose }, prefetch, createPrefetch(LARGES));
  const beside = createBeside();
  const head = createHead("source");
  const room = el("div", { class: "player-room" }, picture, beside.strip, beside.large);
  const element = el("div", { class: "player-stage" }, head.element, room, timeline.element, controls.element);
  let stage = null;
  let span = { first: 0, last: 0 };
  let round = null; // a part of the span that is played round and round
  let presented = 0; // the frame on screen
  let target = null; // the frame asked for last, while paused
  let rate = 1;
  let turning = false; // on the way back to the start of a loop
  let late = null;
  let waiting = false; // the first frame is not there yet

  picture.addEventListener("click", () => toggle());

  function show(next) {
    stage = next;
    span = segment(stage);
    round = null;
    presented = span.first;
    target = null;
    rate = 1;
    turning = false;
    controls.setUp(stage, span);
    beside.show(stage);
    head.show(stage.source?.title ?? "", stage.source?.link);
    const marked = marks.offer(stage, span);
    element.classList.toggle("marked", Boolean(marked));
    if (marked) timeline.show(stage, marked);
    waiting = !videos.bring(stage);
    settings();
    draw();
    if (!waiting) arrived();
  }

  function arrived() {
    waiting = false;
    picture.classList.remove("waiting");
    onready();
    if (preferences.get().autoplay) play();
  }

  function settings() {
    const video = videos.front();
    video.muted = Boolean(preferences.get().muted);
    video.playbackRate = rate;
    picture.classList.toggle("waiting", waiting);
  }

  const reach = () => round ?? span;

  function onframe(mediaTime) {
    if (!stage) return;
    presented = frameNearest(stage.times, mediaTime);
    if (presented < reach().last || presented === reach().first) turning = false;
    if (!videos.front().paused && presented >= reach().last) atEnd();
    draw();
  }

  function onevent(name, video) {
    if (!stage) return;
    if (name === "error") return fail(video);
    if (waiting && videos.ready()) arrived();
    if (name === "seeked") certain();
    if (name === "ended") atEnd();
    if (name === "timeupdate" && !video.paused) {
      onbusy();
      if (video.currentTime >= endOf(stage.times, stage.duration, reach().last)) atEnd();
    }
    if (!video.requestVideoFrameCallback) presented = frameAt(stage.times, video.currentTime);
    draw();
  }

  // A browser under load may show a frame that was asked for without saying so, or skip it: ask again.
  function certain() {
    clearTimeout(late);
    const asked = target;
    if (asked === null || asked === presented) return;
    late = setTimeout(() => stage && target === asked && presented !== asked && videos.front().paused && seek(asked, 1e-4), LATE_MS);
  }

  function fail(video) {
    waiting = false;
    picture.classList.remove("waiting");
    onfail(`The video could not be shown: ${REASONS[video.error?.code] ?? "the browser does not say why"}.`, stage.src, video.error?.code === 2);
  }

  function atEnd() {
    if (turning) return;
    if (round || preferences.get().loop) {
      turning = true;
      seek(reach().first);
      if (videos.front().ended || videos.front().paused) play();
      return;
    }
    goTo(span.last); // a browser under load may show a frame more after it was told to stop
  }

  function seek(i, beside = 0) {
    videos.front().currentTime = middleOf(stage.times, stage.duration, i) + beside;
  }

  function play() {
    const video = videos.front();
    if (presented >= reach().last || presented < reach().first) {
      turning = true;
      seek(reach().first);
    }
    target = null;
    video.play().catch((error) => {
      if (error.name === "NotAllowedError") controls.say("The browser wants a click or a key before it plays with sound: press Space, or M to mute.");
    });
  }

  function toggle() {
    if (!stage || waiting) return;
    round = null;
    if (videos.front().paused) play();
    else videos.front().pause();
  }

  function goRound(first, last) {
    if (!stage || waiting) return;
    const same = round && !videos.front().paused && round.first === first && round.last === last;
    goTo(first);
    if (same) return;
    round = { first, last: Math.max(first, last) };
    turning = true;
    play();
  }

  // Stops at the frame on screen, or at the one that was asked for last and is about to be; gives its number.
  // The position is set anew when the video has stopped, so that what is seen from now on is that frame.
  function hold() {
    const i = Math.min(span.last, Math.max(span.first, target ?? presented));
    goTo(i);
    return i;
  }

  // One frame per press, also when presses come faster than the browser can seek.
  function step(by) {
    goTo((target ?? presented) + by);
  }

  function goTo(i) {
    if (!stage || waiting) return;
    videos.front().pause();
    turning = false;
    round = null;
    target = Math.min(span.last, Math.max(span.first, i));
    seek(target);
  }

  function toStart() {
    if (videos.front().paused) goTo(span.first);
    else seek(span.first);
  }

  function speed(by) {
    const at = SPEEDS.indexOf(rate);
    rate = by === 0 ? 1 : SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))];
    settings();
    draw();
  }

  function slowDownOrStop() {
    if (videos.front().paused) speed(0);
    else videos.front().pause();
  }

  function mute() {
    preferences.set({ muted: !preferences.get().muted });
    settings();
    draw();
  }

  function loop() {
    preferences.set({ loop: !preferences.get().loop });
    draw();
  }

  function autoplay() {
    preferences.set({ autoplay: !preferences.get().autoplay });
    draw();
  }

  function draw() {
    if (!stage) return;
    element.dataset.frame = presented;
    timeline.at(stage.times[presented]);
    controls.draw({ presented, paused: videos.front().paused, rate, ...preferences.get() });
  }

  return {
    element,
    show,
    clear() {
      stage = null;
      waiting = false;
      round = null;
      clearTimeout(late);
      marks.clear();
      timeline.clear();
      beside.clear();
      head.show("", "");
      videos.park();
      picture.classList.remove("waiting");
      delete element.dataset.frame;
      controls.clear();
    },
    prepare(next, i) {
      if (i === 0) videos.prepare(next);
      if (next.preview?.sheet) prefetch.want(next.preview.sheet);
    },
    look: () => ({ marks: marks.now() }),
    shown: () => target ?? presented,
    stop: videos.unloadAll,
    escape: beside.escape,
    bindings: () => [...playerBindings({ toggle, step, speed, slowDownOrStop, mute, loop, toStart, autoplay }), ...beside.bindings()],
  };
}

function playerBindings(act) {
  const bind = (key, words, run, more = {}) => ({ key, words, run, group: "Video", ...more });
  return [
    bind("Space", "Play or pause", () => act.toggle()),
    bind(",", "One frame back", () => act.step(-1), { repeat: true, also: ["ArrowLeft"] }),
    bind(".", "One frame on", () => act.step(1), { repeat: true, also: ["ArrowRight"] }),
    bind("J", "Slower", () => act.speed(-1)),
    bind("L", "Faster", () => act.speed(1)),
    bind("K", "Pause; when paused, normal speed", () => act.slowDownOrStop()),
    bind("M", "Sound on or off", () => act.mute()),
    bind("R", "Repeat on or off", () => act.loop()),
    bind("P", "Play new videos at once, or not", () => act.autoplay()),
    bind("0", "To the start", () => act.toStart(), { also: ["Home"] }),
  ];
}
