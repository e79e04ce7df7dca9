"""Localization of real clips whose frames do not come evenly, at a real desk."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from annotations.importing.import_plan import carry_out, plan_import
from annotations.planning.task_store import create_task

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("clip", "start", "end"), [("cursed-vfr.mp4", 4, 11), ("demo_skeleton.mp4", 7, 15)]
)
def test_marks_on_a_clip_of_variable_rate_are_stamps_of_the_frames_presented(
    clip: str, start: int, end: int, standing_demo, sit_down, shared
):
    workspace = standing_demo.workspace()
    carry_out(workspace, plan_import(workspace, shared / "clips" / clip))
    [row] = workspace.store.rows("SELECT name, sha256 FROM video WHERE name LIKE ?", [f"%{clip}"])
    asked = {"video": row["name"], "action": "change", "domain": "Odd clips"}
    task = f"Uneven: {clip}"
    create_task(workspace, task, "localization", {}, 1, rows=[{**asked, "id": clip}])
    desk = sit_down(standing_demo, task, "Cem")
    item = desk.item()

    desk.press("a")
    desk.go(start, start)
    first = desk.frame()
    desk.press("i")
    desk.go(end - start, end)
    after = desk.frame()
    desk.press("o", "Enter")
    for words in ("a person", "none"):
        desk.write(words)
        desk.press("Tab")
    desk.write("not sure")
    desk.press("Escape", "Enter")
    expect(desk.root).to_have_attribute("data-state", "finished")
    expect(desk.root).to_have_attribute("data-pending", "0", timeout=30_000)

    assert (first[0], after[0]) == (start, end)
    times = workspace.media.frame_table(row["sha256"]).times
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert max(gaps) > 1.5 * min(gaps)  # its rate does vary
    [card] = desk.stored(item)[1]["cards"]
    assert card["start"] == pytest.approx(times[start], abs=1e-6)
    assert card["end"] == pytest.approx(times[end], abs=1e-6)
