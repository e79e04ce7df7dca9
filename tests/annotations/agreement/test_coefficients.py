from types import SimpleNamespace

import numpy as np
import pytest
from building import make_annotator, make_answer, make_item, make_revision, make_task

from annotations.agreement.coefficients import agreement_table
from annotations.agreement.disagreements import disagreements
from annotations.agreement.response_scale import scale
from annotations.agreement.votes import task_votes
from annotations.scoring.snapshot import take
from core.statistics.agreement import estimate
from core.statistics.ratings import Ratings


class Desk:
    """A workspace that a test fills by hand."""

    def __init__(self, workspace, add_question):
        self.workspace, self.add_question, self.ids, self.count = workspace, add_question, {}, 0

    def run(self, sql, *parameters):
        with self.workspace.store.write() as database:
            database.conn.execute(sql, parameters)

    def write(self, make, *arguments, **values):
        with self.workspace.store.write() as database:
            return make(database, *arguments, **values)

    def task(self, name="full video"):
        return self.write(make_task, name)

    def item(self, task, uid, *, video="", role="work"):
        known = self.workspace.store.rows("SELECT id FROM question WHERE uid = ?", [uid])
        question = known[0]["id"] if known else self.add_question(uid, video=video)
        return self.write(make_item, task, f"question:{uid}", question=question, role=role)

    def answer(self, name, item, choice, *, revision=1, counted=1, skip=None, kind="person"):
        if name not in self.ids:
            self.ids[name] = self.write(make_annotator, name, kind)
        self.write(
            make_answer, item, self.ids[name], {} if skip else {"choice": choice}, skip=skip,
            revision=revision, counted=bool(counted),
        )  # fmt: skip

    def answers(self, task, uids, **choices):
        """One item for each uid, and a column of choices for each person; None: no answer."""
        items = [self.item(task, uid) for uid in uids]
        for name, column in choices.items():
            for item, choice in zip(items, column, strict=True):
                if choice is not None:
                    self.answer(name, item, choice)
        return items


@pytest.fixture
def desk(workspace, add_question):
    return Desk(workspace, add_question)


UIDS = [f"{category}/{number}" for category in ("rotation", "count") for number in range(3)]
ADA, BOB, CLEO = [0, 1, 2, 0, 1, 1], [0, 1, 1, 0, 2, 1], [0, 2, None, 0, None, 1]


def values(rows):
    return {(row.group, row.partner, row.coefficient): row.estimate.value for row in rows}


def test_the_task_as_a_whole_is_what_the_coefficients_say_of_the_table(desk):
    task = desk.task()
    desk.answers(task, UIDS, Ada=ADA, Bob=BOB, Cleo=CLEO)
    rows = agreement_table(take(desk.workspace), task)
    ratings = Ratings.from_table([ADA, BOB, CLEO])
    assert values(rows) == {
        ("all", "", name): pytest.approx(estimate(name, ratings).value)
        for name in ("fleiss", "krippendorff", "percent")
    }
    # Items: 1, 1/3, 0, 1, 0, 1 of their pairs agree: 10/3 of 6.
    assert values(rows)["all", "", "percent"] == pytest.approx(10 / 18)
    assert {(row.estimate.n, row.answers) for row in rows} == {(6, 16)}
    assert all(row.estimate.low is not None for row in rows)


def test_categories_pairs_and_people_by_hand(desk):
    task = desk.task()
    desk.answers(task, UIDS, Ada=ADA, Bob=BOB, Cleo=CLEO)
    categories = agreement_table(take(desk.workspace), task, "category")
    assert [*dict.fromkeys(row.group for row in categories)] == ["count", "rotation"]
    by_category = values(categories)
    assert by_category["rotation", "", "percent"] == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert by_category["count", "", "percent"] == pytest.approx(2 / 3)
    pairs = agreement_table(take(desk.workspace), task, "pair")
    found = values(pairs)
    assert found["Ada", "Bob", "percent"] == pytest.approx(4 / 6)
    # Ada 0 0 1 1 1 2, Bob 0 0 1 1 1 2: expected (4 + 9 + 1) / 36; (2/3 - 7/18) / (11/18).
    assert found["Ada", "Bob", "cohen"] == pytest.approx(5 / 11)
    assert found["Ada", "Cleo", "percent"] == pytest.approx(3 / 4)
    assert {(row.group, row.partner): row.estimate.n for row in pairs}["Bob", "Cleo"] == 4
    people = values(agreement_table(take(desk.workspace), task, "annotator"))
    # Ada with others by item: 1, 1/2, 0, 1, 0, 1.
    assert people["Ada", "others", "percent"] == pytest.approx(3.5 / 6)
    # Cleo shares four items: 1, 0, 1, 1.
    assert people["Cleo", "others", "percent"] == pytest.approx(3 / 4)


