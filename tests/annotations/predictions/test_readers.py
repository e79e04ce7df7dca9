import inspect
import json
from dataclasses import replace

import openpyxl
import pytest

from annotations import prediction_format
from annotations.prediction_format import (
    PredictionChoices,
    PredictionDraft,
    detect,
    load,
    read_reply,
)
from annotations.reading.records import Problem
from core import plugins

LETTERS = "What happens?\nA. sits down\nB. throws the ball\nC. leaves"


def write(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def opened(path, **choices):
    name = detect(path)
    found = load(name).read(path, PredictionChoices(**choices))
    assert found.format == name
    rows = list(found.rows())
    assert rows == list(found.rows())
    drafts = [row for row in rows if isinstance(row, PredictionDraft)]
    problems = [row for row in rows if isinstance(row, Problem)]
    return found, drafts, problems


@pytest.mark.parametrize("name", plugins.names(prediction_format.FOLDER))
def test_every_reader_keeps_the_contract(name):
    module = plugins.load(prediction_format.FOLDER, name)
    assert module.TITLE
    for function in ("likeness", "read"):
        wanted = list(inspect.signature(getattr(prediction_format.Reader, function)).parameters)[1:]
        assert list(inspect.signature(getattr(module, function)).parameters) == wanted
    assert module.__doc__


def test_an_unknown_reader_is_named_together_with_those_there_are():
    with pytest.raises(ValueError, match="nextqa"):
        load("nothing")


def test_a_file_in_no_known_format_says_which_are_known(tmp_path):
    path = tmp_path / "notes.md"
    path.write_text("hello")
    with pytest.raises(ValueError, match="no known format of predictions"):
        detect(path)


def lmms(number, resps=None, filtered=None, **more):
    row = {"doc_id": number, "target": "B. throws the ball", **more, "input": LETTERS}
    if resps is not None:
        row["resps"] = resps
    if filtered is not None:
        row["filtered_resps"] = filtered
    return row


def test_replies_of_lmms_eval_are_taken_with_their_thinking_in_every_layout(tmp_path):
    path = write(
        tmp_path / "org__model-7b" / "20260301_120000_samples_mine.jsonl",
        lmms(3, [["(B)"]], ["(B)"]),  # until July 2025
        lmms(1, None, ["(B)"]),  # until February 2026
        lmms(0, None, "(B)"),  # since then
        lmms(2, ["<think>A?</think>(B)"], "(B)"),  # with thinking
    )
    found, drafts, problems = opened(path)
    assert (found.undecided, problems) == ("", [])
    assert [draft.question.number for draft in drafts] == [3, 1, 0, 2]
    assert drafts[3].response == "<think>A?</think>(B)"
    assert {draft.model for draft in drafts} == {"org/model-7b"}
    assert {read_reply(draft).choice for draft in drafts} == {1}
    assert {draft.question.key for draft in drafts} == {1}


def test_lmms_eval_s_tomato_score_is_kept_and_the_reply_is_read_again(tmp_path):
    # The harness reads the A of "Answer" and stores A; the target is its own name for it.
    path = write(
        tmp_path / "20260301_120000_samples_tomato.jsonl",
        lmms(
            0,
            None,
            "Answer: B",
            target="utils.tomato_doc_to_target",
            tomato_score={
                "question_id": "17",
                "score": 0,
                "reason_type": "shape_trend",
                "demonstration_type": "human",
            },
        ),
    )
    found, drafts, _ = opened(path)
    assert "--model" in found.undecided
    assert drafts[0].score == 0.0
    assert drafts[0].score_name == "tomato_score"
    assert "shape&trend/17" in drafts[0].question.uids
    assert drafts[0].question.key is None
    assert read_reply(drafts[0]).choice == 1


def test_a_run_that_was_appended_to_counts_once_and_says_so(tmp_path):
    path = write(
        tmp_path / "20260301_120000_samples_x.jsonl",
        lmms(0, None, "A"),
        lmms(1, None, "B"),
        lmms(0, None, "C"),
        lmms(1, None, "B"),
    )
    _, drafts, problems = opened(path, model="m")
    assert [(d.question.number, d.response) for d in drafts] == [(0, "C"), (1, "B")]
    assert ["another reply" in p.text for p in problems] == [True, False]


def test_rows_without_a_reply_or_with_several_say_so(tmp_path):
    path = write(
        tmp_path / "20260301_120000_samples_x.jsonl",
        lmms(0, [["A", "B"]], ["A", "B"]),
        lmms(1),
        lmms(2, None, []),
    )
    _, drafts, problems = opened(path, model="m")
    assert [d.response for d in drafts] == ["A", None]
    assert "2 replies in the row" in problems[0].text
    assert "no reply in the row" in problems[1].text


def test_the_results_file_beside_a_log_tells_model_and_frames(tmp_path):
    path = write(tmp_path / "20260301_120000_samples_x.jsonl", lmms(0, None, "A"))
    config = {"config": {"model": "x", "model_args": "pretrained=org/m,max_frames_num=16"}}
    (tmp_path / "20260301_120000_results.json").write_text(json.dumps(config))
    _, drafts, _ = opened(path)
    assert (drafts[0].model, drafts[0].condition) == ("org/m", "16 frames")


MCQ = {
    "question": "What happens?",
    "candidates": "['A. sits down', 'B. throws the ball']",
    "answer": "B. throws the ball",
    "dim": "action",
    "video": "7",
}


def test_vlmevalkit_s_marks_of_no_reply_and_of_failure_are_told_apart(tmp_path):
    replies = ["B", "None", "Failed to obtain answer via API.", "", "None of them"]
    rows = [{**MCQ, "index": i, "prediction": reply} for i, reply in enumerate(replies)]
    path = tmp_path / "my_model_Video-MME_16frame.json"
    path.write_text(json.dumps(rows))
    found, drafts, problems = opened(path)
    assert found.format == "vlmevalkit"
    assert (drafts[0].model, drafts[0].condition) == ("my_model", "16 frames")
    assert [d.response for d in drafts] == ["B", None, None, None, "None of them"]
    assert drafts[2].failure == "Failed to obtain answer via API."
    assert [read_reply(d).state for d in drafts] == ["read", "empty", "empty", "empty", "refused"]
    assert problems[0].rows == 2


def test_none_is_a_reply_where_an_option_is_called_none(tmp_path):
    row = {**MCQ, "candidates": "['Some', 'None']", "answer": "None", "index": 0}
    path = tmp_path / "m_MVBench.json"
    path.write_text(json.dumps([{**row, "prediction": "None"}]))
    _, drafts, problems = opened(path)
    assert problems == []
    assert read_reply(drafts[0]).choice == drafts[0].question.key == 1


def test_a_reply_that_fills_its_cell_is_said_to_be_cut(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.append([*MCQ, "index", "prediction"])
    sheet.append([*MCQ.values(), 0, "B. " + "x" * 32_764])
    sheet.append([*MCQ.values(), 1, None])
    path = tmp_path / "m_TempCompass_MCQ.xlsx"
    book.save(path)
    _, drafts, problems = opened(path)
    assert "cut off" in problems[0].text
    assert "no reply" in problems[1].text
    assert drafts[0].question.number == 0


def test_a_workbook_that_is_none_is_refused_in_words(tmp_path):
    path = tmp_path / "m_MVBench.xlsx"
    path.write_bytes(b"not a workbook")
    with pytest.raises(ValueError, match="no xlsx workbook"):
        load("vlmevalkit").read(path, PredictionChoices())


def tomato(identity, response):
    return {
        "id": identity,
        "question": "Which way?",
        "response": response,
        "all_choices": ["A", "B"],
        "index2ans": {"A": "Left.", "B": "Right."},
        "gt": "B. Right.",
    }


@pytest.mark.parametrize(
    ("folders", "condition"),
    [
        ("shape&trend+human/16", "16 frames"),
        ("shape&trend+human/-1", "full video"),
        ("shape&trend+human/0", "text only"),
        ("shuffle_shape&trend+human/16", "16 shuffled frames"),
    ],
)
def test_tomato_s_folders_tell_the_condition(tmp_path, folders, condition):
    path = write(tmp_path / "results" / folders / "GPT-4o.jsonl", tomato("17", "Answer: B"))
    found, drafts, _ = opened(path)
    assert found.problems == ()
    assert (drafts[0].model, drafts[0].condition) == ("GPT-4o", condition)
    assert drafts[0].question.uids[0] == "shape&trend/17"
    assert read_reply(drafts[0]).choice == drafts[0].question.key == 1


def test_a_folder_of_tomato_s_results_is_read_whole(tmp_path):
    for model in ("a", "b"):
        for kind in ("count+human", "rotation+object"):
            write(tmp_path / "results" / kind / "1" / f"{model}.jsonl", tomato("1", "B"))
    found, drafts, _ = opened(tmp_path / "results")
    assert len(drafts) == 4
    assert {(d.model, d.question.uids[0]) for d in drafts} == {
        ("a", "count/1"), ("a", "rotation/1"), ("b", "count/1"), ("b", "rotation/1"),
    }  # fmt: skip
    assert "always takes the first, not a random one" in found.problems[0].text


def test_a_plain_table_is_mapped_by_its_names(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(
        "\ufeffid,model,n_frames,question,A,B,answer,response,is_correct\r\n"
        'q1,m,16,"Line one\nline two, with ""quotes""",重置,café,B,"Answer: B",1\r\n'
        'q2,m,1,Which?,up,down,A,"I don\'t know",0\r\n',
        encoding="utf-8",
    )
    _, drafts, problems = opened(path)
    assert problems == []
    assert drafts[0].question.text == 'Line one\nline two, with "quotes"'
    assert drafts[0].question.options == ("重置", "café")
    assert [(d.condition, d.score) for d in drafts] == [("16 frames", 1.0), ("1 frame", 0.0)]
    assert [read_reply(d).state for d in drafts] == ["read", "refused"]


def test_actionatlas_s_failed_rows_are_failures_and_not_option_1(tmp_path):
    choices = "1. first\n2. second\n3. third"
    row = {"id": "x", "video_path": "v.mp4", "question": "Which?", "choices": choices}
    path = write(
        tmp_path / "answers.jsonl",
        {**row, "gt_answer": 2, "response": "2"},
        {**row, "id": "y", "gt_answer": 2, "response": -1, "error": "SAFETY"},
        {**row, "id": "z", "gt_answer": 2, "response": "-1"},
    )
    _, drafts, _ = opened(path, model="m")
    assert [read_reply(d).choice for d in drafts] == [1, None, None]
    assert drafts[1].failure == "SAFETY"
    refused = read_reply(drafts[1])
    assert (refused.state, refused.rule) == ("refused", "blocked for safety")
    assert read_reply(drafts[2]).state == "empty"


def test_replies_in_lists_and_objects_are_read_like_their_text(tmp_path):
    path = write(
        tmp_path / "answers.jsonl",
        {"id": "x", "response": ["The answer is B."]},
        {"id": "y", "response": [["C"]]},
        {"id": "z", "response": {"answer": "A", "why": "not B"}},
        {"id": "w", "response": []},
        {"id": "v", "response": ["A", "C"]},
    )
    _, drafts, problems = opened(path, model="m")
    asked = replace(drafts[0].question, options=("sits", "throws", "leaves"))
    read = [read_reply(replace(draft, question=asked)) for draft in drafts]
    assert [(reading.choice, reading.state) for reading in read] == [
        (1, "read"), (2, "read"), (0, "read"), (None, "empty"), (None, "several"),
    ]  # fmt: skip
    assert problems == []

    path = tmp_path / "by_id.json"
    path.write_text(json.dumps({"x": ["B"], "y": ["C"]}))
    _, drafts, _ = opened(path, model="m")
    assert [(d.question.uids[0], d.response) for d in drafts] == [("x", "B"), ("y", "C")]


def test_failures_written_as_minus_one_do_not_hide_that_replies_are_positions(tmp_path):
    path = write(tmp_path / "x.jsonl", *({"id": i, "pred": reply}
                                         for i, reply in enumerate([2, "1", -1, [0]])))  # fmt: skip
    found, _, _ = opened(path, model="m")
    assert "All 3 replies are whole numbers, 1 of them 0" in found.undecided
    _, drafts, _ = opened(path, model="m", keys="0")
    assert [draft.choice for draft in drafts] == [2, 1, None, 0]


def test_a_table_without_replies_or_questions_says_what_to_name(tmp_path):
    path = write(tmp_path / "x.jsonl", {"id": 1, "words": "B"})
    with pytest.raises(ValueError, match="--map response=COLUMN"):
        load("table").read(path, PredictionChoices())
    found = load("table").read(path, PredictionChoices(columns=(("response", "words"),)))
    assert "--model" in found.undecided
    path = write(tmp_path / "y.jsonl", {"response": "B"})
    with pytest.raises(ValueError, match="which question a reply answers"):
        load("table").read(path, PredictionChoices())


def test_broken_lines_cost_themselves_only(tmp_path):
    path = write(tmp_path / "x.jsonl", {"id": 1, "response": "A"}, {"id": 2, "response": "B"})
    path.write_text(path.read_text() + '\n{"id": 3, "resp\n[1]\n{"id": 4, "response": NaN}')
    _, drafts, problems = opened(path, model="m")
    assert [d.question.uids for d in drafts] == [("1",), ("2",), ("4",)]
    assert drafts[2].response is None
    assert [p.row for p in problems] == ["line 3", "line 4"]


def test_a_position_outside_the_options_is_refused(tmp_path):
    path = tmp_path / "HGA-val.json"
    path.write_text(json.dumps({"12_3": {"prediction": 5, "answer": 0}, "12_4": {"prediction": 4,
                                "answer": 4}}))  # fmt: skip
    _, drafts, problems = opened(path)
    assert "0 to 4" in problems[0].text
    assert (drafts[0].model, drafts[0].choice, drafts[0].question.uids[0]) == ("HGA", 4, "12/4")


def test_a_reply_is_read_in_the_stored_options_where_the_file_has_none(tmp_path):
    path = write(tmp_path / "x.jsonl", {"id": 1, "response": "the ball falls"})
    _, drafts, _ = opened(path, model="m")
    assert read_reply(drafts[0], ("it flies", "the ball falls")).choice == 1
    with pytest.raises(ValueError, match="Got 0 options"):
        read_reply(drafts[0])


def test_a_column_says_which_replies_were_cut_off_at_a_limit(tmp_path):
    rows = [
        {"id": "q1", "response": "It may be option B, since in frame 3", "finish_reason": "length"},
        {"id": "q2", "response": "It may be option B, since in frame 3", "finish_reason": "stop"},
        {"id": "q3", "response": "The answer is B. Now", "finish_reason": "MAX_TOKENS"},
    ]
    _, drafts, _ = opened(write(tmp_path / "replies.jsonl", *rows), model="m")
    options = ("sits down", "throws the ball", "leaves")
    readings = [read_reply(draft, options) for draft in drafts]
    assert [draft.finished for draft in drafts] == [False, True, False]
    assert [reading.choice for reading in readings] == [None, 1, 1]
    assert readings[0].rule == "cut off"


def test_a_reply_that_loops_costs_itself_only(tmp_path):
    rows = [
        {"id": "q1", "response": "not " * 50_000},
        {"id": "q2", "response": "the answer is not B but " * 8_000},
        {"id": "q3", "response": "B"},
    ]
    _, drafts, _ = opened(write(tmp_path / "replies.jsonl", *rows), model="m")
    choices = [read_reply(draft, ("sits down", "throws the ball")).choice for draft in drafts]
    assert choices == [None, None, 1]


@pytest.mark.parametrize("folder", ["predictions", "auto_eval_results"])
def test_captions_are_never_letters_whichever_file_holds_them(folder, shared):
    path = shared / f"data/tempcompass/{folder}/gemini/captioning.json"
    _, drafts, _ = opened(path)
    facts = ("subject: man", "subject: dog", "subject: cat", "subject: chart")
    readings = {read_reply(draft, facts) for draft in drafts}
    assert len(drafts) == 2004
    assert {(reading.choice, reading.rule) for reading in readings} <= {
        (None, "free text"), (None, "failed call"), (None, "no reply"),
    }  # fmt: skip
