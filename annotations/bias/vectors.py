"""Vectors of texts, kept in a file of the workspace for each model: nothing is embedded twice.

A text is known by its hash, so equal texts (frames of a still video) share one vector, which is
kept as float16. The file only grows, and what a killed process left half written is cut off.
"""

import fcntl
import hashlib
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.bias.representation import Floats32, unit
from core.half_made import whole

FOLDER = "cache/embeddings"
AT_ONCE = 2048
_KEY = np.dtype("S16")
Say = Callable[[int, int], None]
Embed = Callable[[Sequence[str]], Floats32]
IsCut = Callable[[Sequence[str]], Sequence[int]]  # 1: cut, 0: whole, -1: not known


def quiet(done: int, total: int) -> None:
    """Say nothing."""


@dataclass
class VectorStore:
    """Vectors of one model.

    Attributes:
        name: of the model.
        folder: where they lie.
        new: how many texts were embedded since it was opened.
    """

    name: str
    folder: Path
    new: int = 0
    _keys: npt.NDArray[Any] = field(default_factory=lambda: np.zeros(0, _KEY))
    _order: npt.NDArray[Any] = field(default_factory=lambda: np.zeros(0, np.int64))

    @classmethod
    def open(cls, root: Path, model: str) -> "VectorStore":
        """The vectors of a model in a workspace's folder; none yet is fine."""
        short = hashlib.sha256(model.encode()).hexdigest()[:16]
        folder = root / FOLDER / short
        folder.mkdir(parents=True, exist_ok=True)
        with whole(folder / "model.txt") as part:
            part.write_text(model + "\n", encoding="utf-8")
        store = cls(model, folder)
        store._read()
        return store

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def stand_in(self) -> str:
        """What has to be said of a model that is none; '' for a real one."""
        path = self.folder / "stand_in.txt"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def tell_stand_in(self, words: str) -> None:
        """Keep what has to be said of the model with its vectors."""
        with whole(self.folder / "stand_in.txt") as part:
            part.write_text(words, encoding="utf-8")

    def missing(self, texts: Iterable[str]) -> list[str]:
        """Texts that have no vector yet, each once, in order."""
        once = list(dict.fromkeys(texts))
        known_hashes = self._find(once) >= 0
        return [text for text, known in zip(once, known_hashes.tolist(), strict=True) if not known]

    def add(self, texts: Iterable[str], embed: Embed, is_cut: IsCut, say: Say = quiet) -> int:
        """How many texts were embedded: those that have no vector yet, kept after each 2,048."""
        wanted = self.missing(texts)
        # Long ones first: whatever does not fit into memory shows at once.
        wanted.sort(key=lambda text: -len(text))
        for start in range(0, len(wanted), AT_ONCE):
            part = wanted[start : start + AT_ONCE]
            vectors = embed(part)
            cut = np.array(is_cut(part), np.int8)
            self._append(part, vectors, cut)
            say(min(start + AT_ONCE, len(wanted)), len(wanted))
        self.new += len(wanted)
        return len(wanted)

    def vectors(self, texts: Sequence[str]) -> Floats32:
        """(N, D) unit vectors of texts that all have one; zeros for an empty text.

        Raises:
            KeyError: if a text has none.
        """
        rows = self._rows_of(texts)
        table = self._table()
        indices = np.zeros((len(texts), table.shape[1]), np.float32)
        told = rows >= 0
        indices[told] = unit(np.asarray(table[rows[told]], np.float32))
        return indices

    def count_cut(self, texts: Sequence[str]) -> int | None:
        """How many texts the model read only in part; None where it does not say."""
        rows = self._rows_of(texts)
        cut = np.fromfile(self.folder / "cut.i8", np.int8)[rows[rows >= 0]]
        return None if (cut < 0).any() else int(cut.sum())

    def _rows_of(self, texts: Sequence[str]) -> npt.NDArray[np.int64]:
        filled = np.array([bool(text) for text in texts], np.bool_)
        rows = np.where(filled, self._find(texts), -1)
        if (rows[filled] < 0).any():
            lost = next(t for t, row in zip(texts, rows.tolist(), strict=True) if t and row < 0)
            raise KeyError(f"{lost[:60]!r} was not embedded by {self.name}")
        return rows

    def _find(self, texts: Sequence[str]) -> npt.NDArray[np.int64]:
        keys = np.array([_key(text) for text in texts], _KEY)
        if not len(self._keys) or not len(keys):
            return np.full(len(keys), -1, np.int64)
        at = np.searchsorted(self._keys, keys, sorter=self._order)
        rows = self._order[np.minimum(at, len(self._order) - 1)]
        return np.where(self._keys[rows] == keys, rows, -1).astype(np.int64)

    def _append(self, texts: Sequence[str], vectors: Floats32, cut: npt.NDArray[np.int8]) -> None:
        with self._locked():
            self._read()
            new = [n for n, row in enumerate(self._find(texts).tolist()) if row < 0]
            size = len(self._keys)
            width = vectors.shape[1]
            with whole(self.folder / "width.txt") as part:
                part.write_text(str(width), encoding="ascii")
            # Keys come last: a vector without its key is written over by the next process.
            for name, data, size_each in (
                ("vectors.f16", np.asarray(vectors[new], np.float16), 2 * width),
                ("cut.i8", cut[new], 1),
                ("keys.s16", np.array([_key(texts[n]) for n in new], _KEY), _KEY.itemsize),
            ):
                path = self.folder / name
                path.touch()
                with path.open("r+b") as file:
                    file.truncate(size * size_each)
                    file.seek(size * size_each)
                    file.write(data.tobytes())
            self._read()

    def _read(self) -> None:
        path = self.folder / "keys.s16"
        count = path.stat().st_size // _KEY.itemsize if path.is_file() else 0
        self._keys = np.fromfile(path, _KEY, count) if count else np.zeros(0, _KEY)
        self._order = np.argsort(self._keys, kind="stable")

    def _table(self) -> npt.NDArray[np.float16]:
        if not len(self._keys):
            return np.zeros((0, 1), np.float16)
        width = int((self.folder / "width.txt").read_text(encoding="ascii"))
        path = self.folder / "vectors.f16"
        return np.memmap(path, np.float16, "r", shape=(len(self._keys), width))

    @contextmanager
    def _locked(self) -> Generator[None]:
        with (self.folder / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _key(text: str) -> bytes:
    # numpy cuts zeros off the end of such bytes, so hexadecimal digits are kept.
    return hashlib.sha256(text.encode()).hexdigest()[:16].encode()
