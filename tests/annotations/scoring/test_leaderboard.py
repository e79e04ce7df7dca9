from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from building import make_annotator, make_answer

from annotations.condition import shown_first
from annotations.question.questions import revise
from annotations.run.run_answers import store_errors
from annotations.run.runs import condition_task
from annotations.scoring import leaderboard
from annotations.scoring.prediction_columns import REFUSED, UNREAD
from annotations.scoring.run_counts import left_out
from annotations.scoring.snapshot import take
from annotations.scoring.solved_table import EVERY_QUESTION, Which, groups, solved_table
from annotations.shortcut.shortcut_metrics import METRICS, gains, many_conditions
from annotations.workspace import Workspace
from core.metrics import accuracy
from core.statistics import bootstrap
from db.connection import first_row

AddRun = Callable[..., int]


@pytest.fixture
def four(add_question: Callable[..., int]) -> list[int]:
    """Two questions on counting about one video, two on turning about one video each."""
    return [
        add_question("count/1", video="a"),
        add_question("count/2", video="a"),
        add_question("turn/1", video="b"),
        add_question("turn/2", video="c"),
    ]


def answered_by_people(workspace: Workspace, condition: str, choices: dict[int, list[int]]) -> None:
    """Counted answers of people: the options they chose by question."""
    task_id = condition_task(workspace, condition)
    with workspace.store.write() as database:
        for question, chosen in choices.items():
            item, revision = database.conn.execute(
                "SELECT i.id, q.id FROM item i JOIN current_question q"
                " ON q.question_id = i.question_id WHERE i.task_id = ? AND i.question_id = ?",
                [task_id, question],
            ).fetchone()
            for number, choice in enumerate(chosen):
                name = f"person {number}"
                person = first_row(database, "SELECT id FROM annotator WHERE name = ?", [name])
                make_answer(
                    database, item, person["id"] if person else make_annotator(database, name),
                    {"choice": choice}, question_revision=revision, active_s=5,
                    shown={"condition": condition, "option_order": [0, 1, 2]},
                )  # fmt: skip


def by_name(found: list[Any]) -> dict[str, Any]:
    return {one.entry.name: one for one in found}


def test_what_a_model_did_not_answer_readably_is_wrong_and_told_apart(
    workspace: Workspace, four: list[int], add_run: AddRun
):
    add_run("m", "16 frames", "ruxs")
    [line] = leaderboard.leaderboard(take(workspace))
    assert (line.accuracy.value, line.accuracy.n, line.accuracy.clusters) == (0.25, 4, 3)
    assert line.counts.states == (1, 1, 1, 1, 0)
    assert line.counts.refusals == (("cannot see the video", 1),)
    assert (line.counts.share(UNREAD), line.counts.share(REFUSED)) == (0.25, 0.25)


def test_a_run_that_answered_a_part_says_so_and_what_failed_is_counted(
    workspace: Workspace, four: list[int], add_run: AddRun
):
    run = add_run("m", "16 frames", "rw--")
    [item] = workspace.store.rows("SELECT id FROM item WHERE question_id = ?", [four[2]])
    store_errors(workspace, run, [(item["id"], "no memory")])
    [line] = leaderboard.leaderboard(take(workspace))
    assert (line.counts.answered, line.counts.asked, line.counts.partial) == (2, 4, True)
    assert line.counts.failed == 1
    assert line.accuracy.value == 0.5  # of the two answered


def test_answers_to_questions_without_a_key_are_left_out_and_counted(
    workspace: Workspace, add_question: Callable[..., int], add_run: AddRun
):
    add_question("count/1")
    add_question("count/2", key=None)
    add_run("m", "16 frames", "rr")
    [line] = leaderboard.leaderboard(take(workspace))
    assert (line.accuracy.value, line.accuracy.n) == (1.0, 1)
    assert line.accuracy.excluded == (("on questions without a key", 1),)
    assert line.accuracy.exact is not None  # resampling one answer shows no spread


def test_intervals_are_those_of_the_plain_bootstrap_over_videos(
    workspace: Workspace, four: list[int], add_run: AddRun
):
    add_run("m", "16 frames", "rrwr")
    [line] = leaderboard.leaderboard(take(workspace))
    rows = accuracy.rows([True, True, False, True])
    plain = bootstrap.estimate(accuracy, rows, ["a", "a", "b", "c"])
    assert (line.accuracy.low, line.accuracy.high) == (plain.low, plain.high)
    [by_question] = leaderboard.leaderboard(take(workspace), resample="question")
    assert by_question.accuracy.clusters == 4


