import random
import shutil
import time
from fractions import Fraction
from pathlib import Path

import pytest

from annotations.adjudication.answers_side_by_side import answers_side_by_side
from annotations.adjudication.cross_check import (
    check_keys,
    decided,
    report,
    second_pass,
    waiting_for,
)
from annotations.adjudication.history import comment, events
from annotations.adjudication.outcomes import outcome_words
from annotations.adjudication.resolution import (
    ChangedMeanwhileError,
    reopen,
    resolution,
    resolve,
    sign,
)
from annotations.adjudication.resolution_effect import key_change
from annotations.agreement.disagreements import disagreements
from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.early_stop import set_signatures
from annotations.answering.own_answers import own_answer, own_drafts
from annotations.importing.import_plan import carry_out, plan_import
from annotations.people import Person
from annotations.planning.task_store import create_task, grow
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.video.table import FrameTable

SETTINGS = {"condition": "full video", "shuffle_options": False}


def give(workspace: Workspace, task: int, person: Person, item: int, choice: int) -> None:
    row = queue.hand(workspace, task, person, item)
    uid = f"{person.name}-{task}-{item}-{choice}"
    given = Answer(uid, item, row.lease.id, {"choice": choice}, None, 1.0, time.time())
    [receipt] = answer_store.store(workspace, task, person, [given])
    assert receipt.status == "stored", receipt


def on_the_table(workspace: Workspace, item: int) -> tuple[int, ...]:
    rows = workspace.store.rows(
        "SELECT id FROM current_annotation WHERE item_id = ? ORDER BY annotator_id", [item]
    )
    return tuple(row["id"] for row in rows)


@pytest.fixture
def disagreed(workspace, add_question, add_person):
    """Ada says 0, Ben says 2, the key is 1."""
    add_question("count/1", options=("one", "two", "three", "four"), key=1)
    task = create_task(workspace, "t", "human_evaluation", SETTINGS, 2)
    grow(workspace, task)
    [item] = workspace.store.rows("SELECT id FROM item")
    for name, choice in (("Ada", 0), ("Ben", 2)):
        give(workspace, task, add_person(name), item["id"], choice)
    return task, item["id"], (add_person("Clara", "author"), add_person("Dora", "author"))


def key_now(workspace: Workspace) -> tuple[int, int]:
    [row] = workspace.store.rows("SELECT revision, key FROM current_question")
    return row["revision"], row["key"]


def test_a_resolution_holds_when_both_authors_have_signed_and_then_moves_the_key(
    workspace, disagreed
):
    _, item, (clara, dora) = disagreed
    table = on_the_table(workspace, item)
    made = resolve(workspace, item, clara, "second", answers=table, seen_revision=0, signatures=2)
    assert not made.holds
    assert key_now(workspace) == (1, 1)
    assert not sign(workspace, item, clara, 1).holds  # one's own signature counts once
    assert sign(workspace, item, dora, 1).holds
    assert key_now(workspace) == (2, 2)
    assert resolution(workspace, item).signed_by == ("Clara", "Dora")


def test_two_authors_at_once_do_not_overwrite_each_other(workspace, disagreed):
    _, item, (clara, dora) = disagreed
    table = on_the_table(workspace, item)
    resolve(workspace, item, clara, "first", answers=table, seen_revision=0, reason="clear")
    with pytest.raises(ChangedMeanwhileError, match="Clara decided meanwhile: keep the first"):
        resolve(workspace, item, dora, "second", answers=table, seen_revision=0)
    assert resolution(workspace, item).outcome == "first"


def test_another_answer_is_checked_like_any_answer(workspace, disagreed):
    _, item, (clara, _) = disagreed
    table = on_the_table(workspace, item)
    with pytest.raises(ValueError, match="not among those shown"):
        resolve(
            workspace, item, clara, "other", answers=table, seen_revision=0, value={"choice": 9}
        )
    made = resolve(
        workspace, item, clara, "other", answers=table, seen_revision=0, value={"choice": 3}
    )
    assert made.value == {"choice": 3}
    assert key_now(workspace) == (2, 3)


def test_only_authors_resolve_and_only_what_lies_on_the_table(workspace, disagreed, add_person):
    _, item, (clara, _) = disagreed
    table = on_the_table(workspace, item)
    with pytest.raises(ValueError, match="no author"):
        resolve(workspace, item, add_person("Eve"), "first", answers=table, seen_revision=0)
    with pytest.raises(ValueError, match="not answers to this item"):
        resolve(workspace, item, clara, "first", answers=(999,), seen_revision=0)
    with pytest.raises(ValueError, match="no outcome"):
        resolve(workspace, item, clara, "maybe", answers=table, seen_revision=0)


