"""People choose several options: kept as a set, right by the whole set, compared as one answer."""

import json
import time

import pytest

from annotations.adjudication.answers_side_by_side import answers_side_by_side
from annotations.adjudication.cross_check import check_keys
from annotations.adjudication.resolution import resolve
from annotations.adjudication.resolution_effect import key_change
from annotations.agreement.coefficients import agreement_table
from annotations.agreement.disagreements import disagreements
from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.exporting.export import export
from annotations.free_answers.several_right import several_right
from annotations.importing.answer_import import write_answers
from annotations.importing.answer_plan import plan_answers
from annotations.importing.import_plan import carry_out, plan_import
from annotations.planning.task_store import create_task, grow
from annotations.prediction_format import PredictionChoices
from annotations.question.questions import revise
from annotations.record.question import question_named
from annotations.scoring.human_accuracy import accuracy_table
from annotations.scoring.score_coverage import population
from annotations.scoring.snapshot import take
from annotations.tasks import human_evaluation as kind
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui import cli

OPTIONS = ("a red ball", "a box, open", "a cup", "a hat")


@pytest.fixture
def asked(workspace, add_question):
    """s1 with A and C right, s2 with B alone that says so itself, k1 with the key B."""
    add_question("s1", OPTIONS, None)
    add_question("s2", OPTIONS, None)
    add_question("k1", OPTIONS, 1)
    accept(workspace, "s1", 0, 2)
    accept(workspace, "s2", 1)
    return workspace


def accept(workspace, uid, *places):
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE question_revision SET reference = ? WHERE question_id ="
            " (SELECT id FROM question WHERE uid = ?)",
            [json.dumps({"answers": [OPTIONS[place] for place in places]}), uid],
        )


def task_of(workspace, people, **settings):
    """A task of all questions; the id, and its items by the question's id in the file."""
    wanted = {"condition": "full video", "shuffle_options": False, **settings}
    task = create_task(workspace, "t", "human_evaluation", wanted, people)
    grow(workspace, task)
    rows = workspace.store.rows("SELECT id, uid FROM item WHERE task_id = ?", [task])
    return task, {row["uid"].removeprefix("question:"): row["id"] for row in rows}


def give(workspace, task, person, item, choice):
    handed = queue.hand(workspace, task, person, item)
    answer = Answer(f"{person.name}-{item}-answer", item, handed.lease.id, {"choice": choice},
                    None, 2.0, time.time())  # fmt: skip
    [receipt] = answer_store.store(workspace, task, person, [answer])
    return receipt


@pytest.fixture
def answered(asked, add_person):
    """Ada and Ben answer all three: Ada has both sets, Ben one option too few and one too many."""
    task, items = task_of(asked, 2)
    ada, ben = add_person("Ada"), add_person("Ben")
    for person, choices in ((ada, ([2, 0], [1], 1)), (ben, ([0], [1, 3], 2))):
        for uid, choice in zip(("s1", "s2", "k1"), choices, strict=True):
            assert give(asked, task, person, items[uid], choice).status == "stored"
    return asked, task, items


def shown(workspace, make_item, uid, seed="x", **settings):
    checked = kind.check_settings(settings)
    drafts = {draft.uid: draft for draft in kind.build_items(workspace, checked, None)}
    item = make_item(drafts[f"question:{uid}"])
    return kind.show(workspace, item, checked, seed), item


def test_what_is_shown_says_that_several_may_be_right_and_not_how_many(asked, make_item):
    drawn = []
    for uid in ("s1", "s2", "k1"):
        seen, item = shown(asked, make_item, uid)
        drawn.append(kind.content(asked, item, seen).values)
    assert [values.get("several") for values in drawn] == [True, True, None]
    assert drawn[0] == drawn[1]  # two right ones and a single one look the same


def test_a_set_is_stored_in_the_questions_own_order_and_checked(asked, make_item):
    seen, _ = shown(asked, make_item, "s1", cannot_tell=True)
    assert kind.check_response({"choice": [2, 0, 2]}, seen) == {"choice": [0, 2]}
    assert kind.check_response({"choice": 3}, seen) == {"choice": [3]}  # as scripts send one
    assert kind.check_response({"choice": ["cannot_tell"]}, seen) == {"choice": "cannot_tell"}
    for wrong, words in (
        ([], "No option is chosen"), (None, "No option is chosen"), ([4], "not among those shown"),
        ([True], "not among those shown"), ([0, "cannot_tell"], "not both"), ("none_right", "not"),
    ):  # fmt: skip
        with pytest.raises(Refusal, match=words):
            kind.check_response({"choice": wrong}, seen)
    one, _ = shown(asked, make_item, "k1")
    with pytest.raises(Refusal, match="No option is chosen"):
        kind.check_response({"choice": [1]}, one)


def test_the_desk_knows_each_option_of_a_set_by_its_place(asked, make_item):
    seen, _ = shown(asked, make_item, "s1", shuffle_options=True)
    order = kind.options_shown(seen)
    places = kind.rename_response({"choice": [0, 2]}, seen, lambda name: order.index(name))
    assert [order[place] for place in places["choice"]] == [0, 2]


