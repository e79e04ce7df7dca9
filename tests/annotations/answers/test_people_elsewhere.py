"""People's answers of other tools, restated: Mechanical Turk, Label Studio, potato, tables."""

import csv
import json

import pytest

from annotations.answer_format import detect, holds_answers
from annotations.answer_formats._rows import unix_time
from annotations.importing.answer_import import pseudonym, write_answers
from annotations.importing.answer_plan import TWICE, plan_answers
from annotations.people import everyone
from annotations.planning.task_store import all_tasks, ensure_tasks
from annotations.prediction_format import PredictionChoices
from annotations.scoring.human_accuracy import accuracy_table
from annotations.scoring.snapshot import take
from core.refusal import Refusal

TURK = (
    "HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "SubmitTime", "WorkTimeInSeconds",
    "Input.qid", "Input.video", "Input.question", "Input.A", "Input.B", "Answer.choice",
    "Answer.comment", "RequesterFeedback", "Approve", "Reject",
)  # fmt: skip
FULL = PredictionChoices(condition="full video")


def turk(path, *rows):
    """A file of batch results about the question m1, of which B is right."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, TURK, restval="")
        writer.writeheader()
        asked = {
            "HITId": "H1", "Input.qid": "m1", "Input.A": "left", "Input.B": "right",
            "AssignmentStatus": "Submitted", "SubmitTime": "Mon Nov 03 10:00:00 PST 2025",
        }  # fmt: skip
        for number, row in enumerate(rows):
            writer.writerow({**asked, "AssignmentId": f"S{number}", **row})
    return path


@pytest.fixture
def asked(workspace, add_question):
    add_question("m1", ("left", "right"), key=1)
    add_question("m2", ("left", "right"), key=0)
    return workspace


def stored(workspace):
    return workspace.store.rows(
        "SELECT p.name, p.active, a.response, a.active_s, a.answered_at, a.counted, a.shown"
        " FROM current_annotation a JOIN annotator p ON p.id = a.annotator_id ORDER BY a.id"
    )


def test_a_batch_of_mechanical_turk_is_people_who_answered(asked, tmp_path):
    path = turk(
        tmp_path / "Batch_1.csv",
        {"WorkerId": "A1", "AssignmentStatus": "Approved", "WorkTimeInSeconds": "70",
         "Answer.choice": "B"},
        {"WorkerId": "A2", "AssignmentStatus": "Rejected", "WorkTimeInSeconds": "3",
         "Answer.choice": "A", "RequesterFeedback": "too fast"},
        {"WorkerId": "A3", "WorkTimeInSeconds": "110", "Answer.choice": "B",
         "Answer.comment": "blurred"},
    )  # fmt: skip
    assert (detect(path), holds_answers(path)) == ("mechanical_turk", True)
    plan = plan_answers(asked, [path], FULL)
    assert plan.problems.listed == []
    assert (len(plan.people), plan.matched, dict(plan.left_out)) == (3, 2, {"rejected": 1})
    assert plan.right == (2, 2)
    written = write_answers(asked, plan)
    assert (written.new, written.changed, written.same) == (2, 0, 0)
    rows = stored(asked)
    assert [row["active_s"] for row in rows] == [70.0, 110.0]
    assert [json.loads(row["response"]) for row in rows] == [
        {"choice": 1}, {"choice": 1, "note": "blurred"},
    ]  # fmt: skip
    # 10:00 in California in winter is 18:00 UTC.
    assert rows[0]["answered_at"] == unix_time("2025-11-03T18:00:00+00:00")
    # Pseudonyms do not hold the worker's id, and are the same each time.
    names = [row["name"] for row in rows]
    assert len(set(names)) == 2
    assert all(name.startswith("Mechanical Turk ") and len(name) == 24 for name in names)
    assert names[0] == pseudonym(asked, "Mechanical Turk", "A1")
    facts = json.loads(rows[0]["shown"])
    assert (facts["source"], facts["file"], facts["option_order"]) == (
        "Mechanical Turk", "Batch_1.csv", [0, 1],
    )  # fmt: skip
    with take(asked) as snapshot:
        [row] = accuracy_table(snapshot, condition="full video")
    assert (row.accuracy.value, row.accuracy.n) == (1.0, 2)
    again = write_answers(asked, plan_answers(asked, [path], FULL))
    assert (again.new, again.changed, again.same) == (0, 0, 2)


@pytest.mark.parametrize(
    ("separator", "encoding"),
    [(";", "utf-8-sig"), ("\t", "utf-8"), (",", "utf-16"), (";", "cp1252")],
)
def test_a_batch_that_a_spreadsheet_saved_anew_is_one_still(asked, tmp_path, separator, encoding):
    worker = {"WorkerId": "A1", "Answer.choice": "B", "Answer.comment": "trüb"}
    text = turk(tmp_path / "b.csv", worker).read_text(encoding="utf-8")
    path = tmp_path / "saved.csv"
    path.write_bytes(text.replace(",", separator).encode(encoding))
    assert (detect(path), holds_answers(path)) == ("mechanical_turk", True)
    assert plan_answers(asked, [path], FULL).matched == 1


@pytest.mark.parametrize(
    ("time", "active_s"),
    [("70", 70.0), ("12,5", 12.5), ("1:10", 70.0), ("0:01:10.5", 70.5), ("", 0.0), ("soon", 0.0),
     ("nan", 0.0), ("-3", 0.0), ("1:75", 0.0)],
)  # fmt: skip
def test_times_of_people_in_the_forms_that_tables_have(asked, tmp_path, time, active_s):
    path = tmp_path / "answers.csv"
    path.write_text(f'annotator,id,answer,seconds\nZoë,m1,B,"{time}"\n', encoding="utf-8")
    write_answers(asked, plan_answers(asked, [path], FULL))
    assert [row["active_s"] for row in stored(asked)] == [active_s]


def test_only_a_number_is_asked_about_as_a_position(asked, tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("annotator,id,answer\nAnn,m1,1\nBen,m1,\nCy,m2,both\nDi,m2,A\n")
    plan = plan_answers(asked, [path], FULL)
    assert [("--keys" in problem.todo, problem.value) for problem in plan.problems.listed] == [
        (True, "1"), (False, ""), (False, "both"),
    ]  # fmt: skip


def test_imported_people_cannot_sign_in_are_owed_nothing_and_asked_nothing(asked, tmp_path):
    path = turk(tmp_path / "b.csv", {"WorkerId": "A1", "WorkTimeInSeconds": "3600",
                                     "Answer.choice": "B"})  # fmt: skip
    write_answers(asked, plan_answers(asked, [path], FULL))
    [person] = everyone(asked)
    assert (person.active, person.answers, person.active_s, person.earned) == (
        0, 1, 3600.0, 0.0,
    )  # fmt: skip
    # The task is closed and complete, and does not grow by what is asked here.
    ensure_tasks(asked)
    task = next(task for task in all_tasks(asked) if task.name == "Mechanical Turk: full video")
    assert (task.status, task.items, task.wanted, task.answers) == ("closed", 1, 1, 1)


def test_one_assignment_may_hold_several_questions(asked, tmp_path):
    path = tmp_path / "batch.csv"
    path.write_text(
        "HITId,AssignmentId,WorkerId,AssignmentStatus,WorkTimeInSeconds,"
        "Input.qid_1,Input.qid_2,Answer.choice_1,Answer.choice_2,Answer.feedback\n"
        "H,S,W,Submitted,90,m1,m2,right,left,nice\n",
        encoding="utf-8",
    )
    plan = plan_answers(asked, [path], FULL)
    assert [(a.match.question.uid, a.choice, a.draft.active_s) for a in plan.answers.values()] == [
        ("m1", 1, 45.0), ("m2", 0, 45.0),
    ]  # fmt: skip


def test_radio_groups_of_mechanical_turk_are_read_in_both_their_forms(asked, tmp_path):
    crowd = json.dumps([{"way": {"left": False, "right": True}, "comment": "ok"}])
    path = tmp_path / "batch.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["HITId", "AssignmentId", "WorkerId", "Input.id", "Answer.taskAnswers"])
        writer.writerow(["H", "S", "W", "m1", crowd])
    wide = tmp_path / "wide.csv"
    wide.write_text(
        "HITId,AssignmentId,WorkerId,Input.id,Answer.way.left,Answer.way.right\nH,S,V,m1,true,false\n",
        encoding="utf-8",
    )
    plan = plan_answers(asked, [path, wide], FULL)
    assert [(a.choice, a.draft.comment) for a in plan.answers.values()] == [(1, "ok"), (0, "")]


def test_of_two_answers_of_a_person_to_a_question_the_first_counts(asked, tmp_path):
    path = turk(
        tmp_path / "b.csv",
        {"WorkerId": "A1", "Answer.choice": "A", "SubmitTime": "Mon Nov 03 11:00:00 PST 2025"},
        {"WorkerId": "A1", "Answer.choice": "B"},
    )
    plan = plan_answers(asked, [path], FULL)
    assert [answer.choice for answer in plan.answers.values()] == [1]
    assert plan.left_out == {TWICE: 1}


def test_several_columns_of_answers_are_asked_about_and_can_be_named(asked, tmp_path):
    path = tmp_path / "batch.csv"
    path.write_text(
        "HITId,AssignmentId,WorkerId,Input.id,Answer.before,Answer.after\nH,S,W,m1,A,B\n",
        encoding="utf-8",
    )
    with pytest.raises(Refusal, match=r"--map response=Answer\.NAME"):
        plan_answers(asked, [path], FULL)
    named = PredictionChoices(condition="16 frames", columns=(("response", "Answer.after"),))
    [answer] = plan_answers(asked, [path], named).answers.values()
    assert answer.choice == 1


def studio(path, *annotations, data=None):
    data = data or {"id": "m1", "video": "video of m1", "answer": "A"}
    path.write_text(
        json.dumps([{"id": 7, "data": data, "annotations": annotations, "predictions": []}]),
        encoding="utf-8",
    )
    return path


def choice(option, number=1, **more):
    result = [
        {"from_name": "way", "to_name": "v", "type": "choices", "value": {"choices": [option]}},
        {"from_name": "why", "to_name": "v", "type": "textarea", "value": {"text": ["a turn"]}},
    ]
    return {"id": number, "completed_by": number, "result": result, "lead_time": 12.5,
            "created_at": "2025-11-03T18:00:00Z", "was_cancelled": False, **more}  # fmt: skip


def test_label_studio_s_annotations_are_people_s_answers(asked, tmp_path):
    path = studio(
        tmp_path / "project-1.json",
        choice("right"),
        choice("left", 2, completed_by={"id": 2, "email": "ann@example.org"}),
        choice("left", 3, was_cancelled=True),
        choice("right", 4, ground_truth=True),
    )
    assert detect(path) == "label_studio"
    plan = plan_answers(asked, [path], FULL)
    assert [(a.choice, a.draft.active_s, a.draft.comment) for a in plan.answers.values()] == [
        (1, 12.5, "a turn"), (0, 12.5, "a turn"),
    ]  # fmt: skip
    assert plan.left_out == {"skipped": 1, "marked as the truth, no person's answer": 1}
    write_answers(asked, plan)
    # A number stays; a mail address does not get in.
    first, second = (row["name"] for row in stored(asked))
    assert first == "1 (Label Studio)"
    assert second.startswith("Label Studio ")
    assert "ann" not in second


def test_label_studio_s_short_json_is_a_table(asked, tmp_path):
    path = tmp_path / "min.json"
    row = {"id": "m1", "choice": "right", "annotator": 4, "annotation_id": 9, "lead_time": 3.5}
    path.write_text(json.dumps([row]), encoding="utf-8")
    assert detect(path) == "answer_table"
    [answer] = plan_answers(asked, [path], FULL).answers.values()
    assert (answer.choice, answer.draft.active_s) == (1, 3.5)


@pytest.mark.parametrize(
    "labels",
    [
        [[{"schema": "way", "name": "right"}, "true"]],
        {"way": {"right": "true", "left": False}},
        {"way": {"labels": {"right": True}}},
    ],
)
def test_potato_s_state_of_each_person_is_read(asked, tmp_path, labels):
    folder = tmp_path / "annotation_output"
    (folder / "pat").mkdir(parents=True)
    state = {
        "user_id": "pat", "instance_id_to_label_to_value": {"m1": labels},
        "instance_id_to_behavioral_data": {"m1": {"time_string": "Time spent: 0d 0h 1m 5s "}},
    }  # fmt: skip
    (folder / "pat" / "user_state.json").write_text(json.dumps(state), encoding="utf-8")
    assert detect(folder) == "potato"
    [answer] = plan_answers(asked, [folder], FULL).answers.values()
    assert (answer.choice, answer.draft.person, answer.draft.active_s) == (1, "pat", 65.0)


def test_potato_s_lines_are_read_and_a_second_scheme_is_asked_about(asked, tmp_path):
    person = tmp_path / "out" / "sam"
    person.mkdir(parents=True)
    labels = {"way": {"left": "1"}, "sure": {"very": "1"}}
    line = {"id": "m2", "displayed_text": "?", "label_annotations": labels}
    (person / "annotated_instances.jsonl").write_text(json.dumps(line), encoding="utf-8")
    with pytest.raises(Refusal, match="Which scheme holds the answers"):
        plan_answers(asked, [tmp_path / "out"], FULL)
    named = PredictionChoices(condition="full video", columns=(("response", "way"),))
    [answer] = plan_answers(asked, [tmp_path / "out"], named).answers.values()
    assert (answer.match.question.uid, answer.choice, answer.draft.person) == ("m2", 0, "sam")


def test_a_table_with_conditions_makes_a_task_for_each(asked, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(
        "annotator,item_id,answer,condition\nAda,m1,B,16\nAda,m2,left,full video\nBo,m1,A,16\n",
        encoding="utf-8",
    )
    assert detect(path) == "answer_table"
    plan = plan_answers(asked, [path])
    assert plan.conditions == {"16 frames": 2, "full video": 1}
    write_answers(asked, plan)
    assert [(task.name, task.answers) for task in all_tasks(asked)] == [
        ("A table: 16 frames", 2), ("A table: full video", 1),
    ]  # fmt: skip
    assert sorted({row["name"] for row in stored(asked)}) == ["Ada (Table)", "Bo (Table)"]
    # The first of the two people is right: 1/2.
    with take(asked) as snapshot:
        [row] = accuracy_table(snapshot, condition="16 frames")
    assert row.accuracy.value == 0.5


def test_answers_that_name_no_option_and_lacking_conditions_are_said(asked, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("worker_id,item_id,answer\nw,m1,perhaps\nv,m1,B\nu,zz,B\n", encoding="utf-8")
    plan = plan_answers(asked, [path])
    assert (plan.unread, plan.unmatched, plan.matched) == (1, 1, 1)
    assert "--condition" in plan.undecided
    with pytest.raises(Refusal, match="--condition"):
        write_answers(asked, plan)
    assert "the answer names none of the options" in plan.problems.grouped[0].text


def test_a_table_of_questions_with_their_author_stays_one_of_questions(tmp_path):
    path = tmp_path / "questions.csv"
    path.write_text("id,video,question,A,B,answer,annotator\nq,v,What?,x,y,A,Ada\n", "utf-8")
    assert not holds_answers(path)
