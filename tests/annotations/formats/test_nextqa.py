from collections import Counter

from annotations import format
from annotations.format import Choices
from annotations.reading.records import Problem, QuestionDraft

HEADER = "video,frame_count,width,height,question,answer,qid,type,a0,a1,a2,a3,a4"


def opened(path):
    assert format.detect(path) == "nextqa"
    reading = format.load("nextqa").read(path, Choices())
    rows = list(reading.rows())
    drafts = [row for row in rows if isinstance(row, QuestionDraft)]
    return reading, drafts, [row for row in rows if isinstance(row, Problem)]


def test_all_real_questions_get_in(shared):
    reading, drafts, problems = opened(shared / "data/nextqa/val.csv")
    assert len({draft.uid for draft in drafts}) == len(drafts) == 4996
    assert Counter(draft.tags["group"] for draft in drafts) == {
        "causal": 1924 + 683, "temporal": 895 + 663 + 54, "descriptive": 177 + 295 + 305,
    }  # fmt: skip
    assert len(reading.videos) == 570
    # The file beside it says in which folder of VidOR a video lies.
    assert reading.videos["4010069381"].wanted.endswith("/4010069381")
    assert {problem.column for problem in problems} == {"options"}  # three have two equal ones
    assert len(problems) == 3


def test_a_bad_row_costs_itself_and_a_doubled_one_is_told(tmp_path):
    rows = [
        "7,10,64,48,why,1,0,CW,a,b,c,d,e",
        "7,10,64,48,why,5,1,CW,a,b,c,d,e",
        "7,10,64,48,why,1,2,XX,a,b,c,d,e",
        "7,10,64,48,why,1,0,CW,a,b,c,d,e",
        "7,10,64,48,how,1,0,CW,a,b,c,d,e",
        "7,10,64,48,why,1,3,CW,a,b,,d,e",
    ]
    path = tmp_path / "val.csv"
    path.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    _, drafts, problems = opened(path)
    assert {draft.uid: draft.key for draft in drafts} == {"7/0": 1, "7/2": 1}
    assert [(problem.level, problem.row) for problem in problems] == [
        ("error", "row 3"), ("warning", "row 4"), ("warning", "row 5"), ("error", "row 6"),
        ("error", "row 7"),
    ]  # fmt: skip
