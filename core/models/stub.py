"""No model at all: answers that depend on nothing but what is asked, for demos and tests.

``stub:fair`` gives every choice the same chance apart from a little noise; ``stub:WORDS`` does the
same under another name, so that several can be told apart. ``stub:broken`` fails on every fifth
item and writes broken JSON; ``stub:slow`` takes 0.05 s an item.
"""

import hashlib
import json
import re
import time
from collections.abc import Sequence

import numpy as np

from core.model import (
    KINDS as ALL,
)
from core.model import (
    Heard,
    ItemError,
    Kind,
    Line,
    LoadOptions,
    Picture,
    Pictures,
    Reply,
    Request,
    Samples,
    Source,
    Vectors,
)
from core.models._pixels import stacked

TITLE = "Stub (no model)"
KINDS: tuple[Kind, ...] = ALL

SIZE = 64
_REASON = re.compile(r"^- (\w+):", re.MULTILINE)
_FIELD = re.compile(r"^- \"(\w+)\": (.+)$", re.MULTILINE)
WORDS = "A stub, no model: its answers mean nothing."


def likeness(kind: Kind, source: Source) -> int:
    """3 for ``stub:...``."""
    return 3 if source.scheme == "stub" else 0


def load(kind: Kind, source: Source, options: LoadOptions) -> "Stub":
    """The stub; it serves as every kind."""
    return Stub(source.name, source.rest)


class Stub:
    """Serves as every kind of model; the same input gives the same answer everywhere."""

    is_stand_in = True
    stand_in_words = WORDS
    sees = True
    scores = True
    device = "cpu"

    def __init__(self, name: str, manner: str):
        """Keeps name and manner."""
        self.name = name
        self.manner = manner

    def embed_images(self, frames: Pictures) -> Vectors:
        """A vector of each picture's mean colours and a number drawn from its bytes."""
        stacks = [frames] if isinstance(frames, np.ndarray) else list(frames)
        return self._rows([p.tobytes() for stack in stacked(stacks) for p in stack])

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """A vector drawn from each text."""
        return self._rows([text.encode() for text in texts])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The same as `embed_texts`."""
        return self.embed_texts(texts)

    def score(
        self, requests: Sequence[Request], choices: Sequence[Sequence[str]]
    ) -> list[tuple[float, ...] | ItemError]:
        """Probabilities drawn from what is asked."""
        rows: list[tuple[float, ...] | ItemError] = []
        for request, choice_list in zip(requests, choices, strict=True):
            if error := self._fails(request):
                rows.append(error)
                continue
            weights = [1 + self._drawn(_bytes(request) + c.encode()) for c in choice_list]
            rows.append(tuple(w / sum(weights) for w in weights))
        return rows

    def generate(self, requests: Sequence[Request], max_tokens: int) -> list[Reply | ItemError]:
        """A verdict as JSON, for one of the reasons that the prompt lists as `- NAME: ...`."""
        replies: list[Reply | ItemError] = []
        for request in requests:
            if error := self._fails(request):
                replies.append(error)
                continue
            luck = self._drawn(_bytes(request))
            if fields := _FIELD.findall(request.text):
                text = json.dumps({name: self._filled(allowed, luck) for name, allowed in fields})
                replies.append(Reply(text, len(text.split()), True))
                continue
            listed = _REASON.findall(request.text)
            reasons = [listed[int(2 * luck * len(listed))]] if listed and luck < 0.5 else []
            verdict = "reject" if reasons else "accept"
            screening = {"verdict": verdict, "reasons": reasons, "note": "drawn by lot"}
            text = json.dumps(screening)
            text = text[:-9] if self.manner == "broken" else text
            replies.append(Reply(text, len(text.split()), True))
        return replies

    def _filled(self, allowed: str, luck: float) -> object:
        """A value for a field of a form: one of those that its line allows, else words or none."""
        listed = re.search(r"of (\[.*?\])", allowed)
        if listed is None:
            return [] if allowed.startswith("a list") else 1 if "counted" in allowed else "a stub"
        values: list[object] = json.loads(listed[1])
        value = values[int(luck * len(values))]
        return [value] if allowed.startswith("a list") else value

    def transcribe(self, samples: Samples) -> tuple[Heard, ...]:
        """One stretch that says how long the sound is; () for silence."""
        if not len(samples) or not np.abs(samples).max():
            return ()
        length = len(samples) / 16000
        return (Heard(0.0, length, f"{length:.1f} seconds of sound"),)

    def read(self, image: Picture) -> tuple[Line, ...]:
        """One line that says how large the picture is."""
        height, width = image.shape[:2]
        corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
        return (Line(f"{width} by {height}", 0.5, corners),)

    def _fails(self, request: Request) -> ItemError | None:
        if self.manner == "slow":
            time.sleep(0.05)
        if self.manner == "broken" and self._drawn(_bytes(request)) < 0.2:
            return ItemError("the model failed", "every fifth item does")
        return None

    def _drawn(self, what: bytes) -> float:
        digest = hashlib.sha256(self.manner.encode() + b"\0" + what).digest()
        return int.from_bytes(digest[:6], "big") / 2**48

    def _rows(self, things: Sequence[bytes]) -> Vectors:
        rows = np.zeros((len(things), SIZE), np.float32)
        for row, thing in zip(rows, things, strict=True):
            seed = hashlib.sha256(thing).digest()
            row[:] = np.random.default_rng(list(seed)).normal(size=SIZE)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True) if len(rows) else rows


def _bytes(request: Request) -> bytes:
    seen = b"" if request.frames is None else np.ascontiguousarray(request.frames).tobytes()
    return request.system.encode() + b"\0" + request.text.encode() + b"\0" + seen
