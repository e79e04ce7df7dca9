"""Reading and blurring of text as work that is stored: kept frame by frame, stopped, gone on with.

The reader is a small real one that reads stripes; a real one of letters is in test_screen_text.
"""

import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from striped_text import StripeReader, striped

from annotations.edit import text_work, work_rows
from annotations.edit.edit_store import origin_of, stored_edits
from annotations.edit.text_reading import film_of
from annotations.edit.work_rows import Stopped
from annotations.importing.import_plan import carry_out, plan_import
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from core.video.encode import write_video
from core.video.sample import sample_frames

# 2 s at 8 frames/s, read at frames 0, 2, 4, ...: the first third is there from frame 4 to 11, the
# second all the time, and the third on frame 7 alone, which stands between two ticks.
SHOWN = [
    [*([0] if 4 <= index < 12 else []), 1, *([2] if index == 7 else [])] for index in range(16)
]


@pytest.fixture
def clip(workspace: Workspace, tmp_path: Path) -> tuple[Workspace, str]:
    path = write_video(tmp_path / "clip.mp4", striped(SHOWN), Fraction(8), crf=4)
    carry_out(workspace, plan_import(workspace, path))
    [row] = workspace.store.rows("SELECT sha256 FROM video")
    return workspace, row["sha256"]


def words_in(workspace: Workspace, sha256: str, reader: StripeReader) -> list[set[str]]:
    """The words that are read on every frame of a video."""
    film = film_of(workspace, sha256)
    frames = sample_frames(film.path, range(film.table.n), table=film.table)
    return [{line.text for line in reader.read(frame.image)} for frame in frames]  # type: ignore[arg-type]


def test_a_reading_is_stored_and_says_when_lines_stand(clip: tuple[Workspace, str]):
    workspace, sha256 = clip
    reader = StripeReader()
    number = text_work.plan_reading(workspace, sha256)
    assert text_work.plan_reading(workspace, sha256) == number, "the same clip is one reading"
    assert text_work.stored_reading(workspace, number).status == "waiting"
    text = text_work.read(workspace, number, reader)
    # Ticks each 0.25 s, which are even frames; the stripes are too small for a scene change.
    assert text.frames == (0, 2, 4, 6, 8, 10, 12, 14)
    assert [(track.text, track.start, track.end) for track in text.tracks] == [
        ("score", 0.0, 1.75),
        ("bicycle kick", 0.5, 1.25),
    ]
    assert text_work.sightings(text.tracks[1]) == "0.50 to 1.25 s"
    reading = text_work.newest_reading(workspace, sha256, 0.0, None)
    assert reading is not None
    assert (reading.id, reading.status) == (number, "made")
    assert text_work.newest_reading(workspace, sha256, 0.0, 1.0) is None, "another clip"
    assert text_work.text_read(workspace, reading) == text
    read_pictures = reader.pictures
    text_work.read(workspace, number, reader)
    assert reader.pictures == read_pictures, "nothing is read again"


def test_a_chosen_line_goes_and_the_others_stay(clip: tuple[Workspace, str]):
    workspace, sha256 = clip
    reader = StripeReader()
    reading = text_work.plan_reading(workspace, sha256)
    text_work.read(workspace, reading, reader)
    number = text_work.plan_blurring(workspace, reading, [1])
    assert text_work.plan_blurring(workspace, reading, [1, 1]) == number
    result = text_work.blur(workspace, number, reader)
    assert result is not None
    blurring = text_work.stored_blurring(workspace, number)
    assert (blurring.status, blurring.still_read, blurring.chosen) == ("made", (), (1,))
    assert blurring.edit is not None
    assert origin_of(workspace, blurring.edit.sha256) == blurring.edit
    assert text_work.blurrings_of(workspace, reading) == [blurring]
    before = words_in(workspace, sha256, reader)
    after = words_in(workspace, blurring.edit.sha256, reader)
    assert [frame - {"bicycle kick"} for frame in before] == after
    assert not list((workspace.root / "edits").iterdir()), "nothing is left beside it"
    assert text_work.blur(workspace, number, reader) is None, "it is made already"


def test_when_every_line_is_chosen_what_stood_between_two_readings_goes_too(
    clip: tuple[Workspace, str],
):
    workspace, sha256 = clip
    reader = StripeReader()
    reading = text_work.plan_reading(workspace, sha256)
    tracks = text_work.read(workspace, reading, reader).tracks
    assert "clock" not in {track.text for track in tracks}, "the first reading misses it"
    number = text_work.plan_blurring(workspace, reading, range(len(tracks)))
    result = text_work.blur(workspace, number, reader)
    assert result is not None
    assert max(result.readings) > 0, "a later round finds it"
    assert result.still_read == ()
    assert words_in(workspace, result.edit.sha256, reader) == [set()] * 16