def test_people_stand_beside_the_models_with_their_own_answers(
    workspace: Workspace, four: list[int], add_run: AddRun
):
    add_run("m", "16 frames", "rwrw")
    answered_by_people(workspace, "16 frames", {four[0]: [1, 1, 0], four[2]: [1]})
    found = by_name(leaderboard.leaderboard(take(workspace)))
    people = found["People · 16 frames"]
    assert (people.accuracy.value, people.accuracy.n) == (0.75, 4)
    assert (people.questions, people.counts.answered, people.counts.asked) == (2, 2, 4)


def test_conditions_stand_from_the_least_to_the_most_that_they_show():
    shuffled = ["full video", "16 frames", "1 random frame", "16 shuffled frames", "text only",
                "1 handpicked frame", "4 frames"]  # fmt: skip
    assert sorted(shuffled, key=shown_first) == [
        "text only", "1 random frame", "1 handpicked frame", "4 frames", "16 shuffled frames",
        "16 frames", "full video",
    ]  # fmt: skip


def test_a_difference_is_over_the_questions_of_both(
    workspace: Workspace, four: list[int], add_run: AddRun
):
    first = add_run("m", "16 frames", "rrw-")
    second = add_run("n", "16 frames", "wr-r")
    whole, *parts = leaderboard.compare(take(workspace), f"run {first}", f"run {second}")
    # In common: two questions on counting; m has both, n one of them.
    assert (whole.questions, whole.alone) == (2, (1, 1))
    assert (whole.first, whole.second, whole.difference.value) == (1.0, 0.5, 0.5)
    assert whole.solved == (1, 1, 0, 0)
    assert [one.group for one in parts] == ["count", "turn"]
    assert parts[1].difference.value is None
    assert parts[1].difference.reason == "no question was answered by both"


def test_a_model_is_compared_with_people(workspace: Workspace, four: list[int], add_run: AddRun):
    run = add_run("m", "16 frames", "rwww")
    answered_by_people(workspace, "16 frames", {four[0]: [1], four[1]: [1, 1], four[2]: [1]})
    [whole, *_] = leaderboard.compare(take(workspace), f"run {run}", "people 16 frames")
    assert whole.questions == 3
    assert whole.difference.value == pytest.approx(1 / 3 - 1)
    with pytest.raises(LookupError, match="no run 'run 99'"):
        leaderboard.compare(take(workspace), "run 99", "people 16 frames")


def test_groups_are_categories_tags_and_bins_of_the_probed_duration(
    workspace: Workspace, four: list[int], add_run: AddRun
):
    add_run("m", "16 frames", "rwrr")
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE video SET facts = json_object('duration_s', iif(name = 'a', 4.0, 45.0))"
            " WHERE name <> 'c'"
        )
        database.conn.execute(
            "UPDATE question_revision SET tags = json_object('zoom', json(iif(question_id < ?,"
            " 'true', 'false')))",
            [four[2]],
        )

    def shares(by: str) -> dict[str, float]:
        return {one.group: one.accuracy.value for one in leaderboard.by_group(take(workspace), by)}

    assert shares("category") == {"count": 0.5, "turn": 1.0}
    assert shares("zoom") == {"yes": 0.5, "no": 1.0}
    assert shares("duration") == {"under 5 s": 0.5, "30 to 60 s": 1.0, "unknown duration": 1.0}
    assert groups(take(workspace), "duration")[0] == ("under 5 s", "30 to 60 s", "unknown duration")


def test_a_table_can_be_about_some_questions_only(
    workspace: Workspace, four: list[int], add_run: AddRun
):
    add_run("m", "16 frames", "rwrr")
    [line] = leaderboard.leaderboard(take(workspace), Which(categories=("count",)))
    assert (line.accuracy.value, line.counts.answered, line.counts.asked) == (0.5, 2, 2)
    [guess, frequent] = leaderboard.baselines(take(workspace), Which(categories=("count",)))
    assert guess.estimate.value == pytest.approx(1 / 3)
    assert frequent.estimate.value == 1.0  # the key is B in each


def test_a_corrected_key_moves_every_run(workspace: Workspace, four: list[int], add_run: AddRun):
    add_run("m", "16 frames", "rrrr")
    assert leaderboard.leaderboard(take(workspace))[0].accuracy.value == 1.0
    with workspace.store.write() as database:
        revise(database, four[0], {"key": 0})
    assert leaderboard.leaderboard(take(workspace))[0].accuracy.value == 0.75


