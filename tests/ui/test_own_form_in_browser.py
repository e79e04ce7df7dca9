"""An author puts a form together by clicking, and a person fills it in by keyboard."""

import json

import pytest
from playwright.sync_api import Page, expect
from waiting import settled

pytestmark = pytest.mark.browser


def test_a_form_is_made_without_a_file_and_filled_in(demo, person, sit_down):
    page: Page = person(demo, "Clara", "author")
    page.goto(f"{demo.url}/tasks")
    settled(page)
    page.get_by_role("button", name="New task").click()
    page.get_by_text("A form of your own").click()
    settled(page)
    page.get_by_role("radio", name="the videos of this workspace").or_(
        page.get_by_role("button", name="the videos of this workspace")
    ).first.click()
    settled(page)
    beside = page.get_by_role("textbox", name="Text beside it")  # its help is named after it, too
    beside.fill("File: {name}")
    beside.press("Control+Enter")
    settled(page)
    question = page.get_by_role("textbox", name="Question 1")
    question.fill("How sharp is the picture?")
    question.press("Enter")
    settled(page)
    # The preview follows.
    preview = page.locator(".form-preview")
    expect(preview).to_contain_text("How sharp is the picture?")
    expect(preview).to_contain_text("Is anything misleading?")
    page.get_by_label("Name", exact=True).fill("Sharpness")
    page.get_by_role("button", name="Look at the first items").click()
    settled(page)
    expect(page.get_by_text("Item 1", exact=True)).to_be_visible()
    page.get_by_role("button", name="Create the task").click()
    expect(page.get_by_role("button", name="Preview as an annotator")).to_be_visible(timeout=60_000)
    settled(page)
    [task] = demo.workspace().store.rows("SELECT * FROM task WHERE name = 'Sharpness'")
    fields = json.loads(task["settings"])["fields"]
    assert [field["label"] for field in fields] == [
        "How sharp is the picture?", "Is anything misleading?",
    ]  # fmt: skip

    desk = sit_down(demo, "Sharpness", "Ada")
    item = desk.item()
    expect(desk.root.locator(".item-words")).to_contain_text("File: ")
    desk.press("4", "Tab", "B")
    desk.submit()
    _, response = desk.stored(item)
    assert list(response["values"].values()) == [4, "no"]
