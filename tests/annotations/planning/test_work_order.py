from itertools import pairwise

import pytest

from annotations.answering import queue
from annotations.importing.model_items import question_items
from annotations.planning.preview import first_looks
from annotations.planning.task_plan import PlannedItem, plan_task
from annotations.planning.task_store import all_tasks, create_task, ensure_tasks, grow
from annotations.planning.work_order import work_order
from annotations.question.stored_questions import stored_questions
from annotations.task import ItemDraft

TWELVE = 12
SETTINGS = {"condition": "full video"}


def of_question(number: int, video: int = 1) -> PlannedItem:
    return PlannedItem(ItemDraft(f"question:{number}", question_id=number, video_id=video))


def of_segment(name: str, video: int) -> PlannedItem:
    return PlannedItem(ItemDraft(name, video_id=video))


def names(items) -> list[str]:
    return [one.draft.uid for one in items]


@pytest.fixture
def questions(workspace, add_question):
    """Six questions of each of two categories, one category after the other."""
    for category in ("count", "direction"):
        for number in range(6):
            add_question(f"{category}/{number}")


def handed(workspace, task, person) -> list[str]:
    return [row.item.uid for row in queue.lease(workspace, task, person, TWELVE)]


def imported(workspace, task) -> list[str]:
    found = workspace.store.rows("SELECT uid FROM item WHERE task_id = ? ORDER BY id", [task])
    return [row["uid"] for row in found]


def in_work_order(workspace, task) -> list[str]:
    found = workspace.store.rows("SELECT uid FROM item WHERE task_id = ? ORDER BY position", [task])
    return [row["uid"] for row in found]


def test_everybody_gets_the_same_mixed_order(workspace, questions, add_person):
    task = create_task(workspace, "Mixed", "human_evaluation", SETTINGS, 3)
    grow(workspace, task)
    ada, ben = add_person("Ada"), add_person("Ben")
    first = in_work_order(workspace, task)
    # Whoever comes first leases no more than half of what is open; the beginning is the same.
    assert handed(workspace, task, ada) == first[:6]
    assert handed(workspace, task, ben) == first[:6]
    assert len({uid.partition("/")[0] for uid in first[:6]}) == 2
    assert sorted(first) == sorted(imported(workspace, task))


def test_the_seed_that_is_kept_gives_the_order_again(workspace, questions):
    task = create_task(workspace, "Mixed", "human_evaluation", SETTINGS, 3)
    grow(workspace, task)
    [row] = all_tasks(workspace)
    assert row.order_seed == "Mixed"
    drafts = [of_question(number) for number in range(1, TWELVE + 1)]
    again = work_order(drafts, row.order_seed)
    places = [int(uid.partition(":")[2]) - 1 for uid in names(again)]
    before = imported(workspace, task)
    assert in_work_order(workspace, task) == [before[place] for place in places]


def test_two_tasks_on_the_same_questions_differ_in_their_order(workspace, questions):
    ensure_tasks(workspace)
    orders = [in_work_order(workspace, task.id) for task in all_tasks(workspace)]
    assert len(orders) == 2
    assert orders[0] != orders[1]
    assert all(len({uid.partition("/")[0] for uid in one[:6]}) == 2 for one in orders)


def test_an_author_can_keep_the_order_of_import(workspace, questions, add_person):
    task = create_task(workspace, "Rows", "human_evaluation", SETTINGS, 3, order="as imported")
    grow(workspace, task)
    assert in_work_order(workspace, task) == imported(workspace, task)
    assert handed(workspace, task, add_person("Ada"))[0] == "question:count/0"
    assert all_tasks(workspace)[0].order_seed is None


def test_what_is_imported_later_comes_later_shuffled_among_itself(
    workspace, questions, add_question
):
    task = create_task(workspace, "Mixed", "human_evaluation", SETTINGS, 3)
    grow(workspace, task)
    before = in_work_order(workspace, task)
    for number in range(6):
        add_question(f"shape/{number}")
    assert grow(workspace, task) == 6
    after = in_work_order(workspace, task)
    assert after[:TWELVE] == before
    assert sorted(after[TWELVE:]) == [f"question:shape/{number}" for number in range(6)]
    assert after[TWELVE:] != sorted(after[TWELVE:])
    assert grow(workspace, task) == 0
    assert in_work_order(workspace, task) == after


def test_items_that_were_there_for_models_alone_get_places_once_people_are_asked(
    workspace, questions, add_question
):
    task = create_task(workspace, "Mixed", "human_evaluation", SETTINGS, 3)
    question_items(workspace, task, stored_questions(workspace))
    assert in_work_order(workspace, task) == imported(workspace, task)
    assert grow(workspace, task) == TWELVE
    assert in_work_order(workspace, task) != imported(workspace, task)
    assert grow(workspace, task) == 0


def test_practice_and_attention_items_keep_their_places():
    known = {"choice": 1}
    items = [
        PlannedItem(ItemDraft("practice a"), "practice", known),
        of_question(1),
        PlannedItem(ItemDraft("attention"), "attention", known),
        PlannedItem(ItemDraft("practice b"), "practice", known),
        *(of_question(number) for number in range(2, 9)),
    ]
    found = names(work_order(items, "x"))
    assert (found[0], found[2], found[3]) == ("practice a", "attention", "practice b")
    assert sorted(found) == sorted(names(items))
    assert found != names(items)


def test_segments_of_one_video_stay_together_and_in_their_order():
    items = [of_segment(f"{video} {part}", video) for video in range(1, 6) for part in "abc"]
    found = names(work_order(items, "x"))
    assert found != names(items)
    for begin in range(0, 15, 3):
        video = found[begin].split()[0]
        assert found[begin : begin + 3] == [f"{video} {part}" for part in "abc"]


def test_questions_about_one_video_are_mixed_with_others():
    items = [of_question(10 * video + n, video) for video in range(4) for n in range(3)]
    found = [int(uid.partition(":")[2]) // 10 for uid in names(work_order(items, "x"))]
    runs = sum(one != other for one, other in pairwise(found))
    assert runs > 3  # in the order of import the video changes three times


def test_the_preview_shows_the_items_that_people_get_first(workspace, questions):
    plan = plan_task(
        workspace, name="New", kind="human_evaluation", settings=SETTINGS, seed=7
    )  # fmt: skip
    assert (plan.order, plan.order_seed) == ("shuffled", "7")
    shown = [item.draft.uid for item, _ in first_looks(workspace, plan, 5, "seed")]
    assert shown == names(work_order(plan.items, "7"))[:5]


def test_another_order_is_refused(workspace, questions):
    with pytest.raises(ValueError, match="order: got 'by size'"):
        plan_task(workspace, name="New", kind="human_evaluation", order="by size")
    with pytest.raises(ValueError, match="seed: got 3, but the order is as imported"):
        plan_task(workspace, name="New", kind="human_evaluation", order="as imported", seed=3)
