import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from building import make_answer, make_video

from annotations.adjudication.resolution import resolve
from annotations.filter.filter_audit import audit, differing
from annotations.filter.filter_table import filtered
from annotations.people import Person
from annotations.planning.task_store import create_task, grow
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import condition_task, ensure_run
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.reply.result import Reading

READ = Reading(None, "read", "", "")


def make_videos(workspace: Workspace, names: Iterable[str]) -> None:
    with workspace.store.write() as database:
        for name in names:
            make_video(database, name)


def verdict(reasons: str | None) -> dict[str, Any]:
    """None accepts; else reasons between blanks, '' for a rejection without any."""
    if reasons is None:
        return {"verdict": "accept", "reasons": [], "note": ""}
    return {"verdict": "reject", "reasons": reasons.split(), "note": ""}


def screened(workspace: Workspace, person: Person, item: int, reasons: str | None) -> None:
    """A person's counted answer, without a desk."""
    with workspace.store.write() as database:
        make_answer(database, item, person.id, verdict(reasons))


def filtering(
    workspace: Workspace,
    task: int,
    answers: dict[int, tuple[str | None, float | None]],
    name: str = "VLM",
) -> int:
    """A run that says this of items: reasons (None accepts) and a score."""
    run = ensure_run(workspace, name, task, "vlm_screening")
    store_answers(
        workspace,
        run,
        [
            ModelAnswer(item, None, verdict(reasons), {}, READ, score=score)
            for item, (reasons, score) in answers.items()
        ],
    )
    return run


def items_of(workspace: Workspace, task: int) -> list[int]:
    found = workspace.store.rows("SELECT id FROM item WHERE task_id = ? ORDER BY position", [task])
    return [row["id"] for row in found]


SETTINGS = {"reasons": ["dark", "still", "staged"], "duplicates": False}


@pytest.fixture
def task(workspace: Workspace) -> int:
    """A screening task of eight videos with three reasons: dark, still, staged."""
    make_videos(workspace, [f"v{number}" for number in range(8)])
    made = create_task(workspace, "Screening", "screening", SETTINGS, 1)
    grow(workspace, made)
    return made


def test_the_counts_by_hand(workspace: Workspace, task: int, add_person: Callable[..., Person]):
    ada, items = add_person("Ada"), items_of(workspace, task)
    people = ["dark", "dark still", "still", None, None, None, "staged"]
    model = ["dark", "still", None, "dark", None, None, "dark", "dark"]
    for item, reasons in zip(items, people, strict=False):
        screened(workspace, ada, item, reasons)
    answers = {item: (reasons, None) for item, reasons in zip(items, model, strict=True)}
    run = filtering(workspace, task, answers)
    found = audit(filtered(take(workspace), run))
    # Both reject 0, 1, 6; only people 2; only the filter 3; neither 4, 5. Nobody judged 7.
    counts = found.counts
    assert (counts.both, counts.only_people, counts.only_filter, counts.neither) == (3, 1, 1, 2)
    assert found.accuracy.value == 5 / 7
    assert (found.recall.value, found.precision.value) == (3 / 4, 3 / 4)
    # Reasons meet on 0 and 1 of those three, and are the same on 0.
    assert (found.match.value, found.identical.value, found.same) == (2 / 3, 1 / 3, 2)
    assert found.left_out == (("not judged by people", 1),)
    rows = {row.reason: row for row in found.rows}
    dark, still, staged = rows["dark"], rows["still"], rows["staged"]
    assert (dark.both, dark.only_people, dark.only_filter, dark.same) == (2, 0, 1, 1)
    assert (still.both, still.only_people, still.only_filter, still.same) == (1, 1, 0, 1)
    assert (staged.both, staged.only_people, staged.only_filter, staged.same) == (1, 0, 0, 0)
    assert dark.precision.value == 2 / 3
    assert still.recall.value == 1 / 2
    assert staged.match.value == 0


def test_intervals_are_resampled_and_hold_the_value(
    workspace: Workspace, task: int, add_person: Callable[..., Person]
):
    ada, items = add_person("Ada"), items_of(workspace, task)
    for place, item in enumerate(items):
        screened(workspace, ada, item, "dark" if place % 2 else None)
    answers = {item: ("dark" if place > 3 else None, None) for place, item in enumerate(items)}
    run = filtering(workspace, task, answers)
    found = audit(filtered(take(workspace), run))
    for one in (found.accuracy, found.recall, found.precision):
        assert one.value == 0.5
        assert one.low is not None
        assert one.low < 0.5 < (one.high or 0)


