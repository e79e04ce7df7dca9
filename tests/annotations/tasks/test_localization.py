from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from annotations import task as tasks
from annotations.agreement.disagreements import disagreements
from annotations.agreement.response_scale import scale
from annotations.planning.task_store import create_task, grow
from annotations.scoring.snapshot import take
from annotations.tasks import localization as kind

HAPPENS, NOT, ELSEWHERE = "happens", "does not happen", "happens in another sport"
SETTINGS = kind.check_settings({})


def card(start: float, end: float, **more) -> dict:
    about = {"who": "in red", "before": "none", "after": "not sure", "which": ""}
    return {"start": start, "end": end, **about, **more}


def said(happens: str, *cards: dict, sport: str = "") -> dict:
    return {"happens": happens, "sport": sport, "cards": list(cards)}


@pytest.fixture
def row(add_video) -> dict:
    add_video("court/1.mp4", 300)  # 10 s at 30 frames a second
    return {"video": "1", "action": "drop shot", "domain": "Tennis", "description": "Softly."}


@pytest.fixture
def shown(workspace, row, add_task, items_of):
    task = add_task("localization", [row])
    [item] = items_of(task)
    return kind.show(workspace, item, SETTINGS, "")


def test_an_item_is_a_clip_with_a_timeline_of_pictures(workspace, row, add_task, items_of):
    task = add_task("localization", [{**row, "start": "0:02", "end": "0:04.5"}])
    [item] = items_of(task)
    assert item.uid == "clip:court/1.mp4 2-4.5 drop shot"
    shown = kind.show(workspace, item, SETTINGS, "")
    # 2 to 4.5 s at 30 a second: frames 60 to 134, of which 24 are pictures.
    assert (shown.facts["clock"]["first"], shown.facts["frames"][0]) == (60, 60)
    assert (len(shown.facts["frames"]), shown.facts["frames"][-1]) == (24, 134)
    content = kind.content(workspace, item, shown)
    assert content.stage.marks
    assert (content.stage.start_s, content.stage.end_s) == (2.0, 4.5)
    assert content.values["ask"] == "Tennis: does “drop shot” happen?"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"action": ""}, "row 1, field action: lacking"),
        ({"video": "x"}, "row 1, field video: there is no such video"),
        ({"start": "0:03", "end": "0:02"}, "never exchanged"),
        ({"end": "0:12"}, "2.0 s beyond its video"),
    ],
)
def test_a_row_that_is_no_item_says_what_is_wrong_with_it(row, add_task, change, words):
    with pytest.raises(ValueError, match=words):
        add_task("localization", [{**row, **change}])


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (8.0, 4.0, "which is not after its start"),  # never exchanged
        (4.0, 4.0, "which is not after its start"),
        (35.28, 33.95, "which is not after its start"),
        (2.0, 10.5, "0.500 s beyond the video, which ends at 10.000 s"),
        (2.0, 2866667.0, "beyond the video"),
        (12.0, 13.0, "beyond the video"),
        (2.01, 3.0, "2.010 s is no frame's time stamp here. The nearest: 2.000 s and 2.033 s."),
        (2.0, 3.02, "The nearest: 3.000 s and 3.033 s."),
        (-1.0, 3.0, "The nearest: 0.000 s."),
        (None, 3.0, "the start is not set"),
        (2.0, "3", "no number"),
        (2.0, float("nan"), "no number"),
    ],
)
def test_a_card_that_is_no_segment_of_the_clip_is_refused_with_the_reason(shown, start, end, words):
    with pytest.raises(ValueError, match=r"^Card 2: ") as caught:
        kind.check_response(said(HAPPENS, card(1, 2), card(start, end)), shown)
    assert words in str(caught.value)


