from fractions import Fraction

import pytest
from building import content_hash, keep_frame_table, make_video

from annotations import task as kinds
from annotations.answering.attention import judged
from annotations.demo.clips import CLIPS
from annotations.demo.tasks_b import COPY, OBJECTS, REVIEW, TASKS, add_copy, add_demo_tasks_b
from annotations.video.duplicates import similar_videos
from annotations.video.library import Keeping, content_of, keep
from core.video.encode import write_video

FROG, BEE = (next(clip for clip in CLIPS if clip.name == name) for name in ("frog", "bee"))


def add_video(workspace, name: str, sha256: str) -> None:
    with workspace.store.write() as database:
        make_video(database, name, sha256=sha256)


@pytest.fixture
def demo(workspace):
    """A workspace with the demo's videos as frame tables alone."""
    for clip in CLIPS:
        sha256 = content_hash(clip.key)
        keep_frame_table(workspace, sha256, clip.count)
        add_video(workspace, f"{clip.demonstration}/{clip.key}", sha256)
    return workspace


def test_every_kind_has_work_one_practice_and_one_attention_item(demo):
    ids = add_demo_tasks_b(demo)
    roles: dict[str, list[str]] = {}
    for task, (_, kind, _, rows) in zip(ids, TASKS, strict=True):
        items = demo.store.rows("SELECT * FROM item WHERE task_id = ?", [task])
        assert len(items) == len(rows)
        roles.setdefault(kind, []).extend(item["role"] for item in items)
    assert {kind: found.count("attention") for kind, found in roles.items()} == dict.fromkeys(
        roles, 1
    )
    assert all("practice" in found and found.count("work") >= 3 for found in roles.values())
    assert add_demo_tasks_b(demo) == ids


def test_each_known_answer_is_judged_right_by_its_own_kind(demo):
    for _, kind, settings, rows in TASKS:
        checked = kinds.kind(kind).check_settings(settings)
        for row in rows:
            if "expected" in row:
                assert judged(kind, row["expected"], row["expected"], checked)[0]


def test_known_objects_are_among_those_listed():
    for row in OBJECTS:
        known = row.get("expected", {}).get("objects", {"ticked": [], "classes": {}})
        assert set(known["ticked"]) | set(known["classes"]) <= set(row["objects"])


def test_generated_questions_have_nine_hard_negatives_but_where_nothing_is_kept():
    wanted = {row["id"]: len(row["negatives"]) for row in REVIEW}
    assert all(count == 9 for name, count in wanted.items() if name != "driver"), wanted


def test_the_smaller_cut_of_the_frog_is_found_and_the_bee_is_not(workspace, tmp_path):
    for clip in (FROG, BEE):
        frames = [clip.draw(i / 10) for i in range(int(10 * clip.seconds))]
        content = content_of(write_video(tmp_path / f"{clip.name}.mp4", frames, Fraction(10)))
        keep(Keeping(content, workspace.media, False))
        add_video(workspace, clip.name, content.sha256)
    add_copy(workspace)
    near = similar_videos(workspace)
    names = {row["id"]: row["name"] for row in workspace.store.rows("SELECT id, name FROM video")}
    found = {names[video]: [one.name for one in others] for video, others in near.items()}
    assert found == {"frog": [COPY], COPY: ["frog"]}


def test_the_tasks_are_of_kinds_that_are_there():
    assert {kind for _, kind, _, _ in TASKS} <= set(kinds.kinds())
