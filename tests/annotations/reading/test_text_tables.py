import codecs
from pathlib import Path

import pytest

from annotations.format import Choices, load
from annotations.reading.encoding import find_encoding
from annotations.reading.records import Problem, QuestionDraft
from annotations.reading.text_tables import Row, open_csv

HEADER = "id,video,question,A,B,answer\n"


def rows_of(path: Path) -> tuple[list[dict[str, object]], list[str]]:
    entries = list(open_csv(path).rows())
    rows = [entry.cells for entry in entries if isinstance(entry, Row)]
    return rows, [entry.text for entry in entries if isinstance(entry, Problem)]


def write(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


TEXT = "id,question\nq1,Où est le café “noir”?\nq2,plain\n"


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        TEXT.encode("cp1252"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        TEXT.replace(",", ";").encode(),
        TEXT.replace(",", "\t").encode(),
        ("sep=;\n" + TEXT.replace(",", ";")).encode(),
    ],
)
def test_a_table_is_the_same_in_every_encoding_and_with_every_separator(
    tmp_path: Path, content: bytes
) -> None:
    rows, problems = rows_of(write(tmp_path / "t.csv", content))
    assert rows == [
        {"id": "q1", "question": "Où est le café “noir”?"},
        {"id": "q2", "question": "plain"},
    ]
    assert problems == []


def test_windows_1252_is_told_of(tmp_path: Path) -> None:
    problem = find_encoding(write(tmp_path / "t.csv", TEXT.encode("cp1252"))).problem
    assert problem is not None
    assert "Windows-1252" in problem.what
    assert problem.row == "line 2"


def test_one_bad_byte_in_a_utf8_file_costs_its_row_only(tmp_path: Path) -> None:
    content = "id,question\nq1,café\n".encode() + b"q2,caf\xe9\nq3,th\xc3\xa9\n"
    found = find_encoding(write(tmp_path / "t.csv", content))
    assert found.name == "utf-8"
    rows, _ = rows_of(tmp_path / "t.csv")
    assert [row["question"] for row in rows] == ["café", "caf\udce9", "thé"]


def test_an_encoding_that_cannot_be_told_is_asked_for(tmp_path: Path) -> None:
    content = "id,question\nq1,どこ\n".encode("shift_jis")
    with pytest.raises(ValueError, match="--encoding"):
        find_encoding(write(tmp_path / "t.csv", content))
    assert find_encoding(tmp_path / "t.csv", "shift_jis").name == "shift_jis"
    with pytest.raises(ValueError, match="no encoding 'klingon'"):
        find_encoding(tmp_path / "t.csv", "klingon")


def test_a_file_that_is_no_text_says_so(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a text file"):
        open_csv(write(tmp_path / "t.csv", bytes(range(256)) * 8))
    with pytest.raises(ValueError, match="is empty"):
        open_csv(write(tmp_path / "e.csv", b""))


def test_quoted_line_breaks_stay_in_their_cell(tmp_path: Path) -> None:
    content = 'id,question,note\nq1,"Line one\nline two, with ""quotes""",\nq2,plain,a;b\tc\n'
    rows, problems = rows_of(write(tmp_path / "t.csv", content))
    assert [row["question"] for row in rows] == ['Line one\nline two, with "quotes"', "plain"]
    assert rows[1]["note"] == "a;b\tc"
    assert problems == []
    entries = [e for e in open_csv(tmp_path / "t.csv").rows() if isinstance(e, Row)]
    assert [entry.where for entry in entries] == ["row 2", "row 3"]  # as a spreadsheet counts


def test_a_row_of_another_width_is_an_error_and_the_next_is_read(tmp_path: Path) -> None:
    content = HEADER + "q1,v,Is it, or not?,x,y,A\nq2,v,What?,x,y,A\nq3,v,What?\n"
    rows, problems = rows_of(write(tmp_path / "t.csv", content))
    assert [row["id"] for row in rows] == ["q2"]
    assert "t.csv, row 2: 7 cells instead of 6" in problems[0]
    assert "row 4: 3 cells instead of 6" in problems[1]


def test_commas_after_the_last_cell_do_no_harm(tmp_path: Path) -> None:
    content = "id,video,question,,\nq1,v,What?,,\nq2,v,Why?,,,\n"
    table = open_csv(write(tmp_path / "t.csv", content))
    assert table.columns == ("id", "video", "question")
    rows, problems = rows_of(tmp_path / "t.csv")
    assert [row["id"] for row in rows] == ["q1", "q2"]
    assert problems == []


def test_empty_rows_are_skipped_and_counted(tmp_path: Path) -> None:
    rows, problems = rows_of(write(tmp_path / "t.csv", "id,video\n\nq1,v\n,\n  ,\nq2,v\n\n"))
    assert [row["id"] for row in rows] == ["q1", "q2"]
    assert problems == ["t.csv: empty rows skipped: 2, 4, 5, 7. 4 rows."]


def test_a_quote_that_is_never_closed_is_told_with_what_it_swallowed(tmp_path: Path) -> None:
    content = 'id,question\nq1,fine\nq2,"open\nq3,lost\nq4,lost\n'
    rows, problems = rows_of(write(tmp_path / "t.csv", content))
    assert [row["id"] for row in rows] == ["q1"]
    assert "lines 3 to 5: a double quote is opened and never closed" in problems[0]


def test_a_quote_closed_in_the_wrong_place_costs_its_row(tmp_path: Path) -> None:
    content = 'id,question\nq1,"say "no" now"\nq2,fine\n'
    rows, problems = rows_of(write(tmp_path / "t.csv", content))
    assert [row["id"] for row in rows] == ["q2"]
    assert "line 2: not read" in problems[0]


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="two columns called answer"):
        open_csv(write(tmp_path / "t.csv", "id,answer,answer\n1,A,B\n"))


