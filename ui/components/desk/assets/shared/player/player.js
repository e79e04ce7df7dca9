// One clip: the picture, its controls, and for marking a timeline. The frame number follows what the browser has
// presented.

import { el } from "../dom.js";
import { createPrefetch } from "../prefetch.js";
import { createHead } from "../stage/head.js";
import { tr } from "../texts.js";
import { createBeside } from "./beside.js";
import { createControls } from "./controls.js";
import { createMarks } from "./marks.js";
import { createPlayback } from "./playback.js";
import { createActions, rateOf } from "./player_actions.js";
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
  const parts = { playback, videos, preferences, marks: () => marks, timeline: () => timeline };
  const able = () => stage !== null && !waiting;
  const act = createActions(parts, { able, stage: () => stage, refresh: () => (settings(), draw()) });
  const controls = createControls(act);
  const marks = createMarks({ ...act, draw: (...all) => timeline.drawCards(...all) });
  const larges = createPrefetch(LARGES);
  const timeline = createTimeline({ ...marks.offered, seekTo: act.goTo }, prefetch, larges);
  const beside = createBeside();
  const head = createHead("source");
  const loading = el("p", { class: "loading" }, tr("Loading the video…"));
  const picture = el("div", { class: "player-picture" }, videos.elements, loading);
  const room = el("div", { class: "player-room" }, picture, beside.large, beside.strip);
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
    video.playbackRate = rateOf(preferences);
    picture.classList.toggle("waiting", waiting);
  }

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

  function draw() {
    if (!stage) return;
    const { presented } = playback.at;
    element.dataset.frame = presented;
    timeline.at(stage.times[presented]);
    controls.draw({ ...preferences.get(), presented, paused: videos.front().paused, rate: rateOf(preferences) });
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