def test_marked_times_are_stored_as_the_stamps_of_the_frames(shown):
    # The desk sends stamps rounded to microseconds; frame 61 of 30 a second is at 2.033333... s.
    stored = kind.check_response(said(HAPPENS, card(2.033333, 10.0)), shown)
    assert (stored["cards"][0]["start"], stored["cards"][0]["end"]) == (2.033333, 10.0)
    assert kind.check_response(stored, shown) == stored


def test_at_a_variable_rate_only_the_files_own_stamps_are_kept(
    workspace, add_video, row, add_task, items_of
):
    add_video("vfr.mp4", pts=(0, 40, 95, 240, 255), unit=Fraction(1, 1000))
    task = add_task("localization", [{**row, "video": "vfr"}])
    [item] = items_of(task)
    shown = kind.show(workspace, item, SETTINGS, "")
    stored = kind.check_response(said(HAPPENS, card(0.095, 0.255)), shown)
    assert (stored["cards"][0]["start"], stored["cards"][0]["end"]) == (0.095, 0.255)
    with pytest.raises(ValueError, match=r"nearest: 0.040 s and 0.095 s"):
        kind.check_response(said(HAPPENS, card(0.08, 0.255)), shown)


def test_an_answer_is_refused_in_words_and_stored_when_mended(row, add_task, add_person, respond):
    task, ada = add_task("localization", [row]), add_person("Ada")
    receipt = respond(task, ada, said(HAPPENS, card(3, 2)))
    assert receipt.status == "refused"
    assert receipt.reason == (
        "Card 1: it ends at 2.000 s, which is not after its start at 3.000 s. Move one of them; "
        "they are never exchanged."
    )
    assert respond(task, ada, said(HAPPENS, card(2, 3))).status == "stored"


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (said(""), "nothing is chosen"),
        (said("maybe"), "'maybe' is no answer"),
        (said(HAPPENS), "No card shows when the action happens"),
        (said(HAPPENS, card(1, 2, which="lob")), "No card shows when the action happens"),
        (said(NOT, card(1, 2)), "Card 1: say which action this is"),
        (said(ELSEWHERE, card(1, 2)), "Which sport: nothing is written"),
        (said(HAPPENS, card(1, 2, who="")), "Card 1, who does it: nothing is written"),
        (said(HAPPENS, card(1, 2, after=" ")), "or write 'none' or 'not sure'"),
        (said(HAPPENS, *[card(1, 2)] * 11), "11 cards; at most 10"),
        ({"happens": HAPPENS, "cards": [1]}, "no list of cards"),
    ],
)
def test_what_is_lacking_is_said_in_words(shown, response, words):
    with pytest.raises(ValueError, match=words):
        kind.check_response(response, shown)


def test_none_and_not_sure_are_answers_and_other_actions_may_be_kept(shown):
    stored = kind.check_response(
        said(NOT, card(1, 2, which="lob", before="None.", after="NOT SURE", who="Not sure")), shown
    )
    assert stored["cards"][0] == card(1, 2, which="lob", who="not sure")
    assert kind.windows(stored) == ()
    assert kind.check_response(said(NOT), shown)["cards"] == []


def test_the_consensus_has_the_median_edges_of_matched_cards():
    responses = [
        said(HAPPENS, card(1, 3), card(6, 8)),
        said(HAPPENS, card(6.5, 8), card(1.5, 3)),
        said(HAPPENS, card(1.25, 3.5), card(4, 5, which="lob")),
    ]
    # First card: starts 1, 1.25, 1.5, ends 3, 3, 3.5; second: 6 and 6.5, middle 6.25, of two of 3.
    for order in permutations(responses):
        decision = kind.decide(list(order), SETTINGS)
        assert decision.value == {
            "happens": HAPPENS,
            "segments": [
                {"start": 1.25, "end": 3, "people": 3},
                {"start": 6.25, "end": 8, "people": 2},
            ],
        }
    assert decision.words.startswith("3 of 3 'happens'; 1.250 to 3.000 s: median edges of 3 of 3")