def test_names_that_differ_only_in_case_are_two_columns(tmp_path: Path) -> None:
    table = open_csv(write(tmp_path / "t.csv", "id,video_id,videoID\n1,001,aB3dE5fG7hI\n"))
    assert table.columns == ("id", "video_id", "videoID")


def test_a_column_without_a_name_is_told_of(tmp_path: Path) -> None:
    table = open_csv(write(tmp_path / "t.csv", ",id,video\n0,q1,v\n"))
    assert table.columns == ("id", "video")
    assert "without a name" in table.problems[0].what


def test_options_that_look_like_missing_values_stay_text(tmp_path: Path) -> None:
    content = (
        "id,A,B,C,D,answer\nq1,Two,Three,Four,None,D\nq2,NA,Namibia,null,nan,A\n"
        "q3,007,1-2,1e5,TRUE,A\n"
    )
    rows, _ = rows_of(write(tmp_path / "t.csv", content))
    assert rows[0]["D"] == "None"
    assert [rows[1][c] for c in "ABCD"] == ["NA", "Namibia", "null", "nan"]
    assert [rows[2][c] for c in "ABCD"] == ["007", "1-2", "1e5", "TRUE"]


def test_a_table_of_one_column_is_read(tmp_path: Path) -> None:
    rows, _ = rows_of(write(tmp_path / "t.csv", "question\nWhat?\n"))
    assert rows == [{"question": "What?"}]


@pytest.mark.parametrize(
    ("encoding", "question"),
    [
        ("shift_jis", "何が見えますか?カメラは動きますか"),
        ("euc_jp", "何が見えますか?カメラは動きますか"),
        ("gb18030", "这个人在做什么?他为什么离开房间"),
        ("big5", "這個人在做什麼?他為什麼離開房間"),
        ("euc_kr", "무엇이 보입니까? 남자는 어디로 갑니까"),
        ("cp1251", "Что делает человек и куда он идёт"),
    ],
)
def test_an_unknown_encoding_is_guessed_at_by_what_its_script_is_like(
    tmp_path: Path, encoding: str, question: str
) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes(f"id,question\n1,{question}\n2,x\n".encode(encoding))
    with pytest.raises(ValueError, match=f"--encoding {encoding}$"):
        open_csv(path)
    [first, _] = open_csv(path, encoding).rows()
    assert isinstance(first, Row)
    assert first.cells["question"] == question


def test_a_zero_byte_costs_its_own_row(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    rows = [f"{number},v,What is it?,x,y,A" for number in range(20)]
    rows[3] = "3,v,What\0 is it?,x,y,A"
    path.write_text("\n".join(["id,video,question,A,B,answer", *rows, ""]), encoding="utf-8")
    reading = load("table").read(path, Choices())
    results = list(reading.rows())
    assert sum(isinstance(entry, QuestionDraft) for entry in results) == 19
    [problem] = [entry for entry in results if isinstance(entry, Problem)]
    assert problem.row == "row 5"
    assert "no text" in problem.what


@pytest.mark.parametrize("before", ["\n\n", ",,,\n", "sep=,\n\n", " \n,\n"])
def test_empty_lines_before_the_names_of_columns_are_passed_over(tmp_path: Path, before: str):
    path = write(tmp_path / "q.csv", before + "id,video\nq1,k.mp4\n")
    [row] = [entry for entry in open_csv(path).rows() if isinstance(entry, Row)]
    assert row.cells == {"id": "q1", "video": "k.mp4"}
    assert row.where == f"row {before.count(chr(10)) + 2}"
