"""Questions with free answers, several right options, answers in files of their own, and frames."""

import json

import pytest

from annotations import format
from annotations.format import Choices
from annotations.importing.import_plan import carry_out, plan_import
from annotations.reading.answer_key import several_keys
from annotations.reading.free_answers import texts_of
from annotations.reading.records import QuestionDraft


def drafts_in(path, **choices):
    reading = format.load("table").read(path, Choices(**choices))
    rows = list(reading.rows())
    drafts = [row for row in rows if isinstance(row, QuestionDraft)]
    return drafts, [row.text for row in rows if not isinstance(row, QuestionDraft)], reading


def dump(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


MULTIPLE = {"video": "k1.mp4", "duration": 62.5, "question": "What is carried?",
            "candidates": ["a pan", "a pot", "a cup"], "answer": "a pot",
            "question_type": "needle"}  # fmt: skip
WRITTEN = {"video": "k2.mp4", "duration": 80, "question": "What happens in the kitchen?",
           "answer": "Two people cook and then wash up.", "question_type": "sub_scene",
           "scoring_points": ["two people cook", "they wash up"]}  # fmt: skip


def test_parts_with_and_without_options_are_one_table(tmp_path):
    dump(tmp_path / "3_needle.json", [MULTIPLE])
    dump(tmp_path / "8_sub_scene.json", [WRITTEN])
    summary = {**WRITTEN, "question": "Sum it up.", "question_type": "summary"}
    del summary["scoring_points"]
    dump(tmp_path / "9_summary.json", [summary])
    drafts, problems, reading = drafts_in(tmp_path)
    assert problems == []
    assert [(d.category, len(d.options), d.key, d.reference) for d in drafts] == [
        ("needle", 3, 1, {}),
        ("sub_scene", 0, None, {"answers": ["Two people cook and then wash up."],
                                "points": ["two people cook", "they wash up"]}),
        ("summary", 0, None, {"answers": ["Two people cook and then wash up."]}),
    ]  # fmt: skip
    assert ("free answers", "2 rows without options") in reading.mapping


ASKED = [
    {"question_id": "v1_1", "video_name": "k1", "question": "is the man indoors"},
    {"question_id": "v1_2", "video_name": "k1", "question": "what is he holding"},
    {"question_id": "v1_3", "video_name": "k1", "question": "how many dogs are there"},
]
ANSWERED = [{"question_id": "v1_1", "answer": "yes", "type": 3},
            {"question_id": "v1_2", "answer": "a rope", "type": 4},
            {"question_id": "v1_3", "answer": "2", "type": 7}]  # fmt: skip


@pytest.mark.parametrize("whole_folder", [True, False])
def test_answers_in_a_file_beside_the_questions_are_joined_by_id(tmp_path, whole_folder):
    file = dump(tmp_path / "test_q.json", ASKED)
    dump(tmp_path / "test_a.json", ANSWERED[::-1])
    drafts, problems, reading = drafts_in(tmp_path if whole_folder else file)
    assert problems == []
    # Yes and no are the options of the category in which every answer is one of them.
    assert [(d.uid, d.options, d.key, d.reference) for d in drafts] == [
        ("v1_1", ("yes", "no"), 0, {}),
        ("v1_2", (), None, {"answers": ["a rope"]}),
        ("v1_3", (), None, {"answers": ["2"]}),
    ]  # fmt: skip
    assert [path.name for path in reading.files] == ["test_q.json", "test_a.json"]


def test_keys_of_a_subset_by_id_leave_the_other_questions_unlabelled(tmp_path):
    names = ("cook", "clean", "read", "sing", "sew")
    rows = [
        {"q_uid": uid, "question": f"What is the aim of {uid}?"}
        | {f"option {i}": word for i, word in enumerate(names)}
        for uid in ("u1", "u2", "u3")
    ]
    file = dump(tmp_path / "questions.json", rows)
    dump(tmp_path / "subset_answers.json", {"u1": 0, "u3": 4})
    drafts, problems, _ = drafts_in(file)
    assert [draft.key for draft in drafts] == [0, None, 4]
    assert problems == []


def test_a_file_of_another_name_is_no_file_of_answers(tmp_path):
    file = dump(tmp_path / "train_q.json", ASKED)
    dump(tmp_path / "test_a.json", ANSWERED)
    drafts, _, _ = drafts_in(file)
    assert drafts == []


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("a rope", ["a rope"]), (["a rope", "rope", "a rope"], ["a rope", "rope"]),
        ('["a rope", "rope"]', ["a rope", "rope"]), ("['a rope', \"man's rope\"]",
                                                     ["a rope", "man's rope"]),
        ({"text": ["7", "seven"], "answer_start": [3, 9]}, ["7", "seven"]),
        ([{"answer": "red"}, {"answer": "dark red"}], ["red", "dark red"]),
        (2, ["2"]), (True, ["true"]), (None, []), ("", []), ("N/A", []), ("[red]", ["[red]"]),
    ],
)  # fmt: skip
def test_accepted_answers_are_read_out_of_what_a_cell_holds(cell, texts):
    assert texts_of(cell, "answer") == texts