def test_gains_compare_two_conditions_on_their_common_questions(
    workspace: Workspace, four: list[int], add_run: AddRun
):
    add_run("m", "16 frames", "rrrw")
    add_run("m", "1 random frame", "rww-")
    add_run("m", "16 shuffled frames", "rrrw")
    add_run("n", "16 frames", "rrrr")
    found = {one.model: one for one in gains(take(workspace), "multi-frame gain", "16 frames")}
    # On the first three questions: 3/3 against 1/3.
    assert found["m"].estimate.value == pytest.approx(2.0)
    assert (found["m"].high, found["m"].low, found["m"].questions) == (1.0, 1 / 3, 3)
    assert found["n"].estimate.value is None
    assert found["n"].estimate.reason == "no answers with 1 random frame"
    [order, _] = gains(take(workspace), "frame order sensitivity", "16 frames")
    assert order.estimate.value == pytest.approx(0.0, abs=1e-6)
    assert many_conditions(take(workspace)) == ["16 frames"]


def test_people_have_gains_as_models_have(workspace: Workspace, four: list[int], add_run: AddRun):
    add_run("m", "16 frames", "wwww")
    answered_by_people(workspace, "16 frames", {four[0]: [1, 1], four[2]: [1, 1]})
    answered_by_people(workspace, "1 random frame", {four[0]: [1, 0], four[2]: [0, 0]})
    [_, people] = gains(take(workspace), "multi-frame gain", "16 frames")
    assert people.model == "People"
    assert people.estimate.value == pytest.approx(3.0)  # 4/4 against 1/4
    by_category = gains(take(workspace), "multi-frame gain", "16 frames", by="category")
    turned = [one for one in by_category if (one.model, one.group) == ("People", "turn")]
    assert turned[0].estimate.value is None
    assert "nothing to be a multiple of" in turned[0].estimate.reason


def test_a_gain_s_interval_is_that_of_the_paired_bootstrap(
    workspace: Workspace, add_question: Callable[..., int], add_run: AddRun
):
    random = np.random.default_rng(3)
    for number in range(30):
        add_question(f"count/{number}", video=f"v{number // 2}")
    marks = ["".join(random.choice(["r", "w"], 30)) for _ in range(2)]
    for condition, mark in zip(("16 frames", "1 random frame"), marks, strict=True):
        add_run("m", condition, mark)
    [found] = gains(take(workspace), "multi-frame gain", "16 frames")
    rows = [accuracy.rows(np.array([one == "r" for one in mark])) for mark in marks]
    statistic = METRICS["multi-frame gain"]
    plain = bootstrap.estimate(
        statistic, statistic.rows(*rows), [number // 2 for number in range(30)]
    )
    assert found.estimate.value == pytest.approx(plain.value)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((plain.low, plain.high))


def test_an_empty_workspace_has_no_runs_and_nothing_breaks(workspace: Workspace):
    assert leaderboard.leaderboard(take(workspace)) == []
    assert leaderboard.by_group(take(workspace), "category") == []
    assert gains(take(workspace), "multi-frame gain", "16 frames") == []
    assert solved_table(take(workspace)).entries == ()
    assert leaderboard.baselines(take(workspace), EVERY_QUESTION)[0].estimate.value is None


def test_an_unknown_metric_says_which_there_are(workspace: Workspace):
    with pytest.raises(ValueError, match="Allowed: multi-frame gain"):
        gains(take(workspace), "speed", "16 frames")


def test_replies_to_an_earlier_version_of_a_question_are_counted_and_said(
    workspace, add_question, add_run
):
    for number in range(3):
        add_question(f"count/{number}")
    add_run("m", "16 frames", "rrw")
    first = workspace.store.rows("SELECT id FROM question ORDER BY id LIMIT 1")[0]["id"]
    with workspace.store.write() as database:
        revise(database, first, {"text": "How many times now?", "key": 0})
    with take(workspace) as snapshot:
        [line] = leaderboard.leaderboard(snapshot)
        words = left_out(snapshot, EVERY_QUESTION)
    # It was right by the key of what was asked, and stays so.
    assert (line.accuracy.value, line.accuracy.n) == (2 / 3, 3)
    assert line.counts.earlier == 1
    assert "1 of the answers that count is to an earlier version of their question" in words
    assert (line.entry.task, len(line.entry.made)) == ("Human evaluation: 16 frames", 10)
