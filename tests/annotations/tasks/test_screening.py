import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from building import make_video

from annotations.answering import queue
from annotations.planning.task_store import create_task, grow
from annotations.record.stage import Player
from annotations.task import Shown
from annotations.tasks import screening
from annotations.tasks._written_reasons import collected
from annotations.tasks.screening import check_response, check_settings, decide, distance, settled
from annotations.video.duplicates import similar_videos
from annotations.video.library import Keeping, content_of, keep
from core.video.encode import write_video
from core.video.probe import probe
from ui.form import form

NEUTRAL = check_settings({})


def accept() -> dict:
    return {"verdict": "accept", "reasons": [], "note": ""}


def reject(*reasons: str, note: str = "") -> dict:
    return {"verdict": "reject", "reasons": list(reasons), "note": note}


def shown(**settings) -> Shown:
    checked = check_settings(settings)
    return Shown({"pass": checked["pass"], "reasons": [one["id"] for one in checked["reasons"]]})


def test_two_lists_of_reasons_ship_and_the_one_for_dogs_has_nine():
    dogs = check_settings({"reasons": "dogs"})
    assert len(dogs["reasons"]) == 9
    assert len(dogs["criteria"]) == 2
    assert NEUTRAL["reasons"] != dogs["reasons"]
    assert all(one["id"] and one["label"] and one["description"] for one in dogs["reasons"])


def test_an_author_writes_reasons_of_their_own():
    found = check_settings({"reasons": ["Too long", {"id": "cat", "label": "A cat"}]})
    assert [one["id"] for one in found["reasons"]] == ["too_long", "cat"]
    assert check_settings(found) == found


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"reasons": "cats"}, "There is no list 'cats'. Allowed: dogs, neutral"),
        ({"reasons": []}, "1 to 26 labels"),
        ({"reasons": ["Same", "same"]}, "'same' twice"),
        ({"reasons": [{"id": "x"}]}, "needs a label"),
        ({"pass": "third"}, "allowed: structured, exploratory"),
        ({"near_bits": 200}, "allowed: 0 to 85"),
        ({"colour": 1}, "no setting 'colour'"),
    ],
)
def test_a_setting_that_is_not_allowed_is_named_with_what_is(settings, words):
    with pytest.raises(ValueError, match=words):
        check_settings(settings)


def test_a_rejection_needs_a_reason_of_the_list_and_an_acceptance_none():
    stored = check_response({"verdict": "reject", "reasons": ["duplicate", "off_topic"]}, shown())
    assert stored == reject("off_topic", "duplicate")  # in the list's order
    assert check_response({"verdict": "accept", "reasons": ["duplicate"]}, shown()) == accept()
    with pytest.raises(ValueError, match="needs a reason"):
        check_response({"verdict": "reject", "reasons": []}, shown())
    with pytest.raises(ValueError, match="'ugly' is no reason"):
        check_response({"verdict": "reject", "reasons": ["ugly"]}, shown())
    with pytest.raises(ValueError, match="nothing is chosen"):
        check_response({}, shown())


def test_the_exploratory_pass_takes_reasons_in_words():
    exploring = shown(**{"pass": "exploratory"})
    stored = check_response({"verdict": "reject", "note": " mostly talk "}, exploring)
    assert stored == reject(note="mostly talk")
    with pytest.raises(ValueError, match="why it is rejected"):
        check_response({"verdict": "reject", "note": " "}, exploring)


def test_collected_reasons_become_the_next_passs_list():
    given = [reject(note="Mostly talk; too dark"), reject(note="too  dark.\nmostly talk"), accept()]
    given.append(reject(note="a product"))
    notes = (response["note"] for response in given if response["verdict"] == "reject")
    assert collected(notes) == [("Mostly talk", 2), ("too dark", 2), ("a product", 1)]
    summary = screening.summary(given)
    assert summary is not None
    assert summary.words.startswith("3 reasons written in 3 rejections.")
    assert summary.columns["Rejections"] == [2, 2, 1]
    # In the structured pass reasons are chosen; a remark is no reason.
    assert screening.summary([reject("dark", note="quite"), accept()]) is None


