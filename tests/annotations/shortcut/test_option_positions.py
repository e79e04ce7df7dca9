"""Which option is chosen instead of which, by its position as shown, counted by hand."""

from collections.abc import Callable

import numpy as np
import pytest
from building import make_answer

from annotations.exporting.export_figures import positions as exported
from annotations.planning.task_store import ensure_tasks
from annotations.scoring.snapshot import take
from annotations.scoring.solved_table import Which
from annotations.shortcut.option_positions import LAST, exact_test, label, option_positions
from annotations.workspace import Workspace


@pytest.fixture
def first_letter(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
) -> Workspace:
    """A model that says A to three of four questions, whose keys stand at A, B, C and B."""
    for number in range(6):
        add_question(f"count/{number}")  # left, right, up: the key is "right"
    model_says("m", "count/0", "A", order=(1, 0, 2))
    model_says("m", "count/1", "A", order=(0, 1, 2))
    model_says("m", "count/2", "A", order=(0, 2, 1))
    model_says("m", "count/3", "B", order=(0, 1, 2))
    model_says("m", "count/4", "hmm")
    model_says("m", "count/5", "I'm sorry, but I cannot help with that.")
    return workspace


def test_choices_stand_at_the_position_that_was_shown_and_not_in_the_order_of_the_file(
    first_letter: Workspace,
):
    with take(first_letter) as snapshot:
        [model] = option_positions(snapshot)
    assert model.counts == ((1, 0, 0), (1, 1, 0), (1, 0, 0))
    assert [(share.position, share.keys, share.chosen) for share in model.shares] == [
        ("A", 1, 3), ("B", 2, 1), ("C", 1, 0),
    ]  # fmt: skip
    # A is chosen in 3 of 4 and right in 1 of 4.
    assert [share.difference.value for share in model.shares] == [0.5, -0.25, -0.25]
    # A alone differs twice, both times chosen: 2 * (1/2)**2 = 0.5, times 3 positions.
    assert model.shares[0].p_value == 1.0
    assert not model.shares[0].preferred
    assert model.population == (
        "m · 16 frames: 4 answers that choose an option, to 4 questions;"
        " left out: 1 unread, 1 refused"
    )


def test_people_are_counted_in_the_order_that_each_saw_and_the_last_option_is_a_position(
    workspace: Workspace, add_question: Callable[..., int], add_person: Callable[..., object]
):
    add_question("count/1")
    add_question("shape/1", ("round", "flat"), 0)
    ensure_tasks(workspace)
    ann, bob = add_person("Ann"), add_person("Bob")
    [three, two] = [
        row["id"]
        for row in workspace.store.rows(
            "SELECT i.id FROM item i JOIN task t ON t.id = i.task_id"
            " WHERE t.name LIKE '%16 frames' ORDER BY i.question_id"
        )
    ]
    with workspace.store.write() as database:
        for item, person, order, choice in (
            (three, ann, [2, 1, 0], 2),  # key at B, chosen A
            (three, bob, [1, 0, 2], 2),  # key at A, chosen C, the last of three
            (two, ann, [1, 0], 0),  # key at B, chosen B, the last of two
            (two, bob, [0, 1], "none_right"),
        ):
            shown = {"condition": "16 frames", "option_order": order}
            make_answer(database, item, person.id, {"choice": choice}, shown=shown)
    with take(workspace) as snapshot:
        [people] = option_positions(snapshot)
        [shape] = option_positions(snapshot, Which(categories=("shape",)))
    assert people.counts == ((0, 0, 1), (1, 1, 0), (0, 0, 0))
    assert [(share.position, share.keys, share.chosen) for share in people.shares] == [
        ("A", 1, 1), ("B", 2, 1), ("C", 0, 1), (LAST, 1, 2),
    ]  # fmt: skip
    assert people.left_out == (("none of these is right", 1),)
    # Where all questions have two options, B is the last and no position of its own.
    assert [share.position for share in shape.shares] == ["A", "B"]


def test_a_reply_whose_key_was_shown_at_no_known_position_is_left_out(
    first_letter: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    add_question("count/6")
    add_question("count/7")
    model_says("m", "count/6", "A", order=(0, 2))  # the key was not shown
    model_says("m", "count/7", "A", option_order=None)
    with take(first_letter) as snapshot:
        [model] = option_positions(snapshot)
    assert model.answers == 4
    assert dict(model.left_out)["without a stored position of choice or key"] == 2


def test_what_is_chosen_much_more_often_than_it_is_right_is_preferred(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    for number in range(12):
        add_question(f"count/{number}")  # every key at B
        model_says("m", f"count/{number}", "A")
    with take(workspace) as snapshot:
        [model] = option_positions(snapshot)
        rows = list(exported(snapshot))
    # 12 of 12 differ one way: 2 * (1/2)**12, times 3 positions.
    assert model.shares[0].p_value == pytest.approx(3 * 2 / 2**12)
    assert [share.preferred for share in model.shares] == [True, False, False]
    # All twelve differ fully, so the interval is the exact one.
    assert model.shares[0].difference.exact is not None
    assert [(row["position"], row["keys"], row["chosen"], row["value"]) for row in rows] == [
        ("A", 0, 12, 1.0), ("B", 12, 0, -1.0), ("C", 0, 0, 0.0),
    ]  # fmt: skip


def test_the_exact_test_looks_only_at_answers_where_just_one_of_both_holds():
    chosen = np.array([True] * 12 + [False] + [True] * 5 + [False] * 9)
    right = np.array([False] * 12 + [True] + [True] * 5 + [False] * 9)
    # 12 against 1: 2 * (C(13, 0) + C(13, 1)) / 2**13
    assert exact_test(chosen, right) == pytest.approx(2 * 14 / 2**13)
    assert exact_test(right, right) == 1.0


def test_nobody_has_positions_without_answers(workspace: Workspace):
    with take(workspace) as snapshot:
        assert option_positions(snapshot) == []
        assert list(exported(snapshot)) == []


def test_positions_beyond_z_have_numbers():
    assert [label(0), label(25), label(26)] == ["A", "Z", "27"]
