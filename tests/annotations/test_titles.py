"""Titles, descriptions and links come with videos: from files beside them, and from tables."""

import json
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotations import format
from annotations.annotators._footage import title_and_description
from annotations.importing.import_plan import ImportPlan, carry_out, plan_import
from annotations.planning.task_store import create_task, grow
from annotations.reading.records import Fault
from annotations.video.sidecars import read_sidecar
from annotations.video.video_about import about_video, titles_of
from annotations.workspace import Workspace
from core.video.encode import write_video

TOLD: dict[str, Any] = {
    "_type": "video",
    "title": "Goal <b>of</b> the year",
    "description": "An overhead kick.\nFrom far out.",
    "uploader": "Cup TV",
    "channel": "cup",
    "webpage_url": "https://video.example/watch?v=1",
    "upload_date": "20240531",
    "view_count": 1200,
    "tags": ["goal", "kick"],
    "formats": [{"format_id": "22"}],
}


def draw(shade: int) -> Iterator[np.ndarray]:
    for index in range(12):
        image = np.full((48, 64, 3), shade, np.uint8)
        image[:, : 4 * index] = 255 - shade
        yield image


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pair")
    for name, shade in (("one", 40), ("two", 90)):
        write_video(folder / f"{name}.mp4", draw(shade), Fraction(4))
    return folder


@pytest.fixture
def folder(tmp_path: Path, pair: Path) -> Path:
    return Path(shutil.copytree(pair, tmp_path / "videos"))


def tell(folder: Path, name: str, **more: Any) -> Path:
    path = folder / f"{name}.info.json"
    path.write_text(json.dumps({**TOLD, **more}), encoding="utf-8")
    return path


def bring(workspace: Workspace, path: Path, **more: Any) -> tuple[ImportPlan, dict[str, Any]]:
    plan = plan_import(workspace, path, **more)
    return plan, carry_out(workspace, plan)


def about(workspace: Workspace, name: str) -> Any:
    [row] = workspace.store.rows("SELECT id FROM video WHERE name = ?", [name])
    return about_video(workspace, row["id"])


def dump(workspace: Workspace) -> list[dict[str, Any]]:
    return workspace.store.rows("SELECT * FROM video ORDER BY id")


def notes(plan: ImportPlan) -> list[str]:
    return [one.text for one in plan.problems.listed]


def test_a_file_beside_a_video_tells_its_title_and_where_it_came_from(
    workspace: Workspace, folder: Path
):
    tell(folder, "one")
    plan, report = bring(workspace, folder)
    assert plan.reading.format == "videos"
    assert notes(plan) == []
    assert (report["videos"]["usable"], report["videos"]["told"]) == (2, 1)
    found = about(workspace, "one.mp4")
    assert (found.title, found.uploader) == ("Goal <b>of</b> the year", "Cup TV")
    assert found.description == "An overhead kick.\nFrom far out."
    assert (found.upload_date, found.view_count) == ("2024-05-31", 1200)
    assert found.keywords == ("goal", "kick")
    assert found.source_url == "https://video.example/watch?v=1"
    assert about(workspace, "two.mp4").title == ""
    [row, _] = dump(workspace)
    assert json.loads(row["facts"])["n_frames"] == 12  # what probing found stands beside it