def test_the_majority_rejects_for_the_reasons_of_most_rejecters():
    answers = [reject("off_topic"), accept(), reject("off_topic", "edited")]
    found = decide(answers, NEUTRAL)
    # 2 of 3 reject; of the two, both say off topic, and one (no majority) says edited.
    assert found.value == {"verdict": "reject", "reasons": ["off_topic"]}
    assert found.words == "reject: 2 of 3; 2 of 2 “Off topic”, 1 of 2 “Heavily edited”"
    assert decide([accept(), reject("edited")], NEUTRAL).status == "tie"
    assert decide([], NEUTRAL).status == "none"
    assert decide([accept()], NEUTRAL).words == "accept: single vote"


@pytest.mark.parametrize("reasons", [("r0",), ("r0", "r1")])
def test_screening_is_settled_exactly_when_no_further_answers_could_change_it(reasons):
    settings = check_settings({"reasons": list(reasons)})
    named = [(one,) for one in reasons] + ([reasons] if len(reasons) > 1 else [])
    answers = [accept(), *(reject(*one) for one in named)]
    for size, left in product(range(5), range(3)):
        for given in product(answers, repeat=size):
            now = decide(list(given), settings).value
            later = [decide([*given, *m], settings).value for m in product(answers, repeat=left)]
            unchanged = all(one == now for one in later)
            assert settled(list(given), left, settings) == unchanged, (given, left)


def test_the_exploratory_pass_is_settled_by_the_verdict_alone():
    settings = check_settings({"pass": "exploratory"})
    assert settled([reject(note="a"), reject(note="b")], 1, settings)
    assert not settled([reject(note="a")], 1, settings)


def test_feedback_wants_the_verdict_and_one_of_the_right_reasons():
    expected = {"verdict": "reject", "reasons": ["duplicate", "edited"], "why": "See beside."}
    settings = check_settings(
        {"reasons": [{"id": "duplicate", "label": "Seen before"}, {"id": "edited", "label": "Cut"}]}
    )
    assert screening.feedback(reject("edited", "off_topic"), expected, settings) == (
        True,
        "Right. See beside.",
    )
    assert screening.feedback(reject("off_topic"), expected, settings) == (
        False,
        "Rejected rightly, but for: Seen before, Cut. See beside.",
    )
    right, words = screening.feedback(accept(), expected, settings)
    assert not right
    assert "reject (Seen before, Cut)" in words


def test_distance_is_1_between_verdicts_and_up_to_a_half_between_reasons():
    assert distance(accept(), reject("edited")) == 1
    assert distance(accept(), accept()) == 0
    # {a} and {a, b}: of two reasons one only is shared: half of 1/2.
    assert distance(reject("edited"), reject("edited", "off_topic")) == 0.25
    assert distance(reject("edited"), reject("off_topic")) == 0.5