def test_people_decide_by_majority_and_a_tie_is_left_out(
    workspace: Workspace, task: int, add_person: Callable[..., Person]
):
    people = [add_person(name) for name in ("Ada", "Ben", "Cem")]
    items = items_of(workspace, task)
    for person, reasons in zip(people, ["dark", "dark still", None], strict=True):
        screened(workspace, person, items[0], reasons)
    for person, reasons in zip(people[:2], ["dark", None], strict=True):
        screened(workspace, person, items[1], reasons)
    run = filtering(workspace, task, {items[0]: ("dark", None), items[1]: ("dark", None)})
    table = filtered(take(workspace), run)
    assert table.people.tolist()[:2] == [0, -1]
    assert table.people_reasons[0] == {"dark"}
    found = audit(table)
    assert found.counts.judged == 1
    assert ("on which people are tied", 1) in found.left_out


def test_what_authors_settle_goes_before_the_rule(
    workspace: Workspace, task: int, add_person: Callable[..., Person]
):
    ada, ben, author = add_person("Ada"), add_person("Ben"), add_person("Eva", "author")
    item = items_of(workspace, task)[0]
    screened(workspace, ada, item, None)
    screened(workspace, ben, item, "dark")
    run = filtering(workspace, task, {item: ("dark", None)})
    assert filtered(take(workspace), run).tie[0]
    given = workspace.store.rows("SELECT id FROM annotation WHERE counted = 1 ORDER BY id")
    resolve(workspace, item, author, "second", answers=tuple(row["id"] for row in given),
            seen_revision=0)  # fmt: skip
    table = filtered(take(workspace), run)
    assert (table.people[0], table.people_reasons[0]) == (0, {"dark"})


def test_people_who_screened_the_clip_in_another_task_count_too(
    workspace: Workspace, task: int, add_person: Callable[..., Person]
):
    item = items_of(workspace, task)[2]
    run = filtering(workspace, task, {item: ("dark", None)})
    again = create_task(workspace, "Again", "screening", SETTINGS, 1)
    grow(workspace, again)
    [same] = workspace.store.rows(
        "SELECT b.id FROM item a JOIN item b ON b.uid = a.uid AND b.task_id = ? WHERE a.id = ?",
        [again, item],
    )
    screened(workspace, add_person("Ada"), same["id"], "dark")
    assert audit(filtered(take(workspace), run)).counts.both == 1


def test_people_who_screened_it_by_other_criteria_do_not(
    workspace: Workspace, task: int, add_person: Callable[..., Person]
):
    run = filtering(workspace, task, {items_of(workspace, task)[2]: ("dark", None)})
    other = create_task(workspace, "Other", "screening", {**SETTINGS, "criteria": ["Blue."]}, 1)
    grow(workspace, other)
    screened(workspace, add_person("Ada"), items_of(workspace, other)[2], "dark")
    table = filtered(take(workspace), run)
    assert audit(table).counts.judged == 0
    assert not table.sent.any()


def test_models_skips_and_people_put_aside_are_no_people(
    workspace: Workspace, task: int, add_person: Callable[..., Person]
):
    ada, items = add_person("Ada"), items_of(workspace, task)
    screened(workspace, ada, items[0], "dark")
    run = filtering(workspace, task, {items[0]: ("dark", None)})
    filtering(workspace, task, {items[1]: ("dark", None)}, "another")
    assert filtered(take(workspace), run).people.tolist()[:2] == [0, -1]
    with workspace.store.write() as database:
        database.conn.execute("UPDATE annotator SET aside_at = 'now' WHERE name = 'Ada'")
    assert filtered(take(workspace), run).people.tolist()[:2] == [-1, -1]


def test_a_threshold_takes_the_place_of_the_filters_own_verdict(
    workspace: Workspace, task: int, add_person: Callable[..., Person]
):
    ada, items = add_person("Ada"), items_of(workspace, task)
    for place, item in enumerate(items):
        screened(workspace, ada, item, None if place > 3 else "dark")
    scores = [0.1, 0.2, 0.6, 0.3, 0.5, 0.7, 0.8, None]
    answers = {item: (None, score) for item, score in zip(items, scores, strict=True)}
    run = filtering(workspace, task, answers)
    table = filtered(take(workspace), run)
    assert audit(table).counts.neither == 4
    found = audit(table, 0.55)
    # Below it: 0, 1, 3, which people reject, and 4, which they accept. 2 is kept though rejected.
    counts = found.counts
    assert (counts.both, counts.only_people, counts.only_filter, counts.neither) == (3, 1, 1, 2)
    assert found.left_out == (("without a verdict of the filter", 1),)
    assert found.match.value is None
    lost, kept, other = differing(table, 0.55)
    assert (lost.tolist(), kept.tolist(), other.tolist()) == ([4], [2], [])


