import json

import pytest
from building import content_hash, keep_frame_table, make_clip, make_question, make_video

from annotations import task as kinds
from annotations.demo.clips import CLIPS
from annotations.demo.direction import LIFT, OPEN, PUCK
from annotations.demo.drawing.band import BAND
from annotations.demo.drawing.frog import HOP_S, HOPS
from annotations.demo.tasks import FRAME_PICKING, LOCALIZATION, TASKS, VERIFICATION, add_demo_tasks
from annotations.demo.visual import SWAP_S, SWAPS
from annotations.record.item import items_of_task


@pytest.fixture
def demo(workspace):
    """A workspace with the demo's videos as frame tables alone, and its questions."""
    with workspace.store.write() as database:
        for clip in CLIPS:
            sha256 = content_hash(clip.key)
            keep_frame_table(workspace, sha256, clip.count)
            video = make_video(database, f"{clip.demonstration}/{clip.key}", sha256=sha256)
            span = make_clip(database, video)
            for question in clip.questions:
                make_question(
                    database, question.uid, span, text=question.text, options=question.options,
                    key=question.key, source="demo",
                )  # fmt: skip
    return workspace


def test_each_task_has_work_one_practice_and_one_attention_item(demo):
    ids = add_demo_tasks(demo)
    for task, (_, _, rows) in zip(ids, TASKS, strict=True):
        items = demo.store.rows("SELECT role, expected FROM item WHERE task_id = ?", [task])
        roles = [item["role"] for item in items]
        assert len(roles) == len(rows)
        assert (roles.count("practice"), roles.count("attention")) == (1, 1)
        assert all((item["expected"] is None) == (item["role"] == "work") for item in items)
    assert add_demo_tasks(demo) == ids


def test_every_item_can_be_shown(demo):
    for task in add_demo_tasks(demo):
        [row] = demo.store.rows("SELECT * FROM task WHERE id = ?", [task])
        kind = kinds.kind(row["kind"])
        with demo.store.read() as database:
            items = items_of_task(database, task)
        for item in items:
            shown = kind.show(demo, item, json.loads(row["settings"]), "seed")
            content = kind.content(demo, item, shown)
            assert content.label
            assert "expected" not in json.dumps(content.values)


def test_the_known_answers_are_what_the_drawings_show():
    back = next(start for start, left, to in HOPS if to < left)
    [practice] = [row for row in LOCALIZATION if row.get("role") == "practice"]
    assert practice["expected"]["cards"] == [{"start": back, "end": round(back + HOP_S, 2)}]
    [attention] = [row for row in LOCALIZATION if row.get("role") == "attention"]
    (down, _), (landed, _) = LIFT[2], LIFT[3]
    assert attention["expected"]["cards"] == [{"start": down, "end": landed}]
    assert all(abs(moment - down) >= 0.3 or moment < down for moment in OPEN)


def test_the_clips_of_verification_hold_what_their_titles_promise():
    practice, bank, swap, ride, _ = VERIFICATION
    back = next(start for start, left, to in HOPS if to < left)
    # The third clip of the practice item is of another sport.
    assert spans(practice, lambda a, b: a <= back and back + HOP_S <= b)[:2] == [True, False]
    left_side = next(time for time, (x, _) in PUCK if x < 100)
    assert spans(bank, lambda a, b: a < left_side < b)[:4] == [False, False, True, False]
    outer = next(start for start, one, other in SWAPS if {one, other} == {0, 2})
    assert spans(swap, lambda a, b: a <= outer and outer + SWAP_S <= b) == [
        False, False, True, False,
    ]  # fmt: skip
    assert spans(ride, lambda a, b: a <= LIFT[2][0] and LIFT[3][0] <= b) == [True, False]


def spans(row, holds) -> list[bool]:
    return [holds(clip.get("start", 0), clip.get("end", 9)) for clip in row["clips"]]


def test_the_telling_frames_are_those_of_the_first_and_the_last_note():
    times = sorted((time, name) for name, _, played in BAND for time in played)
    (first, one), (second, _) = times[:2]
    (last, other) = times[-1]
    expected = {row["question"]: row["expected"] for row in FRAME_PICKING if "expected" in row}
    known = expected["visual_cues/4"]
    assert one == "trumpet"
    assert first <= known["time"] - known["near_s"] + 1e-9
    assert known["time"] + known["near_s"] < second + 0.03
    known = expected["visual_cues/5"]
    assert other == "bell"
    assert known["time"] - known["near_s"] == pytest.approx(last)
