import json

import pytest

from annotations.prediction_format import PredictionChoices, PredictionDraft, load, read_reply

BLOCK = 'Failed to generate content. {"SAFETY": {"category": "HARM_CATEGORY_DANGEROUS_CONTENT"}}'


@pytest.mark.parametrize("setting", ["video_1fps", "video_all_frames", "frames_16", "video_cot"])
def test_blocked_questions_are_counted_as_such_and_stay_in_the_denominator(
    shared, tmp_path, setting
):
    # ActionAtlas: of 934 questions Gemini 1.5 Pro was kept from so many.
    table = json.loads((shared / "reference/actionatlas_accuracy.json").read_text())["refusals"]
    n, blocked = table["questions"], table[setting]
    rows = [
        {
            "id": f"q{i}", "question": "Which?", "choices": "1. one\n2. two", "gt_answer": 1,
            **({"response": -1, "error": BLOCK} if i < blocked else {"response": "1"}),
        }
        for i in range(n)
    ]  # fmt: skip
    path = tmp_path / "gemini.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    found = load("table").read(path, PredictionChoices(model="gemini"))
    drafts = [row for row in found.rows() if isinstance(row, PredictionDraft)]
    readings = [read_reply(draft) for draft in drafts]
    assert len(readings) == n
    refused = [one.rule for one in readings if one.state == "refused"]
    assert refused == ["blocked for safety"] * blocked
    assert sum(one.choice == 0 for one in readings) == n - blocked
