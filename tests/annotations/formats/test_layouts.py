"""Layouts of other people's benchmarks, restated: nested lists, parts, spans, lists as printed."""

import json

import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest

from annotations.format import Choices, load
from annotations.importing.import_plan import carry_out, plan_import
from annotations.importing.prediction_import import plan_predictions
from annotations.prediction_format import PredictionChoices, detect, read_reply
from annotations.prediction_format import load as load_predictions
from annotations.reading.records import QuestionDraft


def opened(path, *columns, keys=""):
    reading = load("table").read(path, Choices(columns=columns, keys=keys))
    rows = list(reading.rows())
    drafts = [row for row in rows if isinstance(row, QuestionDraft)]
    return drafts, [row.text for row in rows if not isinstance(row, QuestionDraft)], reading


def dump(path, value, lines=False):
    rows = "\n".join(json.dumps(row) for row in value) if lines else json.dumps(value)
    path.write_text(rows, encoding="utf-8")
    return path


NESTED = [
    {
        "video_id": "001", "duration": "short", "domain": "Music", "videoID": "zY8xW7vU6tS",
        "questions": [
            {"question_id": "001-1", "task_type": "Counting", "question": "How many drums?",
             "options": ["A. One.", "B. Two."], "answer": "B", "response": "B. Two."},
            {"question_id": "001-2", "task_type": "OCR", "question": "What is written?",
             "options": ["A. Stop.", "B. Go."], "answer": "A", "response": "The answer is (B)."},
        ],
    },
]  # fmt: skip


def test_questions_inside_a_record_of_their_video_are_rows(tmp_path):
    drafts, problems, _ = opened(dump(tmp_path / "nested.json", NESTED))
    assert problems == []
    assert [(d.uid, d.video, d.key) for d in drafts] == [
        ("001-1", "zY8xW7vU6tS", 1), ("001-2", "zY8xW7vU6tS", 0),
    ]  # fmt: skip
    assert drafts[0].options == ("One.", "Two.")
    assert {"duration": "short", "domain": "Music"}.items() <= drafts[1].tags.items()


def test_replies_inside_the_same_records_are_predictions(workspace, tmp_path):
    path = dump(tmp_path / "nested.json", NESTED)
    carry_out(workspace, plan_import(workspace, path))
    choices = PredictionChoices(model="m", condition="16 frames")
    plan = plan_predictions(workspace, [path], choices, format_name="table")
    assert [answer.choice for answer in plan.runs[0].answers.values()] == [1, 1]


def test_a_line_with_a_list_of_questions_and_labels_in_their_text(tmp_path):
    line = {
        "key": "vid", "type": "sport", "video_info": {"fps": 25},
        "qa": [
            {"uid": "7", "question": "What is on the wall?\n(A) A ship\n(B) A tree\n(C) A horse",
             "answer": "C", "question_type": ["entity recognition"]},
            {"uid": "8", "question": "Who wins?\n(A) red\n(B) blue", "answer": "A",
             "question_type": ["event understanding"]},
        ],
    }  # fmt: skip
    drafts, problems, _ = opened(dump(tmp_path / "l.jsonl", [line], lines=True))
    assert problems == []
    assert [(d.uid, d.video, d.key, d.tags["type"]) for d in drafts] == [
        ("7", "vid", 2, "sport"), ("8", "vid", 0, "sport"),
    ]  # fmt: skip


def test_pairs_of_yes_or_no_questions_know_their_part(tmp_path):
    pair = {
        "basic": {"video": "v.mp4", "question": "Is there a dog?", "answer": "yes"},
        "hallucination": {"video": "v.mp4", "question": "Is there a cat?", "answer": "no"},
        "type": "subject",
    }
    drafts, _, reading = opened(dump(tmp_path / "pairs.json", [pair]))
    assert [(d.text, d.options, d.key) for d in drafts] == [
        ("Is there a dog?", ("yes", "no"), 0), ("Is there a cat?", ("yes", "no"), 1),
    ]  # fmt: skip
    assert ("options", "yes and no, since every answer is one of them") in reading.mapping