class ReadsCopiesOnly(StripeReader):
    """Reads the third word only where pictures went through a second compression."""

    def __init__(self, original: np.ndarray):
        super().__init__()
        self.original = original

    def read(self, image: np.ndarray):
        lines = super().read(image)
        untouched = np.array_equal(image[80:], self.original[80:])
        return tuple(line for line in lines if line.text != "clock" or not untouched)


def test_what_only_the_written_copy_shows_makes_another_copy(clip: tuple[Workspace, str]):
    workspace, sha256 = clip
    film = film_of(workspace, sha256)
    [frame] = sample_frames(film.path, [7], table=film.table)
    assert frame.image is not None
    reader = ReadsCopiesOnly(frame.image)
    reading = text_work.plan_reading(workspace, sha256)
    tracks = text_work.read(workspace, reading, reader).tracks
    number = text_work.plan_blurring(workspace, reading, range(len(tracks)))
    text_work.blur(workspace, number, reader)
    blurring = text_work.stored_blurring(workspace, number)
    assert blurring.still_read == ()
    assert blurring.edit is not None
    of_copies = [one.readings for one in blurring.rounds if one.of_copy]
    assert of_copies[-1] == 0
    assert words_in(workspace, blurring.edit.sha256, StripeReader()) == [set()] * 16
    assert len(stored_edits(workspace)) == 1, "copies that were not clean are no videos"


class StopsItself(StripeReader):
    """Has its own work stopped after some pictures."""

    def __init__(self, workspace: Workspace, table: str, number: int, after: int):
        super().__init__()
        self.work, self.after = (workspace, table, [number]), after

    def read(self, image: np.ndarray):
        lines = super().read(image)
        if self.pictures == self.after:
            work_rows.stop(*self.work)
        return lines


def test_stopped_work_keeps_what_it_has_and_goes_on(clip: tuple[Workspace, str]):
    workspace, sha256 = clip
    number = text_work.plan_reading(workspace, sha256)
    with pytest.raises(Stopped):
        text_work.read(workspace, number, StopsItself(workspace, "screen_text", number, 3))
    work_rows.end(workspace, "screen_text", number, "waiting")
    reading = text_work.stored_reading(workspace, number)
    assert (reading.status, reading.stopped) == ("waiting", True)
    assert text_work.text_read(workspace, reading).frames == (0, 2, 4)
    with pytest.raises(Refusal, match="not read to its end"):
        text_work.plan_blurring(workspace, number, [0])
    with pytest.raises(Stopped):
        text_work.read(workspace, number, StripeReader())
    work_rows.release(workspace, "screen_text", [number])
    reader = StripeReader()
    text = text_work.read(workspace, number, reader)
    assert text.frames == (0, 2, 4, 6, 8, 10, 12, 14)
    assert reader.pictures == 5, "three of eight were read before"


def test_a_killed_blurring_repeats_one_round_at_most(clip: tuple[Workspace, str], tmp_path: Path):
    workspace, sha256 = clip
    reading = text_work.plan_reading(workspace, sha256)
    text_work.read(workspace, reading, StripeReader())
    number = text_work.plan_blurring(workspace, reading, [1])
    slow = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "sys.path.insert(0, sys.argv[3])\n"
        "from striped_text import StripeReader\n"
        "from annotations.edit import text_work\n"
        "from annotations.workspace import Workspace\n"
        "class Slow(StripeReader):\n"
        "    def read(self, image):\n"
        "        print(self.pictures, flush=True)\n"
        "        if self.pictures == 9: time.sleep(60)\n"
        "        return super().read(image)\n"
        "text_work.blur(Workspace.open(Path(sys.argv[1])), int(sys.argv[2]), Slow())\n"
    )
    here = str(Path(__file__).parents[2])
    process = subprocess.Popen(
        [sys.executable, "-c", slow, str(workspace.root), str(number), here],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    while process.stdout.readline().strip() != "9":
        assert process.poll() is None
    assert text_work.stored_blurring(workspace, number).status == "running"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    blurring = text_work.stored_blurring(workspace, number)
    assert (blurring.status, blurring.edit) == ("waiting", None)
    assert [one.readings for one in blurring.rounds] == [0], "the first round of eight is kept"
    text_work.blur(workspace, number, StripeReader())
    assert text_work.stored_blurring(workspace, number).status == "made"


def test_what_cannot_be_blurred_is_refused(clip: tuple[Workspace, str]):
    workspace, sha256 = clip
    reading = text_work.plan_reading(workspace, sha256)
    text_work.read(workspace, reading, StripeReader())
    with pytest.raises(Refusal, match="Tick the lines"):
        text_work.plan_blurring(workspace, reading, [])
    with pytest.raises(Refusal, match="There is no line 2; the reading has 2"):
        text_work.plan_blurring(workspace, reading, [0, 2])
    for lookup in (text_work.stored_reading, text_work.stored_blurring):
        with pytest.raises(Missing):
            lookup(workspace, 99)
