"""Reported files that had no way in, restated, from the file to what is stored."""

import csv
import json

import pytest

from annotations.format import Choices
from annotations.importing.import_plan import carry_out, plan_import

ROW = {
    "video_id": "007", "duration": "short", "domain": "Nature", "sub_category": "Birds",
    "url": "https://www.youtube.com/watch?v=qW3rT5yU7iO", "videoID": "qW3rT5yU7iO",
    "question_id": "007-1", "task_type": "Counting Problem", "question": "How many wings are wet?",
    "options": ["A. One.", "B. Two.", "C. None.", "D. All of these."], "answer": "B",
}  # fmt: skip


@pytest.mark.parametrize("suffix", ["json", "csv"])
@pytest.mark.parametrize("columns", [(), (("video", "videoID"),)])
def test_of_two_names_of_a_video_the_one_that_is_a_file_wins(
    workspace, shared, tmp_path, suffix, columns
):
    videos = tmp_path / "videos"
    videos.mkdir()
    (videos / "qW3rT5yU7iO.mkv").symlink_to(shared / "clips" / "asl_again.mkv")
    content = (shared / "clips" / "asl_again.mkv").read_bytes()
    (videos / "qW3rT5yU7iO.mkv").unlink()
    (videos / "qW3rT5yU7iO.mkv").write_bytes(content)
    path = tmp_path / f"flat.{suffix}"
    if suffix == "json":
        path.write_text(json.dumps([ROW]))
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(ROW))
            writer.writeheader()
            writer.writerow(ROW)
    plan = plan_import(workspace, path, videos=videos, choices=Choices(columns=columns))
    assert dict(plan.reading.mapping)["video"] == "videoID"
    assert plan.videos.counts()["usable"] == 1
    assert plan.videos.counts()["missing"] == 0
    [draft] = plan.first_questions
    assert (draft.key, draft.options[1], draft.tags["duration"]) == (1, "Two.", "short")


FILLED = """id,video_path,question,option0,option1,option2,option3,option4,correct_choice
a_0,a.mp4,What is lifted?,a pan,a pot,a cup,a hat,a bag,0
a_1,a.mp4,Who sits first?,Eve,Fay,N/A,N/A,N/A,1
a_2,a.mp4,Who waits?,Eve,Fay,Gus,Hal,N/A,3
"""


def test_fillers_are_told_with_their_count_and_go_where_the_author_empties_them(
    workspace, tmp_path
):
    path = tmp_path / "q.csv"
    path.write_text(FILLED)
    plan = plan_import(workspace, path)
    [note] = [problem for problem in plan.problems.listed if "read N/A" in problem.what]
    assert note.rows == 2
    path.write_text(FILLED.replace("N/A", ""))
    carry_out(workspace, plan_import(workspace, path))
    stored = [
        (len(json.loads(row["options"])), row["key"])
        for row in workspace.store.rows("SELECT options, key FROM current_question ORDER BY uid")
    ]
    assert stored == [(5, 0), (2, 1), (4, 3)]


def test_labels_in_another_order_are_refused_and_equal_ones_are_text(workspace, tmp_path):
    rows = [
        {"id": "o1", "video": "v", "question": "Which?", "answer": "A",
         "options": ["1. cut it", "1. fold it", "1. burn it"]},
        {"id": "o2", "video": "v", "question": "What?", "answer": "B",
         "options": ["D) Lamps", "C) Books", "A) Plants", "B) Chairs"]},
    ]  # fmt: skip
    path = tmp_path / "q.json"
    path.write_text(json.dumps(rows))
    plan = plan_import(workspace, path)
    assert (plan.questions["new"], plan.questions["refused"]) == (1, 1)
    assert plan.first_questions[0].options[0] == "1. cut it"


def test_pairs_say_which_part_they_are_and_which_belong_together(workspace, tmp_path):
    pairs = [
        {"basic": {"video": f"{n}.mp4", "question": f"Is there a dog in {n}?", "answer": "yes"},
         "hallucination": {"video": f"{n}.mp4", "question": f"Is there a cat in {n}?",
                           "answer": "no"}, "type": "subject"} for n in range(2)
    ]  # fmt: skip
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps(pairs))
    plan = plan_import(workspace, path)
    carry_out(workspace, plan)
    tags = [json.loads(row["tags"]) for row in workspace.store.rows(
        "SELECT tags FROM current_question ORDER BY question_id"
    )]  # fmt: skip
    assert [(tag["part"], tag["pair"]) for tag in tags] == [
        ("basic", "entry 1"), ("hallucination", "entry 1"), ("basic", "entry 2"),
        ("hallucination", "entry 2"),
    ]  # fmt: skip
