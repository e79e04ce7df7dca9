import json

import pytest

from annotations.importing.import_plan import carry_out, plan_import
from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.importing.prediction_matching import option_order
from annotations.planning.task_store import all_tasks, grow
from annotations.prediction_format import PredictionChoices
from annotations.question.questions import revise
from annotations.run.run_answers import Stored
from annotations.run.runs import all_runs

SIXTEEN = PredictionChoices(model="m", condition="16 frames")
WAYS = ("left", "right", "up")


def write(path, *rows):
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def planned(workspace, path, choices=SIXTEEN):
    return plan_predictions(workspace, [path], choices)


def answers(plan):
    """Chosen option in the question's own order by uid, and the rule that found the question."""
    return {
        one.match.question.uid: (one.choice, one.match.rule)
        for run in plan.runs
        for one in run.answers.values()
    }


def shown(workspace):
    found = workspace.store.rows("SELECT shown FROM annotation ORDER BY id")
    return [json.loads(row["shown"]) for row in found]


def test_displayed_options_become_places_in_the_question_s_own_order():
    assert option_order((), WAYS) == (0, 1, 2)
    assert option_order(("Up.", "left", " Right"), WAYS) == (2, 0, 1)
    assert option_order(("up", "right"), WAYS) == (2, 1)  # fewer than there are
    assert option_order(("up", "down"), WAYS) is None
    assert option_order(("up", "up"), WAYS) is None
    # Options that are equal are told apart by nothing but their place.
    assert option_order(("red", "red", "blue"), ("red", "red", "blue")) == (0, 1, 2)
    assert option_order(("blue", "red", "red"), ("red", "red", "blue")) is None


def test_a_choice_is_stored_in_the_question_s_own_order_whatever_the_model_saw(
    workspace, add_question, tmp_path
):
    add_question("count/1", WAYS, key=1)
    row = {"id": "count/1", "options": ["A. up", "B. left", "C. right"], "response": "C"}
    plan = planned(workspace, write(tmp_path / "x.jsonl", row))
    assert answers(plan) == {"count/1": (1, "id")}
    write_predictions(workspace, plan)
    [facts] = shown(workspace)
    assert facts["option_order"] == [2, 0, 1]
    # 60 frames: 16 uniform ones, ends included, as people see them.
    assert (facts["condition"], facts["frames"][0], facts["frames"][-1]) == ("16 frames", 0, 59)
    assert len(facts["frames"]) == len(facts["times"]) == 16
    assert facts["times"][-1] == pytest.approx(59 / 30, abs=1e-6)


@pytest.mark.parametrize(
    ("condition", "frames", "unknown"),
    [
        ("full video", [], None),
        ("text only", [], None),
        ("1 random frame", None, "drawn at random"),
        ("16 shuffled frames", None, "drawn at random"),
        ("1 handpicked frame", None, ""),
    ],
)
def test_frames_that_the_condition_does_not_give_are_left_out_and_said_to_be(
    workspace, add_question, tmp_path, condition, frames, unknown
):
    add_question("1")
    path = write(tmp_path / "x.jsonl", {"id": "1", "response": "A"})
    choices = PredictionChoices(model="m", condition=condition)
    write_predictions(workspace, planned(workspace, path, choices))
    [facts] = shown(workspace)
    assert facts.get("frames") == frames
    assert (unknown is None) == ("frames_unknown" not in facts)
    assert (unknown or "") in facts.get("frames_unknown", "")


def test_questions_are_found_by_video_and_text_whatever_folders_and_suffixes_say(
    workspace, add_question, tmp_path
):
    add_question("a", video="human/0209-03")
    add_question("b", video="object/0209-03")
    rows = [
        {"video": "videos/human/0209-03.mp4", "question": "which  WAY?", "response": "A"},
        {"video": "object/0209-03.MP4", "question": "Which way?", "response": "B"},
    ]
    assert answers(planned(workspace, write(tmp_path / "x.jsonl", *rows))) == {
        "a": (0, "video and text"), "b": (1, "video and text"),
    }  # fmt: skip


def test_a_question_that_fits_several_or_none_is_a_problem_and_the_rest_goes_on(
    workspace, add_question, tmp_path
):
    add_question("a", video="human/7")
    add_question("b", video="object/7")
    add_question("c", video="8")
    rows = [
        {"video": "7", "question": "Which way?", "response": "A"},
        {"video": "9", "question": "Which way?", "response": "A"},
        {"video": "8", "question": "How many?", "response": "A"},
        {"video": "8", "question": "Which way?", "options": ["A. in", "B. out"], "response": "A"},
        {"video": "8", "question": "Which way?", "response": "C"},
    ]
    plan = planned(workspace, write(tmp_path / "x.jsonl", *rows))
    assert answers(plan) == {"c": (2, "video and text")}
    assert plan.unmatched == 4
    several, no_video, no_text, options = [one.text for one in plan.problems.listed]
    assert "line 1: fits 2 questions by video and text: a, b" in several
    assert "no stored question is about video '9'. Import the questions first" in no_video
    assert "no stored question is 'How many?'" in no_text
    assert "options are not those of question c" in options


def test_the_prompt_around_a_question_does_not_hide_it(workspace, add_question, tmp_path):
    add_question("a", video="7")
    row = {"video": "7", "response": "B", "prompt": "Watch closely. Which way? Answer shortly."}
    plan = planned(workspace, write(tmp_path / "x.jsonl", row))
    assert answers(plan) == {"a": (1, "video, and the text inside the prompt")}


def test_an_id_of_another_data_set_is_not_taken_for_the_question(workspace, add_question, tmp_path):
    add_question("17", video="7")
    row = {"id": "17", "question": "Who sings?", "video": "9", "response": "A"}
    plan = planned(workspace, write(tmp_path / "x.jsonl", row))
    assert (answers(plan), plan.unmatched) == ({}, 1)


