import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from annotations.filter.dropped_questions import dropped_questions
from annotations.scoring.leaderboard import leaderboard
from annotations.scoring.snapshot import take
from annotations.scoring.solved_table import Which
from annotations.shortcut.shortcut_audit import audit, flagged, words
from annotations.shortcut.split_comparison import side_by_side
from annotations.shortcut.splits import all_splits, by_chance, plan_split, split_lists, store_split
from annotations.workspace import Workspace

AddRun = Callable[..., int]


@pytest.fixture
def three(add_question: Callable[..., int]) -> list[int]:
    return [add_question(f"count/{number}") for number in range(3)]


def said(workspace: Workspace, row: int, enough: str = "majority") -> list[str]:
    found = audit(take(workspace))
    return words(found, row, flagged(found, enough))


def test_a_cell_is_how_many_of_the_runs_solved_the_question(
    workspace: Workspace, three: list[int], add_run: AddRun
):
    for model, marks in (("a", "rw-"), ("b", "ru-"), ("c", "rr-")):
        add_run(model, "text only", marks)
    add_run("a", "16 frames", "rwr")
    found = audit(take(workspace))
    assert found.columns == ("text only", "frames in order")
    # Question 1: right by a, b, c. Question 2: by c only, b was not read. Question 3: not asked.
    assert [found.cell(row, "text only") for row in range(3)] == [(3, 3), (1, 3), (0, 0)]
    assert [found.cell(row, "frames in order") for row in range(3)] == [(1, 1), (0, 1), (1, 1)]
    assert found.cell(0, "full video") == (0, 0)


def test_a_shortcut_is_flagged_in_words_once_enough_runs_solve_it(
    workspace: Workspace, three: list[int], add_run: AddRun
):
    for model, marks in (("a", "rrw"), ("b", "rrw"), ("c", "rww")):
        add_run(model, "text only", marks)
    assert said(workspace, 0) == ["solved from text alone by 3 of 3 runs"]
    assert said(workspace, 1) == ["solved from text alone by 2 of 3 runs"]
    assert said(workspace, 1, "all") == []
    assert said(workspace, 2, "any") == []


def test_order_does_not_matter_where_shuffled_frames_are_solved_as_often(
    workspace: Workspace, three: list[int], add_run: AddRun
):
    for model, shuffled, ordered in (("a", "rrw", "rrr"), ("b", "rrw", "rrr"), ("c", "rwr", "rrr")):
        add_run(model, "16 shuffled frames", shuffled)
        add_run(model, "16 frames", ordered)
    assert said(workspace, 0) == [
        "order does not matter: 3 of 3 solve it shuffled, 3 of 3 in order"
    ]
    assert said(workspace, 1) == []  # 2 of 3 shuffled, 3 of 3 in order: order helps
    assert said(workspace, 2) == []


def test_other_numbers_of_frames_are_not_mixed_in(
    workspace: Workspace, three: list[int], add_run: AddRun
):
    add_run("a", "16 frames", "rrr")
    add_run("b", "16 frames", "rrr")
    add_run("a", "4 frames", "www")
    add_run("a", "4 shuffled frames", "rrr")
    found = audit(take(workspace))
    assert (found.columns, found.conditions) == (("frames in order",), ("16 frames",))
    assert audit(take(workspace), ordered="4 frames").conditions == (
        "4 shuffled frames",
        "4 frames",
    )


def test_what_is_solved_from_objects_alone_has_a_column_of_its_own(
    workspace: Workspace, three: list[int], add_run: AddRun
):
    runs = [f"run {add_run(model, 'objects only', 'rrw')}" for model in ("a", "b")]
    add_run("a", "text only", "www")
    assert audit(take(workspace)).columns == ("text only", "objects only")
    assert said(workspace, 0) == ["solved from objects alone by 2 of 2 runs"]
    assert plan_split(take(workspace), runs, 2).kept.tolist() == [False, False, True]


def test_what_no_run_solves_is_said(workspace: Workspace, three: list[int], add_run: AddRun):
    add_run("a", "16 frames", "wwr")
    add_run("b", "16 frames", "wxr")
    assert said(workspace, 0) == ["no run solves it"]
    assert said(workspace, 2) == []


def test_an_audit_can_be_of_some_questions_only(
    workspace: Workspace, add_question: Callable[..., int], add_run: AddRun
):
    add_question("count/1")
    add_question("turn/1")
    add_run("a", "text only", "rw")
    assert audit(take(workspace), Which(categories=("turn",))).uid == ("turn/1",)
    assert audit(take(workspace)).uid == ("count/1", "turn/1")


def test_an_empty_workspace_has_an_empty_audit(workspace: Workspace):
    found = audit(take(workspace))
    assert (found.columns, found.uid, flagged(found).shape) == ((), (), (0, 5))


def test_a_majority_of_three_text_only_models_drops_a_question(
    workspace: Workspace, three: list[int], add_run: AddRun
):
    runs = [
        f"run {add_run(model, 'text only', marks)}"
        for model, marks in (("a", "rrw"), ("b", "rww"), ("c", "wrw"))
    ]
    plan = plan_split(take(workspace), runs, 2)
    assert plan.kept.tolist() == [False, False, True]
    assert [(one.category, one.kept, one.dropped) for one in plan.categories] == [("count", 1, 2)]
    assert plan.words == (
        "Dropped when at least 2 of 3 runs answer right: "
        "a · text only; b · text only; c · text only."
    )
    assert plan_split(take(workspace), runs, 3).kept.all()
    assert "all 3 runs" in plan_split(take(workspace), runs, 3).words


