import itertools
import random

import pytest

from annotations import task as tasks
from annotations.answering import answer_store, queue
from annotations.answering.adaptive import saving, simulated_votes
from annotations.answering.answer_store import Answer
from annotations.answering.early_stop import set_adaptive
from annotations.planning.task_store import all_tasks, create_task, grow

KIND = tasks.kind("human_evaluation")


def decide(votes):
    return KIND.decide([{"choice": vote} for vote in votes], {})


def settled(votes, left):
    return KIND.settled([{"choice": vote} for vote in votes], left, {})


@pytest.mark.parametrize("accuracy", [0.6, 0.8, 0.95])
@pytest.mark.parametrize("options", [3, 5])
@pytest.mark.parametrize("overlap", [3, 5])
def test_ten_thousand_items_are_decided_as_by_the_full_overlap_with_fewer_answers(
    overlap, options, accuracy
):
    votes = simulated_votes(10_000, overlap, options, accuracy, seed=overlap * options)
    found = saving(votes, decide, settled)
    assert found.items == 10_000
    assert found.different == 0
    assert found.wanted == 10_000 * overlap
    if overlap == 3:
        # The third is saved where the first two agree: right both, or wrong both and alike.
        agree = accuracy**2 + (1 - accuracy) ** 2 / (options - 1)
        assert found.share == pytest.approx(agree / 3, abs=0.01)
    else:
        assert found.share > 0.08


def test_the_more_people_agree_the_more_is_saved():
    shares = [
        saving(simulated_votes(10_000, 5, 3, accuracy, 7), decide, settled).share
        for accuracy in (0.6, 0.8, 0.95, 1.0)
    ]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(2 / 5)  # three of five always suffice


def test_the_queue_asks_as_the_simulation_says(workspace, add_question, add_person):
    for number in range(30):
        add_question(f"q/{number}", options=("a", "b", "c"))
    task = create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 3)
    grow(workspace, task)
    set_adaptive(workspace, task, True)
    people = [add_person(f"p{number}") for number in range(3)]
    ids = [row["id"] for row in workspace.store.rows("SELECT id FROM item")]
    votes = dict(zip(ids, simulated_votes(30, 3, 3, 0.6, seed=4), strict=True))
    given: dict[int, list[int]] = {one: [] for one in ids}
    uids = itertools.count()
    chance = random.Random(4)
    while True:
        chance.shuffle(people)
        handed = [(who, row) for who in people for row in queue.lease(workspace, task, who, 1)]
        if not handed:
            break
        for who, row in handed:
            choice = votes[row.item.id][len(given[row.item.id])]
            given[row.item.id].append(choice)
            answer = Answer(
                f"uid-{next(uids):06}", row.item.id, row.lease.id, {"choice": choice}, None, 1.0, 0
            )
            assert answer_store.store(workspace, task, who, [answer])[0].status == "stored"
    expected = saving(list(votes.values()), decide, settled)
    assert sum(map(len, given.values())) == expected.asked
    [row] = all_tasks(workspace)
    assert (row.saved, row.finished) == (expected.wanted - expected.asked, 30)
    for one in ids:
        assert decide(given[one]).value == decide(votes[one]).value
