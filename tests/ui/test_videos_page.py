"""The page Videos: a gallery, and one video with its whole story."""

import json
from collections.abc import Callable

import pytest
from building import make_video
from streamlit.testing.v1 import AppTest

from annotations.material.video_list import ListedVideo
from annotations.people import Person
from annotations.workspace import Workspace
from ui.components.material.cards import video_cards

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


def page(**query: str) -> AppTest:
    app = AppTest.from_string(SHELL, default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


@pytest.fixture
def two(served: Workspace, add_question: Callable[..., int]) -> Workspace:
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
            "UPDATE video SET source_url = 'javascript:alert(1)', facts = '{}'"
            " WHERE name = 'two.mp4'"
        )
    return served


def test_without_videos_the_page_says_how_they_come_in(served: Workspace):
    assert "rushes import FOLDER" in page().code[0].value


def test_a_card_has_title_facts_and_questions_and_the_file_name_where_no_title_is(two: Workspace):
    rows = [
        ListedVideo(
            id=number, name=f"folder/{number}.mp4", sha256="", status="missing",
            reason="no such file", source_url="", title=title, duration_s=2.5, n_frames=60,
            width=64, height=48, facts="{}", questions=2, edited=1,
        )
        for number, title in ((1, "Goal <b>"), (2, None))
    ]  # fmt: skip
    first, second = video_cards(two, Person(1, "Eva", "author"), rows)
    assert (first.title, second.title) == ("Goal <b>", "2.mp4")
    assert [badge.text for badge in first.badges] == [
        "missing", "edited", "2 questions",
    ]  # fmt: skip
    assert first.lines == ("2.5 s · 64×48", "no such file")
    assert first.src == first.play == ""


def test_one_video_tells_its_source_its_questions_and_only_links_that_are_links(two: Workspace):
    [one, other] = [row["id"] for row in two.store.rows("SELECT id FROM video ORDER BY name")]
    app = page(video=str(one))
    assert any("64×48" in caption.value for caption in app.caption)
    assert any("a/1" in text.value for text in app.markdown)
    assert app.get("link_button")[0].proto.url == "https://video.example/1"
    assert not page(video=str(other)).get("link_button")


def test_a_video_that_is_not_there_any_more_says_so(two: Workspace):
    assert "There is no video 999" in page(video="999").warning[0].value


def test_filters_of_the_address_are_kept_and_nothing_left_says_so(two: Workspace):
    app = page(text="two.mp4")
    assert app.text_input[0].value == "two.mp4"
    assert any("1 to 1 of 1" in caption.value for caption in app.caption)
    assert "No video is left" in page(text="nowhere").info[0].value


def test_near_duplicates_are_found_and_said(two: Workspace):
    # Two names of one file are near each other, and nothing else is here.
    with two.store.write() as database:
        database.conn.execute(
            "UPDATE video SET sha256 = (SELECT sha256 FROM video WHERE name = 'one.mp4')"
        )
    app = page(duplicates="near")
    assert any("1 to 2 of 2" in caption.value for caption in app.caption)
    row = ListedVideo(
        id=7, name="one.mp4", sha256="", status="missing", reason="", source_url="", title="",
        duration_s=2.5, n_frames=60, width=64, height=48, facts="{}", questions=0, edited=0,
    )  # fmt: skip
    [card] = video_cards(two, Person(1, "Eva", "author"), [row], {7: "two.mp4: 97 % alike"})
    assert "two.mp4: 97 % alike" in card.lines


def test_filters_behind_the_button_count_and_hold(two: Workspace):
    app = page(questions="no", source="link", state="usable")
    # The state has a box of its own; behind the button are the other two. Both videos have a
    # question and an address, so that none is left, and with the other choice both.
    [button] = app.get("popover")
    assert button.proto.popover.label == "Filters: 2"
    assert "No video is left" in app.info[0].value
    app = page(questions="yes", source="link")
    assert any("1 to 2 of 2" in caption.value for caption in app.caption)


@pytest.fixture
def many(served: Workspace) -> Workspace:
    """A hundred and twenty videos, forty of them missing: three pages."""
    with served.store.write() as database:
        for number in range(120):
            status = "missing" if number % 3 == 2 else "usable"
            make_video(database, f"v{number:03}.mp4", status=status)
    return served


def shown_words(app: AppTest) -> str:
    return next(caption.value for caption in app.caption if " of " in caption.value)


def test_pages_are_turned_and_the_address_leads_to_the_same_page(many: Workspace):
    app = page()
    assert shown_words(app) == "1 to 48 of 120"
    app.button(key="videos-next").click().run()
    app.button(key="videos-next").click().run()
    assert shown_words(app) == "97 to 120 of 120"
    assert app.button(key="videos-next").disabled
    assert app.query_params["page"] == "3"
    app.button(key="videos-back").click().run()
    assert shown_words(app) == "49 to 96 of 120"
    assert shown_words(page(page="2")) == "49 to 96 of 120"


def test_another_filter_begins_with_its_first_page(many: Workspace):
    app = page(page="2")
    app.selectbox[0].select("usable").run()
    assert shown_words(app) == "1 to 48 of 80"
    assert "page" not in app.query_params
    assert shown_words(page(page="2", state="usable")) == "49 to 80 of 80"


def test_from_one_video_all_videos_lead_back_to_the_page_that_it_stood_on(many: Workspace):
    app = page(page="2", video="60")
    app.button[0].click().run()
    assert shown_words(app) == "49 to 96 of 120"


def test_answers_about_a_video_of_several_questions_say_to_which_they_are(
    served: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    for number in (1, 2):
        add_question(f"a/{number}", video="one.mp4")
        model_says("reader", f"a/{number}", "A")
    app = page(video="1")
    captions = [text.value for text in app.caption if text.value.endswith("no decision yet")]
    assert ["a/1" in captions[0], "a/2" in captions[1]] == [True, True]
    assert app.dataframe[0].value["Active s"].isna().all()
