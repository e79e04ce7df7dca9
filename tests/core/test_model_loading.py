"""Finding a model by its name, and what is said where it cannot be had."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import plugins
from core.model import KINDS, ItemError, LoadOptions, ModelError, NotInstalled, Request
from core.model_loading import PACKAGE, find_source, load_model, plugin, plugin_for

ARCHITECTURES = {
    "CLIPModel": ({"model_type": "clip"}, "image_text", "image_text"),
    "SiglipModel": ({"model_type": "siglip"}, "image_text", "image_text"),
    "Qwen2VLForConditionalGeneration": (
        {"model_type": "qwen2_vl", "vision_config": {}},
        "chat",
        "chat",
    ),
    "Gemma3ForConditionalGeneration": (
        {"model_type": "gemma3", "vision_config": {}},
        "chat",
        "chat",
    ),
    "LlamaForCausalLM": ({"model_type": "llama"}, "text", "text"),
    "GPT2LMHeadModel": ({"model_type": "gpt2"}, "chat", "text"),
    "BertModel": ({"model_type": "bert"}, "embedding", "embedding"),
    "WhisperForConditionalGeneration": ({"model_type": "whisper"}, "speech", "speech"),
}


@pytest.mark.parametrize("name", plugins.names(PACKAGE))
def test_a_plugin_has_what_the_contract_asks(name: str):
    found = plugin(name)
    assert found.TITLE
    assert found.KINDS
    assert set(found.KINDS) <= set(KINDS)


@pytest.mark.parametrize("architecture", list(ARCHITECTURES))
def test_the_architecture_decides_which_plugin_loads_a_folder(architecture: str, tmp_path: Path):
    more, kind, wanted = ARCHITECTURES[architecture]
    config = {"architectures": [architecture], **more}
    (tmp_path / "config.json").write_text(json.dumps(config))
    found: Any = plugin_for(kind, find_source(str(tmp_path)))  # type: ignore[arg-type]
    assert found.__name__ == f"core.models.{wanted}"


def test_a_whisper_of_ctranslate2_is_known_by_its_files(tmp_path: Path):
    (tmp_path / "config.json").write_text('{"lang_ids": [1], "alignment_heads": []}')
    (tmp_path / "model.bin").touch()
    found: Any = plugin_for("speech", find_source(str(tmp_path)))
    assert found.__name__ == "core.models.speech"


def test_a_model_that_cannot_serve_says_what_it_is_and_what_can(tmp_path: Path):
    (tmp_path / "config.json").write_text('{"architectures": ["ResNetForImageClassification"]}')
    with pytest.raises(ModelError, match="names ResNetForImageClassification"):
        load_model("chat", str(tmp_path))


def test_a_folder_that_is_not_there_and_json_that_is_none(tmp_path: Path):
    with pytest.raises(ModelError, match="No folder"):
        load_model("chat", str(tmp_path / "nothing"))
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ModelError, match="no JSON"):
        load_model("chat", str(tmp_path))


def test_a_hub_name_that_is_nowhere_says_what_to_do():
    pytest.importorskip("huggingface_hub")
    with pytest.raises(ModelError, match="Give a folder"):
        load_model("chat", "nobody/nothing-at-all", LoadOptions(offline=True))


def test_an_unknown_kind_is_named():
    with pytest.raises(ModelError, match="Allowed: image_text, chat"):
        load_model("smell", "stub:x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "name", "lacking"),
    [
        ("image_text", "FOLDER", "torch"),
        ("chat", "a/b", "huggingface_hub"),
        ("speech", "package:whisper-tiny.en", "faster_whisper"),
        ("ocr", "package:rapidocr", "rapidocr"),
    ],
)
def test_without_its_packages_a_model_says_how_to_install_them(
    kind: str, name: str, lacking: str, tmp_path: Path
):
    (tmp_path / "config.json").write_text('{"architectures": ["CLIPModel"], "model_type": "clip"}')
    name = str(tmp_path) if name == "FOLDER" else name
    code = f"""
import sys
for lacking in ("torch", "transformers", "huggingface_hub", "faster_whisper", "rapidocr"):
    sys.modules[lacking] = None
from core.model import NotInstalled
from core.model_loading import load_model
load_model("chat", "stub:fair")
import core.decoding.feeding
try:
    load_model({kind!r}, {name!r})
except NotInstalled as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert lacking in done.stdout, done.stderr
    assert "pip install -e '.[" in done.stdout
    assert issubclass(NotInstalled, ModelError)


def test_the_stub_serves_as_everything_and_says_that_it_is_none():
    frames = np.zeros((2, 8, 8, 3), np.uint8)
    for kind in KINDS:
        assert load_model(kind, "stub:fair").is_stand_in
    model = load_model("chat", "stub:fair")
    rows = model.score([Request("A?", frames)] * 2, [("A", "B", "C")] * 2)
    assert rows[0] == rows[1]
    assert sum(rows[0]) == pytest.approx(1)
    assert rows != load_model("chat", "stub:other").score(
        [Request("A?", frames)] * 2, [("A", "B", "C")] * 2
    )
    images = load_model("image_text", "stub:fair").embed_images(frames)
    assert np.allclose(np.linalg.norm(images, axis=1), 1)


def test_a_broken_stub_fails_on_some_and_goes_on():
    model = load_model("chat", "stub:broken")
    rows = model.score([Request(f"question {i}") for i in range(200)], [("A", "B")] * 200)
    failed = sum(isinstance(row, ItemError) for row in rows)
    # Every fifth by lot: 40 of 200, within three deviations of 5.7.
    assert 23 <= failed <= 57