def test_dropped_questions_are_listed_and_can_be_taken_back(
    workspace: Workspace, three: list[int], add_run: AddRun
):
    runs = [f"run {add_run('a', 'text only', 'rrw')}", f"run {add_run('b', 'text only', 'rww')}"]
    plan = plan_split(take(workspace), runs, 1)
    first, second = dropped_questions(take(workspace), plan)
    assert [(one.uid, one.solved, one.taken_back) for one in (first, second)] == [
        ("count/0", 2, False), ("count/1", 1, False),
    ]  # fmt: skip
    assert first.key in first.options
    # Taken back are a question that the rule drops, and one that it keeps anyway: that is no news.
    again = plan_split(take(workspace), runs, 1, [first.id, three[2]])
    assert again.kept.tolist() == [True, False, True]
    assert again.taken_back.tolist() == [first.id]
    assert again.words.endswith("b · text only. 1 taken back by hand.")
    assert [one.taken_back for one in dropped_questions(take(workspace), again)] == [True, False]
    number = store_split(workspace, "by hand", again)
    assert split_lists(take(workspace), number)["debiased"] == ["count/0", "count/2"]


def test_how_many_blind_guesses_would_drop_is_said():
    # Three guesses among five options: 3 * (1/5)^2 * 4/5 + (1/5)^3 = 0.104
    assert by_chance(3, 5, 2) == pytest.approx(0.104)
    assert by_chance(9, 4, 9) == pytest.approx(0.25**9)
    assert by_chance(2, 5, 3) == 0.0


def test_a_question_that_was_not_asked_stays_and_is_counted(
    workspace: Workspace, three: list[int], add_run: AddRun
):
    runs = [f"run {add_run('a', 'text only', 'rr-')}", f"run {add_run('b', 'text only', 'rw-')}"]
    plan = plan_split(take(workspace), runs, 2)
    assert (plan.kept.tolist(), plan.unjudged) == ([False, True, True], 1)
    # Two guesses of three options each on the two questions that both answered: 2 * (1/3)^2
    assert plan.by_chance == pytest.approx(2 / 9)


def test_a_stored_split_is_two_lists_of_ids_with_its_rule(
    workspace: Workspace, three: list[int], add_run: AddRun
):
    run = f"run {add_run('a', 'text only', 'rwr')}"
    number = store_split(workspace, " deaf  blind ", plan_split(take(workspace), [run], 1))
    assert split_lists(take(workspace), number) == {
        "full": ["count/0", "count/1", "count/2"],
        "debiased": ["count/1"],
    }
    assert json.loads(json.dumps(split_lists(take(workspace), number)))["debiased"] == ["count/1"]
    [split] = all_splits(take(workspace))
    assert (split.name, split.questions, split.kept) == ("deaf blind", 3, 1)
    assert split.runs == ("a · text only",)
    assert "the run answers right" in split.words


def test_a_split_never_changes_and_its_name_is_taken_once(
    workspace: Workspace, three: list[int], add_run: AddRun
):
    run = add_run("a", "text only", "rwr")
    plan = plan_split(take(workspace), [f"run {run}"], 1)
    number = store_split(workspace, "one", plan)
    add_run("a", "text only", "www")
    assert len(split_lists(take(workspace), number)["debiased"]) == 1
    with pytest.raises(ValueError, match="already"):
        store_split(workspace, "ONE", plan)
    with pytest.raises(ValueError, match="no name"):
        store_split(workspace, "  ", plan)
    none = np.empty(0, np.int64)
    empty = replace(plan, question_id=none, solved=none, kept=none.astype(np.bool_))
    with pytest.raises(ValueError, match="No question has a key"):
        store_split(workspace, "empty", empty)


@pytest.mark.parametrize(("runs", "drop_when"), [([], 1), (["run 1", "run 1"], 1), (["run 1"], 2)])
def test_a_rule_that_cannot_be_is_refused(
    workspace: Workspace, three: list[int], add_run: AddRun, runs: list[str], drop_when: int
):
    add_run("a", "text only", "rrr")
    with pytest.raises(ValueError, match="run"):
        plan_split(take(workspace), runs, drop_when)


def test_runs_stand_side_by_side_on_all_questions_and_on_what_a_split_kept(
    workspace: Workspace, three: list[int], add_run: AddRun
):
    text = f"run {add_run('a', 'text only', 'rww')}"
    add_run("b", "16 frames", "rrw")
    number = store_split(workspace, "one", plan_split(take(workspace), [text], 1))
    found = {one.entry.model: one for one in side_by_side(take(workspace), number)}
    # b: 2 of 3 on all, 1 of 2 on those kept.
    assert found["b"].full.value == pytest.approx(2 / 3)
    assert found["b"].kept.value == 0.5
    assert found["b"].difference.value == pytest.approx(0.5 - 2 / 3)
    [line] = [x for x in leaderboard(take(workspace), Which(split=number)) if x.entry.model == "b"]
    assert (line.accuracy.value, line.accuracy.n) == (0.5, 2)