def test_equal_questions_are_taken_in_their_order(workspace, add_question, tmp_path):
    add_question("first", video="7")
    add_question("second", video="7")
    rows = [
        {"video": "7", "question": "Which way?", "response": reply, "index": number}
        for number, reply in enumerate("AC")
    ]
    plan = planned(workspace, write(tmp_path / "x.jsonl", *rows))
    assert {uid: choice for uid, (choice, _) in answers(plan).items()} == {"first": 0, "second": 2}


def test_a_reply_to_an_earlier_wording_belongs_to_that_revision(workspace, add_question, tmp_path):
    question = add_question("1", ("left", "right"), key=1)
    with workspace.store.write() as database:
        revise(database, question, {"options": ["left", "right", "straight on"]})
    row = {"id": "1", "options": ["A. right", "B. left"], "response": "A"}
    plan = planned(workspace, write(tmp_path / "x.jsonl", row))
    [one] = plan.runs[0].answers.values()
    # The newest revision has both of the options, so the file just shows fewer.
    assert (one.match.question.newest, one.choice, plan.shortened) == (True, 1, 1)
    with workspace.store.write() as database:
        revise(database, question, {"options": ["up", "down", "straight on"], "key": 0})
    [one] = planned(workspace, tmp_path / "x.jsonl").runs[0].answers.values()
    assert (one.match.question.newest, one.choice, one.right) == (False, 1, True)


def test_a_key_that_is_another_than_the_stored_one_is_told_and_does_not_count(
    workspace, add_question, tmp_path
):
    add_question("1", WAYS, key=1)
    row = {"id": "1", "options": list(WAYS), "answer": "up", "response": "right"}
    plan = planned(workspace, write(tmp_path / "x.jsonl", row))
    assert plan.other_keys == 1
    assert "another than the stored key" in plan.problems.listed[0].text
    [one] = plan.runs[0].answers.values()
    assert one.right is True


def test_what_the_model_saw_is_asked_for_and_nothing_is_written_before(
    workspace, add_question, tmp_path
):
    add_question("1")
    path = write(tmp_path / "x.jsonl", {"id": "1", "response": "A"})
    for choices, missing in [
        (PredictionChoices(model="m"), "--condition '16 frames'"),
        (PredictionChoices(model="m", condition="2 fps"), "'2 fps' is no condition"),
        (PredictionChoices(condition="16 frames"), "--model NAME"),
    ]:
        plan = planned(workspace, path, choices)
        assert missing in plan.undecided
        with pytest.raises(ValueError, match="Name it"):
            write_predictions(workspace, plan)
    assert all_runs(workspace) == []


def test_a_model_cannot_be_called_like_a_person(workspace, add_question, add_person, tmp_path):
    add_question("1")
    add_person("Ada")
    path = write(tmp_path / "x.jsonl", {"id": "1", "response": "A"})
    plan = planned(workspace, path, PredictionChoices(model="ada", condition="16 frames"))
    assert "name of a person" in plan.undecided


def test_files_that_changed_after_the_plan_are_not_written(workspace, add_question, tmp_path):
    add_question("1")
    path = write(tmp_path / "x.jsonl", {"id": "1", "response": "A"})
    plan = planned(workspace, path)
    write(path, {"id": "1", "response": "B"})
    with pytest.raises(ValueError, match="changed after"):
        write_predictions(workspace, plan)


def test_one_file_may_hold_several_runs_and_each_is_one(workspace, add_question, tmp_path):
    add_question("1")
    rows = [
        {"id": "1", "response": "A", "model": model, "n_frames": frames}
        for model in ("m", "n")
        for frames in (1, 16)
    ]
    plan = planned(workspace, write(tmp_path / "x.jsonl", *rows), PredictionChoices())
    assert [stored for _, stored in write_predictions(workspace, plan)] == [Stored(new=1)] * 4
    assert {(run.model, run.condition) for run in all_runs(workspace)} == {
        ("m", "1 frame"), ("m", "16 frames"), ("n", "1 frame"), ("n", "16 frames"),
    }  # fmt: skip
    [facts, *_] = [run.facts for run in all_runs(workspace)]
    assert list(facts["files"]) == ["x.jsonl"]


def test_an_answer_without_a_video_asks_nobody_until_the_video_is_here(
    workspace, add_person, shared, tmp_path
):
    table = tmp_path / "q.csv"
    table.write_text("id,video,question,A,B,answer\nq1,flower,What?,x,y,A\n", encoding="utf-8")
    carry_out(workspace, plan_import(workspace, table))
    path = write(tmp_path / "x.jsonl", {"id": "q1", "response": "A"})
    [(run_id, _)] = write_predictions(workspace, planned(workspace, path))
    task = next(t for t in all_tasks(workspace) if t.name == "Human evaluation: 16 frames")
    assert (task.items, task.wanted, task.finished) == (0, 0, 0)
    assert shown(workspace)[0]["frames_unknown"] == "the video is not here"

    videos = tmp_path / "videos"
    videos.mkdir()
    (videos / "flower.mp4").write_bytes((shared / "clips/flower.mp4").read_bytes())
    carry_out(workspace, plan_import(workspace, table, videos=videos))
    assert grow(workspace, task.id) == 1
    task = next(t for t in all_tasks(workspace) if t.id == task.id)
    assert (task.items, task.wanted) == (1, 2)
    assert len(workspace.store.rows("SELECT * FROM item WHERE task_id = ?", [task.id])) == 1
    again = write_predictions(workspace, planned(workspace, path))
    assert again == [(run_id, Stored(changed=1))]  # now it is known what was shown
    assert len(shown(workspace)[-1]["frames"]) == 16