def test_a_segment_that_half_or_fewer_marked_is_open():
    decision = kind.decide([said(HAPPENS, card(1, 2)), said(HAPPENS, card(5, 6))], SETTINGS)
    assert (decision.value, decision.status) == (None, "open")
    assert decision.words == (
        "2 of 2 'happens'; 2 marked by half or fewer; no segment is shared by more than half"
    )


def test_the_choice_is_a_majority_and_a_tie_stays_one():
    assert kind.decide([said(NOT), said(NOT), said(HAPPENS, card(1, 2))], SETTINGS).value == {
        "happens": NOT,
        "segments": [],
    }
    assert kind.decide([said(NOT), said(HAPPENS, card(1, 2))], SETTINGS).status == "tie"
    assert kind.decide([], SETTINGS).status == "none"


def test_only_that_it_does_not_happen_can_be_settled_early():
    no, yes = said(NOT), said(HAPPENS, card(1, 2))
    assert kind.settled([no, no], 1, SETTINGS)
    assert not kind.settled([no], 2, SETTINGS)
    assert not kind.settled([yes, yes], 1, SETTINGS)
    assert kind.settled([yes, yes, yes], 0, SETTINGS)


def test_distance_is_one_minus_the_matched_iou():
    # 1 to 3 and 2 to 4: 1 s of 3 s together.
    apart = kind.distance(said(HAPPENS, card(1, 3)), said(HAPPENS, card(2, 4)))
    assert apart == pytest.approx(2 / 3)
    # A card without a match counts as 0 in the mean over the longer answer: 1 - (1 + 0) / 2.
    assert kind.distance(said(HAPPENS, card(1, 3), card(6, 7)), said(HAPPENS, card(1, 3))) == 0.5
    assert kind.distance(said(NOT), said(NOT)) == 0
    assert kind.distance(said(NOT), said(HAPPENS, card(1, 3))) == 1
    assert kind.distance(said(ELSEWHERE, card(1, 3)), said(HAPPENS, card(1, 3))) == 1


def test_agreement_over_many_answers_uses_the_same_distance():
    responses = [
        said(HAPPENS, card(1, 3)),
        said(HAPPENS, card(2, 4), card(6, 7)),
        said(NOT),
        said(ELSEWHERE, card(1, 3)),
    ]
    values, distance = scale(tasks.kind("localization"), responses)
    assert len(set(values)) == 4  # each is a label of its own
    for one in range(4):
        for other in range(4):
            wanted = kind.distance(responses[one], responses[other])
            assert distance.between(np.array([one]), np.array([other])) == pytest.approx([wanted])


def test_edges_that_differ_by_some_frames_are_no_disagreement(
    workspace, row, add_task, add_person, respond
):
    again = {**row, "id": "again"}
    task = add_task("localization", [row, again])
    people = [add_person(name) for name in ("Ada", "Ben", "Cem")]
    for person, first, second in zip(people, (3, 3.2, 3.1), (3, 4, 3), strict=True):
        respond(task, person, said(HAPPENS, card(1, first)))
        respond(task, person, said(HAPPENS, card(1, second)))
    # 1 to 3 s and 1 to 3.2 s overlap by 2 of 2.2 s, 0.91: the same from 0.7 on. 1 to 3 s and 1 to
    # 4 s overlap by 2 of 3 s, 0.67: of three pairs two are apart by 1/3, so 2/9 in the mean.
    listed = disagreements(take(workspace), [task])
    assert (listed.checked, listed.total) == (2, 1)
    assert [row.uid for row in listed.rows] == ["clip:again"]
    assert listed.rows[0].distance == pytest.approx(2 / 9, abs=0.01)
    strict = add_task("localization", [row], agree_from_iou=0.95)
    for person, end in zip(people, (3, 3.2), strict=False):
        respond(strict, person, said(HAPPENS, card(1, end)))
    assert disagreements(take(workspace), [strict]).total == 1