def test_disagreements_come_the_most_certain_first(
    workspace: Workspace, task: int, add_person: Callable[..., Person]
):
    ada, items = add_person("Ada"), items_of(workspace, task)
    for item in items[:3]:
        screened(workspace, ada, item, None)
    screened(workspace, ada, items[3], "dark")
    scores = (0.3, 0.1, 0.2, 0.05)
    answers = {item: ("still", score) for item, score in zip(items, scores, strict=False)}
    run = filtering(workspace, task, answers)
    lost, kept, other = differing(filtered(take(workspace), run))
    assert lost.tolist() == [1, 2, 0]
    assert (kept.tolist(), other.tolist()) == ([], [3])


def test_a_run_that_does_not_accept_or_reject_is_no_filter(
    workspace: Workspace, add_question: Callable[..., int]
):
    add_question("count/1")
    run = ensure_run(workspace, "gpt-x", condition_task(workspace, "16 frames"))
    with pytest.raises(ValueError, match="no filter"):
        filtered(take(workspace), run)


def test_without_people_everything_is_undefined_with_a_reason(workspace: Workspace, task: int):
    run = filtering(workspace, task, {items_of(workspace, task)[0]: ("dark", None)})
    found = audit(filtered(take(workspace), run))
    for one in (found.accuracy, found.recall, found.precision, found.match):
        assert one.value is None
        assert one.reason
    assert found.rows == ()


def test_k9_table_7_is_reproduced_from_its_printed_counts(
    workspace: Workspace, shared, add_person: Callable[..., Person]
):
    """Every reason's row, and accuracy, recall and precision from the printed totals.

    The printed rows hold one video fewer than the printed total of those that only people reject:
    that one gets no reason. Reason match is compared row by row only, as the reference advises.
    """
    printed = json.loads((shared / "reference/k9_screening.json").read_text())
    labels = [row["reason"] for row in printed["rows"]]
    make_videos(workspace, [f"video {number}" for number in range(printed["videos"])])
    task = create_task(workspace, "K9", "screening", {"reasons": labels, "duplicates": False}, 1)
    grow(workspace, task)
    ids = [one["id"] for one in json.loads(
        workspace.store.rows("SELECT settings FROM task")[0]["settings"])["reasons"]]  # fmt: skip
    pairs: list[tuple[str | None, str | None]] = []  # what people say, what the model says
    for place, row in enumerate(printed["rows"]):
        own, other = ids[place], ids[place - 1]
        pairs += [(own, own)] * row["match"] + [(own, other)] * (row["tp"] - row["match"])
        pairs += [(own, None)] * row["fn"] + [(None, own)] * row["fp"]
    missing = printed["human_rejected"] - sum(people is not None for people, _ in pairs)
    assert missing == 1
    pairs += [("", None)] * missing
    pairs += [(None, None)] * printed["true_negatives"]
    items, judge = items_of(workspace, task), add_person("Judge")
    assert len(pairs) == len(items) == 765
    for item, (people, _) in zip(items, pairs, strict=True):
        screened(workspace, judge, item, people)
    answers = {item: (said, None) for item, (_, said) in zip(items, pairs, strict=True)}
    run = filtering(workspace, task, answers)
    found = audit(filtered(take(workspace), run))

    def percent(value: float | None) -> float:
        assert value is not None
        return round(100 * value, 1)

    assert found.counts.neither == printed["true_negatives"]
    assert (found.counts.both, found.counts.only_people, found.counts.only_filter) == (172, 95, 25)
    assert percent(found.accuracy.value) == printed["accuracy_pct"]
    assert percent(found.recall.value) == printed["recall_pct"]
    assert percent(found.precision.value) == printed["precision_pct"]
    for one in (found.accuracy, found.recall, found.precision):
        assert one.low is not None
        assert one.low < (one.value or 0) < (one.high or 0)
    for row, wanted in zip(found.rows, printed["rows"], strict=True):
        assert row.label == wanted["reason"]
        counts = (row.both, row.only_people, row.only_filter, row.same)
        assert counts == (wanted["tp"], wanted["fn"], wanted["fp"], wanted["match"])
        assert percent(row.recall.value) == pytest.approx(wanted["recall_pct"], abs=0.051)
        assert percent(row.precision.value) == pytest.approx(wanted["precision_pct"], abs=0.051)
        assert percent(row.match.value) == pytest.approx(wanted["align_pct"], abs=0.051)
    assert np.isfinite([row.recall.value for row in found.rows]).all()
