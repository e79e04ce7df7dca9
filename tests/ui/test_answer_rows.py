"""Answers side by side, part by part, by the form of the task."""

from ui.components.resolution.answer_rows import AnswerRow, answer_rows
from ui.form import form


def test_each_clip_has_a_row_with_everybodys_verdict():
    fields = form("verification", {})["fields"]
    clips = [{"id": "1", "label": "Clip 1"}, {"id": "2", "label": "Clip 2"}]
    values = {"ask": "Golf: does “putt” happen?", "clips": clips}

    def response(first: str, sport: str):
        verdicts = {
            "1": {"verdict": first, "other_sport": sport},
            "2": {"verdict": "maybe", "other_sport": ""},
        }
        return {"clips": verdicts, "from_description": "yes", "from_video": "no", "feedback": ""}

    rows = answer_rows(
        fields, values, [response("definitely", ""), response("definitely not", "hockey")]
    )
    assert rows[0] == AnswerRow("Clip 1", ("definitely happens", "definitely does not happen"))
    assert rows[1].cells == ("", "hockey")
    assert rows[1].label.startswith("Clip 1: If it is another sport")
    assert rows[2] == AnswerRow("Clip 2", ("seems to happen", "seems to happen"))
    assert [row.differ for row in rows] == [True, True, False, False, False]
    assert rows[3].cells == ("Yes", "Yes")  # feedback, which nobody gave, has no row
    assert len(rows) == 5


def test_segments_stand_beside_each_other_with_what_is_written_on_them():
    fields = form("localization", {})["fields"]
    card = {"start": 0.5, "end": 1.25, "who": "a", "before": "none", "after": "none", "which": ""}
    two = {"happens": "happens", "sport": "", "cards": [card, {**card, "start": 2, "end": 3}]}
    none = {"happens": "does not happen", "sport": "", "cards": []}
    rows = answer_rows(fields, {"ask": "?"}, [two, none])
    assert rows[0] == AnswerRow("?", ("It happens", "It does not"))
    by_label = {row.label: row.cells for row in rows}
    assert by_label["Segment 1"] == ("0.500 – 1.250 s", "")
    assert by_label["Segment 2"] == ("2.000 – 3.000 s", "")


def test_a_picked_frame_is_counted_from_one_as_the_player_counts():
    fields = form("frame_picking", {})["fields"]
    [row] = answer_rows(fields, {"question": "Which?"}, [{"frame": 0}, {"frame": 7}])
    assert row == AnswerRow("Which?", ("frame 1", "frame 8"), (0, 7))


def test_objects_are_seen_or_classed_one_by_one():
    fields = form("object_check", {})["fields"]
    objects = [{"id": "cup", "label": "cup"}, {"id": "hat", "label": "hat"}]
    seen = {"objects": {"ticked": ["cup", "hat"], "classes": {}}, "note": ""}
    doubted = {"objects": {"ticked": ["cup"], "classes": {"hat": "hallucination"}}, "note": "blur"}
    rows = answer_rows(fields, {"objects": objects}, [seen, doubted])
    assert rows == [
        AnswerRow("cup", ("seen", "seen")),
        AnswerRow("hat", ("seen", "Hallucination")),
        AnswerRow("Anything to add?", ("", "blur")),
    ]


def test_options_under_review_are_kept_left_out_or_the_key():
    settings = {"mode": "review", "keep": [1], "show_key": True}
    fields = form("question_review", settings)["fields"]
    options = [{"id": "0", "text": "red"}, {"id": "1", "text": "blue"}, {"id": "2", "text": "tan"}]
    kept = {"key": "0", "kept": ["1"], "texts": {"0": "red", "1": "navy"}}
    keep = {"verdict": "keep", "question": "Q?", "options": kept, "flags": [], "note": ""}
    discard = {"verdict": "discard", "flags": [], "note": ""}
    rows = answer_rows(fields, {"question": "Q?", "options": options}, [keep, discard])
    by_label = {row.label: row.cells for row in rows}
    assert by_label["Option 1: red"] == ("key: red", "")
    assert by_label["Option 2: blue"] == ("kept: navy", "")
    assert by_label["Option 3: tan"] == ("left out", "")
