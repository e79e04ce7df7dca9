"""An author has words in a picture blurred by a real reader, and edits several videos at once."""

import re
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect
from waiting import settled

from annotations.edit.batch import standing
from annotations.edit.edit_store import stored_edits
from annotations.importing.import_plan import carry_out, plan_import
from annotations.workspace import Workspace
from core.video.encode import write_video

pytestmark = pytest.mark.browser

ANSWER = "BICYCLE KICK"
WORK_MS = 180_000  # in a process of its own, beside other tests
EVERY_PICTURE_IS_DRAWN = """selector => {
  const pictures = [...document.querySelectorAll(selector)];
  return pictures.length && pictures.every((picture) => picture.naturalWidth > 0);
}"""


def captioned() -> np.ndarray:
    picture = np.full((180, 320, 3), 90, np.uint8)
    cv2.putText(picture, ANSWER, (20, 100), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (255, 255, 255), 3)
    return picture


def add_caption_clip(workspace: Workspace, folder: Path) -> None:
    """Half a second with the answer written across it; its name is the first of the list."""
    clip = write_video(folder / "0 caption.mp4", [captioned()] * 4, Fraction(8), crf=10)
    carry_out(workspace, plan_import(workspace, clip))


def test_an_author_blurs_the_answer_that_stands_in_the_picture(demo, person, tmp_path: Path):
    pytest.importorskip("rapidocr")
    workspace = demo.workspace()
    add_caption_clip(workspace, tmp_path)
    page: Page = person(demo, "Rosa", "author")
    page.goto(f"{demo.url}/studio")
    settled(page)
    expect(page.get_by_role("combobox", name="Video")).to_have_value("0 caption.mp4")
    page.get_by_label("Right answer").fill("a bicycle kick")
    page.get_by_label("Right answer").press("Tab")
    settled(page)
    page.get_by_text("Text on screen", exact=True).click()
    page.get_by_role("button", name="Read what is on screen").click()
    # What says the answer is ticked beforehand, and boxed where it stands.
    blur = page.get_by_role("button", name="Blur 1 line in a copy")
    expect(blur).to_be_enabled(timeout=WORK_MS)
    expect(page.get_by_role("checkbox", name=re.compile("says the answer"))).to_be_checked()
    page.wait_for_function(EVERY_PICTURE_IS_DRAWN, arg=".studio-text img")
    settled(page)
    blur.click()
    expect(page.get_by_text(re.compile("Gone. Read again .* nothing of it is read"))).to_be_visible(
        timeout=WORK_MS
    )
    for word in ("before", "after"):
        expect(page.locator(".studio-text figcaption", has_text=word)).to_be_visible()
    page.wait_for_function(EVERY_PICTURE_IS_DRAWN, arg=".studio-text img")
    [edit] = stored_edits(workspace)
    assert (edit.name, edit.status) == ("0 caption~blur.mp4", "made")


def test_an_author_edits_several_videos_at_once(demo, person):
    workspace = demo.workspace()
    page: Page = person(demo, "Rosa", "author")
    page.goto(f"{demo.url}/studio")
    settled(page)
    page.get_by_text("Many videos", exact=True).click()
    settled(page)
    expect(page.get_by_text("No copies yet")).to_be_visible()
    expect(page.get_by_role("button", name="Make the copies")).to_be_disabled()
    for field, name in (
        ("Videos", "again/frog.mp4"),
        ("Videos", "simulated/0504-00"),
        ("Edits", "Reversed"),
        ("Edits", "Twice the speed"),
    ):
        page.get_by_role("combobox", name=field).fill(name)
        page.get_by_role("option", name=name, exact=True).click()
        settled(page)
        page.keyboard.press("Escape")  # an open list hides the other fields from readers
    page.get_by_role("button", name="Make 4 copies").click()
    expect(page.get_by_text("4 copies: 4 made.")).to_be_visible(timeout=WORK_MS)
    assert standing(workspace).counts["made"] == 4
    settled(page)
    page.get_by_role("button", name="Copy the questions").click()
    expect(page.get_by_text(re.compile("new drafts? without a key|No question"))).to_be_visible()
    recipes = {edit.recipe.steps[0].name for edit in stored_edits(workspace)}
    assert recipes == {"reverse", "speed"}
