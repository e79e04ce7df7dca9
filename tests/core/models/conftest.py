"""Tiny models of the true architectures with random weights, saved as folders."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WORDS = (
    "A B C D yes no Yes No what happens in the video a man kicks ball cat sleeps on sofa "
    "Answer with one letter . , ? : ! ( ) system user assistant Frame from of 0 1 2 3 4 5 6 7 8 9"
)


@pytest.fixture(scope="session")
def save_tokenizer() -> Callable[..., Any]:
    """A function that makes a byte-level tokenizer with the special tokens given, and saves it."""
    pytest.importorskip("torch")
    transformers: Any = pytest.importorskip("transformers")

    def save(folder: Path, special: tuple[str, ...] = (), **more: Any) -> Any:
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

        plain = Tokenizer(models.BPE())
        plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        plain.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=400,
            special_tokens=["<pad>", "<end>", *special],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        plain.train_from_iterator([WORDS] * 3, trainer)
        tokenizer = transformers.PreTrainedTokenizerFast(
            tokenizer_object=plain, pad_token="<pad>", eos_token="<end>", **more
        )
        tokenizer.add_special_tokens({"additional_special_tokens": list(special)})
        tokenizer.save_pretrained(folder)
        return tokenizer

    return save


@pytest.fixture(scope="session")
def pictures() -> list[Any]:
    """Three pictures of odd sizes, uint8 RGB."""
    random = np.random.default_rng(7)
    shapes = [(90, 161, 3), (170, 97, 3), (64, 64, 3)]
    return [random.integers(0, 256, shape, np.uint8) for shape in shapes]
