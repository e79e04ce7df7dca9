// The desk's pure modules, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

const ASSETS = new URL("../../../../ui/components/desk/assets/", import.meta.url);
const load = (name) => import(new URL(name, ASSETS));

const { createClock } = await load("desk/clock.js");
const { createUndo } = await load("desk/undo.js");
const { earned } = await load("desk/earnings.js");
const { heard, keyName, namesOf, tableOf } = await load("shared/keys.js");
const keymap = await load("shared/keymap.js");
const { plural, speak, tr } = await load("shared/texts.js");
const { placesWith } = await load("shared/storage.js");
const times = await load("shared/player/frame_times.js");
const edges = await load("shared/player/segment_edges.js");
const zoom = await load("shared/player/zoom.js");
const { createSelection } = await load("desk/fields/option_selection.js");
const { createTicks } = await load("desk/fields/checklist_ticks.js");
const { createMarks } = await load("shared/player/marks.js");

test("the clock stops counting when nothing happens or the tab is hidden", () => {
  let now = 0;
  const clock = createClock(60, () => now * 1000);
  const read = [];
  const at = (s, act = () => {}) => ((now = s), act());
  clock.start(5);
  at(30, clock.touch);
  read.push(clock.seconds()); // 5 + 30
  at(300);
  read.push(clock.seconds()); // + the 60 s after the last sign
  clock.touch();
  at(310);
  read.push(clock.seconds()); // + 10
  clock.pause();
  at(900);
  read.push(clock.seconds()); // hidden: nothing
  clock.resume();
  at(907);
  read.push(clock.seconds()); // + 7
  assert.deepEqual(read, [35, 95, 105, 105, 112]);
});

test("frames are found by the file's own times", () => {
  const frames = [0, 0.02, 0.06, 0.12, 0.2];
  const part = (start, end) => Object.values(times.segment({ times: frames, start, end }));
  // 0.1 s is nearer to 0.12 than to 0.06; the middle of [0.02, 0.06] is 0.04, of [0.2, 0.3] 0.25.
  assert.deepEqual(
    [0.119, 0.12, 9].map((t) => times.frameAt(frames, t)),
    [2, 3, 4],
  );
  assert.equal(times.frameNearest(frames, 0.1), 3);
  assert.deepEqual(
    [1, 4].map((i) => times.middleOf(frames, 0.3, i)),
    [0.04, 0.25],
  );
  // A segment [0.03, 0.1) begins on the frame of 0.02 s and ends with that of 0.06 s.
  assert.deepEqual(
    [part(0, null), part(0.02, 0.12), part(0.03, 0.1), part(0.05, 0.055)],
    [
      [0, 4],
      [1, 2],
      [1, 2],
      [1, 1],
    ],
  );
});

test("edges of a segment are what the file's times allow", () => {
  const marks = { times: [0, 0.02, 0.06, 0.12, 0.2], first: 1, last: 3, end: 0.15 };
  const none = { start: null, end: null };
  // Edges 1 to 3 are frames at 0.02, 0.06, 0.12 s, edge 4 the clip's end at 0.15 s; 0.13 s is nearer to 0.12.
  assert.deepEqual(
    [0.07, 0.13, 0.14].map((t) => edges.edgeAt(marks, t)),
    [2, 3, 4],
  );
  assert.deepEqual(
    [3, 4].map((i) => edges.edgeTime(marks, i)),
    [0.12, 0.15],
  );
  assert.equal(edges.refusal(none, "start", 1, marks), null);
  assert.equal(edges.refusal(none, "end", 4, marks), null);
  for (const [which, i] of [
    ["start", 0],
    ["start", 4],
    ["end", 1],
    ["end", 5],
  ]) {
    assert.notEqual(edges.refusal(none, which, i, marks), null);
  }
});

test("one key with two meanings is refused with both named", () => {
  const bindings = [
    { key: "Enter", words: "Submit" },
    { key: "N", words: "Go", also: ["Enter"] },
  ];
  assert.throws(() => tableOf(bindings), /The key Enter is given twice: “Submit” and “Go”\./);
});

test("a key that yields goes to who else wants it, and the list of keys says so", () => {
  const instructions = { key: "I", also: ["H"], words: "Instructions", yields: true };
  const list = heard([instructions, { key: "I", words: "Start" }]);
  assert.deepEqual(
    list.map(({ words, keys }) => [words, keys]),
    [
      ["Instructions", ["H"]],
      ["Start", ["I"]],
    ],
  );
});

