"""Many videos times several edits: planned once, each failing alone, stopped and gone on with."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from annotations.edit import work_rows
from annotations.edit.batch import plan_batch, standing
from annotations.edit.edit_store import TABLE, plan_edit, stored_edit
from annotations.edit.make_edits import make_edit, make_waiting
from annotations.edit.preview import preview_edit
from annotations.edit.work_rows import Stopped
from annotations.importing.import_plan import carry_out, plan_import
from annotations.workspace import Workspace
from core.editing.recipe import make_recipe
from core.refusal import Refusal
from core.video.encode import write_video
from core.video.sample import sample_frames
from ui.cli import main

REVERSE, MIRROR = make_recipe([("reverse", {})]), make_recipe([("mirror", {})])
SLOW = make_recipe([("speed", {"factor": "1/2"})])


@pytest.fixture
def three(workspace: Workspace, tmp_path: Path) -> Workspace:
    """Three clips of 10 frames with a bar that moves to the right, the last of them shorter."""
    folder = tmp_path / "data"
    folder.mkdir()
    for number, frames in enumerate((10, 10, 6)):
        pictures = np.full((frames, 64, 128, 3), 30 + 40 * number, np.uint8)
        for index in range(frames):
            pictures[index, :, 12 * index : 12 * index + 8] = 250
        write_video(folder / f"{number}.mp4", iter(pictures), Fraction(10), crf=6)
    carry_out(workspace, plan_import(workspace, folder))
    return workspace


def test_each_edit_of_each_video_is_planned_once(three: Workspace):
    names = ["0.mp4", "1.mp4", "2.mp4", "nobody.mp4"]
    too_late = make_recipe([("trim", {"start": 0.8, "end": 2})])
    batch = plan_batch(three, names, [REVERSE, too_late])
    assert len(batch.edits) == 3 + 2
    assert [(video, label) for video, label, _ in batch.refused] == [
        ("2.mp4", "trim0.8-2"), ("nobody.mp4", "reverse"), ("nobody.mp4", "trim0.8-2"),
    ]  # fmt: skip
    assert "the video ends at 0.600 s" in batch.refused[0][2]
    assert plan_batch(three, names[:3], [REVERSE]).edits == batch.edits[::2]
    stand = standing(three, batch.edits)
    assert stand.words == "5 copies: 5 waiting."
    assert stand.unmade == batch.edits


def test_one_that_fails_costs_itself_and_can_be_tried_again(three: Workspace):
    batch = plan_batch(three, ["0.mp4", "1.mp4"], [REVERSE, MIRROR])
    [row] = three.store.rows("SELECT sha256 FROM video WHERE name = '1.mp4'")
    original = three.media.find_original(row["sha256"])
    assert original is not None
    aside = original.rename(original.with_name("aside"))
    assert make_waiting(three, batch.edits, lambda _: None) == 2
    stand = standing(three, batch.edits)
    assert stand.words == "4 copies: 2 made, 2 failed."
    assert all("not here any more" in edit.reason for edit in stand.failed)
    aside.rename(original)
    assert make_waiting(three, batch.edits, lambda _: None) == 0, "what failed waits for a person"
    work_rows.release(three, TABLE, [edit.id for edit in stand.failed])
    assert make_waiting(three, batch.edits, lambda _: None) == 2
    assert standing(three).words == "4 copies: 4 made."


def test_what_is_stopped_is_not_made_before_somebody_says_so(three: Workspace):
    batch = plan_batch(three, ["0.mp4", "1.mp4"], [REVERSE])
    said: list[str] = []

    def stop_the_rest(words: str) -> None:
        said.append(words)
        work_rows.stop(three, TABLE, list(batch.edits))

    assert make_waiting(three, batch.edits, stop_the_rest) == 1
    assert said == ["0~reverse.mp4: made"]
    stand = standing(three, batch.edits)
    assert stand.words == "2 copies: 1 made, 1 stopped."
    with pytest.raises(Stopped):
        make_edit(three, batch.edits[1])
    work_rows.release(three, TABLE, list(stand.unmade))
    assert make_waiting(three, batch.edits, said.append) == 1


def test_an_edit_that_is_stopped_while_it_is_written_leaves_nothing(three: Workspace):
    number = plan_edit(three, ["0.mp4"], REVERSE)

    def stop(written: int, wanted: int) -> None:
        work_rows.stop(three, TABLE, [number])

    with pytest.raises(Stopped):
        make_edit(three, number, stop)
    edit = stored_edit(three, number)
    assert (edit.status, edit.stopped, edit.sha256) == ("waiting", True, "")
    assert not list((three.root / "edits").iterdir())


def test_the_command_makes_each_edit_of_several_videos(
    three: Workspace, capsys: pytest.CaptureFixture[str]
):
    where = ["--workspace", str(three.root)]
    apart = ["--reverse", "--mirror", "--apart"]
    assert main(["edit", "0.mp4", "1.mp4", *where, *apart, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert [copy["video"] for copy in made["made"]] == [
        "0~reverse.mp4", "0~mirror.mp4", "1~reverse.mp4", "1~mirror.mp4",
    ]  # fmt: skip
    assert made["made"][0]["parent"] == "0.mp4"
    assert made["failed"] == []
    # All that are no copies; the chain of both is one edit. What is there is not made again.
    assert main(["edit", "--all", *where, "--reverse"]) == 0
    assert "3 copies: 3 made." in capsys.readouterr().out
    assert main(["edit", "--all", *where, "--trim", "0.8-2"]) == 1
    outcome = capsys.readouterr()
    assert "2 copies: 2 made." in outcome.out
    assert "2.mp4, trim0.8-2: Trim: it begins at 0.8 s" in outcome.err
    assert main(["edit", *where, "--reverse"]) == 1
    assert "Name a video, or all that are no copies with --all" in capsys.readouterr().err


@pytest.mark.parametrize(
    "steps",
    [
        [("reverse", {})],
        [("mirror", {}), ("speed", {"factor": "2"})],
        [("rotate", {"degrees": 90}), ("crop", {"x": 4, "y": 20, "width": 41, "height": 60})],
        [("join", {})],
    ],
)
def test_the_preview_is_what_the_copy_becomes(three: Workspace, steps: list[tuple[str, dict]]):
    recipe = make_recipe(steps)
    videos = ["0.mp4", "2.mp4"][: 1 + recipe.others]
    preview = preview_edit(three, videos, recipe)
    edit = make_edit(three, plan_edit(three, videos, recipe))
    path, table = three.media.find_original(edit.sha256), three.media.frame_table(edit.sha256)
    assert path is not None
    assert preview.count == table.n
    assert preview.duration_s == pytest.approx(table.duration_s, abs=1e-6)
    assert [frame.index for frame in preview.frames] == [0, (table.n - 1) // 2, table.n - 1]
    made = sample_frames(path, [frame.index for frame in preview.frames], table=table)
    for shown, stored in zip(preview.frames, made, strict=True):
        assert shown.image is not None
        assert stored.image is not None
        assert shown.time_s == pytest.approx(stored.time_s, abs=1e-6)
        high, wide = shown.image.shape[:2]
        assert stored.image.shape[:2] == (high + high % 2, wide + wide % 2)
        assert (wide, high) == (preview.width, preview.height)
        apart = np.abs(stored.image[:high, :wide].astype(float) - shown.image)
        assert apart.mean() < 4, "nothing but compression"


def test_a_preview_of_what_does_not_fit_is_refused(three: Workspace):
    with pytest.raises(Refusal, match=r"the video ends at 0[.]600 s"):
        preview_edit(three, ["2.mp4"], make_recipe([("trim", {"start": 1, "end": 2})]))
    with pytest.raises(Refusal, match="no such video"):
        preview_edit(three, ["nobody.mp4"], SLOW)
