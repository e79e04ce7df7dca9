// Whether a clip that begins later than its video shows its first frame yet. A busy browser says that it has sought a
// frame while the one before is still on screen, so only the frame that it presents counts.

import { framePresented, segment } from "./frame_times.js";

// How long a browser may take to show the frame that it has sought before it is asked again.
const LATE_MS = 250;

// seek(element, beside): to the first frame of its clip; opened(element): it shows that frame.
export function createOpening({ seek, opened }) {
  const expected = new WeakMap(); // element -> {first, asked} until its first frame is on screen

  function begin(element, stage) {
    const { first } = segment(stage);
    if (first > 0 && element.requestVideoFrameCallback) expected.set(element, { first, asked: 0 });
    else expected.delete(element);
  }

  function presented(element, mediaTime) {
    const opening = expected.get(element);
    if (opening && framePresented(element.stage.times, mediaTime) === opening.first) done(element);
  }

  // A browser does not always say which frame it shows, least of all of a clip that is off the screen.
  function sought(element) {
    const opening = expected.get(element);
    if (!opening) return;
    setTimeout(() => {
      if (expected.get(element) !== opening) return;
      opening.asked += 1;
      if (opening.asked > 1) done(element);
      else seek(element, 1e-4);
    }, LATE_MS);
  }

  function done(element) {
    expected.delete(element);
    opened(element);
  }

  return {
    begin,
    presented,
    sought,
    end: (element) => expected.delete(element),
    waits: (element) => expected.has(element),
  };
}
