"""Free answers of people and models: asked, brought in, and scored as far as something says."""

import time

import pytest
from building import make_answer

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.free_answers.answers_in_words import free_answers, same_words
from annotations.free_answers.free_form import runs_scored_freely
from annotations.free_answers.free_population import free_population
from annotations.importing.answer_import import write_answers
from annotations.importing.answer_plan import plan_answers
from annotations.importing.import_plan import carry_out, plan_import
from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.planning.task_store import create_task, grow
from annotations.prediction_format import PredictionChoices
from annotations.scoring.population import LEFT_OUT, SEEN
from annotations.scoring.snapshot import take

QUESTIONS = """id,video,question,answer,scoring_points
q1,v1,What does he hold?,a rope,
q2,v2,What colour is the car?,dark red,
q3,v3,What happens?,,"['two people cook', 'they wash up']"
"""
TEXT_ONLY = {"condition": "text only", "free_text": True}


@pytest.fixture
def asked(workspace, tmp_path):
    """Two questions with an accepted answer and one with scoring points, none with options."""
    path = tmp_path / "q.csv"
    path.write_text(QUESTIONS)
    carry_out(workspace, plan_import(workspace, path))
    return workspace


def lines_of(workspace):
    with take(workspace) as snapshot:
        return {(line.who, line.condition): line for line in free_answers(snapshot)}


def bring_in(workspace, path, content, **choices):
    path.write_text(content)
    plan = plan_predictions(workspace, [path], PredictionChoices(condition="text only", **choices))
    write_predictions(workspace, plan)
    return plan


def test_only_tasks_in_which_answers_are_written_ask_questions_without_options(
    asked, items_of, add_question
):
    add_question("o1")
    for name, settings, count in (
        ("choose", {"condition": "text only"}, 1), ("write", TEXT_ONLY, 4),
    ):  # fmt: skip
        task = create_task(asked, name, "human_evaluation", settings, 1)
        grow(asked, task)
        assert len(items_of(task)) == count


def test_people_s_words_are_held_against_the_accepted_answers(asked, add_person):
    task = create_task(asked, "write", "human_evaluation", TEXT_ONLY, 1)
    grow(asked, task)
    ann = add_person("Ann")
    for item, words in zip(
        [row["id"] for row in asked.store.rows("SELECT id FROM item ORDER BY id")],
        ("The rope.", "red", "They cook"), strict=True,
    ):  # fmt: skip
        row = queue.hand(asked, task, ann, item)
        given = Answer(f"answer-{item}-of-ann", item, row.lease.id, {"text": words}, None, 2.0,
                       time.time())  # fmt: skip
        [receipt] = answer_store.store(asked, task, ann, [given])
        assert receipt.status == "stored", receipt
    [line] = lines_of(asked).values()
    # 'The rope.' is an accepted answer, 'red' is not; nothing is held against the third.
    assert (line.who, line.answers, line.unscored) == ("People", 3, 1)
    assert (line.equal.value, line.equal.n) == (0.5, 2)
    assert (line.similar, line.judged) == (None, {})


REPLIES = "id,model,response\nq1,m,A ROPE!\nq2,m,dark red\nq3,m,Two people cook\n"


def test_models_replies_are_kept_as_written_in_a_task_of_their_own(asked, tmp_path):
    plan = bring_in(asked, tmp_path / "r.csv", REPLIES)
    [run] = plan.runs
    assert (run.free, len(run.answers), run.states) == (True, 3, {"read": 3})
    [line] = lines_of(asked).values()
    assert (line.who, line.condition, line.answers, line.unscored) == ("m", "text only", 3, 1)
    assert (line.equal.value, line.equal.n) == (1.0, 2)
    [task] = asked.store.rows("SELECT name FROM task")
    assert task["name"] == "Human evaluation: text only, free answers"
    # The same again changes nothing, and no figure of questions with options sees them.
    again = plan_predictions(asked, [tmp_path / "r.csv"], PredictionChoices(condition="text only"))
    assert again.runs[0].writes == {"same reply": 3}
    with take(asked) as snapshot:
        assert len(snapshot.predictions.choice) == 0
        assert runs_scored_freely(snapshot) == set()


def test_similarities_and_judges_score_what_words_do_not(asked, tmp_path):
    bring_in(
        asked, tmp_path / "r.csv",
        "id,model,response,cosine_similarities,logic,factuality,accuracy,conciseness,overall\n"
        'q1,m,some cord,"[0.71]",8,8,8,8,8\nq2,m,blue,"[0.4]",2,2,2,2,2\n'
        "q3,m,They cook,,9,6,6,6,5\n",
    )  # fmt: skip
    [line] = lines_of(asked).values()
    assert (line.equal.value, line.unscored) == (0.0, 0)
    # 0.71 is above 0.5, 0.4 is not.
    assert (line.similar.value, line.similar.n) == (0.5, 2)
    assert line.judged["overall"].value == pytest.approx((8 + 2 + 5) / 3)


def test_options_and_free_answers_of_one_file_are_two_runs(asked, add_question, tmp_path):
    add_question("o1")
    plan = bring_in(asked, tmp_path / "r.csv", REPLIES + "o1,m,B\n")
    assert sorted((run.free, len(run.answers)) for run in plan.runs) == [(False, 1), (True, 3)]
    with take(asked) as snapshot:
        assert snapshot.predictions.right.tolist() == [True]
    assert lines_of(asked)["m", "text only"].answers == 3