def test_accuracy_of_people_is_by_the_exact_set_apart_from_that_of_keys(answered):
    workspace, _, _ = answered
    with take(workspace) as snapshot:
        [line] = several_right(snapshot)
        # s1: Ada {A, C} right, Ben {A} wrong; s2: Ada {B} right, Ben {B, D} wrong. 2 of 4.
        assert (line.who, line.condition, line.replies) == ("People", "full video", 4)
        assert (line.exact.value, line.questions, line.people) == (0.5, 2, 2)
        assert line.like_these is not None
        assert line.like_these.value == 0.5
        [row] = accuracy_table(snapshot)
        assert (row.accuracy.value, row.accuracy.n) == (0.5, 2)  # k1: Ada right, Ben wrong
        [why] = [why for why, count in population(snapshot).answers if count == 4]
        assert why.endswith("scored apart by the whole set")


def test_who_counts_for_sets_is_who_counts_for_every_accuracy(answered):
    workspace, _, _ = answered
    with workspace.store.write() as database:
        database.conn.execute("UPDATE annotator SET aside_at = '2026' WHERE name = 'Ben'")
    with take(workspace) as snapshot:
        [line] = several_right(snapshot)
        assert (line.replies, line.exact.value, line.people) == (2, 1.0, 1)


def test_a_set_is_one_category_for_agreement_and_for_the_majority(answered):
    workspace, task, items = answered
    with take(workspace) as snapshot:
        rows = {row.coefficient: row for row in agreement_table(snapshot, task, resamples=0)}
        assert rows["percent"].estimate.value == 0.0
        listed = disagreements(snapshot, [task])
    assert (listed.checked, listed.total) == (3, 3)
    assert {row.item_id for row in listed.rows} == set(items.values())
    same, other = {"choice": [0, 2]}, {"choice": [0]}
    decision = kind.decide([same, other, {"choice": [0, 2]}], {})
    assert (decision.value, decision.status, decision.words) == ([0, 2], "decided", "2 of 3")
    assert kind.decide([same, other], {}).status == "tie"
    assert kind.settled([same, same], 1, {})
    assert not kind.settled([same, other], 1, {})
    assert kind.distance(other, {"choice": 0}) == 0.0  # one alone, as a model's reply names it
    assert kind.feedback(same, {"choice": [2, 0]}, {})[0]
    assert not kind.feedback(other, same, {})[0]


def test_agreement_rises_where_two_choose_the_very_set(asked, add_person):
    task, items = task_of(asked, 2)
    for name, choice in (("Ada", [0, 2]), ("Ben", [2, 0])):
        person = add_person(name)
        give(asked, task, person, items["s1"], choice)
        give(asked, task, person, items["s2"], [1] if name == "Ada" else [0, 1])
    with take(asked) as snapshot:
        rows = {row.coefficient: row for row in agreement_table(snapshot, task, resamples=0)}
    # s1 the same, s2 not: 1 of 2. Nominal over {A,C} twice, {B}, {A,B}: expected by Krippendorff
    # 1 - (12 - 2) / 12 = 1/6, so alpha = (1/2 - 1/6) / (1 - 1/6) = 0.4.
    assert rows["percent"].estimate.value == 0.5
    assert rows["krippendorff"].estimate.value == pytest.approx(0.4)


def test_resolving_with_a_set_makes_it_the_right_one(answered, add_person):
    workspace, _, items = answered
    accept(workspace, "s1", 0, 1)
    table = tuple(
        row["id"] for row in workspace.store.rows(
            "SELECT id FROM current_annotation WHERE item_id = ? ORDER BY annotator_id",
            [items["s1"]],
        )
    )  # fmt: skip
    change = key_change(workspace, items["s1"], {"choice": [0, 2]})
    assert change is not None
    assert change.words == "from A, B to A, C"
    resolve(workspace, items["s1"], add_person("Dora", "author"), "first", answers=table,
            seen_revision=0)  # fmt: skip
    with workspace.store.read() as database:
        question = question_named(database, "s1")
    assert (question.right_options, question.key, question.revision) == ((0, 2), None, 2)
    with take(workspace) as snapshot:  # another right set moves what was answered
        [line] = several_right(snapshot)
    assert (line.replies, line.exact.value) == (4, 0.5)


def test_authors_give_another_set_in_the_task_s_own_form(answered, add_person):
    workspace, _, items = answered
    table = answers_side_by_side(workspace, items["s1"])
    assert (table.others, table.key) == ((), {"choice": [0, 2]})
    assert [answer.words for answer in table.answers] == ["A. a red ball; C. a cup",
                                                          "A. a red ball"]  # fmt: skip
    written = {"choice": [3, 0]}  # as the desk sends it, in the order shown
    change = key_change(workspace, items["s1"], written)
    assert change is not None
    assert change.words == "from A, C to A, D"
    assert key_change(workspace, items["s1"], {"choice": ["cannot_tell"]}) is None
    settled = resolve(
        workspace, items["s1"], add_person("Dora", "author"), "other",
        answers=tuple(answer.id for answer in table.answers), seen_revision=0, value=written,
    )  # fmt: skip
    assert settled.value == {"choice": [0, 3]}
    with workspace.store.read() as database:
        assert question_named(database, "s1").right_options == (0, 3)


