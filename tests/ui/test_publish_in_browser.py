"""An author brings in a batch of Mechanical Turk, states a licence, publishes, downloads."""

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from waiting import settled

from annotations.scoring.human_accuracy import accuracy_table
from annotations.scoring.snapshot import take

pytestmark = pytest.mark.browser


def test_from_a_batch_of_answers_to_a_published_set(demo, person, tmp_path: Path):
    page: Page = person(demo, "Rosa", "author")
    workspace = demo.workspace()
    [question] = workspace.store.rows("SELECT uid, key FROM current_question LIMIT 1")
    batch = tmp_path / "batch.csv"
    asked = f"20,{question['uid']},{'ABCDEFG'[question['key']]}"
    rows = [
        "HITId,AssignmentId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.id,Answer.choice",
        *(f"H,S{n},W{n},Submitted,{asked}" for n in "123"),
    ]
    batch.write_text("\n".join([*rows, ""]), encoding="utf-8")

    page.goto(f"{demo.url}/bring_in")
    settled(page)
    page.get_by_text("People's answers", exact=True).click()
    settled(page)
    page.set_input_files("input[type=file]", str(batch))
    expect(page.get_by_text("Answers that count")).to_be_visible(timeout=60_000)
    page.get_by_role("combobox", name="What people saw").click()
    page.get_by_role("option", name="1 handpicked frame", exact=True).click()
    page.get_by_role("button", name="Write 3 answers").click()
    expect(page.get_by_text("Written: 3 new answers")).to_be_visible(timeout=60_000)
    with take(workspace) as snapshot:
        [row] = accuracy_table(snapshot, condition="1 handpicked frame")
    assert (row.accuracy.value, row.accuracy.n) == (1.0, 3)

    page.goto(f"{demo.url}/publish")
    settled(page)
    expect(page.get_by_text("No licence is stated for 35 videos")).to_be_visible()
    page.get_by_text("12 of 12 questions are open").click()
    page.get_by_label("Distribution: Under which licence is it given out?").fill("CC BY 4.0")
    page.get_by_role("button", name="Keep these answers").click()
    expect(page.get_by_text("11 of 12 questions are open")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("No licence is stated")).to_have_count(0)
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("Version 1.0.0 is written: 38 questions")).to_be_visible(timeout=60_000)
    with page.expect_download(timeout=60_000) as download:
        page.get_by_role("button", name="With videos").click()
    target = tmp_path / "set.zip"
    download.value.save_as(target)
    with zipfile.ZipFile(target) as file:
        names = file.namelist()
        assert sum(name.startswith("videos/") for name in names) == 35
        assert "CC BY 4.0" in file.read("croissant.json").decode()
        assert not any(worker in file.read("README.md").decode() for worker in ("W1", "W2"))