for (const [event, name] of [
  [{ key: "b", code: "KeyB" }, "B"],
  [{ key: " ", code: "Space" }, "Space"],
  [{ key: "&", code: "Digit1" }, "1"], // the digit row of a French keyboard
  [{ key: "?", code: "Digit1", shiftKey: true }, "?"],
  [{ key: "и", code: "KeyB" }, "B"],
  [{ key: "ArrowLeft", code: "ArrowLeft" }, "ArrowLeft"],
]) {
  test(`the press ${JSON.stringify(event)} is read as ${name}`, () => assert.equal(keyName(event), name));
}

test("modifiers belong to the name of a press, so that Alt+S is not S", () => {
  const left = { key: "ArrowLeft", code: "ArrowLeft" };
  assert.deepEqual(namesOf({ ...left, ctrlKey: true }), ["Ctrl+ArrowLeft"]);
  assert.deepEqual(namesOf({ ...left, ctrlKey: true, shiftKey: true }), ["Ctrl+Shift+ArrowLeft"]);
  assert.deepEqual(namesOf({ key: "s", code: "KeyS", altKey: true }), ["Alt+S"]);
  assert.deepEqual(namesOf({ key: "z", code: "KeyZ", metaKey: true }), ["Ctrl+Z"]);
});

test("keys are exchanged in pairs: none is lost and none means two things", () => {
  keymap.exchange("S", "Q");
  assert.deepEqual(["S", "Q", "U"].map(keymap.swapped), ["Q", "S", "U"]);
  keymap.exchange("U", "Q"); // Q leaves its pair; S is itself again
  assert.deepEqual(["S", "Q", "U"].map(keymap.swapped), ["S", "U", "Q"]);
  keymap.reset();
  assert.equal(keymap.isChanged(), false);
  assert.equal(keymap.isFree("Enter"), false);
});

test("undo goes back step by step, redo forth, and a new change ends redo", () => {
  const undo = createUndo(() => 0);
  undo.begin("{}");
  undo.note("A");
  undo.note("B");
  assert.deepEqual([undo.undo(), undo.undo(), undo.undo()], ["A", "{}", null]);
  assert.equal(undo.redo(), "A");
  undo.note("C");
  assert.equal(undo.redo(), null);
  assert.equal(undo.undo(), "A");
});

test("what is typed without a pause is one step", () => {
  let now = 0;
  const undo = createUndo(() => now);
  undo.begin("");
  for (const state of ["t", "th", "the"]) {
    undo.note(state, true);
    now += 100;
  }
  now += 2000;
  undo.note("the end", true);
  assert.deepEqual([undo.undo(), undo.undo(), undo.undo()], ["the", "", null]);
});

test("each second is paid once, wherever its answer is", () => {
  const counted = { done: 10, active_s: 600 };
  const way = [
    { fresh: true, active_s: 20 },
    { fresh: false, active_s: 5 },
  ];
  // On the clock 7 s, on the way 20 + 5 s, refused 30 s: 62 s that the server has not counted.
  assert.deepEqual(earned(counted, way, [{ active_s: 30 }], 7), { done: 11, extra_s: 62 });
  // The answer of a practice item is stored and on screen: its clock does not count again.
  assert.deepEqual(earned({ done: 11, active_s: 662 }, [], [], 0), { done: 11, extra_s: 0 });
});

test("the timeline zooms around a time and stays inside the clip", () => {
  const clip = { from: 0, to: 10 };
  // Half as much time is seen; 4 s stays at 40 % of the width: 4 - 0.4 * 5 = 2.
  assert.deepEqual(zoom.zoomed(clip, 2, 4, clip), { from: 2, to: 7 });
  assert.deepEqual(zoom.zoomed({ from: 2, to: 7 }, 0.5, 4, clip), clip);
  assert.deepEqual(zoom.zoomed(clip, 1000, 10, clip), { from: 9.8, to: 10 }); // 0.2 s at least
  assert.equal(zoom.shareOf({ from: 2, to: 7 }, 4.5), 0.5);
  assert.equal(zoom.timeAt({ from: 2, to: 7 }, 0.5), 4.5);
  // The view goes with a playhead that leaves it, and no further than the clip.
  assert.deepEqual(zoom.follow({ from: 2, to: 4 }, 9.5, clip), { from: 8, to: 10 });
  assert.deepEqual(zoom.follow({ from: 2, to: 4 }, 3, clip), { from: 2, to: 4 });
});

