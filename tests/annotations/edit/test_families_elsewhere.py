"""A video and its edits outside of the room of edits: in exports, publications and splits."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from building import insert, make_clip, make_question, make_video

from annotations.edit.edit_store import origin_of
from annotations.exporting.export import export
from annotations.exporting.export_folder import restore_export
from annotations.publishing.publication import publish
from annotations.scoring.snapshot import take
from annotations.shortcut.splits import plan_split
from annotations.video.families import cluster_of, relate, with_edits
from annotations.workspace import Workspace
from core.editing.recipe import make_recipe

RECIPE = make_recipe([("reverse", {})])


@pytest.fixture
def family(workspace: Workspace, add_question: Callable[..., int]) -> dict[str, str]:
    """Two clips with a question each; of the first a reversed copy, and a mirrored one of that.

    The first's question is copied to both. Content hashes by name come back.
    """
    add_question("turn/1", video="clip.mp4")
    add_question("turn/2", video="other.mp4")
    rows = workspace.store.rows("SELECT name, sha256 FROM video")
    contents = {str(row["name"]): str(row["sha256"]) for row in rows}
    parent, uid = "clip.mp4", "turn/1"
    for number, (name, copy) in enumerate(
        (("back.mp4", "turn/1~reverse"), ("twice.mp4", "turn/1~reverse~mirror")), start=1
    ):
        contents[name] = f"{number:064x}"
        with workspace.store.write() as database:
            video = make_video(database, name, sha256=contents[name])
            clip = make_clip(database, video)
            question = make_question(database, copy, clip, options=("left", "right", "up"), key=1)
            database.conn.execute(
                "UPDATE question_revision SET tags = ? WHERE question_id = ?",
                [json.dumps({"edit": "reverse", "edit_of": uid}), question],
            )
            edit = insert(
                database, "video_edit", identity=name, recipe=RECIPE.to_json(), name=name,
                created_at="2026-01-01", status="made", video_id=video,
            )  # fmt: skip
            insert(database, "video_edit_parent", edit_id=edit, position=0,
                   sha256=contents[parent])  # fmt: skip
            relate(database, [contents[name], contents[parent]])
        parent, uid = name, copy
    return contents


def test_an_export_says_what_a_video_was_made_of(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
):
    export(workspace, tmp_path / "out")
    lines = (tmp_path / "out" / "videos.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["video"]: row for row in map(json.loads, lines)}
    assert {row["family"] for name, row in rows.items() if name != "other.mp4"} == {
        cluster_of(workspace, family["clip.mp4"])
    }
    assert rows["other.mp4"]["family"] == family["other.mp4"]
    assert rows["back.mp4"]["parents"] == ["clip.mp4"]
    assert rows["twice.mp4"]["parents"] == ["back.mp4"]
    assert rows["clip.mp4"]["parents"] == []
    assert rows["clip.mp4"]["edit"] is None
    assert rows["back.mp4"]["edit"]["steps"] == [{"edit": "reverse"}]


def test_a_workspace_made_of_an_export_knows_the_edits(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
):
    export(workspace, tmp_path / "out")
    again = Workspace.create(tmp_path / "again")
    try:
        restore_export(again, tmp_path / "out")
        origin = origin_of(again, family["twice.mp4"])
        assert origin is not None
        assert (origin.parents, origin.recipe) == ((family["back.mp4"],), RECIPE)
        assert len({cluster_of(again, sha256) for sha256 in family.values()}) == 2
    finally:
        again.close()


def test_a_publication_says_it_too_and_withdraws_edits_with_their_parent(
    workspace: Workspace, family: dict[str, str], tmp_path: Path
):
    import pyarrow.parquet as parquet

    publish(workspace, tmp_path / "all")
    table = parquet.read_table(tmp_path / "all" / "data" / "videos" / "test.parquet")
    rows = {row["video"]: row for row in table.to_pylist()}
    assert rows["twice.mp4"]["parents"] == ["back.mp4"]
    assert rows["twice.mp4"]["family"] == rows["clip.mp4"]["family"] != rows["other.mp4"]["family"]
    assert json.loads(rows["back.mp4"]["edit"])["steps"] == [{"edit": "reverse"}]
    counts = publish(workspace, tmp_path / "less", withdraw=["back.mp4"])
    assert (counts["questions"], counts["videos"]) == (2, 2)
    table = parquet.read_table(tmp_path / "less" / "data" / "videos" / "test.parquet")
    names = {row["video"] for row in table.to_pylist()}
    assert names == {"clip.mp4", "other.mp4"}, "what was made of it goes with it"


def test_what_was_made_of_a_video_is_found_to_the_last(
    workspace: Workspace, family: dict[str, str]
):
    with workspace.store.read() as database:
        assert with_edits(database, ["clip.mp4"]) == {
            "clip.mp4", family["back.mp4"], family["twice.mp4"]
        }  # fmt: skip
        assert with_edits(database, ["other.mp4", "nobody"]) == {"other.mp4", "nobody"}


def test_a_split_keeps_or_drops_a_question_with_its_copies(
    workspace: Workspace, family: dict[str, str], add_run: Callable[..., int]
):
    # turn/1, turn/2, turn/1~reverse, turn/1~reverse~mirror: text alone solves a copy only.
    run = f"run {add_run('a', 'text only', 'wwwr')}"
    plan = plan_split(take(workspace), [run], 1)
    assert plan.kept.tolist() == [False, True, False, False]
    assert plan.by_rule.tolist() == [True, False, True, True]
    # Taken back by hand: the copies come back with it.
    back = plan_split(take(workspace), [run], 1, [int(plan.question_id[0])])
    assert back.kept.tolist() == [True] * 4
    assert len(back.taken_back) == 3


def test_copies_and_their_question_are_drawn_as_one_video(
    workspace: Workspace, family: dict[str, str]
):
    del family
    questions = take(workspace).people.questions
    assert len(questions) == 4
    assert len({question.video for question in questions}) == 2
