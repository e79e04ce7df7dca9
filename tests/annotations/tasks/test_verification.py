from itertools import product

import pytest

from annotations import task as tasks
from annotations.tasks import verification as kind
from annotations.workspace import Workspace

YES, MAYBE, NO = "definitely", "maybe", "definitely not"
SETTINGS = kind.check_settings({})


def said(*verdicts: str, **more) -> dict:
    clips = {
        str(place): {"verdict": verdict, "other_sport": ""}
        for place, verdict in enumerate(verdicts, start=1)
    }
    return {
        "clips": clips,
        "from_description": "no",
        "from_video": "yes",
        "feedback": "",
        **more,
    }


@pytest.fixture
def row(add_video) -> dict:
    add_video("court/1.mp4", 1800)
    add_video("court/2.mp4", 60)
    return {
        "action": "drop shot",
        "domain": "Tennis",
        "description": "The ball barely clears the net.",
        "clips": [
            {"video": "court/1.mp4", "start": "0:10", "end": "0:40", "title": "Final", "link": "u"},
            {"video": "2"},
        ],
    }


def test_an_item_is_an_action_with_its_clips(
    workspace: Workspace, row, add_task, add_person, items_of
):
    task = add_task("verification", [row])
    [item] = items_of(task)
    assert item.uid == "action:Tennis/drop shot"
    shown = kind.show(workspace, item, SETTINGS, "seed")
    assert [clip["id"] for clip in shown.facts["clips"]] == ["1", "2"]
    content = kind.content(workspace, item, shown)
    first, second = content.stage.clips
    assert (first.title, first.link, first.player.start_s, first.player.end_s) == (
        "Final", "u", 10.0, 40.0,
    )  # fmt: skip
    assert (second.title, second.player.start_s, second.player.end_s) == ("Clip 2", 0.0, None)
    assert content.values["clips"] == [
        {"id": "1", "label": "Clip 1"},
        {"id": "2", "label": "Clip 2"},
    ]
    assert content.values["description"] == "The ball barely clears the net."


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"action": ""}, "row 1, field action: lacking"),
        ({"description": None}, "row 1, field description: lacking"),
        ({"clips": []}, "row 1, field clips: no clips"),
        ({"clips": [{"video": "2"}] * 6}, "row 1, field clips: 6 clips"),
        ({"clips": ["2"]}, "row 1, field clips 1: no clip"),
        ({"clips": [{"video": "3"}]}, "row 1, field clips 1 video: there is no such video"),
        ({"clips": [{"video": "1", "end": 31}]}, "31.0 s long"),
    ],
)
def test_a_row_that_is_no_item_says_what_is_wrong_with_it(row, add_task, change, words):
    with pytest.raises(ValueError, match=words):
        add_task("verification", [{**row, **change}])


def test_two_rows_of_one_action_need_ids(row, add_task):
    with pytest.raises(ValueError, match="row 2: the same item as row 1"):
        add_task("verification", [row, row])
    add_task("verification", [row, {**row, "id": "drop shot again"}])


def test_longer_clips_are_allowed_by_setting(row, add_task):
    row["clips"] = [{"video": "1", "end": 50}]
    add_task("verification", [row], longest_clip_s=60)


