"""Texts as the words that they hold, counted: no model, no download, and no meaning.

``words:counted`` is the oldest way to compare texts (a bag of words, hashed): two texts are as
alike as they share words, in whatever form. It shows what a measurement looks like in no time, and
what an embedding model adds.
"""

import re
from collections import Counter
from collections.abc import Sequence
from zlib import crc32

import numpy as np

from core.bias.representation import unit
from core.model import Kind, LoadOptions, Source, Vectors
from core.question.words import words

TITLE = "Counted words (no model)"
KINDS: tuple[Kind, ...] = ("embedding",)
SIZE = 1024
WORDS = "Words are counted, nothing is understood: texts are alike where they share words."
# What every text has in front tells nothing: instructions and the numbers of frames.
_IN_EVERY_TEXT = re.compile(r"\AInstruct: .*\nQuery: |\bFrame \d+:")


def likeness(kind: Kind, source: Source) -> int:
    """3 for ``words:...``."""
    return 3 if source.scheme == "words" else 0


def load(kind: Kind, source: Source, options: LoadOptions) -> "WordCounts":
    """The counter."""
    return WordCounts(source.name)


class WordCounts:
    """Hashed bags of words; see `core.model.Embedding`."""

    is_stand_in = True
    stand_in_words = WORDS
    device = "cpu"

    def __init__(self, name: str):
        """Keeps the name."""
        self.name = name

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(N, 1024) unit vectors: at the place of each stem the root of how often it occurs."""
        vectors = np.zeros((len(texts), SIZE), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            told = words(_IN_EVERY_TEXT.sub("", text))
            for stem, count in Counter(word.stem for word in told if word.content).items():
                # crc32 and not hash(): the same text has the same vector in every process.
                row[crc32(stem.encode()) % SIZE] += count**0.5
        return unit(vectors)

    def is_cut(self, texts: Sequence[str]) -> list[bool]:
        """Never: every word counts."""
        return [False] * len(texts)
