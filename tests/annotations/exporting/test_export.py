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
from annotations.exporting.export_folder import MANIFEST, NAMES, restore_export
from annotations.planning.task_store import create_task, grow
from annotations.question.revisions import NewRevision, add_revision
from annotations.reading.text_tables import open_csv
from annotations.workspace import Workspace
from ui import cli
from ui.components.take_away import zipped

SETTINGS = {"condition": "full video", "shuffle_options": False}


def give(workspace, task, person, item, choice, revision=1):
    row = queue.hand(workspace, task, person, item)
    given = Answer(f"{person.name}-{item}-{revision}-answer", item, row.lease.id,
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
    assert counts == {
        "questions": 3, "votes": 5, "decisions": 2, "resolutions": 1, "matrix": 2, "tasks": 1,
        "runs": 0, "replies": 0, "videos": 2, "people": 4, "statistics": 3, "agreement": 4,
        "positions": 3,
        "population": 2,
    }  # fmt: skip
    stands_on = lines(tmp_path / "out" / "population.jsonl")
    assert {row["figure"] for row in stands_on} >= {"accuracy of people"}
    assert all(row["part"] in ("stands on", "left out", "videos left out", "among them")
               and row["words"] and row["count"] >= 0 for row in stands_on)  # fmt: skip
    votes = lines(tmp_path / "out" / "votes.jsonl")
    assert [(one["annotator"], one["revision"], one["current"], one["response"]["choice"])
            for one in votes[:3]] == [
        ("A1", 1, False, 0), ("A1", 2, True, 1), ("A2", 1, True, 1),
    ]  # fmt: skip
    assert votes[0]["shown"]["option_order"] == [0, 1, 2]
    assert votes[0]["question"] == "count/1"
    agreed, settled = lines(tmp_path / "out" / "decisions.jsonl")
    assert (agreed["rule_status"], agreed["final"], agreed["final_by"]) == ("decided", 1, "rule")
    assert agreed["holds"] is None
    assert settled["rule_status"] == "tie"
    assert (settled["resolution"], settled["resolved_value"]) == ("second", {"choice": 2})
    assert (settled["final"], settled["final_by"], settled["key"]) == (2, "authors", 2)
    assert settled["signed_by"] == ["A3", "A4"]
    assert settled["why"] == "seen\ntwice"
    [resolution] = lines(tmp_path / "out" / "resolutions.jsonl")
    assert [one["by"] for one in resolution["signed"]] == ["A3", "A4"]
    assert lines(tmp_path / "out" / "matrix.jsonl") == [
        {"task": "t", "item": "question:count/1", "A1": "1", "A2": "1"},
        {"task": "t", "item": "question:count/2", "A1": "0", "A2": "2"},
    ]


def test_a_spreadsheet_opens_the_csv_and_runs_no_formula(study, tmp_path):
    export(study, tmp_path, "csv")
    raw = (tmp_path / "matrix.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    assert raw.decode("utf-8-sig").splitlines()[0] == "task,item,A1,A2"
    with (tmp_path / "decisions.csv").open(encoding="utf-8-sig", newline="") as source:
        rows = list(csv.DictReader(source))
    assert rows[1]["why"] == "seen\ntwice"
    assert rows[1]["signed_by"] == '["A3", "A4"]'


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
        "agreement.jsonl", "decisions.jsonl", "export.json", "matrix.jsonl", "people.jsonl",
        "people.private.json.gz", "population.jsonl", "positions.jsonl",
        "questions.jsonl", "replies.jsonl",
        "resolutions.jsonl", "runs.jsonl", "statistics.jsonl", "tables",
        "tasks.jsonl", "videos.jsonl", "votes.jsonl",
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
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["questions.jsonl", "votes.jsonl"]


def test_the_button_gives_one_archive(study):
    with zipfile.ZipFile(io.BytesIO(zipped(study, "csv"))) as archive:
        names = set(archive.namelist())
    assert {"decisions.csv", "matrix.csv", "questions.csv", "votes.csv", "export.json"} <= names
    assert "tables/annotation.csv" in names
    # Who is who stays with whoever runs the command.
    assert not any("private" in name for name in names)


HOSTILE = (
    "=1+1", "'=1", "'", "''x", "\\N", "", " line\none\r\ntwo\r", '"quoted", comma;tab\t',
    "\u202eright to left", "\U0001f415\u200d\U0001f9ba", "重置 café e\u0301", "-5", "@a", "+x",
    "NULL", "</script><b>", "1e5", "007", "nan",
)  # fmt: skip


@pytest.fixture
def rich(study, add_question):
    """The study with hostile texts in every field, a run with replies, and comments."""
    for number, text in enumerate(HOSTILE):
        options = (f"{text} left", f"right {text}", "up")
        add_question(f"h/{number}", options=options)
        with study.store.write() as database:
            database.conn.execute(
                "UPDATE question_revision SET text = ?, note = ?, category = ?, tags = ?"
                " WHERE question_id = (SELECT id FROM question WHERE uid = ?)",
                [text or "x", text, text, json.dumps({"tag": text or "none"}), f"h/{number}"],
            )
    return study


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_an_export_comes_back_into_an_empty_workspace_with_the_same_metrics(
    rich, add_run, tmp_path, capsys, form
):
    add_run("=model", "16 frames", "rwuxsrw")
    folder, empty = tmp_path / "out", tmp_path / "empty"
    export(rich, folder, form)
    capsys.readouterr()
    assert cli.main(["metrics", "--workspace", str(rich.root), "--json"]) == 0
    before = capsys.readouterr().out
    assert cli.main(["init", str(empty)]) == 0
    assert cli.main(["import", str(folder), "--workspace", str(empty), "--yes"]) == 0
    capsys.readouterr()
    assert cli.main(["metrics", "--workspace", str(empty), "--json"]) == 0
    assert capsys.readouterr().out == before
    # Every text is as it was, to the character.
    again = Workspace.open(empty)
    for query in (
        "SELECT text, options, note, category, tags FROM question_revision ORDER BY id",
        "SELECT uid, response, shown, active_s, answered_at FROM annotation ORDER BY id",
        "SELECT reply, words, confidence FROM prediction ORDER BY annotation_id",
        "SELECT name, kind, role FROM annotator ORDER BY id",
    ):
        assert again.store.rows(query) == rich.store.rows(query)
    again.close()
    assert cli.main(["import", str(folder), "--workspace", str(empty), "--yes"]) != 0
    assert "goes into an empty workspace" in capsys.readouterr().err


def test_without_the_file_of_names_people_keep_their_pseudonyms(study, tmp_path):
    folder = tmp_path / "out"
    export(study, folder, "csv")
    for path in folder.rglob("*"):
        if path.is_file() and path.name != NAMES:
            assert b"Clara" not in path.read_bytes(), path
    (folder / NAMES).unlink()
    empty = Workspace.create(tmp_path / "empty")
    restore_export(empty, folder)
    names = [row["name"] for row in empty.store.rows("SELECT name FROM annotator ORDER BY id")]
    assert names == ["A1", "A2", "A3", "A4"]
    empty.close()


def test_an_export_that_lost_rows_or_is_of_a_newer_version_is_refused(study, tmp_path):
    folder = tmp_path / "out"
    export(study, folder, "jsonl")
    file = folder / "tables" / "annotation.jsonl"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-1]))
    empty = Workspace.create(tmp_path / "empty")
    with pytest.raises(ValueError, match="annotation: 4 rows instead of 5"):
        restore_export(empty, folder)
    assert empty.store.rows("SELECT 1 FROM question") == []
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["migrations"].append("a_schema_to_come")
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(ValueError, match="newer Rushes"):
        restore_export(empty, folder)
    empty.close()


def test_replies_and_every_revision_of_a_question_are_in_the_files(study, add_run, tmp_path):
    add_run("m", "16 frames", "ru")
    with study.store.write() as database:
        other_words = NewRevision(clip_id=1, text="Asked otherwise?", options=("a", "b"), key=0)
        add_revision(database, 1, other_words, "here")
    export(study, tmp_path)
    revisions = [(q["question"], q["revision"], q["current"])
                 for q in lines(tmp_path / "questions.jsonl")]  # fmt: skip
    # The authors' resolution made the second revision of count/2.
    assert revisions == [
        ("count/1", 1, False), ("count/2", 1, False), ("count/2", 2, True), ("count/1", 2, True),
    ]  # fmt: skip
    first, second = lines(tmp_path / "replies.jsonl")
    assert (first["reply"], first["state"], first["condition"]) == ("B", "read", "16 frames")
    assert (second["reply"], second["state"]) == ("a fine clip", "unread")
    [run] = lines(tmp_path / "runs.jsonl")
    assert (run["model"], run["replies"]) == ("m", 2)
