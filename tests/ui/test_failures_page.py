"""The page of failures as Streamlit draws it: the room, or the report of tags."""

import json
from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

from annotations.failure.failure_tags import tag
from annotations.people import Person
from annotations.workspace import Workspace

SCRIPT = """
from annotations.people import Person
from ui.pages import failures
from ui.serving import workspace

failures.render(workspace(), Person(1, "Clara", "author"))
"""


def drawn(**query: str) -> AppTest:
    app = AppTest.from_string(SCRIPT, default_timeout=60)
    app.query_params.update(query)
    return app.run()


def room(app: AppTest) -> dict[str, Any]:
    """What the room is given."""
    [found] = app.get("bidi_component")
    return json.loads(found.proto.json)


def test_without_predictions_the_page_says_where_they_come_from(served: Workspace):
    app = drawn()
    assert not app.exception
    assert "No model has answered yet" in app.info[0].value


def test_an_address_names_what_is_looked_at(
    served: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    add_question("count/1")
    model_says("m", "count/1", "A")
    app = drawn(run="1", category="count", people="right")
    assert not app.exception
    assert room(app)["filter"] == {"runs": [1], "categories": ["count"], "people": "right"}
    assert room(drawn())["filter"] == {}


def test_the_report_has_shares_agreement_and_downloads(
    served: Workspace,
    add_question: Callable[..., int],
    add_person: Callable[..., Person],
    model_says: Callable[..., int],
):
    add_question("count/1")
    one = model_says("m", "count/1", "A")
    app = drawn()
    app.segmented_control[0].set_value("Report").run()
    assert "Nothing is tagged yet" in app.info[0].value
    clara = add_person("Clara", "author")
    tag(served, clara, one, ["oversight"], uid="uid-00000001")
    app.run()
    assert not app.exception
    assert "1 of 1 wrong predictions are tagged, with 1 answer." in app.caption[0].value
    shares, agreement = (one.value for one in app.dataframe)
    assert list(shares["Run"]) == ["all", "m · 16 frames"]
    assert list(shares["Oversight"]) == ["1 · 100 % (3–100)", "1 · 100 % (3–100)"]
    assert agreement["Note"][0]
