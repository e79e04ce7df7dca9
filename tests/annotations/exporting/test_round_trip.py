"""What the newest kinds of work hold goes out and comes back, to the character and the digit."""

import json
import time

import pytest
from building import insert, make_answer, make_item, make_task

from annotations import task as tasks
from annotations.exporting.export import export
from annotations.exporting.raw_tables import table_names
from annotations.importing.import_plan import carry_out, plan_import
from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.importing.verdict_import import write_verdicts
from annotations.importing.verdict_plan import plan_verdicts
from annotations.prediction_format import PredictionChoices
from annotations.prediction_formats.table import open_table
from annotations.workspace import Workspace
from ui import cli

WORDS = "'=1+1\n\u202eright, \U0001f415 'quoted'\r\n''"
FORM = {
    "fields": [
        {"label": WORDS, "name": "fit", "type": "scale", "low": 1, "high": 5},
        {"label": "Why?", "name": "why", "type": "text"},
    ],
}


@pytest.fixture
def newest(workspace, add_question, add_person, tmp_path):
    """A form of one's own, verdicts, free answers, replies to them, a model's drafts, practice."""
    add_question("o1")
    add_question("o2")
    ann = add_person("Ann")
    settings = tasks.kind("own_form").check_settings(FORM)
    with workspace.store.write() as database:
        task = make_task(database, "form", kind="own_form", settings=settings)
        for number in (1, 2):
            item = make_item(database, task, f"row {number}", video=1, payload={"note": WORDS})
            response = {"values": {"fit": number}, "texts": {"why": WORDS}, "scales": {},
                        "accepted": None}  # fmt: skip
            make_answer(database, item, ann.id, response)
        generation = insert(
            database, "generation", identity="x", generator="neutral", model="=m", settings="{}",
            prompts="{}", task_id=task, created_at="2026-01-01",
        )  # fmt: skip
        insert(
            database, "generation_reply", generation_id=generation, subject="question:o1",
            step="one", attempt=1, reply=WORDS, value=json.dumps(WORDS), stored_at=time.time(),
        )  # fmt: skip
        insert(
            database, "qualification", name="q", annotator_id=ann.id, right=1, total=2,
            task_id=task, at=0.1,
        )  # fmt: skip
    questions, verdicts, replies = (tmp_path / name for name in ("q.json", "v.json", "r.json"))
    questions.write_text(json.dumps([
        {"id": "f1", "video": "v", "question": WORDS, "answers": [WORDS, "'+1"]},
        {"id": "f2", "video": "v", "question": "Which?", "answers": ["Ann"],
         "scoring_points": ["-5", "\\N"]},
    ]))  # fmt: skip
    carry_out(workspace, plan_import(workspace, questions))
    replies.write_text(json.dumps([
        {"id": "f1", "model": "=m", "response": WORDS}, {"id": "f2", "model": "=m",
                                                        "response": "Ben"},
        {"id": "o1", "model": "=m", "response": "B"}, {"id": "o2", "model": "=m",
                                                       "response": WORDS},
    ]))  # fmt: skip
    plan = plan_predictions(workspace, [replies], PredictionChoices(condition="text only"))
    write_predictions(workspace, plan)
    verdicts.write_text(json.dumps([
        {"video": "video of o1", "annotator": "bo", "verdict": "reject", "reasons": [WORDS]},
        {"video": "video of o2", "annotator": "bo", "verdict": "accept", "note": WORDS},
    ]))  # fmt: skip
    for model in ("", "=filter"):
        choices = PredictionChoices(model=model)
        write_verdicts(workspace, plan_verdicts(workspace, [open_table(verdicts, "")], choices))
    return workspace


def rows_of(workspace, table):
    """Rows of a table without what never leaves: invites, and the leases of answers."""
    rows = workspace.store.rows(f"SELECT * FROM [{table}]")
    kept = [{k: v for k, v in row.items() if k not in ("invite", "lease_id")} for row in rows]
    return sorted(kept, key=str)


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_every_table_and_every_figure_comes_back_as_it_was(newest, tmp_path, capsys, form):
    folder, empty = tmp_path / "out", tmp_path / "empty"
    export(newest, folder, form)
    capsys.readouterr()
    assert cli.main(["metrics", "--workspace", str(newest.root), "--json"]) == 0
    before = capsys.readouterr().out
    assert cli.main(["init", str(empty)]) == 0
    assert cli.main(["import", str(folder), "--workspace", str(empty), "--yes"]) == 0
    capsys.readouterr()
    assert cli.main(["metrics", "--workspace", str(empty), "--json"]) == 0
    assert capsys.readouterr().out == before
    again = Workspace.open(empty)
    with newest.store.read() as database:
        tables = table_names(database)
    assert {"generation_reply", "qualification", "question_revision", "prediction"} <= set(tables)
    for table in tables:
        assert rows_of(again, table) == rows_of(newest, table), table
    again.close()