def test_again_changes_nothing_and_a_changed_title_is_told_of(workspace: Workspace, folder: Path):
    tell(folder, "one")
    tell(folder, "two", title="Second", view_count=3)
    bring(workspace, folder)
    before = dump(workspace)
    plan, report = bring(workspace, folder)
    assert dump(workspace) == before
    assert (notes(plan), report["videos"]["told"], report["videos"]["retold"]) == ([], 0, 0)
    tell(folder, "two", title="Second half", view_count=4)
    (folder / "one.info.json").unlink()
    plan, report = bring(workspace, folder)
    assert notes(plan) == ["two.mp4: the title was 'Second' and is now 'Second half'."]
    assert (report["videos"]["told"], report["videos"]["retold"]) == (0, 1)
    assert about(workspace, "two.mp4").title == "Second half"
    assert about(workspace, "two.mp4").view_count == 4
    assert about(workspace, "one.mp4").title == TOLD["title"]  # silence takes nothing away


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "one.info.json: not valid JSON"),
        (b"[1, 2]", "one.info.json: no JSON object"),
        (b'{"title": 7}', "one.info.json, column title: not a text (got 7)"),
        (b'{"title": "a\\u0000b"}', "one.info.json, column title: holds bytes that are no text"),
        (b'{"title": "a", "upload_date": "soon"}', "column upload_date: no date (got 'soon')"),
        (b'{"title": "a", "view_count": -1}', "column view_count: no count (got -1)"),
        (b'{"title": "a", "tags": "b"}', "column tags: no list (got 'b')"),
        (b"\xff\xfe\x00", "one.info.json: not valid JSON"),
    ],
)
def test_a_broken_file_costs_itself(workspace: Workspace, folder: Path, content: bytes, words: str):
    tell(folder, "two", title="Whole")
    (folder / "one.info.json").write_bytes(content)
    plan, report = bring(workspace, folder)
    assert plan.problems.errors == 1
    assert words in notes(plan)[0]
    assert report["videos"]["usable"] == 2
    assert about(workspace, "one.mp4").title == ""
    assert about(workspace, "two.mp4").title == "Whole"


def test_a_link_that_is_none_is_not_offered(tmp_path: Path):
    path = tell(tmp_path, "x", webpage_url="javascript:alert(1)", title=None)
    found = read_sidecar(path)
    assert (found.source_url, found.title) == ("", "")
    path.write_text("{}")
    assert read_sidecar(path).known() == {}
    path.write_text("[" * 100_000)
    with pytest.raises(Fault, match="not valid JSON"):
        read_sidecar(path)


def test_many_files_beside_videos_are_no_tables_of_questions(folder: Path):
    tell(folder, "one")
    tell(folder, "two")
    assert format.detect(folder) == "videos"


QUESTIONS = (
    "id,video,question,A,B,answer,title,description,url\n"
    "1,one.mp4,Which way?,left,right,A,First clip,About it,https://a.example/1\n"
    "2,one.mp4,How often?,once,twice,B,,,\n"
    "3,two.mp4,Which way?,left,right,B,Second clip,,\n"
)


def test_columns_of_a_table_of_questions_tell_of_its_videos(
    workspace: Workspace, tmp_path: Path, folder: Path
):
    tell(folder, "one")
    table = tmp_path / "questions.csv"
    table.write_text(QUESTIONS, encoding="utf-8")
    plan, report = bring(workspace, table, videos=folder)
    assert ("title", "title") in plan.reading.mapping
    assert (report["questions"]["new"], report["videos"]["told"]) == (3, 2)
    found = about(workspace, "one.mp4")
    # The table goes first; what it does not say comes from the file beside the video.
    assert (found.title, found.description) == ("First clip", "About it")
    assert (found.source_url, found.uploader) == ("https://a.example/1", "Cup TV")
    assert about(workspace, "two.mp4").title == "Second clip"
    before = dump(workspace)
    plan, report = bring(workspace, table, videos=folder)
    assert (dump(workspace), report["questions"]["unchanged"]) == (before, 3)
    table.write_text(QUESTIONS.replace("Second clip", "Second half"), encoding="utf-8")
    plan, report = bring(workspace, table, videos=folder)
    assert notes(plan) == ["two.mp4: the title was 'Second clip' and is now 'Second half'."]
    assert (report["questions"]["unchanged"], report["videos"]["retold"]) == (3, 1)


