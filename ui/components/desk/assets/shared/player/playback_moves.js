// Where the playhead goes when the person asks: a frame, some seconds, the start, or round and round.

import { frameAt } from "./frame_times.js";

// at, seek, play, goTo: of playback.js; video(): the element on screen; inside(i): the nearest frame of the clip.
export function createMoves({ at, video, inside, shown, seek, play, goTo }) {
  return {
    toggle() {
      at.round = null;
      if (video().paused) play();
      else video().pause();
    },
    // A part of the clip again and again; once more for the same part stops.
    goRound(first, last) {
      const { round } = at;
      const same = round && !video().paused && round.first === first && round.last === last;
      goTo(first);
      if (same) return;
      at.round = { first, last: Math.max(first, last) };
      at.turning = true;
      play();
    },
    // Stops at the frame on screen, or at the one that was asked for last and is about to be; gives its number.
    // The position is set anew when the video has stopped, so that what is seen from now on is that frame.
    hold() {
      const i = inside(shown());
      goTo(i);
      return i;
    },
    // One frame per press, also when presses come faster than the browser can seek.
    step: (by) => goTo(shown() + by),
    // So many seconds on or back; what plays goes on playing from there.
    jump(seconds) {
      const { times } = at.stage;
      const from = times[shown()];
      const to = inside(frameAt(times, Math.max(times[at.span.first], from + seconds)));
      const playing = !video().paused;
      goTo(to === shown() ? to + Math.sign(seconds) : to);
      if (playing) play();
    },
    toStart() {
      if (video().paused) goTo(at.span.first);
      else seek(at.span.first);
    },
  };
}
