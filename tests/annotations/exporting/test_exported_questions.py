"""The file of questions of an export, brought in by itself, and cells that end a line."""

import csv
import io
import json

import pytest
from building import make_clip, make_question, make_revision, make_video

from annotations.exporting.export import export
from annotations.exporting.export_files import write_csv
from annotations.importing.import_plan import carry_out, plan_import
from annotations.workspace import Workspace
from core.spreadsheet import write_rows
from ui.components.downloads import csv_bytes

STANDING = (
    "SELECT q.uid, r.text, r.options, r.key, r.reference, r.category, r.tags, r.note, c.start_s,"
    " c.end_s FROM question q JOIN question_revision r ON r.question_id = q.id"
    " JOIN clip c ON c.id = r.clip_id WHERE q.retired_at IS NULL AND r.revision ="
    " (SELECT max(revision) FROM question_revision x WHERE x.question_id = q.id) ORDER BY q.uid"
)
TEXTS = ["a\rb", "a\nb", "=1+1", "'=x", "''q", "a\u2028b", "a\u0085b", "\u200fשלום", '["x"]',
         "NULL", "007", "1e5", "semi;colon|bar", 'say "so"', "-", "x" * 40_000]  # fmt: skip


def standing(workspace):
    rows = workspace.store.rows(STANDING)
    return [
        row | {name: json.loads(row[name]) for name in ("options", "tags", "reference")}
        for row in rows
    ]


@pytest.fixture
def study(workspace):
    """Questions of awkward texts, an edited one, a retired one, free answers, several right."""
    with workspace.store.write() as database:
        video = make_video(database, "k1.mp4")
        clip, part = make_clip(database, video), make_clip(database, video, start_s=0.5, end_s=1.5)
        for number, text in enumerate(TEXTS):
            make_question(
                database, f"q{number:02}", clip, text=f"{text} ?", options=(text, "b", "=c"),
                key=number % 3, note=text[:2000], category=text[:100],
                tags={"flag": True, "not": False, "of": text[:9]},
            )  # fmt: skip
        edited = make_question(database, "edited", part, text="Before?")
        make_revision(database, edited, part, text="After?", key=None)
        retired = make_question(database, "retired", clip)
        database["question"].update(retired, {"retired_at": "2026-01-01"})
        make_question(
            database, "free", clip, options=(), key=None, text="Who?",
            reference='{"answers": ["Ann", "Ben"], "points": ["one", "two"]}',
        )  # fmt: skip
        make_question(database, "several", clip, key=None, reference='{"answers": ["left", "up"]}')
    return workspace


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_questions_of_an_export_come_back_as_they_were(study, tmp_path, form):
    export(study, tmp_path / "out", form=form)
    path = tmp_path / "out" / f"questions.{form}"
    plan = plan_import(study, path)
    assert (plan.questions["unchanged"], plan.questions["new"]) == (len(TEXTS) + 3, 0)
    assert [problem for problem in plan.problems.listed if problem.level == "error"] == []

    other = Workspace.create(tmp_path / "other")
    carry_out(other, plan_import(other, path))
    assert standing(other) == standing(study)


def test_a_carriage_return_inside_a_cell_does_not_end_the_row(tmp_path):
    rows = [["id", "text"], ["1", "a\rb"], ["2", "a\nb"], ["3", "a\r\nb"], ["4", "plain"]]
    target = io.StringIO(newline="")
    assert write_rows(target, rows) == 5
    assert list(csv.reader(io.StringIO(target.getvalue(), newline=""), strict=True)) == rows
    assert target.getvalue().endswith("4,plain\n")

    path = tmp_path / "t.csv"
    assert write_csv(path, {"text": "text"}, iter([{"text": "a\rb"}, {"text": "c"}])) == 2
    for content in (path.read_bytes(), csv_bytes({"text": ["a\rb", "c"]})):
        text = content.decode("utf-8-sig")
        assert list(csv.reader(io.StringIO(text, newline=""))) == [["text"], ["a\rb"], ["c"]]