VIDEOS = {
    "videos.csv": "video_id,title,description,link\n"
    'one,"A, b",Text,https://a.example/1\ntwo,Second,,\nthree,Third,,\n',
    "videos.tsv": "file\ttitle\tdescription\tsource_url\n"
    "one.mp4\tA, b\tText\thttps://a.example/1\ntwo.mp4\tSecond\t\t\nthree.mp4\tThird\t\t\n",
    "videos.jsonl": '{"id": "one", "title": "A, b", "description": "Text",'
    ' "webpage_url": "https://a.example/1"}\n'
    '{"id": "two", "title": "Second"}\n{"id": "three", "title": "Third"}\n',
    "videos.json": '[{"video": "one", "title": "A, b", "description": "Text",'
    ' "url": "https://a.example/1"}, {"video": "two", "title": "Second"},'
    ' {"video": "three", "title": "Third"}]',
}


@pytest.mark.parametrize("name", VIDEOS)
def test_a_table_of_videos_brings_them_with_their_titles(
    workspace: Workspace, tmp_path: Path, folder: Path, name: str
):
    table = tmp_path / name
    table.write_text(VIDEOS[name], encoding="utf-8")
    plan, report = bring(workspace, table, videos=folder)
    assert plan.reading.format == "video_table"
    counts = report["videos"]
    assert (counts["usable"], counts["missing"], counts["told"]) == (2, 1, 3)
    rows = {row["name"].removesuffix(".mp4"): row for row in dump(workspace)}
    facts = {short: json.loads(row["facts"]) for short, row in rows.items()}
    assert {short: one["title"] for short, one in facts.items()} == {
        "one": "A, b", "two": "Second", "three": "Third",
    }  # fmt: skip
    assert (facts["one"]["description"], facts["one"]["n_frames"]) == ("Text", 12)
    assert rows["one"]["source_url"] == "https://a.example/1"
    before = dump(workspace)
    _, report = bring(workspace, table, videos=folder)
    assert (dump(workspace), report["videos"]["retold"]) == (before, 0)
    # A video that comes later keeps what was told of it.
    shutil.copy(folder / "two.mp4", folder / "three.mp4")
    with (folder / "three.mp4").open("ab") as file:
        file.write(b"\0\0\0\x08free")
    bring(workspace, folder)
    [late] = workspace.store.rows("SELECT * FROM video WHERE name LIKE 'three%' AND sha256 != ''")
    assert late["status"] == "usable"
    if name == "videos.tsv":  # the same name, with its suffix
        assert json.loads(late["facts"])["title"] == "Third"


def test_rows_of_a_table_of_videos_that_are_wrong_cost_themselves(
    workspace: Workspace, tmp_path: Path, folder: Path
):
    table = tmp_path / "videos.csv"
    table.write_text(
        "video,title\none.mp4,First\n../two.mp4,Outside\none.mp4,Other\n,Nobody\n", encoding="utf-8"
    )
    plan, _ = bring(workspace, table, videos=folder)
    assert about(workspace, "one.mp4").title == "First"
    assert [row["name"] for row in dump(workspace)] == ["one.mp4"]
    assert plan.problems.errors == 2
    assert any("the video stands there before" in one for one in notes(plan))
    table.write_text("name_of_it,title\none.mp4,First\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no column for the video was found"):
        plan_import(workspace, table, format_name="video_table")


def test_a_filter_of_titles_sees_them(workspace: Workspace, folder: Path, items_of: Any):
    tell(folder, "one")
    bring(workspace, folder)
    task = create_task(workspace, "Footage", "screening", {"duplicates": False}, 1)
    grow(workspace, task)
    by_name = {item.uid: title_and_description(workspace, item) for item in items_of(task)}
    assert by_name == {
        "video:one.mp4": (TOLD["title"], TOLD["description"]),
        "video:two.mp4": ("two", ""),
    }
    assert list(titles_of(workspace, [item.id for item in items_of(task)]).values()) == [
        TOLD["title"]
    ]