def test_two_people_have_a_cohen_for_the_task_too(desk):
    task = desk.task()
    desk.answers(task, UIDS, Ada=ADA, Bob=BOB)
    assert values(agreement_table(take(desk.workspace), task))["all", "", "cohen"] == pytest.approx(
        5 / 11
    )


def test_intervals_by_video_count_videos(desk):
    task = desk.task()
    for number, (ada, bob) in enumerate(zip(ADA, BOB, strict=True)):
        item = desk.item(task, f"rotation/{number}", video=f"video {number // 3}")
        desk.answer("Ada", item, ada)
        desk.answer("Bob", item, bob)
    [row] = [
        row
        for row in agreement_table(take(desk.workspace), task, resample="video")
        if row.coefficient == "percent"
    ]
    assert (row.estimate.n, row.estimate.clusters) == (6, 2)


def test_models_are_annotators_and_can_be_looked_at_apart(desk):
    task = desk.task()
    items = desk.answers(task, UIDS, Ada=ADA, Bob=BOB)
    for item in items:
        desk.answer("stub-model", item, 0, kind="model")
    everybody = values(agreement_table(take(desk.workspace), task, "annotator"))
    assert ("stub-model", "others", "percent") in everybody
    people = agreement_table(take(desk.workspace), task, "annotator", among="people")
    assert {row.group for row in people} == {"Ada", "Bob"}
    [*_, alone] = agreement_table(take(desk.workspace), task, among="models")
    assert (alone.estimate.value, alone.estimate.reason) == (None, "needs two raters")
    assert disagreements(take(desk.workspace), [task]).total == 4
    assert disagreements(take(desk.workspace), [task], among="people").total == 2


def test_a_skip_an_extra_practice_and_withdrawn_items_are_left_out_and_said(desk):
    task = desk.task()
    first, second, gone, practice = (
        desk.item(task, f"rotation/{number}", role="practice" if number == 3 else "work")
        for number in range(4)
    )
    for item in (first, second, gone, practice):
        desk.answer("Ada", item, 0)
        desk.answer("Bob", item, 1)
    desk.answer("Cleo", first, 2, counted=0)
    desk.answer("Bob", second, None, skip="does not play", revision=2)
    desk.run("UPDATE item SET status = 'withdrawn' WHERE id = ?", gone)
    [percent] = [
        row for row in agreement_table(take(desk.workspace), task) if row.coefficient == "percent"
    ]
    assert (percent.estimate.value, percent.estimate.n) == (0.0, 1)
    assert percent.estimate.excluded == (
        ("items with one answer", 1), ("skipped", 1), ("extra, beyond the overlap", 1),
    )  # fmt: skip
    assert [row.item_id for row in disagreements(take(desk.workspace), [task]).rows] == [first]


def test_a_correction_replaces_an_answer_at_once(desk):
    task = desk.task()
    [item] = desk.answers(task, ["rotation/1"], Ada=[0], Bob=[1])
    assert disagreements(take(desk.workspace), [task]).total == 1
    desk.answer("Bob", item, 0, revision=2)
    assert disagreements(take(desk.workspace), [task]).total == 0
    desk.answer("Cleo", item, 2)
    assert disagreements(take(desk.workspace), [task]).total == 1


def test_an_extra_that_is_counted_later_is_noticed(desk):
    task = desk.task()
    [item] = desk.answers(task, ["rotation/1"], Ada=[0])
    desk.answer("Bob", item, 1, counted=0)
    assert disagreements(take(desk.workspace), [task]).checked == 0
    desk.run("UPDATE annotation SET counted = 1")
    desk.run("UPDATE item SET answers = 2")
    assert disagreements(take(desk.workspace), [task]).total == 1


def test_answers_to_other_options_are_not_compared(desk):
    task = desk.task()
    [item] = desk.answers(task, ["rotation/1"], Ada=[0], Bob=[1])
    [asked] = desk.workspace.store.rows("SELECT question_id, clip_id FROM question_revision")
    desk.write(make_revision, asked["question_id"], asked["clip_id"], options=["up", "down"], key=0)
    assert disagreements(take(desk.workspace), [task]).total == 1  # nobody has answered the new one
    desk.answer("Cleo", item, 0)
    votes = task_votes(take(desk.workspace), task)
    assert len(votes.ratings.item) == 1
    assert votes.excluded == (("on an earlier version of the question", 2),)
    assert disagreements(take(desk.workspace), [task]).total == 0


