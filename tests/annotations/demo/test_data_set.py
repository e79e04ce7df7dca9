import json
from pathlib import Path

import av
import cv2
import numpy as np

from annotations.demo.clips import CLIPS, questions
from annotations.demo.example import example_grid
from annotations.task import INSTRUCTIONS

TYPES = {"rotation", "direction", "velocity&frequency", "shape&trend", "visual_cues", "count"}


def test_there_are_at_least_24_clips_of_3_to_6_seconds_with_keys_of_their_own():
    assert len(CLIPS) >= 24
    assert len({clip.key for clip in CLIPS}) == len(CLIPS)
    assert len({clip.name for clip in CLIPS}) == len(CLIPS)
    assert all(3 <= clip.seconds <= 6 for clip in CLIPS)
    assert all(clip.questions for clip in CLIPS)


def test_every_reasoning_type_and_every_demonstration_type_is_asked():
    assert {question.category for question in questions()} == TYPES
    kinds = {question.tags["demonstration_type"] for question in questions()}
    assert kinds == {"human", "object", "simulated"}


def test_every_question_has_3_to_7_options_that_differ_and_a_key_among_them():
    counts: set[int] = set()
    for question in questions():
        words = {option.strip().casefold() for option in question.options}
        assert len(words) == len(question.options), question.uid
        assert 3 <= len(question.options) <= 7, question.uid
        assert 0 <= question.key < len(question.options), question.uid
        assert question.uid.startswith(f"{question.category}/"), question.uid
        counts.add(len(question.options))
    assert counts == {3, 4, 5, 6, 7}
    assert len({question.uid for question in questions()}) == len(questions())


def test_keys_are_spread_over_the_options():
    places = [question.key for question in questions()]
    assert max(places.count(k) for k in set(places)) <= len(places) / 2


def test_the_files_have_the_layout_of_tomato(demo_footage: Path):
    names = {path.name for path in demo_footage.glob("*.json")}
    assert names == {f"{kind}.json" for kind in TYPES}
    read = 0
    for path in demo_footage.glob("*.json"):
        for number, record in json.loads(path.read_text("utf-8")).items():
            read += 1
            assert number.isdigit()
            assert set(record) == {
                "question", "options", "answer", "key", "motion_type", "demonstration_type",
                "variation", "video_source_url", "note",
            }  # fmt: skip
            assert set(record["variation"]) == {
                "counterfactual", "composite", "zoom", "first_person",
            }  # fmt: skip
            kind, key = record["demonstration_type"], record["key"]
            assert (demo_footage / "videos" / kind / f"{key}.mp4").is_file()
    assert read == len(questions())


def test_the_files_have_the_fields_of_the_real_data_set(demo_footage: Path, shared: Path):
    for path in demo_footage.glob("*.json"):
        real = json.loads((shared / "data" / "tomato" / path.name).read_text("utf-8"))
        ours = json.loads(path.read_text("utf-8"))
        assert set(next(iter(ours.values()))) == set(next(iter(real.values())))
        assert {r["motion_type"] for r in ours.values()} == {
            r["motion_type"] for r in real.values()
        }


def test_every_frame_of_every_clip_decodes_at_its_time(demo_footage: Path):
    for clip in CLIPS:
        with av.open(str(demo_footage / clip.file)) as container:
            stream = container.streams.video[0]
            assert (stream.width, stream.height, stream.codec_context.pix_fmt) == (
                640,
                360,
                "yuv420p",
            )
            times = [frame.time for frame in container.decode(stream)]
        assert len(times) == clip.count
        assert times[0] == 0
        # At 30 frames a second frame i begins at i / 30 s.
        assert all(abs(time - i / 30) < 1e-4 for i, time in enumerate(times) if time is not None)


def test_nothing_but_data_is_left_in_the_folder(demo_footage: Path):
    files = [path for path in demo_footage.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".json", ".mp4"}
    assert not [path for path in files if path.name.startswith(".")]


def test_the_picture_in_the_instructions_is_the_one_that_is_drawn_here():
    drawn = example_grid()
    kept = np.flip(np.asarray(cv2.imread(str(INSTRUCTIONS / "windmill.jpg"))), axis=2)
    assert kept.shape == drawn.shape
    # JPEG changes values by a little.
    assert np.abs(kept.astype(int) - drawn).mean() < 4
