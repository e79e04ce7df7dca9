import itertools
import json

import pytest

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.answering.attention import attention_accuracy, distance, due, mixed, reached
from annotations.answering.progress import progress
from annotations.people import everyone
from annotations.planning.task_store import all_tasks, create_task, grow, status
from annotations.scoring.snapshot import take

KEY = 1
uids = (f"uid-{number:06}" for number in itertools.count())


def a_task(workspace, overlap=2):
    task = create_task(
        workspace,
        "t",
        "human_evaluation",
        {"condition": "full video"},
        overlap,
        order="as imported",
    )
    grow(workspace, task)
    return task


def give_role(workspace, uid, role, choice=KEY):
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE item SET role = ?, expected = ? WHERE uid = ?",
            [role, json.dumps({"choice": choice}), f"question:{uid}"],
        )


def answer(workspace, task, person, row, choice=0, skip=None):
    given = Answer(
        next(uids), row.item.id, row.lease.id, None if skip else {"choice": choice}, skip, 4.8, 0.0
    )
    return answer_store.store(workspace, task, person, [given])[0]


@pytest.fixture
def many(workspace, add_question):
    for number in range(20):
        add_question(f"q/{number:02}", key=KEY)
    return a_task(workspace)


def names(handed):
    return [row.item.uid.partition("/")[2] for row in handed]


def test_practice_comes_first_once_for_each_person_and_never_counts(workspace, many, add_person):
    give_role(workspace, "q/19", "practice")
    ada = add_person("Ada")
    handed = queue.lease(workspace, many, ada, 4)
    assert names(handed) == ["19", "00", "01", "02"]
    assert answer(workspace, many, ada, handed[0], choice=0).status == "stored"
    later = queue.lease(workspace, many, ada, 16)
    assert "19" not in names(later)
    assert workspace.store.rows("SELECT sum(answers) AS n FROM item") == [{"n": 0}]
    for name in ("Ben", "Cid", "Dan"):  # more people than the overlap
        assert names(queue.lease(workspace, many, add_person(name), 1)) == ["19"]


def test_practice_gives_feedback_and_a_skip_or_work_does_not(workspace, many, add_person):
    give_role(workspace, "q/19", "practice")
    give_role(workspace, "q/18", "practice")
    give_role(workspace, "q/17", "practice")
    ada = add_person("Ada")
    wrong, right, skipped, work = queue.lease(workspace, many, ada, 4)
    for row, choice, is_right in ((wrong, 0, False), (right, KEY, True)):
        feedback = answer(workspace, many, ada, row, choice=choice).feedback
        assert (feedback["right"], bool(feedback["words"])) == (
            is_right,
            not is_right,
        )  # “Right.” is told by a sign
    assert answer(workspace, many, ada, skipped, skip="dark").feedback is None
    assert answer(workspace, many, ada, work, choice=KEY).feedback is None


def test_attention_items_come_at_drawn_places_whatever_the_size_of_the_batches(
    workspace, many, add_person
):
    """At even distances, or on top of what was asked for, they could be told from work."""
    for number in ("03", "04", "05"):
        give_role(workspace, f"q/{number}", "attention")
    # 17 items of work and 3 of attention: stretches of 17/4 = 4.25, so one after 1 to 4 items of
    # work, one after 5 to 8, one after 9 to 12.
    found: list[list[int]] = []
    for person, batch in ((add_person("Ada"), 1), (add_person("Ben"), 5)):
        roles: list[str] = []
        while handed := queue.lease(workspace, many, person, batch):
            assert len(handed) <= batch
            for row in handed:
                roles.append(row.item.role)
                answer(workspace, many, person, row)
        assert len(roles) == 20
        places = [place for place, role in enumerate(roles) if role == "attention"]
        found.append([place - before for before, place in enumerate(places)])  # work before each
        expected = [due(number, 4.25, f"{many}/{person.id}") for number in range(3)]
        assert found[-1] == expected
    for number, low in enumerate((1, 5, 9)):
        assert all(low <= places[number] <= low + 3 for places in found)


def test_a_made_up_list_of_held_items_does_not_show_which_one_is_known(workspace, many, add_person):
    """A desk that claims to hold fifteen gets a full queue, not one item and what goes with it."""
    for number in ("03", "04", "05"):
        give_role(workspace, f"q/{number}", "attention")
    ada = add_person("Ada")
    made_up = frozenset(range(900_001, 900_016))
    handed = queue.lease(workspace, many, ada, 1, have=made_up)
    # Half of 17 items of work, rounded up, and the attention items among and after them.
    assert sum(row.item.role == "work" for row in handed) == 9
    held = frozenset(row.item.id for row in handed)
    for wanted in (1, 2, 3):
        more = queue.lease(workspace, many, ada, wanted, have=held)
        assert len(more) <= wanted
        held |= {row.item.id for row in more}


