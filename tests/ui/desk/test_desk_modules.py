from collections.abc import Callable
from typing import Any

import pytest

from ui.components.desk.desk import (
    DESK,
    FAILURES,
    VIEWER,
    assets_folder,
    assets_hash,
    modules,
    mount_desk,
)

OpenDesk = Callable[..., Any]


def call(desk: Any, module: str, body: str, argument: Any = None) -> Any:
    """What a script says that is given one of the desk's modules as `m`, and an argument as `x`."""
    address = f"/desk/assets/{assets_hash()}/{module}"
    script = f"async x => {{ const m = await import('{address}'); {body} }}"
    return desk.page.evaluate(script, argument)


@pytest.mark.browser
def test_the_clock_stops_counting_when_nothing_happens_or_the_tab_is_hidden(open_desk: OpenDesk):
    desk = open_desk()
    seconds = call(
        desk,
        "desk/clock.js",
        """let t = 0; const clock = m.createClock(60, () => t * 1000); const read = [];
        clock.start(5);
        t = 30; clock.touch(); read.push(clock.seconds());    // 5 + 30
        t = 300; read.push(clock.seconds());                  // + the 60 s after the last sign
        clock.touch(); t = 310; read.push(clock.seconds());   // + 10
        clock.pause(); t = 900; read.push(clock.seconds());   // hidden: nothing
        clock.resume(); t = 907; read.push(clock.seconds());  // + 7
        return read;""",
    )
    assert seconds == [35, 95, 105, 105, 112]


@pytest.mark.browser
def test_frames_are_found_by_the_files_own_times(open_desk: OpenDesk):
    desk = open_desk()
    found = call(
        desk,
        "shared/player/frame_times.js",
        """const times = [0, 0.02, 0.06, 0.12, 0.2];
        const part = (start, end) => Object.values(m.segment({times, start, end}));
        return [
          m.frameAt(times, 0.119), m.frameAt(times, 0.12), m.frameAt(times, 9),
          m.frameNearest(times, 0.1), m.middleOf(times, 0.3, 1), m.middleOf(times, 0.3, 4),
          part(0, null), part(0.02, 0.12), part(0.03, 0.1), part(0.05, 0.055),
        ];""",
    )
    # 0.1 s is nearer to 0.12 than to 0.06; the middle of [0.02, 0.06] is 0.04, of [0.2, 0.3] 0.25;
    # a segment [0.03, 0.1) begins on the frame of 0.02 s and ends with that of 0.06 s.
    assert found == [2, 3, 4, 3, 0.04, 0.25, [0, 4], [1, 2], [1, 2], [1, 1]]


@pytest.mark.browser
def test_one_key_with_two_meanings_is_refused_with_both_named(open_desk: OpenDesk):
    desk = open_desk()
    words = call(
        desk,
        "shared/keys.js",
        """const one = {key: 'Enter', words: 'Submit'};
        const two = {key: 'N', words: 'Go', also: ['Enter']};
        try { m.tableOf([one, two]); return 'taken'; } catch (error) { return error.message; }""",
    )
    assert words == "The key Enter is given twice: “Submit” and “Go”."


@pytest.mark.browser
def test_a_key_that_yields_goes_to_who_else_wants_it_and_the_list_of_keys_says_so(
    open_desk: OpenDesk,
):
    heard = call(
        open_desk(),
        "shared/keys.js",
        """const instructions = {key: 'I', also: ['H'], words: 'Instructions', yields: true};
        const start = {key: 'I', words: 'Start'};
        return m.heard([instructions, start]).map(one => [one.words, one.keys]);""",
    )
    assert heard == [["Instructions", ["H"]], ["Start", ["I"]]]


@pytest.mark.browser
def test_the_key_for_what_looks_alike_is_left_to_a_field_that_wants_it(open_desk: OpenDesk):
    words = call(
        open_desk(),
        "shared/player/beside.js",
        """const {tableOf} = await import(x);
        const beside = m.createBeside();
        beside.show({beside: [{large: 'data:,', label: 'alike'}]});
        const field = {key: 'W', words: 'Write'};
        const table = (...more) => tableOf([...beside.bindings(), ...more]).get('W').words;
        return [table(field), table().startsWith('What looks alike')];""",
        f"/desk/assets/{assets_hash()}/shared/keys.js",
    )
    assert words == ["Write", True]


@pytest.mark.browser
def test_edges_of_a_segment_are_what_the_files_times_allow(open_desk: OpenDesk):
    found = call(
        open_desk(),
        "shared/player/segment_edges.js",
        """const marks = {times: [0, 0.02, 0.06, 0.12, 0.2], first: 1, last: 3, end: 0.15};
        const none = {start: null, end: null};
        return [
          m.edgeAt(marks, 0.07), m.edgeAt(marks, 0.13), m.edgeAt(marks, 0.14),
          m.edgeTime(marks, 3), m.edgeTime(marks, 4),
          m.refusal(none, 'start', 1, marks), m.refusal(none, 'end', 4, marks),
          ...[['start', 0], ['start', 4], ['end', 1], ['end', 5]].map(
            ([which, i]) => m.refusal(none, which, i, marks) !== null),
        ];""",
    )
    # Edges 1 to 3 are frames at 0.02, 0.06, 0.12 s, edge 4 the clip's end at 0.15 s; 0.13 s is
    # nearer to 0.12, 0.14 s nearer to 0.15.
    assert found == [2, 3, 4, 0.12, 0.15, None, None, True, True, True, True]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("event", "name"),
    [
        ({"key": "b", "code": "KeyB"}, "B"),
        ({"key": " ", "code": "Space"}, "Space"),
        ({"key": "&", "code": "Digit1"}, "1"),  # the digit row of a French keyboard
        ({"key": "?", "code": "Digit1", "shiftKey": True}, "?"),
        ({"key": "и", "code": "KeyB"}, "B"),
        ({"key": "ArrowLeft", "code": "ArrowLeft"}, "ArrowLeft"),
    ],
)
def test_keys_are_read_on_other_keyboards_too(
    open_desk: OpenDesk, event: dict[str, Any], name: str
):
    assert call(open_desk(), "shared/keys.js", "return m.keyName(x);", event) == name


def test_the_hash_of_the_assets_belongs_to_their_content():
    assert len(assets_hash()) == 16
    assert (assets_folder() / DESK).is_file()


@pytest.mark.parametrize("entry", [DESK, VIEWER, FAILURES])
def test_what_a_component_loads_ahead_is_all_that_it_imports(entry: str):
    """The loader asks for these at once; a module that is absent here would load late."""
    paths = modules(entry)
    assert len(set(paths)) == len(paths)
    assert all((assets_folder() / path).is_file() for path in paths)
    imports = sum(
        line.count(' from "') for path in paths for line in (assets_folder() / path).open()
    )
    assert imports >= len(paths) - 1


def test_the_two_applications_share_only_what_lies_in_shared():
    for entry, own in ((DESK, "desk"), (VIEWER, "shared"), (FAILURES, "failures")):
        assert {path.split("/")[0] for path in modules(entry)} <= {own, "shared"}


def test_a_desk_without_its_data_says_what_is_absent():
    with pytest.raises(ValueError, match="needs task, assets in its data"):
        mount_desk({"base": "/desk", "person": "ada"}, key="desk")