def pictures(seed: int, count: int = 12) -> list[np.ndarray]:
    coarse = np.random.default_rng(seed).integers(0, 256, (9, 16, 3)).astype(np.uint8)
    large = cv2.resize(coarse, (160, 90), interpolation=cv2.INTER_CUBIC)
    return [np.roll(large, i // 3, axis=1) for i in range(count)]


@pytest.fixture
def add_real_video(workspace, tmp_path: Path):
    """Puts a real little video into the workspace; its id comes back."""

    def add(name: str, frames: list[np.ndarray], crf: int = 20) -> int:
        path = write_video(tmp_path / f"{name}.mp4", frames, Fraction(30), crf=crf)
        content = content_of(path)
        keep(Keeping(content, workspace.media, False))
        with workspace.store.write() as database:
            facts = json.loads(probe(path)[0].to_json())
            return make_video(database, name, sha256=content.sha256, facts=facts)

    return add


def test_near_duplicates_stand_beside_the_video_and_are_hashed_once(
    workspace, add_real_video, add_person
):
    whole = add_real_video("whole", pictures(1))
    add_real_video("other", pictures(2))
    small = [cv2.resize(one, (128, 72)) for one in pictures(1)[3:]]
    copy = add_real_video("small copy", small, crf=30)
    near = similar_videos(workspace)
    assert set(near) == {whole, copy}
    [found] = near[copy]
    assert found.video_id == whole
    assert found.words.startswith("whole: 9")  # such as 98 % alike
    kept = workspace.media.hashes(found.sha256)
    kept.write_text(json.dumps({"method": "cosine 255", "frames": []}))
    assert similar_videos(workspace) == {}  # what lies there is not made again
    kept.unlink()

    task = create_task(workspace, "screening", "screening", {}, 1)
    grow(workspace, task)
    rows = queue.lease(workspace, task, add_person("Ann"), 3)
    stages = {row.item.uid: screening.content(workspace, row.item, row.shown).stage for row in rows}
    assert set(stages) == {"video:whole", "video:other", "video:small copy"}
    lone, twin = stages["video:other"], stages["video:small copy"]
    assert isinstance(lone, Player)
    assert isinstance(twin, Player)
    assert lone.beside == ()
    assert [one.label for one in twin.beside] == [found.words]


def test_each_usable_video_or_each_row_is_an_item(workspace, add_video):
    add_video("human/1.mp4")
    add_video("human/2.mp4")
    add_video("gone.mp4", status="missing", reason="file not found")
    plain = check_settings({"duplicates": False})
    items = list(screening.build_items(workspace, plain, None))
    assert [one.uid for one in items] == ["video:human/1.mp4", "video:human/2.mp4"]
    [row] = screening.build_items(workspace, plain, [{"video": "2.mp4", "start": 0.5}])
    assert row.payload["clip"]["start"] == 0.5
    with pytest.raises(ValueError, match=r"row 1, field video: the video is missing"):
        screening.build_items(workspace, plain, [{"video": "gone.mp4"}])
    with pytest.raises(ValueError, match="row 2: the same item as row 1"):
        screening.build_items(workspace, plain, [{"video": "1.mp4"}, {"video": "1.mp4"}])


def test_what_is_stored_passes_through_queue_and_decision(
    workspace, add_video, add_task, add_person, respond
):
    add_video("a.mp4")
    task = add_task("screening", [{"video": "a.mp4"}], overlap=1, duplicates=False)
    given = {"verdict": "reject", "reasons": ["edited"]}
    assert respond(task, add_person("Ann"), given).status == "stored"


def test_the_form_offers_the_reasons_of_the_settings_and_in_the_first_pass_a_text():
    fields = form("screening", NEUTRAL)["fields"]
    assert [one["value"] for one in fields[1]["options"]][:2] == ["nothing_happens", "off_topic"]
    assert fields[1]["when"] == {"field": "verdict", "among": ["reject"]}
    first = form("screening", check_settings({"pass": "exploratory"}))["fields"]
    assert [one["type"] for one in first] == ["choice", "text"]


def test_an_answer_is_told_in_words():
    rejected = {"verdict": "reject", "reasons": ["no_dog", "staged"], "note": "a toy"}
    assert screening.describe(rejected, {}) == "reject: no dog, staged (a toy)"
    accepted = {"verdict": "accept", "reasons": [], "note": ""}
    assert screening.describe(accepted, {}) == "accept"


def test_title_and_link_are_shown_where_the_task_allows_it(workspace, add_question, items_of):
    add_question("a/1")
    facts = '{"title": "Goal <b>of</b> the year", "description": "long"}'
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE video SET facts = ?, source_url = 'https://video.example/1'", [facts]
        )
    for allowed in (False, True):
        settings = {"duplicates": False, "with_titles": allowed}
        task = create_task(workspace, f"Titles {allowed}", "screening", settings, 1)
        grow(workspace, task)
        [item] = items_of(task)
        found = screening.show(workspace, item, check_settings(settings), "")
        stage = screening.content(workspace, item, found).stage
        assert isinstance(stage, Player)
        told = ("Goal <b>of</b> the year", "https://video.example/1") if allowed else ("", "")
        assert (stage.title, stage.link) == told
        # What was shown is stored with the answer.
        assert (found.facts.get("title", ""), found.facts.get("link", "")) == told
