"""Questions in a workbook are those of the same table as CSV; formulas are their values."""

import csv
import datetime
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from annotations import format
from annotations.answer_format import holds_answers
from annotations.bias.labels import import_labels
from annotations.footage.metadata_files import read_metadata
from annotations.format import Choices
from annotations.planning.task_files import read_rows
from annotations.prediction_format import holds_predictions
from annotations.reading.records import Problem, QuestionDraft
from annotations.reading.table_files import open_table
from annotations.reading.text_tables import Row
from annotations.workspace import Workspace
from core.refusal import Refusal

HEADER = ("id", "video", "question", "A", "B", "C", "answer", "start", "end")
ROWS = [
    ("q1", "v1.mp4", "How many turns?", 2, 3, 0.5, "C", 1.5, 4),
    ("q2", "v2.mp4", "Which way, «left» or 右?", "left", "right", "up", "B", None, None),
    (7, "v3.mp4", "Say it\nagain", "yes", "no", "", "no", 0, 65),
]


def workbook(path: Path, *rows: tuple[object, ...], **further: tuple[object, ...]) -> Path:
    book = Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    for name, row in further.items():
        book.create_sheet(name).append(row)
    book.save(path)
    return path


def drafts(path: Path) -> list[QuestionDraft]:
    reading = format.load(format.detect(path)).read(path, Choices())
    return [row for row in reading.rows() if isinstance(row, QuestionDraft)]


def test_questions_of_a_workbook_are_those_of_the_same_csv(tmp_path: Path):
    book = workbook(tmp_path / "questions.xlsx", HEADER, *ROWS)
    text = tmp_path / "text" / "questions.csv"
    text.parent.mkdir()
    with text.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([HEADER, *ROWS])
    assert not holds_predictions(book)
    assert not holds_answers(book)

    def told(path: Path) -> list[tuple[object, ...]]:
        return [
            (one.uid, one.text, one.options, one.key, one.video, one.start_s, one.end_s)
            for one in drafts(path)
        ]

    assert told(book) == told(text)
    assert told(book)[0] == ("q1", "How many turns?", ("2", "3", "0.5"), 2, "v1.mp4", 1.5, 4.0)


def test_videos_of_a_workbook_are_told_of(tmp_path: Path):
    path = workbook(
        tmp_path / "v.xlsx", ("video", "title", "link"), ("a.mp4", "A dive", "https://x.org/1")
    )
    assert format.detect(path) == "video_table"


def cells(path: Path) -> list[dict[str, object]]:
    return [row.cells for row in open_table(path, "").rows() if isinstance(row, Row)]


def test_a_formula_is_its_value_where_it_was_computed(tmp_path: Path):
    plain = workbook(tmp_path / "plain.xlsx", ("a", "b"), ("=1+1", "=never"), (None, 5))
    path = tmp_path / "computed.xlsx"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "xl/worksheets/sheet1.xml":
                computed = content.replace(b"<f>1+1</f><v />", b"<f>1+1</f><v>2</v>")
                computed = computed.replace(b"<f>1+1</f><v></v>", b"<f>1+1</f><v>2</v>")
                assert computed != content
                content = computed
            target.writestr(name, content)
    assert cells(path) == [{"a": "2", "b": "=never"}, {"a": None, "b": "5"}]


def test_times_and_dates_are_texts(tmp_path: Path):
    moment = (datetime.time(0, 1, 5), datetime.date(2026, 1, 2), True)
    path = workbook(tmp_path / "t.xlsx", ("start", "date", "yes"), moment)
    assert cells(path) == [{"start": "00:01:05", "date": "2026-01-02", "yes": "TRUE"}]


def test_cells_are_read_as_a_person_sees_them(tmp_path: Path):
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(("video", "share", "start", "note"))
    sheet.append((7, 0.85, datetime.time(1, 23), "one_x000D_\ntwo"))
    sheet.append((8, 0.125, datetime.timedelta(hours=25), 0.1 + 0.2))
    for row in (2, 3):
        sheet.cell(row, 1).number_format = "000"
        sheet.cell(row, 2).number_format = "0.0%"
    sheet["C2"].number_format = "h:mm"
    path = tmp_path / "seen.xlsx"
    book.save(path)
    assert cells(path) == [
        {"video": "007", "share": "85%", "start": "1:23", "note": "one\r\ntwo"},
        {"video": "008", "share": "12.5%", "start": "25:00:00", "note": "0.3"},
    ]
    [minutes] = problems(path)
    assert "1:23 is read as 1 min 23 s" in minutes


