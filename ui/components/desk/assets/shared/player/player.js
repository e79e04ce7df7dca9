// One clip: the picture, its controls, and for marking a timeline. The frame number follows what the browser has
// presented.

import { el } from "../dom.js";
import { createPrefetch } from "../prefetch.js";
import { createHead } from "../stage/head.js";
import { tr } from "../texts.js";
import { createBeside } from "./beside.js";
import { createControls, SPEEDS } from "./controls.js";
import { endOf } from "./frame_times.js";
import { createMarks } from "./marks.js";
import { createPlayback } from "./playback.js";
import { playerBindings } from "./player_keys.js";
import { createTimeline } from "./timeline.js";
import { createVideos } from "./videos.js";

const REASONS = {
  1: "loading was stopped",
  2: "the connection failed while it was loading",
  3: "the file is damaged or its coding is not supported by this browser",
  4: "the file cannot be had, or this browser cannot play its kind",
};
const UNKNOWN = "the browser does not say why";
const LARGES = 12;

export function createPlayer({ prefetch, preferences, onready, onbusy, onfail }) {
  let stage = null;
  let waiting = false; // the first frame is not there yet
  const videos = createVideos({ onframe: (time) => playback.onframe(time), onevent });
  const playback = createPlayback({ videos, preferences, say: (words) => controls.say(words), changed: draw });
  const act = actions();
  const controls = createControls(act);
  const marks = createMarks({ ...act, draw: (...all) => timeline.drawCards(...all) });
  const larges = createPrefetch(LARGES);
  const timeline = createTimeline({ ...marks.offered, seekTo: act.goTo }, prefetch, larges);
  const beside = createBeside();
  const head = createHead("source");
  const loading = el("p", { class: "loading" }, tr("Loading the video…"));
  const picture = el("div", { class: "player-picture" }, videos.elements, loading);
  const room = el("div", { class: "player-room" }, picture, beside.strip, beside.large);
  const element = el("div", { class: "player-stage" }, head.element, room, timeline.element, controls.element);
  picture.addEventListener("click", () => act.toggle());

  function show(next) {
    stage = next;
    playback.begin(stage);
    controls.setUp(stage, playback.at.span);
    beside.show(stage);
    head.show(stage.source?.title ?? "", stage.source?.link);
    const marked = marks.offer(stage, playback.at.span);
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
    if (preferences.get().autoplay) playback.play();
  }

  function settings() {
    const video = videos.front();
    video.muted = Boolean(preferences.get().muted);
    video.playbackRate = rate();
    picture.classList.toggle("waiting", waiting);
  }

  const rate = () => (SPEEDS.includes(preferences.get().rate) ? preferences.get().rate : 1);

  function onevent(name, video) {
    if (!stage) return;
    if (name === "error") return fail(video);
    if (waiting && videos.ready()) arrived();
    if (name === "timeupdate" && !video.paused) onbusy();
    playback.onevent(name);
  }

  function fail(video) {
    waiting = false;
    picture.classList.remove("waiting");
    const why = tr(REASONS[video.error?.code] ?? UNKNOWN);
    onfail(tr("The video could not be shown: {why}.", { why }), stage.src, video.error?.code === 2);
  }

  // What a person can do; nothing of it before the first frame is there.
  function actions() {
    const able =
      (run) =>
      (...all) =>
        stage && !waiting ? run(...all) : undefined;
    const prefer = (name) => () => {
      preferences.set({ [name]: !preferences.get()[name] });
      settings();
      draw();
    };
    const length = () =>
      endOf(stage.times, stage.duration, playback.at.span.last) - stage.times[playback.at.span.first];
    const speed = (by) => {
      const place = SPEEDS.indexOf(rate()) + by;
      preferences.set({ rate: by === 0 ? 1 : SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, place))] });
      settings();
      draw();
    };
    return {
      toggle: able(playback.toggle),
      step: able(playback.step),
      goTo: able(playback.goTo),
      seekTo: able(playback.goTo),
      hold: able(playback.hold),
      loopPart: able(playback.goRound),
      toStart: able(playback.toStart),
      toEnd: able(() => playback.goTo(playback.at.span.last)),
      jump: able(playback.jump),
      jumpShare: able((share) => playback.jump(share * length())),
      toMark: able((by) => playback.goTo(marks.beside(playback.shown(), by, playback.at.span))),
      zoomIn: able(() => timeline.zoomIn()),
      zoomOut: able(() => timeline.zoomOut()),
      speed,
      slowDownOrStop: () => (videos.front().paused ? speed(0) : videos.front().pause()),
      mute: prefer("muted"),
      loop: prefer("loop"),
      autoplay: prefer("autoplay"),
    };
  }

  function draw() {
    if (!stage) return;
    const { presented } = playback.at;
    element.dataset.frame = presented;
    timeline.at(stage.times[presented]);
    controls.draw({ ...preferences.get(), presented, paused: videos.front().paused, rate: rate() });
  }

  function clear() {
    stage = null;
    waiting = false;
    playback.end();
    for (const part of [marks, timeline, beside, controls]) part.clear();
    head.show("", "");
    videos.park();
    picture.classList.remove("waiting");
    delete element.dataset.frame;
  }

  return {
    element,
    show,
    clear,
    prepare(next, i) {
      if (i === 0) videos.prepare(next);
      if (next.preview?.sheet) prefetch.want(next.preview.sheet);
    },
    look: () => ({ marks: marks.now() }),
    shown: playback.shown,
    stop: videos.unloadAll,
    escape: beside.escape,
    showExpected: (expected) => timeline.showExpected(marks.cardsOf(expected)),
    bindings: () => [...playerBindings(act, Boolean(marks.now())), ...beside.bindings()],
  };
}
