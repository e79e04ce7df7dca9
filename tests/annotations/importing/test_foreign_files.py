"""Files from elsewhere name nothing outside their folder, hang nothing and fill no memory."""

import os
import zipfile
from pathlib import Path

import pytest

from annotations.importing.import_plan import carry_out, plan_import
from annotations.planning.task_files import read_task
from annotations.reading import xlsx_sheets
from annotations.reading.xlsx_sheets import open_xlsx
from annotations.video.video_folder import Shelf, left_out, video_files
from core.half_made import whole
from core.refusal import Refusal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data set with a film, links in and out of it, a pipe, and a private film beside it."""
    (tmp_path / "private.mp4").write_bytes(b"private")
    inside = tmp_path / "set"
    (inside / "videos").mkdir(parents=True)
    (inside / "videos" / "film.mp4").write_bytes(b"film")
    (inside / "again.mp4").symlink_to(inside / "videos" / "film.mp4")
    (inside / "out.mp4").symlink_to(tmp_path / "private.mp4")
    (inside / "zero.mp4").symlink_to("/dev/zero")
    (inside / "gone.mp4").symlink_to(inside / "nowhere.mp4")
    os.mkfifo(inside / "pipe.mp4")
    return inside


def test_links_out_of_a_folder_and_pipes_are_left_out_and_named(folder: Path):
    names = {str(path.relative_to(folder)) for path in video_files(folder)}
    assert names == {"again.mp4", "gone.mp4", "videos/film.mp4"}
    reasons = {path.name: why for path, why in left_out(folder).items()}
    assert reasons.keys() == {"out.mp4", "zero.mp4", "pipe.mp4"}
    shelf = Shelf(folder)
    found = shelf.find("out.mp4")
    assert (found.path, "leads out of the folder" in found.reason) == (None, True)
    assert shelf.find("pipe.mp4").reason == "is no file"
    assert shelf.find("film.mp4").path == folder / "videos" / "film.mp4"


def test_a_name_in_another_encoding_costs_its_file_only(workspace, tmp_path: Path):
    folder = tmp_path / "videos"
    folder.mkdir()
    for name in (b"good.mp4", "\u8d70\u308b.mp4".encode("shift_jis")):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(name)
    assert [path.name for path in video_files(folder)] == ["good.mp4"]
    plan = plan_import(workspace, folder)
    carry_out(workspace, plan)
    rows = workspace.store.rows("SELECT name, status, reason FROM video ORDER BY name")
    assert [(row["name"], row["status"]) for row in rows] == [
        ("good.mp4", "broken"), ("\ufffd\ufffd\ufffd\ufffd.mp4", "missing"),
    ]  # fmt: skip
    assert rows[1]["reason"] == "has a name that is no UTF-8; give it another one"


@pytest.mark.parametrize("name", ["/etc/hostname", "../private.md", "link.md"])
def test_instructions_lie_beside_the_task_file(workspace, tmp_path: Path, name: str):
    (tmp_path / "private.md").write_text("private")
    below = tmp_path / "tasks"
    below.mkdir()
    (below / "link.md").symlink_to(tmp_path / "private.md")
    task = below / "task.toml"
    task.write_text(f'name = "t"\nkind = "human_evaluation"\ninstructions = "{name}"\n')
    with pytest.raises(Refusal, match=r"leads out of the folder of task\.toml"):
        read_task(workspace, task)


def test_a_workbook_that_unpacks_to_too_much_is_refused_before_it_is_read(tmp_path: Path):
    path = tmp_path / "bomb.xlsx"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("xl/sharedStrings.xml", "w") as part,
    ):
        for _ in range(120):
            part.write(b"<si><t>bomb</t></si>" * 50_000)  # 120 MB in some 120 kB
    assert path.stat().st_size < 1_000_000
    with pytest.raises(Refusal, match=r"bomb\.xlsx unpacks to 120 MB; at most 100 MB are read"):
        open_xlsx(path)


def test_a_workbook_of_broken_xml_is_refused_in_words(tmp_path: Path):
    from openpyxl import Workbook

    path = tmp_path / "broken.xlsx"
    book = Workbook()
    book.active.append(["question", "reply"])
    book.save(path)
    parts = {}
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for broken in ("xl/workbook.xml", "xl/worksheets/sheet1.xml"):
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in parts.items():
                bad = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;<</a>'
                archive.writestr(name, bad if name == broken else content)
        with pytest.raises(Refusal, match=r"broken\.xlsx"):
            open_xlsx(path)
    assert xlsx_sheets.LARGEST_UNPACKED == 100_000_000


def test_an_export_writes_through_no_link(tmp_path: Path):
    private = tmp_path / "private"
    private.write_text("private")
    out = tmp_path / "out"
    out.mkdir()
    (out / ".votes.csv.part").symlink_to(private)  # what the name once was
    (out / "votes.csv").symlink_to(private)
    with whole(out / "votes.csv") as part:
        assert part.parent == out
        assert not part.is_symlink()
        part.write_text("votes")
    assert private.read_text() == "private"
    assert (out / "votes.csv").read_text() == "votes"
    assert not (out / "votes.csv").is_symlink()
    with pytest.raises(ValueError, match="stop"), whole(out / "other.csv") as part:
        raise ValueError("stop")
    assert {path.name for path in out.iterdir()} == {".votes.csv.part", "votes.csv"}
