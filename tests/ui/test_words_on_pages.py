"""Words of people on a page are text: no markup, no links, no pictures."""

import pytest
from markdown_it import MarkdownIt
from streamlit.testing.v1 import AppTest

from annotations.planning.task_store import create_task, grow
from ui.components.words import plain

HOSTILE = "![x](https://evil.example/a.png) <img src=x> [y](javascript:alert(1)) **b** `c` $d$"
SHELL = """
from ui.serving import workspace
from annotations.people import Person
from ui.pages import start
start.render(workspace(), Person(1, "Eva", "author"))
"""


@pytest.mark.parametrize(
    "text", [HOSTILE, "http://evil.example WWW.evil.example", "https://evil.example/?a=b_c_d"]
)
def test_plain_words_are_no_markup(text: str):
    html = MarkdownIt("gfm-like", {"linkify": False}).render(plain(text))
    for part in ("<a ", "<img", "<strong", "<code", "<em"):
        assert part not in html
    # What looks like an address would become a link by itself.
    shown = plain(text).replace("\\", "")
    assert "://" not in shown
    assert "www." not in shown.lower()
    assert shown.replace("\N{WORD JOINER}", "") == text


def test_the_name_of_a_workspace_is_text_on_its_first_page(served, add_person):
    add_person("Eva", "author")
    (served.root / "rushes.toml").write_text(f"name = '{HOSTILE}'\n", encoding="utf-8")
    app = AppTest.from_string(SHELL, default_timeout=60).run()
    assert app.title[0].value == plain(HOSTILE)


def test_links_of_tables_lead_to_the_web_alone():
    def table() -> None:
        from ui.components.tables import show_table

        links = ["javascript:alert(1)", "data:text/html,x", "https://a.example/b", None, "file:///"]
        show_table({"Source": links}, links=["Source"])

    app = AppTest.from_function(table).run()
    assert [cell for cell in app.dataframe[0].value["Source"] if isinstance(cell, str)] == [
        "https://a.example/b"
    ]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("", "0 of 1 done, 0 min, 0.00 USD (15 USD an hour)"),
        ("[pay]\nrate = 0\n", "0 of 1 done, 0 min, 0.00 USD"),
        ("[pay]\nshow = false\n", "0 of 1 done, 0 min"),
    ],
    ids=["paid", "unpaid", "hidden"],
)
def test_an_annotator_is_told_what_an_hour_pays_before_beginning(
    served, add_person, add_question, settings, told
):
    (served.root / "rushes.toml").write_text(f'name = "Room"\n{settings}', encoding="utf-8")
    add_question("count/1")
    grow(served, create_task(served, "t", "human_evaluation", {"condition": "text only"}, 1))
    ada = add_person("Ada")
    shell = SHELL.replace('Person(1, "Eva", "author")', f'Person({ada.id}, "Ada", "annotator")')
    app = AppTest.from_string(shell, default_timeout=60).run()
    assert not app.exception
    assert [line.proto.text for line in app.get("progress")] == [told]
