import json
from pathlib import Path

import pytest

from annotations.footage.metadata_files import read_metadata
from annotations.footage.metadata_import import import_metadata
from annotations.reading.records import Problem
from core.footage.candidate import Candidate
from db.connection import Store


def test_ids_survive_a_list_and_a_guarded_table(tmp_path: Path):
    ids = ["-Zr7ABCDEFG", "--kb0ABCDEF", "_0aBCDEFGHI"]
    listed = tmp_path / "ids.txt"
    listed.write_text("\ufeff# found by hand\n" + "\n".join(ids) + "\n")
    assert [one.key for one in read_metadata(listed) if isinstance(one, Candidate)] == ids
    # A spreadsheet's guard against formulas puts an apostrophe in front.
    table = tmp_path / "ids.csv"
    table.write_text("id,title\n" + "".join(f"'{key},t\n" for key in ids[:2]) + f"{ids[2]},t\n")
    candidates = [one for one in read_metadata(table) if isinstance(one, Candidate)]
    assert [one.key for one in candidates] == ids
    assert candidates[0].url == "https://www.youtube.com/watch?v=-Zr7ABCDEFG"


def test_addresses_of_youtube_are_known_by_their_id(tmp_path: Path):
    file = tmp_path / "links.txt"
    file.write_text("https://youtu.be/-Zr7ABCDEFG?t=3\nhttps://example.org/a/flower.mp4\n")
    first, second = read_metadata(file)
    assert isinstance(first, Candidate)
    assert isinstance(second, Candidate)
    assert (first.source, first.key) == ("Youtube", "-Zr7ABCDEFG")
    # Two links may end in the same file name.
    assert second.key == "https://example.org/a/flower.mp4"


def test_a_bad_row_costs_itself(tmp_path: Path, store: Store):
    file = tmp_path / "videos.csv"
    file.write_text("id,title,views\nabcdefghijk,one,5\nshort,two,6\nabcdefghijl,three,many\n")
    result = import_metadata(store, file)
    assert (result.read, result.new, result.failed) == (1, 1, 2)
    assert "11 of A-Z" in result.problems[0].text
    assert "view_count is 'many'" in result.problems[1].text
    assert import_metadata(store, file).new == 0


@pytest.mark.parametrize(
    ("cells", "views", "duration_s", "date"),
    [
        ("1200;262;20240531", 1200, 262.0, "2024-05-31"),
        ("1200.0;262.5;2024-05-31", 1200, 262.5, "2024-05-31"),
        ("1,200;4:22;2024-05-31T10:00:00Z", 1200, 262.0, "2024-05-31"),
        ("1.234.567;1:02:03;2024/05/31", 1_234_567, 3723.0, "2024-05-31"),
        ("1.200;PT4M22S;", 1200, 262.0, ""),
        ("1\u202f200;P1DT1S;", 1200, 86_401.0, ""),
        ("NA;NA;NA", None, None, ""),
        ("None;nan;null", None, None, ""),
        ("0;0;", 0, 0.0, ""),
    ],
)
def test_counts_lengths_and_dates_as_tools_write_them(
    tmp_path: Path, cells: str, views: int | None, duration_s: float | None, date: str
):
    file = tmp_path / "videos.csv"
    file.write_text(f"id;title;view_count;duration;upload_date\nabcdefghijk;one;{cells}\n")
    [candidate] = read_metadata(file)
    assert isinstance(candidate, Candidate)
    assert (candidate.views, candidate.duration_s, candidate.upload_date) == (
        views, duration_s, date,
    )  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_lists_of_ids_in_the_forms_that_people_have(tmp_path: Path, encoding: str):
    lines = ["# für später", "youtube -Zr7ABCDEFG", "abcdefghijk",
             "https://music.youtube.com/watch?v=abcdefghijl&list=x",
             "https://www.youtube.com/live/abcdefghijm?si=y"]  # fmt: skip
    listed = tmp_path / "ids.txt"
    listed.write_bytes("\r\n".join(lines).encode(encoding))
    assert [one.key for one in read_metadata(listed) if isinstance(one, Candidate)] == [
        "-Zr7ABCDEFG", "abcdefghijk", "abcdefghijl", "abcdefghijm",
    ]  # fmt: skip


def test_a_folder_of_info_json(tmp_path: Path, store: Store):
    entry = {"id": "abcdefghijk", "extractor_key": "Youtube", "title": "A", "view_count": None,
             "upload_date": "20240531", "license": "CC BY", "webpage_url": "https://youtu.be/x",
             "formats": [{"url": "https://secret?ip=1.2.3.4"}]}  # fmt: skip
    (tmp_path / "a.info.json").write_text(json.dumps(entry))
    (tmp_path / "b.info.json").write_text('{"id": ')
    (tmp_path / "c.info.json").write_text('["no object"]')
    result = import_metadata(store, tmp_path)
    assert (result.read, result.failed) == (1, 2)
    [row] = store.rows("SELECT * FROM video")
    assert (row["upload_date"], row["licence"], row["views"]) == ("2024-05-31", "CC BY", None)
    assert "1.2.3.4" not in json.dumps(row)


def test_what_is_no_metadata_is_refused(tmp_path: Path):
    (tmp_path / "a.mp4").write_bytes(b"")
    with pytest.raises(ValueError, match="Allowed: a folder"):
        read_metadata(tmp_path / "a.mp4")
    with pytest.raises(ValueError, match=r"no file NAME.info.json"):
        read_metadata(tmp_path)


def test_a_problem_names_its_row(tmp_path: Path):
    file = tmp_path / "ids.txt"
    file.write_text("abcdefghijk\nnot an id\n")
    [_, problem] = read_metadata(file)
    assert isinstance(problem, Problem)
    assert "line 2" in problem.text