def test_a_retired_question_is_asked_no_more_until_it_is_reopened_and_all_is_kept(
    workspace, disagreed
):
    task, item, (clara, dora) = disagreed
    table = on_the_table(workspace, item)
    comment(workspace, item, clara, "The hand leaves the picture.")
    resolve(workspace, item, clara, "retire", answers=table, seen_revision=0, reason="unclear")
    assert workspace.store.rows("SELECT status FROM item") == [{"status": "withdrawn"}]
    with pytest.raises(ValueError, match="Say why"):
        reopen(workspace, item, dora, 1, " ")
    reopen(workspace, item, dora, 1, "the video is fine after all")
    assert workspace.store.rows("SELECT status FROM item") == [{"status": "open"}]
    assert disagreements(take(workspace), [task]).total == 1
    what = [(event.who, event.what) for event in events(workspace, item)]
    assert sorted(what) == sorted(
        [
            ("Ada", "answer"),
            ("Ben", "answer"),
            ("Clara", "comment"),
            ("Clara", "resolution"),
            ("Clara", "withdrawn"),
            ("Dora", "reopening"),
            ("Dora", "opened again"),
        ]
    )


def test_fixing_a_question_takes_effect_with_the_last_signature(workspace, disagreed):
    _, item, (clara, dora) = disagreed
    table = on_the_table(workspace, item)
    fix = {"text": "How many claps?", "options": ["1", "2", "3", "4", "5"], "key": 4}
    with pytest.raises(ValueError, match="Nothing is changed yet"):
        resolve(workspace, item, clara, "fix_question", answers=table, seen_revision=0, changes={})
    with pytest.raises(ValueError, match="none empty and none twice"):
        resolve(
            workspace, item, clara, "fix_question", answers=table, seen_revision=0,
            changes={**fix, "options": ["1", "1"]},
        )  # fmt: skip
    change = key_change(workspace, item, None, fix)
    assert (change.words, change.old, change.new) == ("from B to E", ((1, "two"),), ((4, "5"),))
    resolve(
        workspace, item, clara, "fix_question", answers=table, seen_revision=0, changes=fix,
        signatures=2,
    )  # fmt: skip
    assert key_now(workspace) == (1, 1)
    sign(workspace, item, dora, 1)
    [row] = workspace.store.rows("SELECT text, options, key FROM current_question")
    assert (row["text"], row["key"]) == ("How many claps?", 4)
    # What was answered to other options amounts to no key of these.
    assert key_change(workspace, item, {"choice": 0}) is None


def test_retiring_a_question_withdraws_it_from_every_task_and_reopening_brings_it_back(
    workspace, disagreed
):
    _, item, (clara, dora) = disagreed
    other = create_task(workspace, "u", "human_evaluation", SETTINGS, 2)
    grow(workspace, other)
    table = on_the_table(workspace, item)
    resolve(workspace, item, clara, "retire", answers=table, seen_revision=0, reason="unclear")
    states = "SELECT DISTINCT i.status, q.retired_at IS NULL AS asked FROM item i"
    states += " JOIN question q ON q.id = i.question_id"
    assert workspace.store.rows(states) == [{"status": "withdrawn", "asked": 0}]
    reopen(workspace, item, dora, 1, "clear enough")
    assert workspace.store.rows(states) == [{"status": "open", "asked": 1}]


def test_a_second_pass_asks_one_more_person_and_shows_them_nothing(
    workspace, disagreed, add_person
):
    task, item, _ = disagreed
    eve = add_person("Eve")
    assert queue.lease(workspace, task, eve, 1) == []
    second_pass(workspace, task)
    [row] = queue.lease(workspace, task, eve, 1)
    assert row.item.id == item
    assert own_drafts(workspace, eve, [row]) == {}
    assert own_answer(workspace, task, eve, item) is None


@pytest.fixture
def tomato(workspace: Workspace, shared: Path) -> Workspace:
    """TOMATO's 1,484 questions; one small table of frames stands for every video."""
    carry_out(workspace, plan_import(workspace, shared / "data" / "tomato"))
    sha256 = "a" * 64
    table = workspace.media.table(sha256)
    table.parent.mkdir(parents=True)
    pts = tuple(range(60))
    table.write_text(FrameTable(pts, Fraction(1, 30), pts, ((0, 0),), 60).to_json())
    with workspace.store.write() as database:
        database.conn.execute("UPDATE video SET status = 'usable', sha256 = ?", [sha256])
    return workspace