def test_stored_sets_are_checked_blind_like_keys(asked, add_person):
    task = check_keys(asked, "check", "human_evaluation", {"condition": "full video"}, ())
    ada = add_person("Ada")
    items = {row["uid"]: row["id"] for row in asked.store.rows("SELECT id, uid FROM item")}
    give(asked, task, ada, items["question:s1"], [0, 2])
    give(asked, task, ada, items["question:s2"], [1, 2])
    give(asked, task, ada, items["question:k1"], 1)
    with take(asked) as snapshot:
        found = disagreements(snapshot, [task])
    assert (found.checked, [row.uid for row in found.rows]) == (3, ["question:s2"])


def test_an_edited_right_option_stays_right_and_a_lost_one_is_refused(asked):
    with asked.store.write() as database:
        question = question_named(database, "s1")
        options = ["a crimson ball", *OPTIONS[1:]]
        revise(database, question.question_id, {"options": options})
        assert question_named(database, "s1").right_options == (0, 2)
        with pytest.raises(Refusal, match="no option any more"):
            revise(database, question.question_id, {"options": options[1:]})
        revise(database, question.question_id, {"key": 3})
        assert question_named(database, "s1").reference == {}


def test_several_for_one_is_asked_again(answered):
    workspace, _, items = answered
    with workspace.store.write() as database:
        revise(database, question_named(database, "s1").question_id, {"key": 0})
    counted = workspace.store.rows(
        "SELECT counted FROM annotation WHERE item_id = ?", [items["s1"]]
    )
    assert [row["counted"] for row in counted] == [0, 0]


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_sets_come_back_from_an_export_with_the_same_metrics(answered, tmp_path, capsys, form):
    workspace, _, _ = answered
    folder, empty = tmp_path / "out", tmp_path / "empty"
    export(workspace, folder, form)
    capsys.readouterr()
    assert cli.main(["metrics", "--workspace", str(workspace.root), "--json"]) == 0
    before = capsys.readouterr().out
    [line] = json.loads(before)["several_right"]
    assert (line["who"], line["value"], line["n"]) == ("People", 0.5, 4)
    assert cli.main(["init", str(empty)]) == 0
    assert cli.main(["import", str(folder), "--workspace", str(empty), "--yes"]) == 0
    capsys.readouterr()
    assert cli.main(["metrics", "--workspace", str(empty), "--json"]) == 0
    assert capsys.readouterr().out == before
    again = Workspace.open(empty)
    stored = "SELECT response FROM annotation ORDER BY id"
    assert again.store.rows(stored) == workspace.store.rows(stored)
    again.close()


def test_a_file_may_say_itself_that_several_options_may_be_right(workspace, tmp_path):
    rows = [
        {"id": number, "video": "v.mp4", "question": f"Which ({number})?", "options": list(OPTIONS),
         "answer": answer, "multi_select": several}
        for number, (answer, several) in enumerate(
            [("B", True), ("B", False), (["A", "C"], True), (None, True), ("D", "maybe")]
        )
    ]  # fmt: skip
    path = tmp_path / "q.json"
    path.write_text(json.dumps(rows))
    plan = plan_import(workspace, path)
    assert [problem.what for problem in plan.problems.listed if problem.level == "error"] == [
        "neither yes nor no"
    ]
    carry_out(workspace, plan)
    with workspace.store.read() as database:
        questions = [question_named(database, str(number)) for number in range(4)]
    assert [(q.asks_several, q.right_options) for q in questions] == [
        (True, (1,)), (False, (1,)), (True, (0, 2)), (False, ()),
    ]  # fmt: skip
    assert plan_import(workspace, path).questions["unchanged"] == 4


def test_sets_that_people_chose_in_another_tool_come_in_as_sets(asked, tmp_path):
    choices = PredictionChoices(condition="full video")
    table = [
        {"annotator": "w1", "id": "s1", "response": "A, C"},
        {"annotator": "w2", "id": "s1", "response": ["a red ball", "a box, open"]},
        {"annotator": "w1", "id": "s2", "response": "a box, open"},
        {"annotator": "w1", "id": "k1", "response": ["A", "B"]},
        {"annotator": "w2", "id": "s2", "response": ["a box, open", "a tree"]},
    ]
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(table))
    plan = plan_answers(asked, [path], choices)
    assert [answer.chosen for answer in plan.answers.values()] == [(0, 2), (0, 1), (1,)]
    assert (plan.right, plan.unread) == ((2, 3), 2)
    assert {problem.what for problem in plan.problems.listed} == {
        "several answers; one option is expected", "the answer names none of the options",
    }  # fmt: skip
    write_answers(asked, plan)
    with take(asked) as snapshot:
        [line] = several_right(snapshot)
        assert (line.replies, line.exact.value) == (3, pytest.approx(2 / 3))