test("the marks to jump to are the edges of all segments and the ends of the clip", () => {
  const marks = createMarks({ draw() {}, hold() {}, goTo() {}, loopPart() {} });
  const frames = Array.from({ length: 11 }, (_, i) => i / 10);
  const offered = marks.offer({ times: frames, duration: 1.1, end: null, marks: true }, { first: 0, last: 10 });
  offered.draw(
    [
      { start: 0.3, end: 0.7 },
      { start: null, end: null },
    ],
    0,
    "start",
  );
  const span = { first: 0, last: 10 };
  assert.deepEqual(
    [0, 3, 7, 10].map((i) => marks.beside(i, 1, span)),
    [3, 7, 10, 10],
  );
  assert.deepEqual(
    [10, 7, 2].map((i) => marks.beside(i, -1, span)),
    [7, 3, 0],
  );
});

test("texts are shown in the language, and in English where it lacks one", () => {
  speak({ "{n} answer": "{n} Antwort", "{n} answers": "{n} Antworten", Skip: "Überspringen" });
  assert.equal(tr("Skip"), "Überspringen");
  assert.equal(plural(1, "{n} answer", "{n} answers"), "1 Antwort");
  assert.equal(plural(3, "{n} answer", "{n} answers"), "3 Antworten");
  assert.equal(tr("Back to {place}", { place: "work" }), "Back to work");
  speak({});
});

test("a value is put into a text as it is, also if it looks like a place for another", () => {
  assert.equal(tr("Write: {label}", { label: "{n} $& <b>" }), "Write: {n} $& <b>");
});

test("tasks with unsent answers of one person are found in the browser's storage", () => {
  const names = [
    "rushes/ws/Ada/3/out/u1",
    "rushes/ws/Ada/3/out/u2",
    "rushes/ws/Ada/4/draft/9",
    "rushes/ws/Ben/5/out/u3",
  ];
  const backing = { length: names.length, key: (i) => names[i] };
  assert.deepEqual(placesWith(["ws", "Ada"], "out/", backing), ["3"]);
});

test("the frame presented is told from its own time stamp, and from a position within its time on screen", () => {
  const uneven = [0, 0.02, 0.06, 0.12];
  const { framePresented } = times;
  assert.deepEqual([0, 0.02, 0.06, 0.12].map((t) => framePresented(uneven, t)), [0, 1, 2, 3]);
  assert.equal(framePresented(uneven, 0.0599), 2); // rounded down on the way
  assert.equal(framePresented(uneven, 0.04), 1); // the middle of the second frame, where Firefox was sent
  assert.equal(framePresented(uneven, 9), 3);
});

test("of an edited question the key is always kept, and the key that was stays as a wrong option", () => {
  const texts = ["Red", "Blue", "Green"];
  const options = texts.map((text, i) => ({ id: i + 1, text, key: i === 0 }));
  const selection = createSelection(options, [2]);
  selection.fill(undefined, false);
  assert.equal(selection.response(texts), undefined); // untouched: the declared key alone is no answer
  assert.equal(selection.toggle(0), false);
  selection.mark(1);
  assert.match(selection.missing(texts), /kept: 1/);
  selection.toggle(2);
  assert.equal(selection.missing(texts), null);
  assert.deepEqual(selection.response(texts), { kept: [1, 3], texts: { 1: "Red", 2: "Blue", 3: "Green" }, key: 2 });
  assert.match(selection.missing(["Red", "Blue", "blue"]), /say the same/);
  assert.match(selection.missing(["Red", "Blue", ""]), /no words/);
  selection.mark(1); // taken back
  assert.match(selection.missing(texts), /Mark the key/);
  selection.fill({ kept: ["3"], texts: {}, key: 1 }, true); // ids of JSON keys are texts
  assert.deepEqual([selection.keeps(2), selection.isKey(0)], [true, true]);
});

test("a checklist is open where neither a tick nor a reason is given", () => {
  const ticks = createTicks([{ id: "cup" }, { id: "dog" }, { id: "hat" }]);
  assert.equal(ticks.response(), undefined);
  ticks.toggle(1);
  assert.equal(ticks.classify(0, "absent"), true);
  assert.deepEqual([ticks.unticked(), ticks.open()], [[0, 2], [2]]);
  ticks.toggle(2);
  ticks.toggle(2);
  assert.deepEqual(ticks.response(), { ticked: ["dog"], classes: { cup: "absent" } });
  assert.equal(ticks.classify(0, "absent"), false); // the same reason once more takes it back
  assert.equal(ticks.fill({ ticked: ["cup"] }), false);
  assert.equal(ticks.fill({ ticked: ["cup"], classes: { hat: "absent" } }), true);
  assert.deepEqual(ticks.open(), [1]);
});
