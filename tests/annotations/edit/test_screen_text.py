"""Text on screen, by a real reader: found, blurred in a copy, and read again until it is gone."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from annotations.edit.edit_store import origin_of
from annotations.edit.screen_text import blur_text, choose, regions_of
from annotations.edit.text_reading import film_of, find_text, read_frames, reading_frames
from annotations.importing.import_plan import carry_out, plan_import
from annotations.workspace import Workspace
from core.model_loading import load_model
from core.question.text_boxes import SeenLine, TextTrack, alike
from core.refusal import Refusal
from core.video.encode import write_video
from core.video.sample import sample_frames
from ui.cli import main

pytest.importorskip("rapidocr")
WORDS = "BICYCLE KICK"


def pictures() -> Iterator[np.ndarray]:
    """Six frames at 8 a second: a score that stands still, and from the second on the answer, which
    moves along; readings at 4 a second see every other frame."""
    ground = np.full((140, 360, 3), 90, np.uint8)
    for index in range(6):
        picture = ground.copy()
        picture[120:, 8 * index : 8 * index + 30] = 200
        cv2.putText(picture, "SCORE 3", (230, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (250,) * 3, 2)
        if index:
            at = (20 + 9 * index, 80)
            cv2.putText(picture, WORDS, at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (250, 250, 80), 2)
        yield picture


@pytest.fixture
def captioned(workspace: Workspace, tmp_path: Path) -> tuple[Workspace, str]:
    path = write_video(tmp_path / "clip.mp4", pictures(), Fraction(8), crf=8)
    carry_out(workspace, plan_import(workspace, path))
    [row] = workspace.store.rows("SELECT sha256 FROM video")
    return workspace, row["sha256"]


@pytest.fixture(scope="module")
def reader() -> Any:
    return load_model("ocr", "package:rapidocr")


def test_what_gives_the_answer_away_is_blurred_until_it_is_gone(
    captioned: tuple[Workspace, str], reader: Any
):
    workspace, sha256 = captioned
    text = find_text(workspace, sha256, reader)
    assert {"SCORE 3", WORDS} <= {track.text.upper() for track in text.tracks}
    options = ["scissors kick", "bicycle kick", "volley"]
    chosen = choose(text, "Which move does the player make?", options, 1)
    assert chosen
    assert all(alike(track.text, WORDS) > 0.8 for track in chosen), "the score stays"
    assert choose(text, "What is the bicycle kick?", options, 1) == [], "the question says it"
    assert choose(text, "Which?", options, None) == []
    blurring = blur_text(workspace, text, chosen, reader)
    assert blurring.still_read == ()
    assert origin_of(workspace, blurring.edit.sha256) == blurring.edit
    copy = workspace.media.find_original(blurring.edit.sha256)
    assert copy is not None
    [last] = sample_frames(copy, [5])
    assert last.image is not None
    lines = [line.text for line in reader.read(last.image)]
    assert not [line for line in lines if alike(line, WORDS) > 0.6]
    assert [line for line in lines if alike(line, "SCORE 3") > 0.8]
    # Same frames at the same times; far from the words nothing changes beyond compression.
    old, new = (workspace.media.find_original(one) for one in (sha256, blurring.edit.sha256))
    assert old is not None
    assert new is not None
    before, after = (sample_frames(path, range(6)) for path in (old, new))
    for first, second in zip(before, after, strict=True):
        assert first.time_s == second.time_s
        assert first.image is not None
        assert second.image is not None
        apart = np.abs(first.image.astype(float) - second.image)[110:]
        assert apart.mean() < 2
        assert np.percentile(apart, 99) < 16


def test_text_of_a_real_clip_is_not_found_after_and_the_rest_stays(
    workspace: Workspace, shared: Path, reader: Any
):
    # Ten frames of 128 x 128 px with "Frame N" on each; the longer clips are in a script of
    # tests/benchmarks.
    carry_out(workspace, plan_import(workspace, shared / "clips" / "h265_video.mp4"))
    [row] = workspace.store.rows("SELECT sha256 FROM video")
    text = find_text(workspace, row["sha256"], reader)
    assert any(alike(track.text, "Frame 2") > 0.8 for track in text.tracks)
    blurring = blur_text(workspace, text, text.tracks, reader)
    assert blurring.still_read == ()
    old, new = film_of(workspace, row["sha256"]), film_of(workspace, blurring.edit.sha256)
    assert old.table.times == new.table.times
    assert read_frames(new, reader, range(10)) == [], "on no frame, also those never read before"
    regions = blurring.edit.recipe.steps[0].settings["regions"]
    # A quarter of a region's height is blurred around it, and compression changes whole blocks.
    edges = [(top - 40, bottom + 40) for *_, top, _, bottom in regions]
    outside = np.ones(128, bool)
    for top, bottom in edges:
        outside[max(0, top) : bottom] = False
    assert outside.any()
    before, after = sample_frames(old.path, range(10)), sample_frames(new.path, range(10))
    for first, second in zip(before, after, strict=True):
        assert first.image is not None
        assert second.image is not None
        apart = np.abs(first.image.astype(float) - second.image)[outside]
        assert apart.mean() < 2
        assert np.percentile(apart, 99) < 16


def test_frames_are_read_at_ticks_and_where_the_picture_changes(
    workspace: Workspace, tmp_path: Path
):
    # 2 s at 10 frames/s; black, but frames 7 and 8 are white: they begin and end between two ticks.
    shades = [255 if index in (7, 8) else 0 for index in range(20)]
    frames = (np.full((48, 64, 3), shade, np.uint8) for shade in shades)
    carry_out(
        workspace, plan_import(workspace, write_video(tmp_path / "a.mp4", frames, Fraction(10)))
    )
    [row] = workspace.store.rows("SELECT sha256 FROM video")
    # Ticks each 0.25 s are frames 0, 2, 5, 7, 10, ...; the changes are 7 and 9.
    film = film_of(workspace, row["sha256"])
    read = reading_frames(film, 0, None)
    assert {0, 2, 5, 7, 10, 12, 15, 17} <= set(read)
    assert {7, 9} <= set(read)
    moved = reading_frames(film, 0, None, 0.5)
    assert not {2, 5, 7} & set(moved)
    part = reading_frames(film, 0.5, 1.0)
    assert min(part) == 5
    assert max(part) <= 9


def test_regions_reach_a_step_before_and_after():
    lines = [SeenLine(1.0, (10.5, 20, 90.2, 40), "a"), SeenLine(1.25, (30, 20, 110, 40), "a")]
    assert regions_of([TextTrack(lines)]) == [
        ["3/4", "1", 10, 20, 91, 40],
        ["1", "5/4", 10, 20, 110, 40],
        ["5/4", "3/2", 30, 20, 110, 40],
    ]


def test_nothing_chosen_is_refused(captioned: tuple[Workspace, str], reader: Any):
    workspace, sha256 = captioned
    text = find_text(workspace, sha256, reader, 0.0, 0.1)
    with pytest.raises(Refusal, match="No line is chosen"):
        blur_text(workspace, text, [], reader)


def test_the_command_names_the_lines_that_there_are(
    captioned: tuple[Workspace, str], capsys: pytest.CaptureFixture[str]
):
    workspace, _ = captioned
    where = ["--workspace", str(workspace.root)]
    assert main(["edit", "clip.mp4", *where, "--blur-text", "volley"]) == 1
    assert "On screen there is: " in capsys.readouterr().err
    both = [*where, "--mirror", "--blur-text", "all"]
    assert main(["edit", "clip.mp4", *both]) == 1
    assert "--blur-text stands alone" in capsys.readouterr().err
