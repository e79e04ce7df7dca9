"""Language models, text vectors and Whisper: tiny and random, in folders of the true layout."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.model import ItemError, LoadOptions, Request
from core.model_loading import load_model

torch: Any = pytest.importorskip("torch")
transformers: Any = pytest.importorskip("transformers")
Save = Callable[..., Any]


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory, save_tokenizer: Save) -> Path:
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("llama")
    tokenizer = save_tokenizer(folder)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
        eos_token_id=1,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory, save_tokenizer: Save) -> Path:
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("gpt2")
    tokenizer = save_tokenizer(folder)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=32, n_layer=2, n_head=4, n_positions=64, eos_token_id=1
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("which", ["llama", "gpt2"])
def test_a_language_model_scores_alike_alone_and_beside_longer_ones(
    which: str, request: pytest.FixtureRequest
):
    model = load_model("text", str(request.getfixturevalue(which)))
    asked = [Request("A or B?"), Request("a man kicks a ball, yes or no?"), Request("cat")]
    given = [("A", "B"), ("yes", "no"), ("A", "B", "C")]
    together = model.score(asked, given)
    for one, choices, row in zip(asked, given, together, strict=True):
        assert sum(row) == pytest.approx(1)
        # Positions count from the first word, not from the padding before it.
        assert model.score([one], [choices])[0] == pytest.approx(row, abs=1e-5)


def test_a_score_is_the_softmax_over_the_tokens_that_a_choice_begins_with(llama: Path):
    model = load_model("text", str(llama))
    (row,) = model.score([Request("cat")], [("A", "B")])
    inputs = model.front.collate([Request("cat")])
    with torch.inference_mode():
        chances = model.model(**inputs).logits[0, -1].softmax(-1)
    tokenizer = model.front.tokenizer
    sums: list[float] = []
    for letter in "AB":
        ids = {
            tokenizer(s, add_special_tokens=False)["input_ids"][0] for s in (letter, f" {letter}")
        }
        # With a space and without, where the space belongs to the letter's token.
        own = [i for i in ids if tokenizer.decode([i]).strip() == letter]
        sums.append(sum(float(chances[i]) for i in own))
    assert row[0] == pytest.approx(sums[0] / sum(sums), rel=1e-4), model.first_tokens(["A", "B"])


def test_a_text_model_does_not_see_and_says_so(llama: Path):
    model = load_model("chat", str(llama))
    assert not model.sees
    frames = np.zeros((2, 8, 8, 3), np.uint8)
    blind, fine = model.score([Request("A?", frames), Request("A?")], [("A", "B")] * 2)
    assert isinstance(blind, ItemError)
    assert blind.reason == "cannot see"
    assert len(fine) == 2


def test_a_prompt_longer_than_the_model_reads_costs_itself(llama: Path):
    model = load_model("text", str(llama))
    long, fine = model.generate([Request("ball " * 200), Request("ball")], 3)
    assert isinstance(long, ItemError)
    assert long.reason == "too long"
    assert fine.tokens <= 3


def save_encoder(folder: Path, save_tokenizer: Save, pooling: str) -> Path:
    torch.manual_seed(2)
    tokenizer = save_tokenizer(folder)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(folder)
    (folder / "1_Pooling").mkdir()
    settings = {"word_embedding_dimension": 24, f"pooling_mode_{pooling}": True}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(settings))
    (folder / "modules.json").write_text("[]")
    return folder


@pytest.mark.parametrize("pooling", ["mean_tokens", "cls_token", "max_tokens"])
def test_text_vectors_are_pooled_as_the_folder_says_whatever_the_company(
    pooling: str, tmp_path: Path, save_tokenizer: Save
):
    folder = save_encoder(tmp_path, save_tokenizer, pooling)
    model = load_model("embedding", str(folder), LoadOptions(batch=2))
    texts = ["a man kicks a ball", "cat", "what happens in the video", "sofa " * 300]
    vectors = model.embed(texts)
    assert vectors.shape == (4, 24)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    plain = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        states = plain(**tokenizer(texts[0], return_tensors="pt")).last_hidden_state[0]
    pooled = {"mean_tokens": states.mean(0), "cls_token": states[0], "max_tokens": states.amax(0)}
    wanted = torch.nn.functional.normalize(pooled[pooling], dim=0).numpy()
    assert vectors[0] == pytest.approx(wanted, abs=1e-4)
    assert model.embed([]).shape == (0, 24)


def test_a_random_whisper_runs_and_keeps_quiet_about_silence(tmp_path: Path, save_tokenizer: Save):
    torch.manual_seed(4)
    special = ("<|startoftranscript|>", "<|en|>", "<|transcribe|>", "<|notimestamps|>")
    stamps = tuple(f"<|{i * 0.02:.2f}|>" for i in range(1501))
    tokenizer = save_tokenizer(tmp_path, (*special, *stamps))
    ids = tokenizer.convert_tokens_to_ids(list(special))
    config = transformers.WhisperConfig(
        vocab_size=len(tokenizer),
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        max_target_positions=48,
        decoder_start_token_id=ids[0],
        eos_token_id=1,
        pad_token_id=0,
        bos_token_id=0,
        suppress_tokens=None,
        begin_suppress_tokens=None,
    )
    model = transformers.WhisperForConditionalGeneration(config)
    model.generation_config = transformers.GenerationConfig(
        no_timestamps_token_id=ids[3],
        max_length=40,
        is_multilingual=False,
        decoder_start_token_id=ids[0],
        eos_token_id=1,
        pad_token_id=0,
    )
    model.save_pretrained(tmp_path)
    transformers.WhisperFeatureExtractor(feature_size=80).save_pretrained(tmp_path)
    loaded = load_model("speech", str(tmp_path))
    assert loaded.transcribe(np.zeros(16000, np.float32)) == ()
    assert loaded.transcribe(np.zeros(0, np.float32)) == ()
    noise = np.random.default_rng(1).normal(0, 0.1, 16000 * 32).astype(np.float32)
    assert all(0 <= h.start_s <= h.end_s <= 32 for h in loaded.transcribe(noise))
