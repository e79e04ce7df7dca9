"""A step that reads titles, held against what people say of a sample of them."""

import json
from collections.abc import Callable

import pytest
from building import insert

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.footage.step_results import StepResult, store_results
from annotations.footage.store import add_candidates
from annotations.footage.title_people import ask_people, task_name, title_audit
from annotations.people import Person
from annotations.workspace import Workspace
from core.footage.candidate import Candidate
from core.refusal import Refusal
from db.connection import Store


@pytest.fixture
def judged_by_model(store: Store) -> Store:
    """Forty titles, of which the step kept the ten with the highest scores."""
    add_candidates(
        store,
        [Candidate("Made", str(n), title=f"title {n}", channel="c", views=n) for n in range(40)],
    )
    ids = [row["id"] for row in store.rows("SELECT id FROM video ORDER BY id")]
    results = [
        StepResult(str(number), place >= 30, place / 40, "", f"title {place}")
        for place, number in enumerate(ids)
    ]
    store_results(store, "moves", "2 title_filter", results)
    with store.write() as database:
        for number in ids:
            insert(
                database, "title_match", video_id=number, action="rabona", kind="near", rank=1,
                pipeline="moves",
            )  # fmt: skip
    return store


def answer_all(
    workspace: Workspace, task_id: int, person: Person, fits: Callable[[int], str]
) -> None:
    """Answer every item by the number in its title."""
    while handed := queue.lease(workspace, task_id, person, 15):
        answers = []
        for one in handed:
            number = int(one.item.payload["text"].split("title ")[1].split("\n")[0])
            answers.append(Answer(
                f"{person.name}-{one.item.id:06}", one.item.id, one.lease.id,
                {"fits": fits(number)}, None, 1.0, one.lease.leased_at,
            ))  # fmt: skip
        answer_store.store(workspace, task_id, person, answers)


def test_precision_misses_and_recall_by_hand(
    workspace: Workspace, judged_by_model: Store, add_person: Callable[..., Person]
):
    task_id = ask_people(workspace, judged_by_model, "moves", "2 title_filter", each=10)
    # Titles 24 to 37 fit: of the ten kept (30 to 39) eight do.
    answer_all(workspace, task_id, add_person("Ada"), lambda n: "yes" if 24 <= n <= 37 else "no")
    found = title_audit(workspace, judged_by_model, "moves", "2 title_filter")
    assert found is not None
    assert (found.asked, found.undecided) == (20, 0)
    assert (found.precision.value, found.precision.n) == (0.8, 10)
    # Ten of the thirty thrown away were asked about; each stands for three.
    rows = workspace.store.rows(
        "SELECT i.payload FROM item i JOIN annotation a ON a.item_id = i.id"
        " WHERE json_extract(a.response, '$.values.fits') = 'yes'"
    )
    numbers = [int(json.loads(row["payload"])["text"].split("title ")[1].split("\n")[0])
               for row in rows]  # fmt: skip
    lost = sum(n < 30 for n in numbers)
    assert found.missed.value == lost / 10
    assert found.recall.value == pytest.approx(8 / (8 + 3 * lost))
    low, high = found.recall.low, found.recall.high
    assert low is not None
    assert high is not None
    assert low <= found.recall.value <= high
    # The lowest threshold keeps all forty and loses nothing; none keeps more for a higher one.
    assert (found.thresholds[0].kept, found.thresholds[0].recall) == (40, 1.0)
    kept = [one.kept for one in found.thresholds]
    assert kept == sorted(kept, reverse=True)
    assert found.thresholds[0].precision == pytest.approx((8 + 3 * lost) / 40)


def test_nobody_sees_which_were_kept(workspace: Workspace, judged_by_model: Store):
    task_id = ask_people(workspace, judged_by_model, "moves", "2 title_filter", each=5)
    payloads = workspace.store.rows("SELECT uid, payload FROM item WHERE task_id = ?", [task_id])
    assert len(payloads) == 10
    texts = [json.loads(row["payload"])["text"] for row in payloads]
    assert all(text.startswith("Looked for: rabona\n\ntitle ") for text in texts)
    assert not any("0." in text for text in texts)


def test_what_is_not_answered_or_cannot_be_told_is_undecided(
    workspace: Workspace, judged_by_model: Store, add_person: Callable[..., Person]
):
    assert title_audit(workspace, judged_by_model, "moves", "2 title_filter") is None
    task_id = ask_people(workspace, judged_by_model, "moves", "2 title_filter", each=3)
    found = title_audit(workspace, judged_by_model, "moves", "2 title_filter")
    assert found is not None
    assert (found.asked, found.undecided, found.precision.value) == (6, 6, None)
    assert found.recall.reason == "people have not judged titles of both kinds yet"
    assert found.thresholds == ()
    answer_all(workspace, task_id, add_person("Ada"), lambda n: "cannot tell")
    found = title_audit(workspace, judged_by_model, "moves", "2 title_filter")
    assert found is not None
    assert found.undecided == 6


def test_nothing_fits_is_no_division_by_zero(
    workspace: Workspace, judged_by_model: Store, add_person: Callable[..., Person]
):
    task_id = ask_people(workspace, judged_by_model, "moves", "2 title_filter", each=3)
    answer_all(workspace, task_id, add_person("Ada"), lambda n: "no")
    found = title_audit(workspace, judged_by_model, "moves", "2 title_filter")
    assert found is not None
    assert (found.precision.value, found.missed.value) == (0.0, 0.0)
    assert found.recall.reason == "no title fits"


def test_a_step_that_judged_nothing_is_refused(workspace: Workspace, store: Store):
    with pytest.raises(Refusal, match="judged no title yet"):
        ask_people(workspace, store, "moves", "2 title_filter")
    with pytest.raises(Refusal, match="1 or more"):
        ask_people(workspace, store, "moves", "2 title_filter", each=0)
    assert task_name("moves", "2 title_filter") == "Titles: moves, step 2 title_filter"