def test_tomatos_cross_check_is_re_created_on_its_own_questions(tomato: Workspace, add_person):
    task = check_keys(tomato, "Cross-check", "human_evaluation", SETTINGS, ())
    second = add_person("Second annotator")
    items = tomato.store.rows(
        "SELECT i.id, q.key, json_array_length(q.options) AS options FROM item i"
        " JOIN current_question q ON q.question_id = i.question_id ORDER BY i.id"
    )
    assert len(items) == 1484
    chance = random.Random(44)
    differ = {row["id"] for row in chance.sample(items, 44)}
    for row in items:
        key, shift = row["key"], chance.randrange(1, row["options"])
        choice = (key + shift) % row["options"] if row["id"] in differ else key
        give(tomato, task, second, row["id"], choice)

    found = disagreements(take(tomato), [task], limit=100)
    assert (found.checked, found.total) == (1484, 44)
    assert {row.item_id for row in found.rows} == differ
    assert report(take(tomato), task).words == (
        "1,484 items were answered twice, blind; 44 (3.0 %) in disagreement: 44 are still open."
    )

    authors = add_person("First author", "author"), add_person("Second author", "author")
    outcomes = ["replace_video"] * 4 + ["second"] * 15 + ["first"] * 25
    for item, outcome in zip(sorted(differ), outcomes, strict=True):
        table = on_the_table(tomato, item)
        resolve(tomato, item, authors[0], outcome, answers=table, seen_revision=0, signatures=2)
        assert sign(tomato, item, authors[1], 1).holds
    ended = report(take(tomato), task)
    assert (ended.checked, ended.disagreements, ended.open) == (1484, 44, 0)
    assert ended.words == (
        "1,484 items were answered twice, blind; 44 (3.0 %) in disagreement: "
        "25 kept the first answer, 15 kept the second answer, 4 had the video replaced."
    )


def test_copying_a_workspace_keeps_its_resolutions(workspace, disagreed, tmp_path):
    _, item, (clara, _) = disagreed
    resolve(workspace, item, clara, "first", answers=on_the_table(workspace, item), seen_revision=0)
    workspace.close()
    shutil.copytree(workspace.root, tmp_path / "copy")
    assert resolution(Workspace.open(tmp_path / "copy"), item).outcome == "first"


def test_a_retired_question_makes_no_new_items(workspace, disagreed):
    _, item, (clara, _) = disagreed
    resolve(
        workspace, item, clara, "retire", answers=on_the_table(workspace, item), seen_revision=0
    )
    again = create_task(workspace, "later", "human_evaluation", SETTINGS, 2)
    grow(workspace, again)
    assert workspace.store.rows("SELECT 1 FROM item WHERE task_id = ?", [again]) == []


def test_a_task_that_wants_two_signatures_has_two_whatever_the_author_says(workspace, disagreed):
    task, item, (clara, dora) = disagreed
    set_signatures(workspace, task, 2)
    table = on_the_table(workspace, item)
    made = resolve(workspace, item, clara, "first", answers=table, seen_revision=0, signatures=1)
    assert (made.signatures, made.holds) == (2, False)
    assert sign(workspace, item, dora, 1).holds
    with pytest.raises(ValueError, match=r"signatures: got 0\. Allowed: 1 to 9"):
        set_signatures(workspace, task, 0)


def test_the_third_answer_can_be_kept_and_is_reported_as_one_of_those_given(
    workspace, disagreed, add_person
):
    task, item, (clara, _) = disagreed
    second_pass(workspace, task)
    give(workspace, task, add_person("Cem"), item, 3)
    table = answers_side_by_side(workspace, item)
    assert [answer.response["choice"] for answer in table.answers] == [0, 2, 3]
    assert (table.decision.status, table.windows) == ("tie", None)
    answers = tuple(answer.id for answer in table.answers)
    kept = resolve(
        workspace, item, clara, "other", answers=answers, seen_revision=0, value={"choice": 3}
    )
    responses = [answer.response for answer in table.answers]
    assert outcome_words(kept.outcome, kept.value, responses) == "keep the third answer"
    assert outcome_words("other", {"choice": 1}, responses) == "another answer is right"
    ended = report(take(workspace), task)
    assert (ended.ended["later"], ended.ended["other"]) == (1, 0)
    assert "1 kept a third or later answer" in ended.words
    assert decided(take(workspace), [task])[0].value == {"choice": 3}


def test_a_decision_waits_for_the_authors_who_have_not_signed_it(workspace, disagreed):
    _, item, (clara, dora) = disagreed
    assert (waiting_for(workspace, clara), waiting_for(workspace, dora)) == (0, 0)
    table = on_the_table(workspace, item)
    resolve(workspace, item, clara, "first", answers=table, seen_revision=0, signatures=2)
    assert (waiting_for(workspace, clara), waiting_for(workspace, dora)) == (0, 1)
    sign(workspace, item, dora, 1)
    assert (waiting_for(workspace, clara), waiting_for(workspace, dora)) == (0, 0)