def test_disagreements_come_worst_first_with_the_answers_of_each(desk):
    task = desk.task()
    desk.answers(
        task,
        UIDS[:4],
        Ada=[0, 0, 0, 1],
        Bob=[1, 1, 0, 1],
        Cleo=[None, 1, 0, 2],
        Dan=[None, 2, 0, 0],
    )
    found = disagreements(take(desk.workspace), [task])
    assert (found.checked, found.total) == (4, 3)
    # Pairs that differ: item 1 1 of 1; item 2 5 of 6; item 4 (1 1 2 0) 5 of 6.
    assert [row.uid for row in found.rows] == [f"question:{UIDS[at]}" for at in (0, 1, 3)]
    assert [row.distance for row in found.rows] == pytest.approx([1, 5 / 6, 5 / 6])
    assert found.rows[0].answers == (("Ada", {"choice": 0}), ("Bob", {"choice": 1}))
    assert (found.rows[2].category, found.rows[2].task) == ("count", "full video")
    second = disagreements(take(desk.workspace), [task], limit=1, offset=1)
    assert [row.uid for row in second.rows] == [f"question:{UIDS[1]}"]
    assert (second.checked, second.total) == (4, 3)


def test_disagreements_by_category_people_task_and_without_the_resolved(desk):
    first, second = desk.task(), desk.task("16 frames")
    items = desk.answers(first, UIDS, Ada=ADA, Bob=BOB, Cleo=CLEO)
    desk.answers(second, UIDS[:1], Ada=[0], Bob=[2])

    def uids(**filters):
        found = disagreements(take(desk.workspace), [first], **filters)
        return sorted(row.uid.removeprefix("question:") for row in found.rows)

    assert uids() == ["count/1", "rotation/1", "rotation/2"]
    assert uids(category="count") == ["count/1"]
    assert uids(category="nothing of the kind") == []
    assert uids(annotators=("Cleo",)) == ["rotation/1"]
    assert uids(annotators=("Ada", "Cleo")) == ["rotation/1"]
    assert uids(annotators=("Ada", "Bob")) == ["count/1", "rotation/2"]
    assert uids(annotators=("Nobody",)) == []
    assert uids(leave_out=[items[1], items[2]]) == ["count/1"]
    both = disagreements(take(desk.workspace), [first, second])
    assert (both.checked, both.total) == (7, 4)
    assert {row.task for row in both.rows} == {"full video", "16 frames"}
    with pytest.raises(ValueError, match="At most two annotators"):
        uids(annotators=("Ada", "Bob", "Cleo"))


def test_without_answers_there_is_nothing_and_it_is_said(desk):
    task = desk.task()
    rows = agreement_table(take(desk.workspace), task)
    assert {row.estimate.reason for row in rows} == {"no answers yet"}
    assert agreement_table(take(desk.workspace), task, "pair") == []
    assert disagreements(take(desk.workspace), [task]).checked == 0
    with pytest.raises(LookupError, match="no task 99"):
        agreement_table(take(desk.workspace), 99)


def test_numbers_can_be_compared_on_their_scale_and_words_cannot(desk):
    task = desk.task()
    desk.answers(task, UIDS, Ada=ADA, Bob=BOB)
    found = values(agreement_table(take(desk.workspace), task, distance="interval"))
    ratings = Ratings.from_table([ADA, BOB])
    assert found["all", "", "krippendorff"] == estimate("krippendorff", ratings, "interval").value
    assert ("all", "", "fleiss") not in found
    with pytest.raises(ValueError, match="No distance 'near'"):
        agreement_table(take(desk.workspace), task, distance="near")


def test_a_task_kind_says_how_far_responses_are_apart():
    notes = [{"start": 1, "note": "a"}, {"start": 1, "note": ""}, {"start": None, "note": "b"}]

    def equal(first, second):
        if first["start"] is None or second["start"] is None:
            return None
        return float(first["start"] != second["start"])

    values, distance = scale(SimpleNamespace(distance=equal), [*notes, {"start": 2, "note": "a"}])
    # Notes aside, the first two are one value; without a start there is no answer.
    assert values[0] == values[1] != values[3]
    assert (values[2], distance) == (None, "nominal")

    kind = SimpleNamespace(distance=lambda a, b: abs(a["start"] - b["start"]) / 10)
    values, own = scale(kind, [{"start": 1}, {"start": 4}])
    assert values == [1, 4]
    assert not isinstance(own, str)
    assert own.between(np.array([0, 1]), np.array([1, 1])) == pytest.approx([0.3, 0])

    named = SimpleNamespace(distance=kind.distance, distances=lambda responses: "ordinal")
    assert scale(named, [{"start": 1}, {"start": 4}]) == ([1, 4], "ordinal")


def test_answers_of_models_in_their_runs_are_named_as_such(desk):
    task = desk.task()
    [item] = desk.answers(task, ["rotation/1"], Ada=[0], Bob=[1])
    desk.answer("gpt", item, 1, counted=0)
    desk.run("UPDATE annotator SET kind = 'model' WHERE name = 'gpt'")
    desk.run("UPDATE item SET answers = 2")
    [percent] = [
        row for row in agreement_table(take(desk.workspace), task) if row.coefficient == "percent"
    ]
    assert percent.estimate.excluded == (
        ("of models in their runs, which count for no decision", 1),
    )
