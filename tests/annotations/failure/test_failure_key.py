"""Another key from among the failures: kept, signed by its author, and seen in every metric."""

from collections.abc import Callable

import pytest

from annotations.adjudication.history import events
from annotations.adjudication.resolution import ChangedMeanwhileError
from annotations.failure.failure_key import fix_key, question_history, standing
from annotations.people import Person
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace


@pytest.fixture
def clara(add_person: Callable[..., Person]) -> Person:
    return add_person("clara", "author")


def test_a_new_key_moves_the_runs_and_stands_in_the_history_of_every_item(
    workspace: Workspace,
    add_question: Callable[..., int],
    model_says: Callable[..., int],
    clara: Person,
):
    question = add_question("count/1", key=1)
    add_question("count/2", key=1)
    for uid in ("count/1", "count/2"):
        model_says("m", uid, "A")
        model_says("m", uid, "B", "full video")
    before = standing(take(workspace).predictions)
    words = fix_key(workspace, clara, question, seen_revision=1, key=0, reason="it goes left")
    after = standing(take(workspace).predictions)
    # 16 frames: 'A' to both questions, of which one has the key A now; full video: 'B' to both.
    assert list(before["runs"].values()) == [[0, 2], [2, 2]]
    assert list(after["runs"].values()) == [[1, 2], [1, 2]]
    assert words == "count/1: key changed from “right” to “left”"
    for item in workspace.store.rows("SELECT id FROM item WHERE question_id = ?", [question]):
        last = events(workspace, item["id"])[-1]
        assert (last.who, last.what, last.detail) == (
            "clara", "key changed from “right” to “left”", "it goes left",
        )  # fmt: skip
    told = question_history(workspace, question)["events"]
    assert [one["what"] for one in told][:2] == [
        "revision 1: imported or written", "revision 2: key changed",
    ]  # fmt: skip
    assert [one["detail"] for one in told] == ["key “right”", "key “left”", "it goes left"]


def test_who_saw_an_older_revision_overwrites_nothing(
    workspace: Workspace, add_question: Callable[..., int], clara: Person
):
    question = add_question("count/1", key=1)
    fix_key(workspace, clara, question, seen_revision=1, key=0, reason="first")
    with pytest.raises(ChangedMeanwhileError, match="revision 2 now"):
        fix_key(workspace, clara, question, seen_revision=1, key=2, reason="second")


def test_only_authors_change_keys_with_a_reason_and_within_the_options(
    workspace: Workspace,
    add_question: Callable[..., int],
    add_person: Callable[..., Person],
    clara: Person,
):
    question = add_question("count/1", key=1)

    def fix(who: Person, key: int, reason: str) -> None:
        fix_key(workspace, who, question, seen_revision=1, key=key, reason=reason)

    with pytest.raises(ValueError, match="only authors"):
        fix(add_person("ada"), 0, "so")
    with pytest.raises(ValueError, match="Say why"):
        fix(clara, 0, "  ")
    with pytest.raises(ValueError, match="key already"):
        fix(clara, 1, "so")
    with pytest.raises(ValueError, match="outside the 3 options"):
        fix(clara, 3, "so")
