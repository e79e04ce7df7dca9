import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from annotations import format
from annotations.format import Choices, Reading
from annotations.reading.records import Problem, QuestionDraft


def read(path: Path) -> Reading:
    assert format.detect(path) == "tomato"
    return format.load("tomato").read(path, Choices())


def split(reading: Reading) -> tuple[list[QuestionDraft], list[Problem]]:
    rows = list(reading.rows())
    problems = [row for row in rows if isinstance(row, Problem)]
    return [row for row in rows if isinstance(row, QuestionDraft)], problems


def record(**changes: Any) -> dict[str, Any]:
    flags = {"counterfactual": 0, "composite": 1, "zoom": 0, "first_person": 0}
    return {
        "question": "How many?",
        "options": ["2", "1", "3"],
        "answer": 0,
        "key": "0001-00",
        "video_source_url": "",
        "motion_type": "count",
        "variation": flags,
        "demonstration_type": "human",
        "note": "",
        **changes,
    }


def write(folder: Path, name: str, records: dict[str, Any] | str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    text = records if isinstance(records, str) else json.dumps(records)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_all_real_questions_get_in(shared: Path) -> None:
    reading = read(shared / "data/tomato")
    questions, problems = split(reading)
    assert Counter(q.category for q in questions) == {
        "count": 292,
        "direction": 403,
        "rotation": 286,
        "shape&trend": 223,
        "velocity&frequency": 210,
        "visual_cues": 70,
    }
    assert len({q.uid for q in questions}) == 1484
    assert len(reading.videos) == len({q.video for q in questions}) == 1397
    kinds = Counter(q.tags["demonstration_type"] for q in questions)
    assert kinds == {"human": 595, "object": 656, "simulated": 233}
    assert sum(q.key == 6 for q in questions) == 5  # letter G
    assert [(p.level, p.row) for p in problems] == [("warning", "id 238")]  # a trailing blank
    assert sum(bool(v.source_url) for v in reading.videos.values()) > 0


def test_identity_is_reasoning_type_and_id_and_the_video_demonstration_type_and_key(
    tmp_path: Path,
) -> None:
    write(tmp_path, "count.json", {"17": record()})
    write(tmp_path, "shape_trend.json", {"17": record(motion_type="shape&trend", answer=2)})
    write(tmp_path, "visual_cues.json", {"17": record(motion_type="visual cues")})
    questions, problems = split(read(tmp_path))
    assert [q.uid for q in questions] == ["count/17", "shape&trend/17", "visual_cues/17"]
    assert {q.video for q in questions} == {"human/0001-00"}
    assert questions[0].tags == {"demonstration_type": "human", "composite": True}
    assert problems == []


def test_lacking_files_are_told_of_and_one_file_alone_is_enough(tmp_path: Path) -> None:
    path = write(tmp_path, "count.json", {"1": record()})
    assert "rotation.json" in read(tmp_path).problems[0].what
    assert read(path).problems == ()
    assert split(read(path))[0][0].uid == "count/1"


def test_a_bad_record_is_an_error_and_the_others_go_on(tmp_path: Path) -> None:
    without_key = record()
    del without_key["key"]
    records = {
        "0": record(answer=3),
        "1": record(answer="C"),
        "2": record(options=["2", "", "3"]),
        "3": record(question=" "),
        "4": without_key,
        "5": [],
        "6": record(options=["up", "left", "up"], answer=0),
        "7": record(key="../../x"),
        "8": record(answer=None),
        "9": record(answer="1"),
    }
    questions, problems = split(read(write(tmp_path, "count.json", records)))
    assert {q.uid: q.key for q in questions} == {"count/8": None, "count/9": 1}
    assert [p.row for p in problems if p.level == "error"] == [f"id {i}" for i in range(8)]
    assert problems[0].text == (
        "count.json, id 0, column answer: key outside 0 to 2 (got '3'). Allowed: 0 to 2 for 3 "
        "options. Correct the answer, or leave it empty for a question without a key."
    )


def test_ids_that_stand_twice_are_not_lost(tmp_path: Path) -> None:
    one, other = json.dumps(record()), json.dumps(record(answer=1))
    text = f'{{"1": {one}, "2": {one}, "1": {other}, "2": {one}}}'
    questions, problems = split(read(write(tmp_path, "count.json", text)))
    assert [q.uid for q in questions] == ["count/2"]
    assert [(p.level, p.row) for p in problems] == [
        ("error", "id 1"),
        ("error", "id 1"),
        ("warning", "id 2"),
    ]


def test_a_file_that_is_no_json_costs_that_file(tmp_path: Path) -> None:
    write(tmp_path, "count.json", {"1": record()})
    write(tmp_path, "rotation.json", '{"1": ')
    reading = read(tmp_path)
    assert [q.uid for q in split(reading)[0]] == ["count/1"]
    assert reading.problems[0].level == "error"
    assert reading.problems[0].file == "rotation.json"
    with pytest.raises(ValueError, match="not valid JSON"):
        format.load("tomato").read(tmp_path / "rotation.json", Choices())


def test_a_reasoning_type_that_is_not_the_files_is_told_of(tmp_path: Path) -> None:
    path = write(tmp_path, "count.json", {"1": record(motion_type="rotation")})
    questions, problems = split(read(path))
    assert questions[0].category == "count"
    assert problems[0].column == "motion_type"
