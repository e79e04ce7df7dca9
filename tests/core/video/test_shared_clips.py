"""Real clips: each has the frames that its maker put in, and every sampled frame is exact."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from av.video.frame import VideoFrame

from core.video.decode import Decoder, decode_stretch
from core.video.errors import VideoError
from core.video.geometry import picture, shape_of
from core.video.plans import uniform
from core.video.probe import probe
from core.video.sample import sample_frames
from core.video.source import numbered_packets, open_video
from core.video.table import read_table

DAMAGED = {"corrupted.mp4": 50}  # one of its 50 packets does not decode
REASONS = {
    "chunk_out_of_range.mp4": "damaged file (index unreadable)",
    "derived/truncated_no_moov.mp4": "incomplete file (index missing)",
    "derived/zero_bytes.mp4": "empty file",
    "derived/html_error_page.mp4": "not a video file (an HTML page)",
    "derived/audio_only.mp4": "no video stream",
}


@pytest.fixture(scope="module")
def clips(shared: Path) -> dict[str, dict]:
    listed = json.loads((shared / "clips" / "manifest.json").read_text())
    entries = listed if isinstance(listed, list) else [e for v in listed.values() for e in v]
    return {entry["file"]: entry for entry in entries}


def test_frames_are_counted_and_facts_are_sane(shared: Path, clips: dict[str, dict]):
    for name, entry in clips.items():
        if name in REASONS:
            continue
        facts, table = probe(shared / "clips" / name)
        assert facts.n_frames == DAMAGED.get(name, entry["decoded_frames"]), name
        assert 0 < facts.duration_s < 60, name
        assert 0 < facts.fps <= 60, name
        assert facts.header_frames is None or 0 < facts.header_frames < 2000, name
        assert table.times[0] == 0
        assert len(set(table.times)) == table.n, name


def test_what_cannot_be_used_says_why(shared: Path):
    for name, reason in REASONS.items():
        with pytest.raises(VideoError) as caught:
            probe(shared / "clips" / name)
        assert caught.value.reason == reason


def test_sampled_frames_equal_those_of_decoding_everything(shared: Path, clips: dict[str, dict]):
    for name in clips:
        if name in REASONS:
            continue
        path = shared / "clips" / name
        table = read_table(path)
        indices = uniform(table.n, 16)
        truth = decoded_in_order(path, set(indices), table)
        for frame in sample_frames(path, indices, longest_side=96, table=table):
            if frame.status == "exact":
                assert np.array_equal(np.asarray(frame.image), truth[frame.index]), (
                    name,
                    frame.index,
                )
            else:
                assert name in DAMAGED, (name, frame.index, frame.status)


def decoded_in_order(path: Path, indices: set[int], table) -> dict[int, np.ndarray]:
    """The pictures at these places of the decoder's own output, all packets fed, none skipped."""
    pictures: list[np.ndarray | None] = []
    with open_video(path) as (container, stream):
        sar = stream.sample_aspect_ratio
        wanted = {table.packets[i] for i in indices}

        def take(frame: VideoFrame) -> None:
            chosen = frame.pts in wanted
            pictures.append(picture(frame, shape_of(frame, sar), 96) if chosen else None)

        everything = range(max(table.packets) + 1)
        packets = numbered_packets(container, stream)
        decode_stretch(Decoder(stream, False), packets, 0, everything.stop - 1, everything, take)
    if path.name in DAMAGED:
        pictures.insert(30, None)  # the frame that does not come
    return {i: p for i, p in enumerate(pictures) if p is not None}


def test_the_clips_frame_numbers_drawn_by_others_are_met(shared: Path):
    # frames.webm counts its frames in the picture: neighbours differ, and 16 samples all differ.
    path = shared / "clips" / "frames.webm"
    images = [np.asarray(f.image) for f in sample_frames(path, range(40, 56), longest_side=128)]
    for before, after in pairwise(images):
        assert not np.array_equal(before, after)


def test_two_video_streams_are_said(shared: Path):
    facts, table = probe(shared / "clips" / "nasa_13013.mp4")
    assert (facts.width, facts.height, table.n) == (320, 180, 325)
    assert "several video streams, the first is used" in facts.notes
