import json
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from annotations.people import Person
from annotations.workspace import Workspace

SHELL = """
from ui.serving import workspace
from annotations.people import Person
from ui.pages import videos
videos.render(workspace(), Person(1, "Eva", "author"))
"""


@pytest.fixture
def served(served: Workspace, add_person: Callable[..., Person]) -> Workspace:
    add_person("Eva", "author")
    return served


def test_titles_and_sources_stand_beside_the_videos(served: Workspace, add_question):
    add_question("a/1", video="one.mp4")
    add_question("a/2", video="two.mp4")
    facts = {"title": "Goal <b>of</b> the year", "uploader": "Cup TV", "width": 64, "height": 48}
    with served.store.write() as database:
        database.conn.execute(
            "UPDATE video SET facts = ?, source_url = 'https://video.example/1'"
            " WHERE name = 'one.mp4'",
            [json.dumps(facts)],
        )
        database.conn.execute(
            "UPDATE video SET source_url = 'javascript:alert(1)' WHERE name = 'two.mp4'"
        )
    app = AppTest.from_string(SHELL, default_timeout=60).run()
    assert not app.exception
    table = app.dataframe[0].value
    assert list(table["Title"]) == ["Goal <b>of</b> the year", ""]
    assert list(table["Size"]) == ["64×48", ""]
    assert list(table["Source"].dropna()) == ["https://video.example/1"]


def test_what_no_video_has_takes_no_column(served: Workspace, add_question):
    add_question("a/1")
    app = AppTest.from_string(SHELL, default_timeout=60).run()
    assert not {"Title", "Uploader", "Source"} & set(app.dataframe[0].value)
