"""A person meets a clip once, or first under the condition that shows less."""

import uuid

import pytest

from annotations.answering import answer_store, queue
from annotations.answering.idle import idle_reason
from annotations.answering.progress import progress
from annotations.planning.own_tasks import next_task
from annotations.planning.task_store import create_task, grow
from annotations.scoring.human_accuracy import accuracy_table
from annotations.scoring.population import SEEN
from annotations.scoring.score_coverage import population
from annotations.scoring.snapshot import take


@pytest.fixture
def tasks(workspace, add_question):
    """Tasks by condition about the same two clips; the first clip has two questions."""
    add_question("count/0", video="a.mp4")
    add_question("count/1", video="a.mp4")
    add_question("count/2", video="b.mp4")

    def make(*conditions: str, **settings) -> list[int]:
        ids = []
        for number, condition in enumerate(conditions):
            settings = {**settings, "condition": condition}
            name = f"{condition} {number}"
            ids.append(create_task(workspace, name, "human_evaluation", settings, 3))
            grow(workspace, ids[-1])
        return ids

    return make


def answer(workspace, task, person, uid):
    [item] = workspace.store.rows(
        "SELECT i.id FROM item i JOIN question q ON q.id = i.question_id"
        " WHERE i.task_id = ? AND q.uid = ?",
        [task, uid],
    )
    handed = queue.hand(workspace, task, person, item["id"])
    given = answer_store.Answer(
        uuid.uuid4().hex, item["id"], handed.lease.id, {"choice": 1}, None, 1.0, 0.0
    )
    [receipt] = answer_store.store(workspace, task, person, [given])
    assert receipt.status == "stored"


def offered(workspace, task, person) -> list[str]:
    handed = queue.lease(workspace, task, person, 16)
    queue.release(workspace, person, [one.item.id for one in handed])
    return sorted(one.item.uid.partition(":")[2] for one in handed)


def test_who_saw_a_clip_in_full_is_not_asked_about_its_frames(workspace, tasks, add_person):
    full, frames = tasks("full video", "16 frames")
    ann, ben = add_person("Ann"), add_person("Ben")
    answer(workspace, full, ann, "count/0")
    # Both questions about the clip of count/0 are out, by whichever she met it.
    assert offered(workspace, frames, ann) == ["count/2"]
    assert progress(workspace, frames, ann)["open_for_me"] == 1
    assert len(offered(workspace, frames, ben)) == 3
    answer(workspace, full, ann, "count/2")
    assert offered(workspace, frames, ann) == []
    assert idle_reason(workspace, frames, ann) == "met"


def test_frames_first_and_the_full_video_then_is_allowed(workspace, tasks, add_person):
    full, frames = tasks("full video", "16 frames")
    ann = add_person("Ann")
    following = next_task(workspace, ann)
    assert following is not None
    assert following.id == frames  # shows less, so it comes first
    for uid in ("count/0", "count/1", "count/2"):
        answer(workspace, frames, ann, uid)
    assert len(offered(workspace, full, ann)) > 0


def test_nobody_is_asked_a_question_twice_under_one_condition(workspace, tasks, add_person):
    one, two = tasks("16 frames", "16 frames")
    ann = add_person("Ann")
    answer(workspace, one, ann, "count/0")
    assert "count/0" not in offered(workspace, two, ann)
    assert "count/1" in offered(workspace, two, ann)  # another question about the same clip


def test_an_author_may_switch_it_off(workspace, tasks, add_person):
    full, frames = tasks("full video", "16 frames", meet_once=False)
    ann = add_person("Ann")
    answer(workspace, full, ann, "count/0")
    assert progress(workspace, frames, ann)["open_for_me"] == 3


def test_answers_of_who_had_seen_a_clip_are_counted_and_can_be_left_out(
    workspace, tasks, add_person
):
    full, frames = tasks("full video", "16 frames", meet_once=False)
    ann, ben = add_person("Ann"), add_person("Ben")
    answer(workspace, full, ann, "count/0")
    answer(workspace, frames, ann, "count/0")
    answer(workspace, frames, ben, "count/0")
    with take(workspace) as snapshot:
        assert (population(snapshot).stands_on, population(snapshot).seen) == (3, 1)
    with take(workspace, leave_out_seen=True) as snapshot:
        figures = population(snapshot)
        assert (figures.stands_on, figures.seen) == (2, 0)
        assert (snapshot.people.state == SEEN).sum() == 1
        rows = {row.condition: row.accuracy.n for row in accuracy_table(snapshot)}
    assert rows == {"full video": 1, "16 frames": 1}
    assert figures.words == (
        "People who could not know the keys: 2 answers of 2 people to 1 question about 1 video,"
        " given in “full video 0”, “16 frames 1”"
    )
    assert figures.sentences() == [
        "1 answer left out: of people who had met the clip before, under a condition that shows"
        " more"
    ]


def test_two_tasks_under_one_condition_are_two_lines(workspace, tasks, add_person):
    one, two = tasks("16 frames", "16 frames", meet_once=False)
    ann = add_person("Ann")
    answer(workspace, one, ann, "count/0")
    answer(workspace, two, ann, "count/0")
    with take(workspace) as snapshot:
        rows = {row.condition: row.accuracy.n for row in accuracy_table(snapshot)}
    assert rows == {"16 frames": 1, "16 frames · 16 frames 1": 1}
