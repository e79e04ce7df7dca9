import json
from pathlib import Path
from typing import Any

import pytest

from annotations import format
from annotations.format import Choices, Reading
from annotations.formats._table_files import video_folders
from annotations.reading.records import Problem, QuestionDraft


def read(path: Path, **choices: Any) -> Reading:
    return format.load("table").read(path, Choices(**choices))


def questions(reading: Reading) -> dict[str, QuestionDraft]:
    return {row.uid: row for row in reading.rows() if isinstance(row, QuestionDraft)}


def errors(reading: Reading) -> list[Problem]:
    found = [row for row in reading.rows() if isinstance(row, Problem)]
    return [problem for problem in found if problem.level == "error"]


def warnings(reading: Reading) -> list[str]:
    found = [*reading.problems, *(row for row in reading.rows() if isinstance(row, Problem))]
    return [problem.text for problem in found if problem.level == "warning"]


def jsonl(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def csv(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "questions.csv"
    path.write_text(text, encoding="utf-8")
    return path


def record(uid: str, answer: object, *options: str, **more: Any) -> dict[str, Any]:
    options = options or ("a cat", "a dog", "a cow", "a hen")
    return {
        "id": uid,
        "video": f"{uid}.mp4",
        "question": "What is it?",
        "options": list(options),
        "answer": answer,
        **more,
    }


def test_option_cells_are_text_and_only_an_empty_cell_is_no_option(tmp_path: Path) -> None:
    text = (
        "id,video,question,A,B,C,D,answer\n"
        "q1,v,How many?,Two,Three,Four,None,D\n"
        "q2,v,Which?,NA,Namibia,null,nan,A\n"
        "q3,v,Which?,007,1-2,1e5,TRUE,A\n"
        "q4,v,Which?,x,y,,,B\n"
    )
    found = questions(read(csv(tmp_path, text)))
    assert found["q1"].options[found["q1"].key or 0] == "None"
    assert found["q2"].options == ("NA", "Namibia", "null", "nan")
    assert found["q3"].options == ("007", "1-2", "1e5", "TRUE")
    assert found["q4"].options == ("x", "y")


def test_keys_that_name_no_single_option_are_refused_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "q.jsonl",
        record("r1", "J", *(f"o{i}" for i in range(1, 10))),
        record("r2", "a horse", "a cat", "a dog", "a cow"),
        record("r3", "up", "left", "up", "right", "up"),
        record("r4", None, "yes", "no"),
        record("r5", "A dog.", "a cat", "a dog"),
    )
    reading = read(path)
    assert [(p.row, p.what) for p in errors(reading)] == [
        ("line 1", "key outside A-I"),
        ("line 2", "answer text matches no option"),
        ("line 3", "answer text matches options 2 and 4"),
    ]
    assert all(p.file == "q.jsonl" and p.column == "answer" and p.todo for p in errors(reading))
    assert {uid: q.key for uid, q in questions(reading).items()} == {"r4": None, "r5": 1}


@pytest.mark.parametrize(
    ("answers", "keys"),
    [([0, 3, 1, 2], [0, 3, 1, 2]), ([1, 4, 2], [0, 3, 1])],
)
def test_the_base_of_positions_is_told_from_the_whole_file(
    tmp_path: Path, answers: list[int], keys: list[int]
) -> None:
    path = jsonl(tmp_path / "q.jsonl", *(record(f"q{i}", a) for i, a in enumerate(answers)))
    assert [q.key for q in questions(read(path)).values()] == keys


def test_a_base_that_cannot_be_told_is_asked_for_and_can_be_given(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", *(record(f"q{a}", a) for a in (1, 2, 3)))
    reading = read(path)
    assert questions(reading) == {}
    [problem] = errors(reading)
    assert problem.rows == 3
    assert "--keys 0, --keys 1" in problem.allowed
    assert [q.key for q in questions(read(path, keys="1")).values()] == [0, 1, 2]
    assert [q.key for q in questions(read(path, keys="0")).values()] == [1, 2, 3]


def test_letters_and_numbers_mixed_are_one_error_of_the_file(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "q.jsonl", *(record(f"q{i}", a) for i, a in enumerate(["B", 2, "2"])))
    [problem] = errors(read(path))
    assert "letters and numbers mixed in one column" in problem.what
    assert problem.rows == 3


def test_options_in_the_question_have_consecutive_labels_or_are_refused(tmp_path: Path) -> None:
    text = (
        "video,question,answer,id\n"
        "v,How many cars turn left? A. two B three C. four,C,q1\n"
        "v,What happens next?,B,q2\n"
        "v,How many turn? A. two B. three C. four,C,q3\n"
    )
    reading = read(csv(tmp_path, text))
    assert [p.what for p in errors(reading)] == [
        "found A, C, expected A, B, C",
        "multiple choice without options",
    ]
    assert [(q.text, q.key) for q in questions(reading).values()] == [("How many turn?", 2)]


def test_an_identity_that_stands_twice_with_other_content_is_refused_both_times(
    tmp_path: Path,
) -> None:
    text = (
        "id,video,question,A,B,answer\nq1,v,One?,x,y,A\nq2,v,Two?,x,y,A\n"
        "q1 ,v,Three?,x,y,B\nq3,v,Four?,x,y,A\nq3,v,Four?,x,y,A\n"
    )
    reading = read(csv(tmp_path, text))
    assert list(questions(reading)) == ["q2", "q3"]
    assert [(p.row, p.column) for p in errors(reading)] == [("row 2", "id"), ("row 4", "id")]
    assert any("row 6" in text and "the same row" in text for text in warnings(reading))


def test_identities_unique_only_within_a_video_are_joined_with_it(tmp_path: Path) -> None:
    rows = "".join(f"v{v},Q{q}?,x,y,A,{q}\n" for v in range(3) for q in range(2))
    reading = read(csv(tmp_path, "video,question,A,B,answer,qid\n" + rows))
    assert list(questions(reading)) == ["v0/0", "v0/1", "v1/0", "v1/1", "v2/0", "v2/1"]
    assert any("identities repeat" in text for text in warnings(reading))


def test_without_identities_the_text_and_video_are_the_identity(tmp_path: Path) -> None:
    text = "video,question,A,B,answer\nv1,One?,x,y,A\nv1,Two?,x,y,B\nv2,One?,x,y,A\n"
    reading = read(csv(tmp_path, text))
    assert len(questions(reading)) == 3
    assert list(questions(reading)) == list(questions(read(csv(tmp_path, text))))
    assert any("no column of identities" in text for text in warnings(reading))


def test_numbers_mangled_by_a_spreadsheet(tmp_path: Path) -> None:
    text = "id,video,question,A,B,answer\n1.0,7.0,One?,x,y,A\n2.0,8.0,Two?,x,y,B\n"
    reading = read(csv(tmp_path, text))
    assert {q.uid: q.video for q in questions(reading).values()} == {"1": "7", "2": "8"}
    assert sum("17.0 were read as 17" in text for text in warnings(reading)) == 2
    text = "id,video,question,A,B,answer\n2.01E+05,v,One?,x,y,A\nok,v,Two?,x,y,B\n"
    reading = read(csv(tmp_path, text))
    assert list(questions(reading)) == ["ok"]
    assert "spreadsheet shortened" in errors(reading)[0].what
    text = "id,video,question,A,B,answer\n1.0,v,One?,x,y,A\n1.1,v,Two?,x,y,B\n"
    assert list(questions(read(csv(tmp_path, text)))) == ["1.0", "1.1"]


def test_clips_are_checked_row_by_row(tmp_path: Path) -> None:
    text = (
        "id,video,question,A,B,answer,start,end\n"
        "q1,v,One?,x,y,A,4:22,4:30\nq2,v,Two?,x,y,A,9,9\nq3,v,Three?,x,y,A,8,4\n"
        "q4,v,Four?,x,y,A,4:75,\nq5,v,Five?,x,y,A,,3.5\nq6,v,Six?,x,y,A,-1,3\n"
    )
    reading = read(csv(tmp_path, text))
    spans = {q.uid: (q.start_s, q.end_s) for q in questions(reading).values()}
    assert spans == {"q1": (262.0, 270.0), "q5": (0.0, 3.5)}
    assert [(p.row, p.column) for p in errors(reading)] == [
        ("row 3", "start, end"),
        ("row 4", "start, end"),
        ("row 5", "start"),
        ("row 7", "start"),
    ]


def test_times_in_milliseconds_are_known_by_their_column(tmp_path: Path) -> None:
    text = "id,video,question,A,B,answer,start_ms,end_ms\nq1,v,One?,x,y,A,0,2867\n"
    assert questions(read(csv(tmp_path, text)))["q1"].end_s == 2.867


def test_nan_is_an_error_where_a_value_is_needed_and_a_warning_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    lines = [
        '{"id": "q1", "video": "v", "question": "One?", "options": ["x", "y"], "answer": NaN}',
        '{"id": "q2", "video": "v", "question": NaN, "options": ["x", "y"], "answer": "A"}',
        '{"id": "q3", "video": "v", "question": "3?", "options": ["x", NaN], "answer": "A"}',
        '{"id": "q4", "video": "v", "question": "4?", "options": ["x", "y"], "answer": "A",'
        ' "start": 1, "end": NaN, "note": NaN}',
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    reading = read(path)
    assert {q.uid: q.key for q in questions(reading).values()} == {"q1": None, "q4": 0}
    assert [p.row for p in errors(reading)] == ["line 2", "line 3"]
    assert sum("NaN" in text for text in warnings(reading)) == 3


def test_blanks_in_keys_headers_and_ids_do_not_matter(tmp_path: Path) -> None:
    text = " ID , Video ,Question , A, B , Answer \n q1 , v.mp4 , One? , x , y , B \n"
    [question] = questions(read(csv(tmp_path, text))).values()
    assert (question.uid, question.video, question.text) == ("q1", "v.mp4", "One?")
    assert (question.options, question.key) == (("x", "y"), 1)


def test_a_lacking_column_says_how_to_name_it(tmp_path: Path) -> None:
    path = csv(tmp_path, "id,frage,A,B,film,answer\nq1,Was?,x,y,v,A\n")
    with pytest.raises(ValueError, match=r"--map question=COLUMN.*id, frage, A, B, film"):
        read(path)
    reading = read(path, columns=(("question", "frage"), ("video", "film")))
    assert list(questions(reading)) == ["q1"]


def test_tags_and_category_come_along(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "q.jsonl",
        record("q1", "A", demonstration_type="human", reasoning_type="count", tags=["x", "y"]),
    )
    question = questions(read(path))["q1"]
    assert question.category == "count"
    assert question.tags == {"demonstration_type": "human", "tags": '["x", "y"]'}


def test_a_folder_with_files_of_questions_is_read_as_one_table(tmp_path: Path) -> None:
    csv(tmp_path, "id,video,question,A,B,answer\nq1,v,One?,x,y,A\n")
    (tmp_path / "manifest.json").write_text('{"clip.mp4": {"size": 3}}', encoding="utf-8")
    assert format.detect(tmp_path) == "table"
    assert list(questions(read(tmp_path))) == ["q1"]
    (tmp_path / "part.csv").write_text("id,video,question,A,B,answer\nq2,v,Two?,x,y,B\n")
    assert sorted(questions(read(tmp_path))) == ["q1", "q2"]
    # Files with other columns are no parts of one table.
    jsonl(tmp_path / "more.jsonl", record("q3", "A"))
    with pytest.raises(ValueError, match=r"more\.jsonl, part\.csv, questions\.csv"):
        read(tmp_path)


def test_unknown_files_are_refused_with_advice(tmp_path: Path) -> None:
    (tmp_path / "q.ods").write_bytes(b"PK\x03\x04")
    with pytest.raises(ValueError, match="save it as xlsx or CSV"):
        format.detect(tmp_path / "q.ods")
    with pytest.raises(ValueError, match="does not exist"):
        format.detect(tmp_path / "nothing.csv")
    with pytest.raises(ValueError, match="no format 'exel'"):
        format.load("exel")


def test_every_format_keeps_the_contract() -> None:
    from core import plugins

    for name in plugins.names(format.FOLDER):
        found = format.load(name)
        assert found.TITLE
        assert callable(found.likeness)
        assert callable(found.read)


def test_real_files_of_other_benchmarks_are_read_by_their_columns(shared: Path) -> None:
    nextqa = read(shared / "data/nextqa/val.csv")
    assert len(questions(nextqa)) == 4996
    assert errors(nextqa) == []
    tsv = shared / "data/tempcompass/harness_formats/gemini-1.5-pro_TempCompass_MCQ.tsv"
    assert len(questions(read(tsv))) == 3083


def test_a_file_alone_looks_beside_itself_for_videos_only_where_some_lie(tmp_path: Path) -> None:
    file = tmp_path / "questions.csv"
    file.write_text("id\n")
    usual = (tmp_path / "videos", tmp_path / "clips", tmp_path.parent / "videos")
    assert video_folders(file, file) == usual
    # A folder that was given is looked through in any case.
    assert video_folders(tmp_path, file) == (*usual, tmp_path)
    (tmp_path / "a.MP4").touch()
    assert video_folders(file, file) == (*usual, tmp_path)


KEYS_TWICE = "id,video,question,A,B,C,answer,answer_idx\n"


@pytest.mark.parametrize(
    ("rows", "keys", "words"),
    [
        ("1,k,q1,x,y,z,y,1\n2,k,q2,x,y,z,x,0\n3,k,q3,x,y,z,z,1\n", [1, 0],
         "row 4, column answer: answer and answer_idx name different options (got "),
        ("1,k,q1,x,y,z,y,B\n2,k,q2,x,y,z,x,C\n", [1], "row 3, column answer: answer and"),
        ("1,k,q1,x,y,z,y,C\n2,k,q2,x,y,z,x,B\n", [1, 0],
         "answer and answer_idx seldom name the same option; answer is taken as the key"),
        ("1,k,q1,x,y,z,B,2\n2,k,q2,x,y,z,,1\n", [1, None],
         "answer is empty, so the question has no key; answer_idx names one"),
        ("1,k,q1,x,y,z,B,2\n2,k,q2,x,y,z,A,1\n", [1, 0], ""),
        ("1,k,q1,x,y,z,B,sport\n2,k,q2,x,y,z,A,news\n", [1, 0], ""),
    ],
)  # fmt: skip
def test_two_columns_of_answers_that_contradict_each_other_are_told(tmp_path, rows, keys, words):
    path = tmp_path / "q.csv"
    path.write_text(KEYS_TWICE + rows)
    reading = format.load("table").read(path, Choices())
    read = list(reading.rows())
    assert [row.key for row in read if isinstance(row, QuestionDraft)] == keys
    told = [row.text for row in (*reading.problems, *read) if isinstance(row, Problem)]
    assert any(words in text for text in told) if words else not told


def test_the_column_of_answers_that_a_person_names_needs_no_other(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text(KEYS_TWICE + "1,k,q1,x,y,z,y,1\n2,k,q2,x,y,z,x,1\n")
    reading = format.load("table").read(path, Choices(columns=(("answer", "answer"),)))
    assert [row.key for row in reading.rows() if isinstance(row, QuestionDraft)] == [1, 0]