def test_people_s_free_answers_of_another_tool_come_in(asked, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("annotator,id,answer\nbo,q1,rope\nbo,q2,\nmia,q1,a whip\n")
    plan = plan_answers(asked, [path], PredictionChoices(condition="full video"))
    assert (plan.matched, plan.unread) == (2, 1)
    assert write_answers(asked, plan).new == 2
    line = lines_of(asked)["People", "full video"]
    assert (line.answers, line.equal.value) == (2, 0.5)


@pytest.mark.parametrize(
    ("answer", "same"),
    [
        ("A rope.", True), ("rope", True), ("ROPES", False), ("the, rope", True), ("", False),
        ("a", False),
    ],
)  # fmt: skip
def test_case_articles_and_punctuation_do_not_count(answer, same):
    assert same_words(answer, ["a rope", "cord"]) == same


def test_authors_checks_of_keys_and_extras_are_in_no_figure_of_answers_in_words(asked, add_person):
    task = create_task(asked, "write", "human_evaluation", TEXT_ONLY, 2)
    grow(asked, task)
    ann, ben, clara = add_person("Ann"), add_person("Ben"), add_person("Clara", "author")
    first, second, third = [
        row["id"] for row in asked.store.rows("SELECT id FROM item ORDER BY id")
    ]
    shown = {"condition": "text only", "free_text": True}
    with asked.store.write() as database:
        make_answer(database, first, ann.id, {"text": "a rope"}, shown=shown)
        make_answer(database, first, clara.id, {"text": "a snake"}, shown=shown)
        make_answer(database, first, ben.id, {"text": "a snake"}, shown=shown, counted=False)
        make_answer(database, second, ann.id, skip="does not play", shown=shown)
        make_answer(database, third, ann.id, {"text": "They cook"}, shown=shown)
        database.conn.execute("UPDATE item SET status = 'withdrawn' WHERE id = ?", [third])
    [line] = lines_of(asked).values()
    # Of five only Ann's rope counts, and it is right: 1 of 1.
    assert (line.answers, line.equal.value, line.equal.n) == (1, 1.0, 1)
    with take(asked) as snapshot:
        population = free_population(snapshot).population
    assert (population.stands_on, population.people, population.tasks) == (1, 1, ("write",))
    assert dict(population.answers) == {
        "skipped": 1,
        "on withdrawn items": 1,
        "of authors, who may see the keys": 1,
        "extra, beyond the overlap": 1,
    }


def test_who_had_met_the_clip_under_a_richer_condition_is_told_for_answers_in_words(
    workspace, add_person, add_question, items_of
):
    for uid in ("o1", "o2"):
        add_question(uid)
    video, text = ({"condition": name, "free_text": True} for name in ("full video", "text only"))
    rich, poor = (
        create_task(workspace, shown["condition"], "human_evaluation", shown, 2)
        for shown in (video, text)
    )
    for task in (rich, poor):
        grow(workspace, task)
    (rich_1, rich_2), (poor_1, poor_2) = (
        sorted(item.id for item in items_of(task)) for task in (rich, poor)
    )
    ann, ben = add_person("Ann"), add_person("Ben")
    with workspace.store.write() as database:
        make_answer(database, poor_2, ann.id, {"text": "right"}, shown=text)
        make_answer(database, rich_1, ann.id, {"text": "right"}, shown=video)
        make_answer(database, rich_2, ann.id, {"text": "right"}, shown=video)
        make_answer(database, poor_1, ann.id, {"text": "right"}, shown=text)
        make_answer(database, poor_1, ben.id, {"text": "left"}, shown=text)
    with take(workspace) as snapshot:
        population = free_population(snapshot).population
        shares = {line.condition: line.equal.value for line in free_answers(snapshot)}
    # Ann met the clip of o1 as a video first; that of o2 by its text alone first.
    assert (population.stands_on, population.seen) == (5, 1)
    assert shares == {"full video": 1.0, "text only": pytest.approx(2 / 3)}
    with take(workspace, leave_out_seen=True) as snapshot:
        population = free_population(snapshot).population
        shares = {line.condition: line.equal.value for line in free_answers(snapshot)}
    assert (population.stands_on, population.seen) == (4, 0)
    assert dict(population.answers) == {LEFT_OUT[SEEN]: 1}
    assert shares == {"full video": 1.0, "text only": 1 / 2}


def test_options_and_words_are_met_alike(asked, add_person, add_question):
    add_question("o1")
    words = create_task(
        asked, "see", "human_evaluation", {"condition": "full video", "free_text": True}, 2
    )
    options = create_task(asked, "choose", "human_evaluation", {"condition": "text only"}, 2)
    for task in (words, options):
        grow(asked, task)
    [item] = [
        row["id"] for row in asked.store.rows("SELECT id FROM item WHERE task_id = ?", [options])
    ]
    [question] = [
        row["question_id"]
        for row in asked.store.rows("SELECT question_id FROM item WHERE id = ?", [item])
    ]
    [twin] = [
        row["id"]
        for row in asked.store.rows(
            "SELECT id FROM item WHERE task_id = ? AND question_id = ?", [words, question]
        )
    ]
    ann, ben = add_person("Ann"), add_person("Ben")
    shown = {"condition": "text only", "option_order": [0, 1, 2, 3]}
    with asked.store.write() as database:
        video = {"condition": "full video", "free_text": True}
        make_answer(database, twin, ann.id, {"text": "a word"}, shown=video)
        for person in (ann, ben):
            make_answer(database, item, person.id, {"choice": 0}, shown=shown)
    with take(asked) as snapshot:
        assert snapshot.people.seen.tolist() == [True, False]