@pytest.mark.parametrize(
    ("cell", "style", "keys"),
    [
        (["A", "C"], "letters", [0, 2]), ("A, C", "letters", [0, 2]), ("ACD", "letters", [0, 2, 3]),
        ("['A', 'C']", "letters", [0, 2]), ([0, 2], "0", [0, 2]), ("[1, 3]", "1", [0, 2]),
        (["left", "up"], "text", [0, 2]), ("B", "letters", []), (["B"], "letters", []),
        ("CA", "letters", []), (["A", "A"], "letters", []),
    ],
)  # fmt: skip
def test_several_right_options_are_known_by_letters_positions_or_texts(cell, style, keys):
    assert several_keys(cell, ["left", "right", "up", "down"], style) == keys


def test_several_right_options_are_kept_as_accepted_and_told_once(workspace, tmp_path):
    rows = [
        {
            "id": n,
            "video": "v.mp4",
            "question": f"Which ({n})?",
            "options": ["x", "y", "z"],
            "answer": answer,
        }
        for n, answer in enumerate((["A", "C"], ["B"], ["A", "B", "C"]))
    ]
    path = dump(tmp_path / "q.json", rows)
    plan = plan_import(workspace, path)
    [note] = [p for p in plan.problems.listed if p.what == "several options are right"]
    assert note.rows == 2
    carry_out(workspace, plan)
    stored = workspace.store.rows("SELECT key, reference FROM current_question ORDER BY uid")
    assert [(row["key"], json.loads(row["reference"])) for row in stored] == [
        (None, {"answers": ["x", "z"]}), (1, {}), (None, {"answers": ["x", "y", "z"]}),
    ]  # fmt: skip
    assert plan_import(workspace, path).questions["unchanged"] == 3
    rows[0]["answer"] = ["A", "B"]
    changed = plan_import(workspace, dump(path, rows))
    assert dict(changed.changed_parts) == {"reference": 1}


@pytest.mark.parametrize("answers", [["B", "A", "C"], [0, 3, 1], ["(A)", "B.", "c"]])
def test_letters_and_positions_without_options_are_questions_that_lost_them(tmp_path, answers):
    rows = [{"id": n, "video": "v", "question": f"What next ({n})?", "answer": answer}
            for n, answer in enumerate(answers)]  # fmt: skip
    drafts, problems, _ = drafts_in(dump(tmp_path / "q.json", rows))
    assert drafts == []
    assert all("multiple choice without options" in problem for problem in problems)


def test_a_row_that_lost_its_options_costs_itself_beside_free_answers(tmp_path):
    dump(tmp_path / "q.json", [
        {"id": 1, **MULTIPLE}, {"id": 2, **MULTIPLE, "candidates": [], "answer": "B"},
        {"id": 3, **WRITTEN, "candidates": None}, {"id": 4, **WRITTEN, "candidates": "[]"},
    ])  # fmt: skip
    drafts, [problem], _ = drafts_in(tmp_path / "q.json")
    assert [(d.uid, len(d.options)) for d in drafts] == [("1", 3), ("3", 0), ("4", 0)]
    assert "multiple choice without options" in problem


def test_frames_become_times_by_the_video_s_own_stamps(workspace, shared, tmp_path):
    clip = shared / "clips" / "asl_again.mkv"
    path = tmp_path / "q.csv"
    path.write_text(
        "id,video,question,A,B,answer,start_frame,end_frame\n"
        f"1,{clip.name},What?,x,y,A,0,9\n2,{clip.name},Who?,x,y,B,10,\n"
        f"3,{clip.name},Why?,x,y,B,5,99999\n4,gone.mkv,Where?,x,y,B,5,9\n5,{clip.name},H?,x,y,A,,\n"
    )
    plan = plan_import(workspace, path, videos=clip)
    told = [problem.text for problem in plan.problems.listed if problem.level == "error"]
    assert len(told) == 2
    assert "the clip has no such frames" in told[0]
    assert "its video is not here" in told[1]
    carry_out(workspace, plan)
    rows = workspace.store.rows(
        "SELECT q.uid, c.start_s, c.end_s, v.sha256 FROM current_question q"
        " JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id ORDER BY q.uid"
    )
    times = workspace.media.frame_table(rows[0]["sha256"]).times
    assert [(row["start_s"], row["end_s"]) for row in rows] == [
        (0.0, times[10]), (times[10], None), (0.0, None),
    ]  # fmt: skip
    # Ten frames, 0 to 9, are shown in the first clip.
    shown = workspace.media.frames_between(rows[0]["sha256"], 0.0, times[10])
    assert shown == list(range(10))
