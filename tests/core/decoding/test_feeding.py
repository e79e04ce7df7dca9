"""Frames decoded ahead: exact, in every order, with bad files costing only themselves."""

import time
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from core.decoding.feeding import Batch, Failed, Feed, Job, Pin, pinned
from core.process.processes import Workers
from core.video.encode import write_video
from core.video.errors import VideoError
from core.video.plans import uniform
from core.video.probe import probe
from core.video.sample import sample_frames
from core.video.table import read_table


def feed(
    jobs: Iterable[Job], *, pin: Pin | None = None, **options: Any
) -> Iterator[Batch | Failed]:
    with Feed(jobs, **options) as fed:
        yield from fed.batches(pin)


@pytest.fixture(scope="module")
def videos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Five videos of odd sizes whose frames tell their number by their brightness."""
    folder = tmp_path_factory.mktemp("videos")
    sizes = [(96, 160), (64, 64), (120, 90), (96, 160), (48, 200)]
    paths: list[Path] = []
    for number, (height, width) in enumerate(sizes):
        frames = (np.full((height, width, 3), 8 * i, np.uint8) for i in range(9 + 4 * number))
        paths.append(folder / f"{number}.mp4")
        write_video(paths[-1], frames, Fraction(10))
    return paths


def test_every_clip_comes_once_with_the_frames_that_people_would_see(videos: list[Path]):
    jobs = [Job(("clip", i), path, 5) for i, path in enumerate(videos)]
    seen: dict[Any, Any] = {}
    sizes: list[int] = []
    for batch in feed(jobs, batch=2, workers=2, longest_side=100, frames=5):
        assert isinstance(batch, Batch)
        sizes.append(len(batch.clips))
        seen |= {clip.id: (clip.indices, clip.times, clip.frames.copy()) for clip in batch.clips}
    # Five clips, two at a time.
    assert sizes == [2, 2, 1]
    assert set(seen) == {("clip", i) for i in range(5)}
    for i, path in enumerate(videos):
        wanted = sample_frames(path, uniform(9 + 4 * i, 5), longest_side=100)
        indices, times, frames = seen["clip", i]
        assert indices == tuple(f.index for f in wanted)
        assert times == tuple(f.time_s for f in wanted)
        assert all(np.array_equal(a, f.image) for a, f in zip(frames, wanted, strict=True))


def test_a_video_with_fewer_frames_gives_all_it_has(videos: list[Path]):
    (batch,) = feed([Job("short", videos[0], 16)], batch=4, workers=1, longest_side=64)
    assert isinstance(batch, Batch)
    assert batch.clips[0].indices == tuple(range(9))


def test_models_see_turned_videos_upright(shared: Path):
    clip = shared / "clips" / "video_90.mov"
    if not clip.exists():
        pytest.skip(f"no {clip.name}")
    (batch,) = feed([Job("turned", clip, 2)], workers=1, longest_side=None)
    assert isinstance(batch, Batch)
    facts, _ = probe(clip)
    assert facts.rotation in (90, 270)
    # Stored lying down, shown standing.
    assert batch.frames[0].shape[1:3] == (facts.height, facts.width)
    assert (facts.height > facts.width) == (facts.coded_width > facts.coded_height)


def test_frames_come_in_the_order_asked_for(videos: list[Path]):
    (batch,) = feed([Job("mixed", videos[2], (7, 0, 7, 3))], workers=1, longest_side=64)
    assert isinstance(batch, Batch)
    grey = [frame.mean() for frame in batch.frames[0]]
    # Brightness is 8 times the index.
    assert np.allclose(grey, [56, 0, 56, 24], atol=3)


def test_bad_files_cost_only_themselves(videos: list[Path], tmp_path: Path):
    empty, cut = tmp_path / "zero.mp4", tmp_path / "trunc.mp4"
    empty.touch()
    cut.write_bytes(
        b"\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41\x00\x00\xff\xffmdat" + b"x" * 99
    )
    jobs = [
        Job("empty", empty),
        Job("good", videos[1]),
        Job("cut", cut),
        Job("outside", videos[1], (0, 99)),
        Job("other", videos[3]),
    ]
    good: list[Any] = []
    bad: dict[Any, Exception] = {}
    for item in feed(jobs, batch=8, workers=2, longest_side=64):
        if isinstance(item, Failed):
            bad[item.id] = item.error
        else:
            good += item.ids
    assert sorted(good) == ["good", "other"]
    assert set(bad) == {"empty", "cut", "outside"}
    assert isinstance(bad["empty"], VideoError)
    assert bad["empty"].reason == "empty file"
    assert isinstance(bad["cut"], VideoError)
    assert bad["cut"].reason == "incomplete file (index missing)"
    assert isinstance(bad["outside"], IndexError)


def test_frames_that_cannot_be_decoded_are_left_out_and_named(
    tmp_path: Path, lose_frames: Callable[..., Path]
):
    whole = tmp_path / "whole.mp4"
    frames = (np.full((48, 64, 3), 20 * i, np.uint8) for i in range(9))
    write_video(whole, frames, Fraction(4), keyframe_every=1)
    part = lose_frames(whole, tmp_path / "part.mp4", (3, 5))
    none = lose_frames(whole, tmp_path / "none.mp4", tuple(range(9)))
    table = read_table(whole)
    jobs = [Job("part", part, (5, 7, 3, 1), table), Job("gone", part, (3, 5), table),
            Job("none", none, 4, table), Job("whole", whole, (5, 7, 3, 1), table)]  # fmt: skip
    seen: dict[str, Any] = {}
    for item in feed(jobs, batch=1, workers=1, longest_side=64, frames=4):
        if isinstance(item, Failed):
            seen[item.id] = item.error
        else:
            [clip] = item.clips
            grey = [round(float(frame.mean()) / 20) for frame in clip.frames]
            seen[clip.id] = (clip.indices, clip.times, clip.missing, grey)
    # Four frames a second: frame 7 stands at 1.75 s.
    assert seen["part"] == ((7, 1), (1.75, 0.25), (5, 3), [7, 1])
    assert seen["whole"] == ((5, 7, 3, 1), (1.25, 1.75, 0.75, 0.25), (), [5, 7, 3, 1])
    for name in ("gone", "none"):
        assert isinstance(seen[name], VideoError)
        assert seen[name].reason == "no frame could be decoded"


def test_a_clip_too_large_for_its_place_in_memory_comes_all_the_same(videos: list[Path]):
    # Room for one frame of 3/4 of 160 x 160; asked for are 9 of 160 x 96.
    (batch,) = feed([Job("large", videos[3], 9)], workers=1, longest_side=160, frames=1)
    assert isinstance(batch, Batch)
    assert batch.frames[0].shape == (9, 96, 160, 3)


def test_many_more_jobs_than_places_and_a_slow_reader_lose_nothing(videos: list[Path]):
    jobs = (Job(i, videos[i % 5], 3) for i in range(60))
    seen: list[int] = []
    for batch in feed(jobs, batch=3, workers=2, longest_side=64, frames=3):
        assert isinstance(batch, Batch)
        first = batch.clips[0].frames.copy()
        time.sleep(0.01)
        # Nobody writes over what is being looked at.
        assert np.array_equal(first, batch.clips[0].frames)
        seen += batch.ids
    assert sorted(seen) == list(range(60))


def test_it_can_be_left_at_any_moment(videos: list[Path]):
    endless = (Job(i, videos[i % 5], 3) for i in range(10**9))
    started = time.monotonic()
    for number, _ in enumerate(feed(endless, batch=2, workers=2, longest_side=64)):
        if number == 3:
            break
    assert time.monotonic() - started < 30


def test_workers_of_the_caller_are_left_running(videos: list[Path]):
    with Workers(2) as workers:
        for _ in range(2):
            endless = (Job(i, videos[i % 5], 3) for i in range(10**9))
            for _ in feed(endless, batch=2, workers=workers, longest_side=64):
                break
            jobs = [Job(i, videos[i % 5], 3) for i in range(8)]
            fed = list(feed(jobs, batch=4, workers=workers, longest_side=64))
            assert sorted(i for batch in fed if isinstance(batch, Batch) for i in batch.ids) == [
                *range(8)
            ]


def test_decoding_begins_before_anybody_asks_for_a_batch(videos: list[Path]):
    taken: list[int] = []

    def jobs():
        for number in range(6):
            taken.append(number)
            yield Job(number, videos[number % 5], 3)

    with Feed(jobs(), batch=3, workers=1, longest_side=64) as fed:
        until = time.monotonic() + 20
        while len(taken) < 6 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(taken) == 6
        assert sum(len(one.clips) for one in fed.batches() if isinstance(one, Batch)) == 6


def test_the_memory_is_pinned_beside_the_first_batches_and_let_go_at_the_end(videos: list[Path]):
    seen: list[str] = []
    may_go_on = Event()

    def pin(memory: memoryview) -> Callable[[], None]:
        may_go_on.wait(20)
        seen.append(f"pinned {len(memory) > 0}")
        return lambda: seen.append("let go")

    for _ in feed([Job(0, videos[0], 3)], workers=1, longest_side=64, pin=pin):
        assert seen == []
        may_go_on.set()
    assert seen == ["pinned True", "let go"]


def test_an_error_in_the_list_of_jobs_reaches_the_reader(videos: list[Path]):
    def jobs():
        yield Job(0, videos[0], 3)
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        list(feed(jobs(), workers=1, longest_side=64))


def test_nothing_is_pinned_without_a_gpu():
    assert pinned(None) is None
