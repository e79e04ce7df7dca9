import json
import os
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotations.format import Choices
from annotations.importing.import_plan import ImportPlan, carry_out, plan_import
from annotations.planning.task_store import status
from annotations.workspace import Workspace
from core.video.encode import write_video

HEADER = "id,video,question,A,B,C,answer\n"


def draw(frames: int, shade: int) -> Iterator[np.ndarray]:
    for index in range(frames):
        image = np.full((48, 64, 3), shade, np.uint8)
        image[:, : 2 * index % 64] = 255 - shade
        yield image


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two clips of 3 s that differ."""
    folder = tmp_path_factory.mktemp("clips")
    for name, shade in (("one", 40), ("two", 90)):
        write_video(folder / f"{name}.mp4", draw(30, shade), Fraction(10))
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "videos").mkdir(parents=True)
    return folder


def bring(workspace: Workspace, path: Path, **more: Any) -> dict[str, Any]:
    return carry_out(workspace, plan_import(workspace, path, **more))


def ask(folder: Path, *rows: str, header: str = HEADER) -> Path:
    path = folder / "questions.csv"
    path.write_text(header + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def dump(workspace: Workspace) -> str:
    """Everything stored but the log of imports."""
    tables = ("video", "clip", "question", "question_revision")
    rows = {name: workspace.store.rows(f"SELECT * FROM {name} ORDER BY id") for name in tables}
    return json.dumps(rows)


def videos(workspace: Workspace) -> dict[str, tuple[str, str]]:
    rows = workspace.store.rows("SELECT name, status, reason FROM video ORDER BY id")
    return {row["name"]: (row["status"], row["reason"]) for row in rows}


def revisions(workspace: Workspace, uid: str) -> list[dict[str, Any]]:
    return workspace.store.rows(
        "SELECT r.*, c.start_s, c.end_s, v.name, v.sha256 FROM question_revision r"
        " JOIN question q ON q.id = r.question_id JOIN clip c ON c.id = r.clip_id"
        " JOIN video v ON v.id = c.video_id WHERE q.uid = ? ORDER BY r.revision",
        [uid],
    )


def problems(plan: ImportPlan) -> list[str]:
    return [problem.text for problem in plan.problems.listed]


def test_a_plan_writes_nothing(workspace: Workspace, source: Path, clips: Path) -> None:
    shutil.copy(clips / "one.mp4", source / "videos")
    before = sorted(p for p in workspace.root.rglob("*") if "rushes.db" not in p.name)
    plan = plan_import(workspace, ask(source, "q1,one,What?,x,y,,A"))
    assert plan.questions["new"] == 1
    assert plan.videos.counts()["usable"] == 1
    assert status(workspace)["questions"] == status(workspace)["videos"] == 0
    assert sorted(p for p in workspace.root.rglob("*") if "rushes.db" not in p.name) == before


def test_questions_and_videos_are_stored_and_a_second_import_changes_nothing(
    workspace: Workspace, source: Path, clips: Path
) -> None:
    shutil.copy(clips / "one.mp4", source / "videos")
    path = ask(source, "q1,one,What?,x,y,,A", "q2,one,Why?,x,y,z,C")
    first = bring(workspace, path)
    assert first["questions"]["new"] == 2
    [video] = workspace.store.rows("SELECT * FROM video")
    assert video["status"] == "usable"
    assert json.loads(video["facts"])["n_frames"] == 30
    assert (workspace.root / video["path"]).read_bytes() == (clips / "one.mp4").read_bytes()
    assert workspace.media.table(video["sha256"]).exists()
    before = dump(workspace)
    second = bring(workspace, path)
    assert second["questions"] == {
        "new": 0,
        "changed": 0,
        "unchanged": 2,
        "kept": 0,
        "merged": 0,
        "refused": 0,
        "unlabelled": 0,
    }
    assert (second["videos"]["new"], second["videos"]["changed"]) == (0, 0)
    assert dump(workspace) == before


def test_real_questions_all_get_in_and_again_change_nothing(
    workspace: Workspace, shared: Path
) -> None:
    first = bring(workspace, shared / "data/tomato")
    assert first["questions"]["new"] == 1484
    assert first["errors"] == 0
    assert len(first["missing_videos"]) == 1397
    assert status(workspace)["questions"] == 1484
    before = dump(workspace)
    second = bring(workspace, shared / "data/tomato")
    assert second["questions"]["unchanged"] == 1484
    assert dump(workspace) == before


@pytest.mark.parametrize(
    ("row", "part"),
    [
        ("q1,one,Which?,x,y,,A", "text"),
        ("q1,one,What?,x,z,,A", "options"),
        ("q1,one,What?,x,y,z,A", "options"),
        ("q1,one,What?,x,y,,B", "key"),
        ("q1,one,What?,x,y,,", "key"),
        ("q1,two,What?,x,y,,A", "video"),
    ],
)
def test_a_changed_question_becomes_its_next_revision(
    workspace: Workspace, source: Path, row: str, part: str
) -> None:
    bring(workspace, ask(source, "q1,one,What?,x,y,,A", "q2,one,Why?,x,y,,B"))
    plan = plan_import(workspace, ask(source, row, "q2,one,Why?,x,y,,B"))
    assert (plan.questions["changed"], plan.questions["unchanged"]) == (1, 1)
    assert list(plan.changed_parts) == [part]
    carry_out(workspace, plan)
    found = revisions(workspace, "q1")
    assert [r["revision"] for r in found] == [1, 2]
    assert found[0]["text"] == "What?"
    assert found[0]["key"] == 0
    assert len(revisions(workspace, "q2")) == 1
    bring(workspace, source / "questions.csv")
    assert len(revisions(workspace, "q1")) == 2


def test_clip_category_and_tags_are_part_of_a_revision(workspace: Workspace, source: Path) -> None:
    header = "id,video,question,A,B,answer,start,end,category,difficulty\n"
    rows = (
        "q1,one,What?,x,y,A,0,2,count,easy",
        "q1,one,What?,x,y,A,1,2,count,easy",
        "q1,one,What?,x,y,A,1,2,rotation,easy",
        "q1,one,What?,x,y,A,1,2,rotation,hard",
    )
    for row in rows:
        bring(workspace, ask(source, row, header=header))
    found = revisions(workspace, "q1")
    assert [(r["start_s"], r["category"], r["tags"]) for r in found] == [
        (0, "count", '{"difficulty": "easy"}'),
        (1, "count", '{"difficulty": "easy"}'),
        (1, "rotation", '{"difficulty": "easy"}'),
        (1, "rotation", '{"difficulty": "hard"}'),
    ]


def test_a_video_that_comes_later_turns_from_missing_to_usable(
    workspace: Workspace, source: Path, clips: Path
) -> None:
    path = ask(source, "q1,one,What?,x,y,,A")
    bring(workspace, path)
    assert videos(workspace) == {"one": ("missing", "no folder of videos was given")}
    shutil.copy(clips / "one.mp4", source / "videos")
    report = bring(workspace, path)
    assert videos(workspace) == {"one": ("usable", "")}
    assert report["questions"]["unchanged"] == 1
    assert len(revisions(workspace, "q1")) == 1
    before = dump(workspace)
    (source / "videos" / "one.mp4").unlink()
    bring(workspace, path)  # the workspace has its own
    assert dump(workspace) == before


def test_a_replaced_video_is_a_new_video_and_a_new_revision(
    workspace: Workspace, source: Path, clips: Path
) -> None:
    path = ask(source, "q1,one,What?,x,y,,A")
    shutil.copy(clips / "one.mp4", source / "videos/one.mp4")
    bring(workspace, path)
    os.replace(shutil.copy(clips / "two.mp4", source / "new"), source / "videos/one.mp4")
    report = bring(workspace, path)
    assert report["questions"]["changed"] == 1
    first, second = revisions(workspace, "q1")
    assert first["name"] == second["name"] == "one"
    assert first["sha256"] != second["sha256"]
    assert workspace.media.find_original(first["sha256"]) is not None
    before = dump(workspace)
    bring(workspace, path)
    assert dump(workspace) == before


def test_broken_videos_cost_themselves_and_say_why(
    workspace: Workspace, source: Path, clips: Path
) -> None:
    whole = (clips / "one.mp4").read_bytes()
    index = whole.index(b"moov")
    media = whole[whole.index(b"mdat") - 4 :]
    cut = whole[: index - 4] + media[: len(media) // 2]  # no index, half the frames
    (source / "videos/ok.mp4").write_bytes(whole)
    (source / "videos/zero.mp4").write_bytes(b"")
    (source / "videos/trunc.mp4").write_bytes(cut)
    rows = [f"q{i},{name},What?,x,y,,A" for i, name in enumerate(("ok", "zero", "trunc"))]
    plan = plan_import(workspace, ask(source, *rows))
    assert plan.videos.counts()["usable"] == 1
    assert plan.videos.counts()["broken"] == 2
    report = carry_out(workspace, plan)
    assert report["broken_videos"] == {
        "zero": "empty file",
        "trunc": "incomplete file (index missing)",
    }
    assert report["questions"]["new"] == 3
    assert videos(workspace)["ok"] == ("usable", "")
    before = dump(workspace)
    bring(workspace, source / "questions.csv")
    assert dump(workspace) == before


def test_one_content_under_two_names_is_told_of_and_kept_once(
    workspace: Workspace, source: Path, clips: Path
) -> None:
    for name in ("a", "b"):
        shutil.copy(clips / "one.mp4", source / f"videos/{name}.mp4")
    plan = plan_import(workspace, ask(source, "q1,a,What?,x,y,,A", "q2,b,Why?,x,y,,A"))
    assert "a: the same content as b." in problems(plan)
    carry_out(workspace, plan)
    assert set(videos(workspace)) == {"a", "b"}
    assert len(list(workspace.media.root.rglob("original*"))) == 1


def test_a_folder_of_videos_comes_in_without_questions(
    workspace: Workspace, tmp_path: Path, clips: Path
) -> None:
    folder = tmp_path / "footage"
    (folder / "day 1").mkdir(parents=True)
    shutil.copy(clips / "one.mp4", folder / "day 1/caf\u00e9 & bar.mp4")
    shutil.copy(clips / "two.mp4", folder / "two.mp4")
    bring(workspace, folder)
    assert set(videos(workspace)) == {"day 1/caf\u00e9 & bar.mp4", "two.mp4"}
    before = dump(workspace)
    bring(workspace, folder)
    assert dump(workspace) == before
    # questions that name such a video without its suffix mean the same row
    report = bring(workspace, ask(tmp_path, "q1,two,What?,x,y,,A"), videos=folder)
    assert report["videos"]["new"] == 0
    assert revisions(workspace, "q1")[0]["name"] == "two.mp4"


def test_times_are_checked_against_the_probed_video(
    workspace: Workspace, source: Path, clips: Path
) -> None:
    shutil.copy(clips / "one.mp4", source / "videos")  # 30 frames at 10 fps: 3 s
    header = "id,video,question,A,B,answer,start,end\n"
    rows = (
        "q1,one,What?,x,y,A,1,3.0",
        "q2,one,What?,x,y,A,1,3.2",
        "q3,one,What?,x,y,A,1,9",
        "q4,one,What?,x,y,A,0,2867",
        "q5,one,What?,x,y,A,4,",
    )
    plan = plan_import(workspace, ask(source, *rows, header=header))
    assert (plan.questions["new"], plan.questions["refused"]) == (2, 3)
    found = [p for p in plan.problems.listed if p.level == "error"]
    assert [p.row for p in found] == ["row 4", "row 5", "row 6"]
    assert "ends 6.0 s beyond" in found[0].what
    assert "_ms" in found[1].todo
    carry_out(workspace, plan)
    assert [(r["start_s"], r["end_s"]) for r in revisions(workspace, "q1")] == [(1, 3)]
    assert [(r["start_s"], r["end_s"]) for r in revisions(workspace, "q2")] == [(1, None)]
    before = dump(workspace)
    bring(workspace, source / "questions.csv")
    assert dump(workspace) == before


def test_names_on_windows_and_in_another_case_find_their_files(
    workspace: Workspace, source: Path, clips: Path
) -> None:
    (source / "videos/human").mkdir()
    shutil.copy(clips / "one.mp4", source / "videos/human/One.MP4")
    path = ask(source, "q1,C:\\data\\videos\\human\\one.mp4,What?,x,y,,A", "q2,one,?,x,y,,A")
    plan = plan_import(workspace, path)
    assert plan.videos.counts()["missing"] == 1
    assert any("differs in case" in text for text in problems(plan))
    path = ask(source, "q1,C:\\data\\videos\\human\\One.MP4,What?,x,y,,A")
    assert plan_import(workspace, path).videos.counts()["usable"] == 1


def test_rows_that_are_refused_leave_no_video_behind(workspace: Workspace, source: Path) -> None:
    plan = plan_import(workspace, ask(source, "q1,one,What?,x,y,,J", "q2,two,What?,x,y,,A"))
    carry_out(workspace, plan)
    assert set(videos(workspace)) == {"two"}
    assert status(workspace)["questions"] == 1


def test_every_problem_is_kept_with_the_import(workspace: Workspace, source: Path) -> None:
    report = bring(workspace, ask(source, "q1,one,What?,x,y,,J", "q2,two,What?,x,y,,A"))
    [row] = workspace.store.rows("SELECT * FROM import")
    kept = json.loads(row["report"])
    assert row["format"] == "table"
    assert [p["what"] for p in kept["problems"] if p["level"] == "error"] == ["key outside A-B"]
    text = Path(report["problems_file"]).read_text(encoding="utf-8")
    assert "questions.csv, row 2, column answer: key outside A-B (got 'J')" in text


def test_a_file_that_changed_after_the_plan_is_not_imported(
    workspace: Workspace, source: Path
) -> None:
    path = ask(source, "q1,one,What?,x,y,,A")
    plan = plan_import(workspace, path)
    ask(source, "q1,one,What on earth?,x,y,,A")
    with pytest.raises(ValueError, match="changed after it was checked"):
        carry_out(workspace, plan)
    assert status(workspace)["questions"] == 0


def test_other_content_under_a_known_id_is_told_of(workspace: Workspace, source: Path) -> None:
    bring(workspace, ask(source, "q1,one,What?,x,y,,A"))
    plan = plan_import(workspace, ask(source, "q1,two,Who?,x,y,,A"))
    assert any("another text and another video" in text for text in problems(plan))


def test_more_questions_than_a_transaction_holds(workspace: Workspace, source: Path) -> None:
    path = ask(source, *(f"q{i},v{i % 7},What {i}?,x,y,,A" for i in range(1203)))
    assert bring(workspace, path)["questions"]["new"] == 1203
    assert bring(workspace, path)["questions"]["unchanged"] == 1203
    assert status(workspace)["videos"] == 7


def test_a_base_given_later_imports_what_was_refused(workspace: Workspace, source: Path) -> None:
    path = ask(source, "q1,one,What?,x,y,z,1", "q2,one,Why?,x,y,z,2")
    plan = plan_import(workspace, path)
    assert plan.is_empty
    assert plan.questions["refused"] == 2
    with pytest.raises(ValueError, match="--keys"):
        carry_out(workspace, plan)
    bring(workspace, path, choices=Choices(keys="1"))
    assert [revisions(workspace, uid)[0]["key"] for uid in ("q1", "q2")] == [0, 1]


def test_videos_that_browsers_cannot_play_get_a_copy(
    workspace: Workspace, tmp_path: Path, shared: Path
) -> None:
    folder = tmp_path / "footage"
    folder.mkdir()
    shutil.copy(shared / "clips/asl_yes.mkv", folder)
    bring(workspace, folder)
    [video] = workspace.store.rows("SELECT * FROM video")
    assert json.loads(video["facts"])["browser_playable"] is False
    assert workspace.media.player(video["sha256"]).stat().st_size > 0
    original = workspace.media.find_original(video["sha256"])
    assert original is not None
    assert original.suffix == ".mkv"
