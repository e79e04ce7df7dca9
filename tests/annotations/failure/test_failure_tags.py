"""Tags beside the failures are answers to a task as any other."""

from collections.abc import Callable

import pytest

from annotations.failure.failure_key import fix_key
from annotations.failure.failure_report import failure_report
from annotations.failure.failure_tags import OWN_TASK, all_tags, tag, tag_these, tagging_tasks
from annotations.people import Person
from annotations.planning.task_store import all_tasks
from annotations.scoring.population import SCORED
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace


@pytest.fixture
def wrong(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
) -> list[int]:
    """Four wrong predictions of one run on four videos, and one of another run."""
    for number in range(4):
        add_question(f"count/{number}")
    made = [model_says("m", f"count/{number}", "A") for number in range(4)]
    return [*made, model_says("n", "count/0", "C")]


def say(workspace: Workspace, who: Person, prediction: int, *classes: str, note: str = "") -> None:
    count = workspace.store.rows("SELECT count(*) AS n FROM annotation")[0]["n"]
    tag(workspace, who, prediction, classes, note, uid=f"uid-{count:06}")


def test_every_authors_tag_counts_and_the_task_hands_out_nothing(
    workspace: Workspace, wrong: list[int], add_person: Callable[..., Person]
):
    clara, dan = add_person("clara", "author"), add_person("dan", "author")
    say(workspace, clara, wrong[0], "oversight")
    say(workspace, dan, wrong[0], "causal", "oversight", note="twice")
    [task] = [one for one in all_tasks(workspace) if one.name == OWN_TASK]
    assert (task.status, task.items, task.answers, task.wanted) == ("closed", 1, 2, 2)
    given = all_tags(take(workspace)).by[wrong[0]]
    # Classes stand in the order of the list, whatever the order in which they were named.
    assert [(one.name, one.classes, one.note) for one in given] == [
        ("clara", ("oversight",), ""), ("dan", ("oversight", "causal"), "twice"),
    ]  # fmt: skip


def test_a_tag_is_corrected_and_taken_back_and_its_history_stays(
    workspace: Workspace, wrong: list[int], add_person: Callable[..., Person]
):
    clara = add_person("clara", "author")
    say(workspace, clara, wrong[0], "oversight")
    say(workspace, clara, wrong[0], "causal")
    assert [one.classes for one in all_tags(take(workspace)).by[wrong[0]]] == [("causal",)]
    say(workspace, clara, wrong[0])
    assert all_tags(take(workspace)).by == {}
    stored = workspace.store.rows(
        "SELECT revision FROM annotation WHERE annotator_id = ?", [clara.id]
    )
    assert [row["revision"] for row in stored] == [1, 2, 3]


def test_the_same_tag_sent_twice_is_stored_once(
    workspace: Workspace, wrong: list[int], add_person: Callable[..., Person]
):
    clara = add_person("clara", "author")
    for _ in range(2):
        tag(workspace, clara, wrong[0], ["oversight"], uid="uid-00000001")
    stored = workspace.store.rows(
        "SELECT count(*) AS n FROM annotation WHERE annotator_id = ?", [clara.id]
    )
    assert stored[0]["n"] == 1


def test_a_right_answer_cannot_be_tagged(
    workspace: Workspace, wrong: list[int], add_person: Callable[..., Person]
):
    clara = add_person("clara", "author")
    fix_key(workspace, clara, 1, seen_revision=1, key=0, reason="it is A")
    with pytest.raises(ValueError, match="not a wrong prediction"):
        say(workspace, clara, wrong[0], "oversight")


def test_tags_are_no_answers_of_people_to_the_question(
    workspace: Workspace, wrong: list[int], add_person: Callable[..., Person]
):
    say(workspace, add_person("clara", "author"), wrong[0], "oversight")
    assert not (take(workspace).people.state == SCORED).any()
    assert not len(take(workspace).people.state)


def test_a_task_is_made_of_what_is_listed(workspace: Workspace, wrong: list[int]):
    task = tag_these(workspace, "What went wrong", wrong[:3], 2)
    [listed] = tagging_tasks(workspace)
    assert (listed.id, listed.name) == (task, "What went wrong")
    [row] = [one for one in all_tasks(workspace) if one.id == task]
    assert (row.items, row.overlap, row.status) == (3, 2, "open")
    with pytest.raises(ValueError, match="exists already"):
        tag_these(workspace, "What went wrong", wrong[:1], 2)


def test_the_report_counts_what_more_than_half_named_and_how_far_taggers_agree(
    workspace: Workspace, wrong: list[int], add_person: Callable[..., Person]
):
    clara, dan = add_person("clara", "author"), add_person("dan", "author")
    say(workspace, clara, wrong[0], "oversight")
    say(workspace, dan, wrong[0], "oversight", "causal")  # causal: one of two, not more than half
    say(workspace, clara, wrong[1], "causal")
    say(workspace, clara, wrong[4], "oversight")
    report = failure_report(workspace, "run")
    assert (report.failures, report.answers, report.wrong, report.gone) == (3, 4, 5, 0)
    shares = {(one.group, one.class_id): one for one in report.shares}
    # Of three tagged failures two are oversights, one is causal; of run m one of two each.
    assert shares["all", "oversight"].count == 2
    assert shares["all", "oversight"].estimate.value == pytest.approx(2 / 3)
    assert shares["m · 16 frames", "causal"].estimate.value == 0.5
    assert shares["n · 16 frames", "oversight"].estimate.value == 1.0
    assert shares["n · 16 frames", "oversight"].estimate.exact is not None
    assert shares["all", "oversight"].estimate.clusters == 2  # count/0 and count/1
    together, *by_class = report.agreement
    assert together.percent.n == 1
    assert together.percent.value == 0.0
    same = {one.label: one.percent.value for one in by_class}
    assert (same["Oversight"], same["Causal misattribution"]) == (1.0, 0.0)


def test_a_report_without_tags_says_so_by_its_numbers(workspace: Workspace, wrong: list[int]):
    report = failure_report(workspace, "category")
    assert (report.failures, report.shares) == (0, ())
    with pytest.raises(ValueError, match="Allowed: run"):
        failure_report(workspace, "colour")


def test_a_tagged_answer_that_became_right_leaves_the_report_and_is_counted(
    workspace: Workspace, wrong: list[int], add_person: Callable[..., Person]
):
    clara = add_person("clara", "author")
    say(workspace, clara, wrong[0], "oversight")
    fix_key(workspace, clara, 1, seen_revision=1, key=0, reason="it is A")
    report = failure_report(workspace)
    assert (report.failures, report.gone) == (0, 1)