def problems(path: Path) -> list[str]:
    return [row.text for row in open_table(path, "").rows() if isinstance(row, Problem)]


def test_hidden_rows_merged_cells_and_stray_cells_are_read_and_told(tmp_path: Path):
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in ((), ("id", "video"), (1, "a.mp4"), (2,), (3, None, "stray"), (), (4, "b.mp4")):
        sheet.append(row)
    sheet.merge_cells("B3:B5")
    sheet.row_dimensions[7].hidden = True
    path = tmp_path / "layout.xlsx"
    book.save(path)
    assert [row["video"] for row in cells(path)] == ["a.mp4", "a.mp4", "a.mp4", "b.mp4"]
    told = problems(path)
    assert len(told) == 3
    assert any("merged cells count for each of their rows. 2 rows" in text for text in told)
    assert any("hidden rows are read" in text for text in told)
    assert any("beyond the last named column" in text for text in told)


def test_the_first_sheet_in_sight_that_holds_anything_is_read(tmp_path: Path):
    book = Workbook()
    book.create_sheet("lists").append(("hidden", "values"))
    book["lists"].sheet_state = "hidden"
    book.create_sheet("questions").append(("id", "video"))
    path = tmp_path / "sheets.xlsx"
    book.save(path)
    table = open_table(path, "")
    assert table.columns == ("id", "video")
    [told] = [problem.text for problem in table.problems]
    assert "only one sheet is read: questions (got lists)" in told


def test_a_date_in_place_of_an_option_is_told_and_an_error_of_a_formula_refused(tmp_path: Path):
    path = workbook(
        tmp_path / "score.xlsx",
        ("id", "video", "question", "A", "B", "answer"),
        ("q1", "v1.mp4", "What is the score?", datetime.date(2026, 2, 1), "3:0", "B"),
        ("q2", "v2.mp4", "What is the score?", "#REF!", "3:0", "B"),
    )
    reading = format.load(format.detect(path)).read(path, Choices())
    rows = list(reading.rows())
    assert [row.options for row in rows if isinstance(row, QuestionDraft)] == [
        ("2026-02-01", "3:0")
    ]
    told = " ".join(row.text for row in rows if isinstance(row, Problem))
    assert "row 3: option 1 is an error of a spreadsheet (got '#REF!')" in told
    assert "column A: cells are dates of the spreadsheet" in told


def test_what_a_workbook_leaves_unsaid_is_told(tmp_path: Path):
    path = workbook(tmp_path / "two.xlsx", ("id", None, "b"), (1, 2, 3), more=("x",))
    told = [problem.text for problem in open_table(path, "").problems]
    assert "a column without a name is not used" in told[0]
    assert "only one sheet is read: Sheet (got more)" in told[1]
    with pytest.raises(Refusal, match="two columns called id"):
        open_table(workbook(tmp_path / "double.xlsx", ("id", "id"), (1, 2)), "")
    with pytest.raises(Refusal, match="is empty"):
        open_table(workbook(tmp_path / "empty.xlsx"), "")


def test_items_of_a_task_labels_and_metadata_are_read_from_workbooks(
    workspace: Workspace, tmp_path: Path
):
    items = workbook(tmp_path / "i.xlsx", ("video", "expected"), ("a.mp4", '{"x": 1}'), ("b", None))
    assert read_rows(items) == [{"video": "a.mp4", "expected": {"x": 1}}, {"video": "b"}]
    found = workbook(tmp_path / "f.xlsx", ("id", "title"), ("dQw4w9WgXcQ", "A dive"))
    [candidate] = read_metadata(found)
    assert getattr(candidate, "title", "") == "A dive"
    labels = workbook(tmp_path / "l.xlsx", ("video", "label"), ("a.mp4", "dive"))
    assert import_labels(workspace, labels).labels == 1
