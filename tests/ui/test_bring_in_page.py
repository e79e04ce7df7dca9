import json

import pytest
from streamlit.testing.v1 import AppTest

from annotations.predicted import predictions
from annotations.uploads import keep_uploads, safe_name

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.workspace import Workspace
from ui.pages import bring_in
bring_in.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


@pytest.fixture
def app(workspace, add_question):
    add_question("1", key=1)
    add_question("2", key=1)
    return AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=30).run()


def upload(app, number, rows, name="replies.jsonl"):
    content = "\n".join(json.dumps(row) for row in rows).encode()
    app.file_uploader(key=f"bring-in files {number}").upload(name, content, "application/json")
    return app.run()


ROWS = [
    {"id": "1", "response": "B", "score": 1},
    {"id": "2", "response": "I would say it turns right", "score": 0},
    {"id": "9", "response": "A", "score": 0},
]


def test_an_upload_is_shown_as_a_plan_and_written_once_it_says_all(app, workspace):
    upload(app, 0, ROWS)
    assert not app.exception
    assert "**2 replies** belong to stored questions, 1 to none" in app.markdown[0].value
    assert "--model NAME" in app.warning[0].value
    assert app.button[0].disabled
    app.text_input(key="bring-in model 0").input("gpt-x").run()
    assert "--condition" in app.warning[0].value
    app.selectbox(key="bring-in condition 0").select("full video").run()
    assert not app.warning
    table = app.dataframe[0].value
    assert table["Model"].tolist() == ["gpt-x"]
    assert (table["Ours"].tolist(), table["Theirs"].tolist()) == ([100.0], [50.0])
    assert "Scored otherwise by us: 1 replies" in [one.label for one in app.expander]
    app.button[0].click().run()
    assert not app.exception
    assert "2 new answers, 0 changed, 0 there already" in app.success[0].value
    assert predictions(workspace).right.tolist() == [True, True]


def test_a_file_that_cannot_be_read_says_why(app):
    upload(app, 0, [{"words": "B"}])
    assert "no known format of predictions" in app.error[0].value


def test_without_questions_the_page_says_what_comes_first(workspace):
    app = AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=30).run()
    assert "Import them first" in app.info[0].value


def test_uploaded_names_lead_nowhere(workspace):
    assert safe_name("../../etc/passwd") == "passwd"
    assert safe_name("..\\..\\.hidden name?.csv") == "hidden_name_.csv"
    assert safe_name("...") == "file"
    assert len(safe_name("x" * 500 + ".json")) < 140
    [first, second] = keep_uploads(workspace, [("a.json", b"1"), ("x/a.json", b"2")])
    assert first.is_relative_to(workspace.root / "imports")
    assert (first.read_bytes(), second.read_bytes()) == (b"1", b"2")
    assert keep_uploads(workspace, [("a.json", b"1"), ("x/a.json", b"2")]) == [first, second]
