import shutil
import uuid
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from browsing import WATCH_STREAMLITS_WINDOW, Contexts
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def inside(stub_process: Any, tmp_path_factory: pytest.TempPathFactory) -> Generator[Any]:
    """The stub server inside Streamlit."""
    folder = tmp_path_factory.mktemp("streamlit")
    shutil.copytree(stub_process.state_file.parent / "clips", folder / "clips")
    server = type(stub_process)(folder, Path(__file__).with_name("stub_streamlit.py"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def page(contexts: Contexts, inside: Any) -> Generator[Page]:
    errors: list[str] = []
    context = contexts.take(viewport={"width": 1440, "height": 1100})
    context.add_cookies([{"name": "person", "value": uuid.uuid4().hex[:8], "url": inside.url}])
    opened = context.new_page()
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(inside.url)
    expect(opened.locator(".desk")).to_have_attribute("data-ready", "1", timeout=30_000)
    opened.keyboard.press("Enter")  # closes the instructions of a first visit
    expect(opened.locator("dialog")).to_have_count(0)
    yield opened
    assert not errors


Answers = Callable[[], list[int]]


@pytest.fixture
def answered(inside: Any, page: Page) -> Answers:
    cookies = {one.get("name"): one.get("value") for one in page.context.cookies()}
    person = cookies["person"]

    def numbers() -> list[int]:
        everything = inside.state()["answers"]
        return [one["item"] % 1000 for one in everything if one["person"] == person]

    return numbers


def test_streamlit_loads_the_desk_and_its_keys_work(page: Page, answered: Answers):
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    desk = page.locator(".desk")
    expect(desk).to_have_attribute("data-item", "2002")
    expect(desk).to_have_attribute("data-pending", "0")
    assert answered() == [1]
    expect(page.locator('[data-testid="stDialog"]')).to_have_count(0)  # C is no key of Streamlit


def test_reruns_around_it_leave_video_and_choice_alone(page: Page):
    desk = page.locator(".desk")
    page.keyboard.press("b")
    page.keyboard.press("r")
    page.keyboard.press("Space")
    video = desk.locator("video.front")
    expect(video).to_have_js_property("paused", False)
    video.evaluate("video => { video.mark = 7 }")
    for run in range(2, 7):
        page.get_by_role("button", name="Run again").click()
        expect(page.get_by_text(f"run {run}", exact=True)).to_be_visible()
    expect(video).to_have_js_property("mark", 7)
    expect(video).to_have_js_property("paused", False)
    expect(desk.locator('.option[aria-checked="true"]')).to_have_count(1)
    page.keyboard.press("r")  # remembered in this browser: back for the next test


def test_typing_in_streamlits_field_answers_nothing(page: Page, answered: Answers):
    page.get_by_label("A field of Streamlit").fill("")
    page.get_by_label("A field of Streamlit").press_sequentially("abcs?")
    page.keyboard.press("Enter")
    desk = page.locator(".desk")
    expect(desk.locator('.option[aria-checked="true"]')).to_have_count(0)
    expect(desk.locator("dialog")).to_have_count(0)
    assert answered() == []


def test_another_page_hears_no_keys_and_coming_back_brings_the_draft(page: Page, answered: Answers):
    page.keyboard.press("b")
    page.get_by_role("link", name="elsewhere").click()
    expect(page.get_by_role("heading", name="Elsewhere")).to_be_visible()
    expect(page.locator(".desk")).to_have_count(0)
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    page.get_by_label("Words").press_sequentially("bad")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Words")).to_have_value("bad")
    settled = '[data-testid="stApp"][data-test-script-state="notRunning"]'
    expect(page.locator(settled)).to_have_count(1)
    page.get_by_role("link", name="desk").click()
    desk = page.locator(".desk")
    expect(desk).to_have_attribute("data-ready", "1")
    expect(desk.locator('.option[aria-checked="true"] .cap')).to_have_text("B")
    page.keyboard.press("Enter")
    expect(desk).to_have_attribute("data-item", "2002")
    expect(desk).to_have_attribute("data-pending", "0")
    assert answered() == [1]


def test_enter_submits_after_a_click_and_no_longer_presses_a_button_elsewhere(
    page: Page, answered: Answers
):
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_text("run 2", exact=True)).to_be_visible()
    desk = page.locator(".desk")
    desk.locator(".option").nth(1).click()
    page.keyboard.press("Enter")
    expect(desk).to_have_attribute("data-item", "2002")
    expect(desk).to_have_attribute("data-pending", "0")
    assert answered() == [1]
    expect(page.get_by_text("run 2", exact=True)).to_be_visible()


def test_a_lost_server_does_not_cover_the_desk(page: Page, answered: Answers, inside: Any):
    desk = page.locator(".desk")
    page.evaluate(WATCH_STREAMLITS_WINDOW)
    inside.kill()
    page.wait_for_function("window.wasTold", timeout=30_000)  # Streamlit's own window
    expect(page.locator('[data-testid="stDialog"]')).to_have_count(0)
    desk.locator(".option").nth(1).click()
    desk.locator(".submit").click()
    expect(desk).to_have_attribute("data-item", "2002")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(desk).to_have_attribute("data-item", "2003")
    inside.start()
    expect(desk).to_have_attribute("data-pending", "0", timeout=30_000)
    assert answered() == [1, 2]