def test_places_of_attention_items_differ_between_people_and_fill_their_stretch():
    places = [[due(number, 10.0, f"1/{person}") for number in range(3)] for person in range(200)]
    for number in range(3):
        drawn = [one[number] for one in places]
        # Each of ten places is drawn 20 times of 200 on average, never less than 5 times.
        assert all(drawn.count(10 * number + place) >= 5 for place in range(1, 11))
    assert len({one[1] - one[0] for one in places}) > 10  # no distance tells


def test_a_reload_does_not_move_or_repeat_attention_items(workspace, many, add_person):
    give_role(workspace, "q/00", "attention")
    ada = add_person("Ada")
    # 19 of work: the attention item comes after 1 to 9 of them, 9.5 being the stretch.
    after = due(0, 9.5, f"{many}/{ada.id}")
    first = names(queue.lease(workspace, many, ada, 10))
    work = [f"{number:02}" for number in range(1, 20)]
    assert first == [*work[:after], "00", *work[after:]][:10]
    assert names(queue.lease(workspace, many, ada, 16))[:10] == first


def test_attention_is_left_out_where_there_is_too_little_work_and_never_doubled():
    assert distance(6, 1) == 3.0
    assert distance(4, 3) == 3.0
    assert distance(300, 9) == 30.0
    assert reached(4, 3) == 1
    assert reached(2, 3) == 0
    assert reached(300, 9) == 9
    one, two = due(0, 3.0, "s"), due(1, 3.0, "s")
    assert 1 <= one <= 3 < two <= 6
    given = {"every": 3.0, "seed": "s", "most": 2}
    whole = mixed("abcdef", "XY", work_done=0, met=0, **given)
    assert (whole.index("X"), whole.index("Y")) == (one, two + 1)
    assert [item for item in whole if item in "abcdef"] == list("abcdef")
    assert mixed("abcdef", "XY", work_done=0, met=0, **given | {"most": 1}).count("Y") == 0
    # Where others finish the work, several are due at once: they still do not stand in a row.
    assert mixed("ab", "XY", work_done=6, met=0, **given) == ["X", "a", "Y", "b"]
    assert mixed("", "X", work_done=one, met=0, **given) == ["X"]


def test_attention_counts_in_no_metric_and_no_overlap_but_in_each_persons_accuracy(
    workspace, many, add_person
):
    for number in ("03", "04"):
        give_role(workspace, f"q/{number}", "attention")
    give_role(workspace, "q/19", "practice")
    ada = add_person("Ada")
    count = 0
    while handed := queue.lease(workspace, many, ada, 16):
        # Handed out long enough ago: nobody's time exceeds the clock's.
        with workspace.store.write() as database:
            database.conn.execute("UPDATE lease SET leased_at = leased_at - 200")
        for row in handed:
            count += row.item.role == "attention"
            right = row.item.role != "attention" or count == 1
            answer(workspace, many, ada, row, choice=KEY if right else 0)
    # 17 of work all right, of 2 attention items the first right, the second wrong
    assert attention_accuracy(workspace) == {ada.id: (1, 2)}
    table = take(workspace).people
    assert (len(table.state), int(table.right.sum())) == (17, 17)
    [task] = all_tasks(workspace)
    found = {
        name: getattr(task, name)
        for name in ("items", "practice", "attention", "answers", "wanted")
    }
    assert found == {"items": 17, "practice": 1, "attention": 2, "answers": 17, "wanted": 34}
    assert status(workspace)["extras"] == 0
    [row] = everyone(workspace)
    # 20 answers of 4.8 s at 15 an hour: 96 s, 0.40
    assert (row.answers, row.extras, round(row.earned, 9)) == (20, 0, 0.4)


def test_progress_cannot_tell_attention_items_from_work(workspace, many, add_person):
    give_role(workspace, "q/03", "attention")
    give_role(workspace, "q/19", "practice")
    ada = add_person("Ada")
    assert progress(workspace, many, ada)["total"] == 20
    while handed := queue.lease(workspace, many, ada, 16):
        for row in handed:
            answer(workspace, many, ada, row)
    found = progress(workspace, many, ada)
    assert (found["done"], found["open_for_me"], found["total"]) == (20, 0, 20)


def test_attention_items_that_never_come_are_not_left_open(workspace, add_question, add_person):
    for number in range(5):
        add_question(f"q/{number}", key=KEY)
    task = a_task(workspace)
    for number in (0, 1, 2):
        give_role(workspace, f"q/{number}", "attention")
    ada = add_person("Ada")
    # Two items of work are too few for an attention item between.
    assert names(queue.lease(workspace, task, ada, 16)) == ["3", "4"]
    assert progress(workspace, task, ada)["total"] == 2