def test_yes_and_no_are_options_only_where_every_answer_is_one_of_them(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text("id,video,question,answer\n1,v,Is it?,yes\n2,v,Who?,Ann\n")
    drafts, problems, reading = opened(path)
    assert problems == []
    assert [(d.options, d.key, d.reference) for d in drafts] == [
        ((), None, {"answers": ["yes"]}), ((), None, {"answers": ["Ann"]}),
    ]  # fmt: skip
    [note] = [problem for problem in reading.problems if "own words" in problem.text]
    assert note.rows == 2


def test_a_folder_of_parts_is_one_table_and_files_are_categories(tmp_path):
    row = {"video": "v.mp4", "question": "What came?", "candidates": ["Ran.", "Sat."]}
    dump(tmp_path / "order.json", [{**row, "answer": "Ran.", "start": 1.0, "end": 4.5}])
    dump(tmp_path / "way.json", [{**row, "question": "Which way?", "answer": "Sat."}])
    drafts, problems, reading = opened(tmp_path)
    assert [(d.category, d.key, d.start_s, d.end_s) for d in drafts] == [
        ("order", 0, 1.0, 4.5), ("way", 1, 0.0, None),
    ]  # fmt: skip
    assert (problems, len(reading.files)) == ([], 2)


def test_a_valid_list_with_a_record_a_line_is_one_value(tmp_path):
    rows = [
        {"id": f"q{i}", "video": "v", "question": f"Who {i}?", "options": ["Ann", "Ben"],
         "answer": "Ann"} for i in range(4)
    ]  # fmt: skip
    path = tmp_path / "q.json"
    path.write_text("[" + ",\n ".join(json.dumps(row) for row in rows) + "]")
    drafts, problems, _ = opened(path)
    assert ([d.uid for d in drafts], problems) == (["q0", "q1", "q2", "q3"], [])


def test_lists_as_numpy_prints_them_and_parquet(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text(
        "id,video,question,options,answer\n"
        "n1,v,What?,['A. A ball.' 'B. A hat.' 'C. A shoe.'],B\n"
        'n2,v,Who?,"[\'A. The tall man.\'\n ""B. The man\'s sister.""]",B\n'
    )
    drafts, problems, _ = opened(path)
    assert [d.options for d in drafts] == [
        ("A ball.", "A hat.", "A shoe."), ("The tall man.", "The man's sister."),
    ]  # fmt: skip
    table = arrow.table({
        "id": ["p1"], "video": ["v"], "question": ["What?"], "answer": ["B"],
        "options": [["A. A ball.", "B. A hat."]], "start": [0.5],
    })  # fmt: skip
    parquet.write_table(table, tmp_path / "q.parquet")
    [draft], again, _ = opened(tmp_path / "q.parquet")
    assert (draft.options, draft.key, draft.start_s) == (("A ball.", "A hat."), 1, 0.5)
    assert problems == again == []


def test_rows_without_ids_that_differ_in_their_options_are_two_questions(workspace, tmp_path):
    row = {"video": "v.mp4", "question": "What came first?"}
    path = dump(tmp_path / "q.json", [
        {**row, "candidates": ["Ran.", "Sat."], "answer": "Ran."},
        {**row, "candidates": ["Ran.", "Stood."], "answer": "Stood."},
    ])  # fmt: skip
    first = carry_out(workspace, plan_import(workspace, path))
    again = carry_out(workspace, plan_import(workspace, path))
    assert (first["questions"]["new"], again["questions"]["unchanged"]) == (2, 2)


def test_accepted_answers_are_no_options_without_a_key(tmp_path):
    row = {"question_id": 1, "video_id": "v", "question": "Which name?", "answers": ["Ann", "Ben"]}
    [draft], problems, _ = opened(dump(tmp_path / "open.json", [row]))
    assert (draft.options, draft.key, problems) == ((), None, [])
    assert draft.reference == {"answers": ["Ann", "Ben"]}
    keyed = dump(tmp_path / "keyed.json", [{**row, "correct_answer": "Ben"}])
    [draft], _, _ = opened(keyed)
    assert (draft.options, draft.key) == (("Ann", "Ben"), 1)


def test_one_column_for_start_and_end_is_a_span(tmp_path):
    row = {"qid": 1, "q": "Who?", "a0": "Ann", "a1": "Ben", "answer_idx": 1, "vid_name": "k"}
    second = {**row, "qid": 2, "ts": "0-2.5", "answer_idx": 0}
    path = dump(tmp_path / "t.jsonl", [{**row, "ts": "3.1-6.42"}, second], lines=True)
    drafts, problems, _ = opened(path, ("start", "ts"), ("end", "ts"))
    assert problems == []
    assert [(d.video, d.start_s, d.end_s, d.key) for d in drafts] == [
        ("k", 3.1, 6.42, 1), ("k", 0.0, 2.5, 0),
    ]  # fmt: skip


def test_fillers_are_told_once_with_their_count_and_equal_labels_are_text(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text(
        "id,video,question,option0,option1,option2,correct_choice\n"
        "1,v,What?,a pan,a pot,a cup,0\n2,v,Who?,Ann,Ben,N/A,1\n3,v,Who stays?,Ann,Ben,N/A,1\n"
    )
    drafts, _, reading = opened(path)
    assert len(drafts) == 3
    [note] = [problem for problem in reading.problems if "N/A" in problem.text]
    assert note.rows == 2
    steps = tmp_path / "s.csv"
    steps.write_text(
        "id,video,question,a0,a1,answer\n1,v,Which?,1. cuts paper.,1. lifts a box.,1. cuts paper.\n"
    )
    [draft], problems, _ = opened(steps)
    assert (draft.options, draft.key) == (("1. cuts paper.", "1. lifts a box."), 0)
    assert problems == []


def test_an_apostrophe_that_guards_a_formula_is_taken_off_again(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text("id,video,question,A,B,answer\n1,v,'=1+1?,'-5,'+',A\n")
    [draft], _, _ = opened(path)
    assert (draft.text, draft.options) == ("=1+1?", ("-5", "'+'"))


OPTIONS = ("Ann", "Ben", "Cy", "Di")


def drafts_of(path, **choices):
    name = "table" if choices.get("columns") else detect(path)
    reading = load_predictions(name).read(path, PredictionChoices(model="m", **choices))
    return list(reading.rows()), reading


def test_replies_that_are_all_numbers_are_asked_about_and_read_as_positions(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("q_uid,answer\nq1,1\nq2,2\nq3,0\nq4,0\n")
    columns = (("response", "answer"), ("id", "q_uid"))
    _, asked = drafts_of(path, columns=columns)
    assert "All 4 replies are whole numbers, 2 of them 0" in asked.undecided
    drafts, reading = drafts_of(path, columns=columns, keys="0")
    assert reading.undecided == ""
    assert [read_reply(draft, OPTIONS).choice for draft in drafts] == [1, 2, 0, 0]


def test_an_object_of_replies_by_id_is_a_table(tmp_path):
    path = dump(tmp_path / "p.json", {"q1": "B", "q2": "C", "q3": "(D)"})
    drafts, _ = drafts_of(path)
    assert [draft.question.uids[0] for draft in drafts] == ["q1", "q2", "q3"]
    assert [read_reply(draft, OPTIONS).choice for draft in drafts] == [1, 2, 3]


def test_a_mapping_that_names_the_replies_is_enough(workspace, add_question, tmp_path):
    add_question("q1")
    path = dump(tmp_path / "res.json", [{"question_id": "q1", "option": "B"}])
    choices = PredictionChoices("m", "16 frames", columns=(("response", "option"),))
    plan = plan_predictions(workspace, [path], choices)
    assert [answer.choice for answer in plan.runs[0].answers.values()] == [1]


def test_a_text_alone_says_why_it_is_not_enough(workspace, add_question, tmp_path):
    add_question("q1")
    [question] = workspace.store.rows("SELECT text FROM question_revision")
    path = dump(tmp_path / "p.json", [{"question": question["text"], "prediction": "A"}])
    plan = plan_predictions(workspace, [path], PredictionChoices("m", "16 frames"))
    [problem] = plan.problems.listed
    assert "fits question q1" in problem.text
    assert "neither its video nor its options" in problem.text


@pytest.mark.parametrize(
    "prompt",
    [
        "Question: Who sits?\nA. Ann\nB. Ben\nSelect the best answer.",
        "Who sits?\n- A) Ann\n- B) Ben",
    ],
)
def test_prompts_are_taken_apart(prompt):
    from annotations.reading.displayed_options import split_prompt

    text, options, _ = split_prompt(prompt)
    assert (text, options[0]) == ("Who sits?", "Ann")


def test_one_problem_met_many_times_is_one_line_with_its_count(workspace, tmp_path):
    path = tmp_path / "q.csv"
    rows = "".join(f"{i},v,What number {i}?,{'ABCD'[i % 4]}\n" for i in range(800))
    path.write_text("id,video,question,answer\n" + rows)
    plan = plan_import(workspace, path)
    assert plan.problems.errors == 800
    [line] = [problem for problem in plan.problems.grouped if problem.level == "error"]
    assert line.rows == 800
    assert "first in row 2" in line.text
    assert "800 rows" in line.text


def test_perception_test_is_read_with_its_videos_and_parts(tmp_path):
    question = {"question": "What was hidden first?", "options": ["cup", "ball", "key"],
                "area": "memory"}  # fmt: skip
    video = {
        "metadata": {"split": "valid", "video_id": "video_10", "frame_rate": 30.0},
        "mc_question": [{"id": 0, "answer_id": 2, **question}, {"id": 1, "answer_id": 0,
                                                                **question}],
    }  # fmt: skip
    tracked = {"grounded_question": [{"id": 0, "question": "Track the cup.", "answers": [3]}]}
    other = {"metadata": {"video_id": "video_11"}, "mc_question": [{"id": 0, "answer_id": 1,
                                                                   **question}]}  # fmt: skip
    path = dump(tmp_path / "p.json", {"video_10": video | tracked, "video_11": other})
    drafts, problems, _ = opened(path)
    assert [(d.uid, d.video, d.key, d.tags["area"]) for d in drafts] == [
        ("video_10/mc_question/0", "video_10", 2, "memory"),
        ("video_10/mc_question/1", "video_10", 0, "memory"),
        ("video_11/mc_question/0", "video_11", 1, "memory"),
    ]  # fmt: skip
    # Tracking is no question with options.
    [problem] = problems
    assert "grounded_question" in problem


def test_egoschema_names_its_clips_by_the_question(tmp_path):
    row = {"q_uid": "u1", "google_drive_id": "g", "question": "What is the aim?"}
    row |= {f"option {i}": word for i, word in enumerate(("cook", "clean", "read", "sing", "sew"))}
    drafts, problems, _ = opened(dump(tmp_path / "questions.json", [row]))
    assert problems == []
    [draft] = drafts
    assert (draft.uid, draft.video, draft.key, len(draft.options)) == ("u1", "u1", None, 5)


def test_keys_that_are_kept_back_leave_a_question_unlabelled(tmp_path):
    asked = (("left", "right", "NA"), ("left", "right", "B"), ("left", "NA", "NA"))
    rows = [
        {"uid": str(n), "video_path": "a.mp4", "question": f"Where?\nA. {a}\nB. {b}", "answer": key}
        for n, (a, b, key) in enumerate(asked)
    ]
    drafts, problems, _ = opened(dump(tmp_path / "m.jsonl", rows, lines=True))
    # In the third the text is an option.
    assert [draft.key for draft in drafts] == [None, 1, 1]
    [problem] = problems
    assert "kept back" in problem


@pytest.mark.parametrize(
    "link",
    [
        "https://www.youtube.com/watch?v=aB3dE5fG7hI", "https://youtu.be/aB3dE5fG7hI?t=3",
        "https://m.youtube.com/watch?app=x&v=aB3dE5fG7hI", "http://youtube.com/embed/aB3dE5fG7hI",
        "https://www.youtube.com/shorts/aB3dE5fG7hI",
    ],
)  # fmt: skip
def test_a_link_to_a_video_is_the_name_of_its_file(tmp_path, link):
    row = {"idx": 1, "video_url": link, "question": "How?", "options": {"A": "sits", "B": "lies"},
           "correct_answer": "B"}  # fmt: skip
    [draft] = opened(dump(tmp_path / "k.json", [row]))[0]
    assert (draft.video, draft.key) == ("aB3dE5fG7hI", 1)


def test_actionatlas_s_numbered_choices_count_from_1(tmp_path):
    row = {"youtube_id": "aB3dE5fG7hI", "start_timestamp": 3.24, "end_timestamp": 8.61,
           "domain": "Football", "question": "What is the move called?"}  # fmt: skip
    choices = "1. rabona\n2. nutmeg\n3. stepover"
    rows = [{"id": str(n), "choices_str": choices, "answer": n, **row} for n in (2, 3)]
    drafts, _, _ = opened(dump(tmp_path / "a.jsonl", rows, lines=True))
    assert [draft.key for draft in drafts] == [1, 2]
    assert (drafts[0].options, drafts[0].start_s, drafts[0].end_s) == (
        ("rabona", "nutmeg", "stepover"), 3.24, 8.61,
    )  # fmt: skip


def test_longvideobench_s_positions_count_from_0(tmp_path):
    row = {"video_id": "a", "question": "Who?", "question_category": "TOS", "video_path": "a.mp4",
           "candidates": ["Ann", "Ben", "Cy"]}  # fmt: skip
    rows = [{"id": f"a_{n}", "correct_choice": n, **row} for n in (0, 2)]
    drafts, problems, _ = opened(dump(tmp_path / "l.json", rows))
    assert problems == []
    assert [(d.uid, d.video, d.key, d.category) for d in drafts] == [
        ("a_0", "a.mp4", 0, "TOS"), ("a_2", "a.mp4", 2, "TOS"),
    ]  # fmt: skip
