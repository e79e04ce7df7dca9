import random
import shutil
from collections.abc import Callable
from types import ModuleType

import pytest

import db.connection
from annotations import media
from annotations import task as tasks
from annotations.answering import answer_store, availability, open_counts, progress, queue
from annotations.answering.answer_store import Answer
from annotations.answering.open_counts import counts_by_looking
from annotations.people import Person
from annotations.planning.task_plan import PlannedItem
from annotations.planning.task_store import add_items, create_task, grow
from annotations.record.task import task_in
from annotations.task import ItemDraft
from annotations.video import preparer as pictures
from annotations.video.preparer import Preparer
from annotations.workspace import Workspace
from ui.routes.desk import Desk

AddPerson = Callable[..., Person]


def a_task(workspace: Workspace, overlap: int = 2, condition: str = "full video") -> int:
    task = create_task(workspace, "t", "human_evaluation", {"condition": condition}, overlap)
    grow(workspace, task)
    return task


@pytest.fixture
def statements(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement of connections that are opened from now on."""
    seen: list[str] = []
    usual = db.connection.open_connection

    def traced(path):
        database = usual(path)
        database.conn.set_trace_callback(seen.append)
        return database

    monkeypatch.setattr(db.connection, "open_connection", traced)
    while not workspace.store._idle.empty():
        workspace.store._idle.get_nowait().close()
    return seen


def test_opening_a_desk_of_sixteen_items_takes_under_twenty_statements(
    workspace, add_question, add_person, statements
):
    for number in range(40):
        add_question(f"count/{number}")
    task, ada = a_task(workspace), add_person("Ada")
    preparer = Preparer(workspace)
    desk = Desk(workspace, preparer)
    statements.clear()
    opened = desk.open(ada, task)
    preparer.stop()
    assert len(opened["items"]) == 16
    top = [one for one in statements if not one.startswith("--")]  # triggers are told as comments
    assert len(top) < 20, "\n".join(" ".join(one.split())[:90] for one in top)


def steps_of(workspace: Workspace, work: Callable[[], object]) -> int:
    """How many hundreds of steps SQLite takes for something."""
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    connections = [workspace.store._idle.get_nowait() for _ in range(workspace.store._idle.qsize())]
    for database in connections:
        database.conn.set_progress_handler(step, 100)
        workspace.store._idle.put(database)
    work()
    for database in connections:
        database.conn.set_progress_handler(None, 0)
    return count


def test_an_answer_costs_the_same_in_a_task_of_forty_times_as_many_items(
    workspace, add_question, add_person
):
    add_question("count/0")
    task, ada = a_task(workspace), add_person("Ada")

    def more(begin: int, count: int) -> None:
        drafts = [
            PlannedItem(ItemDraft(f"question:more/{number}", 1)) for number in range(begin, count)
        ]
        add_items(workspace, task, drafts)

    def answer_next() -> None:
        [handed] = queue.lease(workspace, task, ada, 1)
        choice = handed.shown.facts["option_order"][0]
        answer = Answer(f"answer-{handed.item.id}", handed.item.id, handed.lease.id,
                        {"choice": choice}, None, 1.0, 0.0)  # fmt: skip
        [receipt] = answer_store.store(workspace, task, ada, [answer])
        assert receipt.status == "stored"
        progress.progress(workspace, task, ada)

    more(0, 50)
    answer_next()
    few = steps_of(workspace, answer_next)
    more(50, 2000)
    many = steps_of(workspace, answer_next)
    assert many <= 1.5 * few + 5


def test_counts_kept_by_the_database_equal_a_look_at_every_item(
    workspace, add_question, add_person
):
    chance = random.Random(7)
    for number in range(14):
        add_question(f"count/{number}")
    task = a_task(workspace)
    people = [add_person(name) for name in ("Ada", "Ben", "Cem")]
    for turn in range(60):
        person = chance.choice(people)
        for handed in queue.lease(workspace, task, person, chance.randint(1, 3)):
            if chance.random() < 0.3:
                continue
            choice = handed.shown.facts["option_order"][0]
            skip = "dark" if chance.random() < 0.2 else None
            answer = Answer(f"turn-{turn}-{handed.item.id:04}", handed.item.id, handed.lease.id,
                            None if skip else {"choice": choice}, skip, 1.0, 0.0)  # fmt: skip
            answer_store.store(workspace, task, person, [answer])
        with workspace.store.write() as database:
            item = chance.randint(1, 14)
            change = chance.choice(("overlap = 3", "status = 'withdrawn'", "status = 'open'"))
            database.conn.execute(f"UPDATE item SET {change} WHERE id = ?", [item])
        with workspace.store.read() as database:
            for one in people:
                names = availability.names(database, task_in(database, task), one)
                slow = counts_by_looking(database, names)
                counts = progress.counts_of(database, names)
                assert {part: counts[part] for part in slow} == slow, turn


def test_a_lost_video_folder_costs_its_own_items(workspace, add_question, add_person):
    for number in range(3):
        add_question(f"count/{number}")
    task, ada, ben = a_task(workspace), add_person("Ada"), add_person("Ben")
    preparer = Preparer(workspace)
    assert len(Desk(workspace, preparer).open(ada, task)["items"]) == 3  # Ada holds all three
    preparer.stop()
    [row] = workspace.store.rows("SELECT sha256 FROM video ORDER BY id LIMIT 1")
    shutil.rmtree(workspace.media.table(row["sha256"]).parent)
    media._read_table.cache_clear()  # a new server remembers no frame tables
    again = Workspace.open(workspace.root)
    preparer = Preparer(again)
    desk = Desk(again, preparer)
    # Two of three videos are there: nobody is kept from them, whether they hold items or not.
    assert [len(desk.open(person, task)["items"]) for person in (ada, ben)] == [2, 2]
    preparer.stop()
    again.close()


def test_an_idle_preparer_looks_at_counts_and_not_at_items(workspace, add_question, monkeypatch):
    add_question("count/0")
    a_task(workspace)
    preparer = Preparer(workspace)
    before = preparer._state()
    assert preparer._state() == before
    add_question("count/1")
    a_task(workspace)  # grows
    assert preparer._state() != before
    preparer.stop()


def test_while_an_import_brings_items_only_the_new_ones_are_looked_at(
    workspace, add_question, monkeypatch
):
    """A video that moves needs no stills: every item lacks nothing, and is looked at once."""
    looked = []
    kind = tasks.kind("human_evaluation")
    show_many = kind.show_many

    def noted(where, items, settings, seeds):
        looked.extend(item.uid for item in items)
        return show_many(where, items, settings, seeds)

    monkeypatch.setattr(kind, "show_many", noted)
    for number in range(3):
        add_question(f"count/{number}")
    task = a_task(workspace)
    preparer = Preparer(workspace)
    assert preparer._missing() == []
    assert sorted(looked) == [f"question:count/{number}" for number in range(3)]
    looked.clear()
    add_question("count/3")
    grow(workspace, task)
    assert preparer._missing() == []
    assert looked == ["question:count/3"]
    preparer.stop()


def test_many_held_items_are_read_once_for_a_moment_and_few_each_time(
    workspace, add_question, add_person, monkeypatch
):
    for number in range(4):
        add_question(f"count/{number}")
    task, ada, ben = a_task(workspace, overlap=1), add_person("Ada"), add_person("Ben")
    monkeypatch.setattr(open_counts._full_items, "seconds", 3_600.0)

    def open_for_ben() -> int:
        return progress.progress(workspace, task, ben)["open_for_me"]

    assert open_for_ben() == 4
    assert len(queue.lease(workspace, task, ada, 1)) == 1
    assert open_for_ben() == 3  # little is held: the count is of this moment
    monkeypatch.setattr(open_counts, "HELD_BY_MANY", 1)
    assert open_for_ben() == 3  # read, and kept from here on
    held = frozenset(row["item_id"] for row in workspace.store.rows("SELECT item_id FROM lease"))
    assert len(queue.lease(workspace, task, ada, 1, have=held)) == 1
    assert open_for_ben() == 3
    monkeypatch.setattr(open_counts._full_items, "seconds", 0.0)
    assert open_for_ben() == 2


def test_what_failed_for_a_passing_reason_is_tried_again(workspace, monkeypatch):
    preparer = Preparer(workspace)
    key = ("a" * 64, (0, 1))
    clock = [100.0]
    fake_time = ModuleType("time")
    fake_time.monotonic = lambda: clock[0]  # type: ignore[attr-defined]
    monkeypatch.setattr(pictures, "time", fake_time)
    tries = []

    def full(*args, **named):
        tries.append(args)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(preparer._workers, "call", full)
    grid = pictures.Grid(*key, (0.0, 0.1))
    assert "No space left" in preparer.ensure(grid)
    assert "No space left" in preparer.ensure(grid)
    assert len(tries) == 1  # at once again would only make it worse
    clock[0] += pictures.RETRY_S
    assert "No space left" in preparer.ensure(grid)
    assert len(tries) == 2
    preparer.stop()
