import csv
import io
import json
import math
import time
import zipfile

import pyarrow.parquet as parquet
import pytest

from annotations.adjudication.resolution import resolve, sign
from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.exporting.export import export
from annotations.exporting.export_files import write_csv, write_jsonl
from annotations.planning.task_store import create_task, grow
from annotations.reading.text_tables import open_csv
from ui import cli
from ui.components.take_away import zipped

SETTINGS = {"condition": "full video", "shuffle_options": False}


def give(workspace, task, person, item, choice, revision=1):
    row = queue.hand(workspace, task, person, item)
    given = Answer(f"{person.name}-{item}-{revision}-answer", item, row["lease_id"],
                   {"choice": choice}, None, 2.0, time.time())  # fmt: skip
    [receipt] = answer_store.store(workspace, task, person, [given])
    assert receipt.status == "stored", receipt


@pytest.fixture
def study(workspace, add_question, add_person):
    """Ada corrects her first answer; both differ on the second item, which two authors settle."""
    add_question("count/1", options=("=1+1", "重置", "café"))
    add_question("count/2")
    task = create_task(workspace, "t", "human_evaluation", SETTINGS, 2)
    grow(workspace, task)
    first, second = (row["id"] for row in workspace.store.rows("SELECT id FROM item ORDER BY id"))
    ada, ben = add_person("Ada"), add_person("-Ben")
    give(workspace, task, ada, first, 0)
    give(workspace, task, ada, first, 1, revision=2)
    give(workspace, task, ben, first, 1)
    give(workspace, task, ada, second, 0)
    give(workspace, task, ben, second, 2)
    table = tuple(
        row["id"]
        for row in workspace.store.rows(
            "SELECT id FROM current_annotation WHERE item_id = ? ORDER BY annotator_id", [second]
        )
    )
    clara, dora = add_person("Clara", "author"), add_person("Dora", "author")
    resolve(workspace, second, clara, "second", answers=table, seen_revision=0,
            reason="seen\ntwice", signatures=2)  # fmt: skip
    sign(workspace, second, dora, 1)
    return workspace


def lines(path):
    def refuse(word):
        raise ValueError(word)

    text = path.read_text(encoding="utf-8")
    return [json.loads(line, parse_constant=refuse) for line in text.splitlines()]


def test_votes_hold_every_revision_and_decisions_both_conclusions(study, tmp_path):
    counts = export(study, tmp_path / "out")
    assert counts == {"votes": 5, "decisions": 2, "resolutions": 1, "matrix": 2}
    votes = lines(tmp_path / "out" / "votes.jsonl")
    assert [(one["annotator"], one["revision"], one["current"], one["response"]["choice"])
            for one in votes[:3]] == [
        ("Ada", 1, False, 0), ("Ada", 2, True, 1), ("-Ben", 1, True, 1),
    ]  # fmt: skip
    assert votes[0]["shown"]["option_order"] == [0, 1, 2]
    assert votes[0]["question"] == "count/1"
    agreed, settled = lines(tmp_path / "out" / "decisions.jsonl")
    assert (agreed["rule_status"], agreed["final"], agreed["final_by"]) == ("decided", 1, "rule")
    assert agreed["holds"] is None
    assert settled["rule_status"] == "tie"
    assert (settled["resolution"], settled["resolved_value"]) == ("second", {"choice": 2})
    assert (settled["final"], settled["final_by"], settled["key"]) == (2, "authors", 2)
    assert settled["signed_by"] == ["Clara", "Dora"]
    assert settled["why"] == "seen\ntwice"
    [resolution] = lines(tmp_path / "out" / "resolutions.jsonl")
    assert [one["by"] for one in resolution["signed"]] == ["Clara", "Dora"]
    assert lines(tmp_path / "out" / "matrix.jsonl") == [
        {"task": "t", "item": "question:count/1", "Ada": "1", "-Ben": "1"},
        {"task": "t", "item": "question:count/2", "Ada": "0", "-Ben": "2"},
    ]


def test_a_spreadsheet_opens_the_csv_and_runs_no_formula(study, tmp_path):
    export(study, tmp_path, "csv")
    raw = (tmp_path / "matrix.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    assert raw.decode("utf-8-sig").splitlines()[0] == "task,item,Ada,'-Ben"
    with (tmp_path / "decisions.csv").open(encoding="utf-8-sig", newline="") as source:
        rows = list(csv.DictReader(source))
    assert rows[1]["why"] == "seen\ntwice"
    assert rows[1]["signed_by"] == '["Clara", "Dora"]'


def test_parquet_has_types_and_the_same_rows(study, tmp_path):
    export(study, tmp_path, "parquet")
    table = parquet.read_table(tmp_path / "votes.parquet")
    assert table.num_rows == 5
    assert table.column("active_s").to_pylist()[0] == 2.0
    assert table.column("current").to_pylist() == [False, True, True, True, True]
    assert parquet.read_table(tmp_path / "resolutions.parquet").num_rows == 1


def test_rows_with_line_breaks_quotes_and_other_scripts_come_back_equal(tmp_path):
    # Case XP-01: header and two records, although the first has a line break.
    rows = [
        {"id": "q1", "question": 'Line one\nline two, with "quotes"', "tags": ["重置", "café"],
         "note": ""},
        {"id": "q2", "question": "plain", "tags": [], "note": "a;b\tc"},
    ]  # fmt: skip
    path = tmp_path / "rows.csv"
    columns = {"id": "text", "question": "text", "tags": "json", "note": "text"}
    assert write_csv(path, columns, iter(rows)) == 2
    assert "重置" in path.read_text(encoding="utf-8-sig")
    table = open_csv(path)
    found = [row.cells for row in table.rows()]
    assert list(table.columns) == list(columns)
    assert [{**cells, "tags": json.loads(str(cells["tags"]))} for cells in found] == rows


def test_numbers_that_are_none_are_null_for_strict_readers(tmp_path):
    # Case XP-03.
    row = {"id": "q7", "kappa": math.nan, "ci": [-math.inf, 0.4], "model_answer": None}
    path = tmp_path / "rows.jsonl"
    columns = {"id": "text", "kappa": "number", "ci": "json", "model_answer": "text"}
    write_jsonl(path, columns, iter([row]))
    assert lines(path) == [{"id": "q7", "kappa": None, "ci": [None, 0.4], "model_answer": None}]


def test_the_command_names_its_files_and_an_unknown_format_is_refused(study, tmp_path, capsys):
    folder = tmp_path / "out"
    assert cli.main(["export", str(folder), "--workspace", str(study.root)]) == 0
    assert f"{folder / 'votes.jsonl'}\t5" in capsys.readouterr().out
    assert sorted(path.name for path in folder.iterdir()) == [
        "decisions.jsonl", "matrix.jsonl", "resolutions.jsonl", "votes.jsonl",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="'xml' is no format"):
        export(study, folder, "xml")
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="is a file; name a folder"):
        export(study, tmp_path / "file")


def test_what_fails_leaves_no_half_file(study, tmp_path):
    with study.store.write() as database:
        database.conn.execute("UPDATE task SET kind = 'nothing'")
    with pytest.raises(LookupError):
        export(study, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["votes.jsonl"]


def test_the_button_gives_one_archive(study):
    with zipfile.ZipFile(io.BytesIO(zipped(study, "csv"))) as archive:
        assert sorted(archive.namelist()) == [
            "decisions.csv", "matrix.csv", "resolutions.csv", "votes.csv",
        ]  # fmt: skip