@pytest.mark.parametrize(
    "settings", [{"passes_at": 0}, {"passes_at": "2"}, {"longest_clip_s": 0}, {"passes": 2}]
)
def test_settings_that_are_not_allowed_are_named(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        kind.check_settings(settings)


def test_every_clip_needs_a_verdict_and_both_identifications(row, add_task, add_person, respond):
    task, ada = add_task("verification", [row]), add_person("Ada")
    for response, words in (
        ({}, "Clip 1: nothing is chosen"),
        (said(YES), "Clip 2: nothing is chosen"),
        (said(YES, "yes"), "Clip 2: 'yes' is no answer"),
        (said(YES, NO, NO), "Clip 3 was not shown"),
        (said(YES, NO, from_description=None), "from the description alone: nothing"),
        (said(YES, NO, from_video="perhaps"), "from description and video: 'perhaps'"),
        (said(YES, NO, feedback="x" * 2001), "2001 characters"),
        ({"clips": [1]}, "Clip 1: nothing is chosen"),
    ):
        receipt = respond(task, ada, response)
        assert receipt.status == "refused"
        assert words in receipt.reason
    assert respond(task, ada, said(YES, NO)).status == "stored"


def test_another_sport_is_kept_only_where_the_action_does_not_happen(
    workspace, row, add_task, items_of
):
    task = add_task("verification", [row])
    [item] = items_of(task)
    shown = kind.show(workspace, item, SETTINGS, "")
    response = said(YES, NO)
    for clip in response["clips"].values():
        clip["other_sport"] = " padel "
    stored = kind.check_response(response, shown)
    assert [one["other_sport"] for one in stored["clips"].values()] == ["", "padel"]
    assert kind.check_response(stored, shown) == stored


def test_two_definitely_of_three_pass_and_the_arithmetic_is_shown():
    decision = kind.decide([said(YES, MAYBE, NO), said(YES, YES, NO), said(NO, NO, NO)], SETTINGS)
    assert decision.value == {"1": True, "2": False, "3": False}
    assert decision.words == (
        "Clip 1 passes: 2 of 3 definitely, 2 needed; "
        "Clip 2 does not pass: 1 of 3 definitely, 2 needed; "
        "Clip 3 does not pass: 0 of 3 definitely, 2 needed; "
        "one more 'definitely' would pass: clip 2"
    )


def test_maybe_is_no_half_vote():
    assert kind.decide([said(MAYBE)] * 3, SETTINGS).value == {"1": False}


def test_an_action_without_a_passing_clip_goes_back_to_sourcing():
    assert "goes back to sourcing" in kind.decide([said(NO, MAYBE)] * 3, SETTINGS).words
    assert "sourcing" not in kind.decide([said(YES, NO)] * 3, SETTINGS).words
    assert kind.decide([], SETTINGS).status == "none"


def test_the_clip_that_one_extra_vote_would_change_is_the_one_that_is_one_short():
    responses = [said(YES, YES, NO), said(YES, NO, NO), said(NO, NO, NO)]
    assert kind.one_more_vote(responses, SETTINGS) == ("2",)
    # Checked by giving that vote: clip 1 passes already, clip 3 stays at 1 of 4.
    before = kind.decide(responses, SETTINGS).value
    after = kind.decide([*responses, said(YES, YES, YES)], SETTINGS).value
    assert [clip for clip in before if before[clip] != after[clip]] == ["2"]


def test_it_is_settled_exactly_when_no_further_answers_can_change_it():
    answers = [said(*verdicts) for verdicts in product((YES, NO), repeat=2)]
    for size, left in product(range(4), range(3)):
        for responses in product(answers, repeat=size):
            later = {
                str(kind.decide([*responses, *more], SETTINGS).value)
                for more in product(answers, repeat=left)
            }
            now = str(kind.decide(list(responses), SETTINGS).value)
            assert kind.settled(list(responses), left, SETTINGS) == (later == {now})


def test_maybe_lies_halfway_between_the_certain_verdicts():
    assert kind.distance(said(YES, NO), said(YES, NO)) == 0
    assert kind.distance(said(YES), said(NO)) == 1
    # clip 1: half a step, clip 2: none; the mean is 0.25
    assert kind.distance(said(YES, NO), said(MAYBE, NO)) == 0.25
    assert kind.distance(said(), said(YES)) is None


def test_feedback_names_the_clips_that_were_judged_wrong():
    expected = {"clips": {"1": {"verdict": YES}, "2": {"verdict": [NO, MAYBE]}}, "why": "Look."}
    assert kind.feedback(said(YES, MAYBE), expected, {}) == (True, "Right. Look.")
    right, words = kind.feedback(said(MAYBE, YES), expected, {})
    assert not right
    assert "Clip 1: you said 'maybe', right is 'definitely'." in words
    assert "Clip 2: you said 'definitely', right is 'definitely not' or 'maybe'." in words


def test_what_three_people_say_decides(workspace, row, add_task, add_person, respond):
    task = add_task("verification", [row])
    for name, response in (("Ada", said(YES, NO)), ("Ben", said(MAYBE, NO)), ("Cy", said(YES, NO))):
        assert respond(task, add_person(name), response).status == "stored"
    responses = kind_responses(workspace)
    assert kind.decide(responses, SETTINGS).value == {"1": True, "2": False}
    assert tasks.kind("verification").OVERLAP == 3


def kind_responses(workspace: Workspace) -> list[dict]:
    import json

    rows = workspace.store.rows("SELECT response FROM current_annotation ORDER BY id")
    return [json.loads(one["response"]) for one in rows]