def test_an_answer_is_said_in_words_and_a_decision_has_its_segments():
    response = said(HAPPENS, card(1, 3), card(6, 7, who="not sure", which="lob"))
    words = "happens; 1.000 to 3.000 s (in red); 6.000 to 7.000 s, lob"
    assert kind.describe(response, {}) == words
    assert kind.describe(said(ELSEWHERE, sport="golf"), {}) == "happens in another sport: golf"
    decision = kind.decide([said(HAPPENS, card(1, 3)), said(HAPPENS, card(2, 3))], SETTINGS)
    assert kind.decided_windows(decision.value) == ((1.5, 3.0),)


def test_feedback_tells_the_overlap_with_the_known_segment():
    known = {"happens": HAPPENS, "cards": [{"start": 1, "end": 3}], "why": "She leaps."}
    assert kind.feedback(said(HAPPENS, card(1, 2)), known, {}) == (
        True,
        "Close enough: right is 1.00 to 3.00 s; yours and the right time overlap by 50 %."
        " She leaps.",
    )
    assert kind.feedback(said(HAPPENS, card(1, 1.5)), known, {})[1].startswith("Not close enough")
    right, words = kind.feedback(said(NOT), known, {})
    assert (right, words) == (
        False,
        "You said 'does not happen'; right is 'happens'. She leaps.",
    )
    assert kind.feedback(said(NOT), {"happens": NOT}, {}) == (True, "Right.")


def test_clips_that_passed_verification_become_items_and_more_as_more_pass(
    workspace, row, add_video, add_task, add_person, respond, items_of
):
    add_video("court/2.mp4", 60)
    clips = [{"video": "1", "start": 2, "end": 4}, {"video": "2"}]
    actions = [{**row, "clips": clips}, {**row, "action": "lob", "clips": clips}]
    first = add_task("verification", actions, overlap=2)
    [named] = workspace.store.rows("SELECT name FROM task WHERE id = ?", [first])
    assert kind.check_settings({"from_task": f" {first} "})["from_task"] == first
    second = create_task(
        workspace, "when", "localization", {"from_task": named["name"]}, 3, order="as imported"
    )
    assert grow(workspace, second) == 0
    verdicts = ("definitely", "definitely not")
    response = {
        "clips": {str(i): {"verdict": verdict} for i, verdict in enumerate(verdicts, 1)},
        "from_description": "yes",
        "from_video": "yes",
    }
    ada, ben = add_person("Ada"), add_person("Ben")
    respond(first, ada, response)
    assert grow(workspace, second) == 0  # one 'definitely' of two that are needed
    respond(first, ben, response)
    assert grow(workspace, second) == 1
    assert grow(workspace, second) == 0
    [item] = items_of(second)
    assert item.uid == "clip:court/1.mp4 2-4 drop shot"
    payload = item.payload
    assert (payload["start"], payload["end"], payload["domain"]) == (2.0, 4.0, "Tennis")
    assert respond(second, ada, said(HAPPENS, card(2, 3))).status == "stored"


def test_a_task_without_clips_cannot_be_the_source(workspace, add_question):
    add_question("count/0")
    questions = create_task(workspace, "q", "frame_picking", {}, 1)
    grow(workspace, questions)
    for source, words in (
        (questions, "no clips that could pass"),
        (99, "there is no such task"),
        ("x", "'x': there"),
    ):
        with pytest.raises(ValueError, match=words):
            kind.build_items(workspace, kind.check_settings({"from_task": source}), None)
    with pytest.raises(ValueError, match="from_task is empty"):
        kind.build_items(workspace, SETTINGS, None)


@pytest.mark.parametrize(
    "settings", [{"same_from_iou": 0.0}, {"agree_from_iou": 2}, {"from_task": 1.5}, {"cards": 3}]
)
def test_settings_that_are_not_allowed_are_named(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        kind.check_settings(settings)
