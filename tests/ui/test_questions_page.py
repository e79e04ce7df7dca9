"""The page Questions: a gallery, and one question with answers, decisions and history."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from annotations.material.question_list import QuestionFilter, list_questions
from annotations.people import Person
from annotations.workspace import Workspace
from ui.components.material.cards import question_cards

SHELL = """
from ui.serving import workspace
from annotations.people import Person
from ui.pages import questions
questions.render(workspace(), Person(1, "Eva", "author"))
"""


@pytest.fixture
def served(served: Workspace, add_person: Callable[..., Person]) -> Workspace:
    add_person("Eva", "author")
    return served


def page(**query: str) -> AppTest:
    app = AppTest.from_string(SHELL, default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def test_without_questions_the_page_says_how_they_come_in(served: Workspace):
    assert "rushes import QUESTIONS" in page().code[0].value


def test_one_question_tells_key_answers_of_models_and_history(
    served: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    number = add_question("count/1", ("left", "*right*"), 1)
    model_says("reader", "count/1", "A")
    app = page(question=str(number))
    assert any("B. \\*right\\*" in text.value and "key" in text.value for text in app.markdown)
    answers = app.dataframe[0].value
    assert list(answers["Who"]) == ["reader"]
    assert list(answers["Answer"]) == ["A. left"]
    assert "revision 1" in app.dataframe[1].value["What"][0]


def test_a_card_counts_answers_of_models_as_answers(
    served: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    add_question("count/1")
    model_says("reader", "count/1", "A")
    with served.store.read() as database:
        rows = list_questions(database, QuestionFilter(), 0, 5)
    [card] = question_cards(served, Person(1, "Eva", "author"), rows)
    assert card.lines[-1] == "1 answer of models"


def test_nothing_left_and_nothing_there_are_said(served: Workspace, add_question):
    add_question("count/1")
    assert "No question is left" in page(text="nowhere").info[0].value
    assert "There is no question 99" in page(question="99").warning[0].value
