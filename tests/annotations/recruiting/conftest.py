import itertools
import json

import pytest
from strangers import KEY, Answering

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.planning.task_store import create_task, grow
from annotations.recruiting.recruitment import make_recruitment

uids = (f"uid-{number:08}" for number in itertools.count())


@pytest.fixture
def study(workspace, add_question):
    """A task of 12 items of work, three of practice and two of attention; the key is option 1."""
    for number in range(17):
        add_question(f"q/{number:02}", key=KEY)
    task = create_task(
        workspace, "study", "human_evaluation", {"condition": "full video"}, 50,
        order="as imported",
    )  # fmt: skip
    grow(workspace, task)
    with workspace.store.write() as database:
        for role, numbers in (("practice", (12, 13, 14)), ("attention", (15, 16))):
            for number in numbers:
                database.conn.execute(
                    "UPDATE item SET role = ?, expected = ? WHERE task_id = ? AND uid = ?",
                    [role, json.dumps({"choice": KEY}), task, f"question:q/{number:02}"],
                )
    return task


@pytest.fixture
def link(workspace, study):
    def make(site="mturk", items=4, reward=1.0, places=100, **more):
        codes = {"finished": "CDONE1"} if site == "prolific" else {}
        return make_recruitment(
            workspace, name=more.pop("name", site), site=site, task_id=more.pop("task", study),
            items=items, places=places, reward=reward, codes=more.pop("codes", codes), **more,
        )  # fmt: skip

    return make


@pytest.fixture
def works(workspace, study):
    """Lets somebody work until they are handed nothing more."""

    def work(person, *, practice=KEY, attention=KEY, skip=False, most=100, active_s=0.0, task=0):
        task = task or study
        done = Answering()
        while done.count < most:
            handed = queue.lease(workspace, task, person, 1)
            if not handed:
                break
            [item] = handed[:1]
            role = item.item.role
            choice = {"practice": practice, "attention": attention}.get(role, KEY)
            given = Answer(
                next(uids), item.item.id, item.lease.id,
                None if skip and role == "work" else {"choice": choice},
                "dark" if skip and role == "work" else None, active_s, 0.0,
            )  # fmt: skip
            [receipt] = answer_store.store(workspace, task, person, [given])
            assert receipt.status in ("stored", "extra"), receipt
            done.roles.append(role)
        return done

    return work
