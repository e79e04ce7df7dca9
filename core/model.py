"""What a model is to the rest of the app; `core.model_loading` finds one by its name.

To add a family of models, write ``core/models/NAME.py`` with:

- ``TITLE``: in words; ``KINDS``: what it can serve as, of `Kind`;
- ``likeness(kind, source)``: 0 when it cannot load this source as that kind, 1 when it might,
  2 when it should, 3 when it was made for it;
- ``load(kind, source, options)``: one of `ImageText`, `Chat`, `Embedding`, `Speech`, `Ocr`.

Heavy packages (torch, transformers) are imported inside functions only: without them everything
but loading works.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

Kind = Literal["image_text", "chat", "text", "embedding", "speech", "ocr"]
KINDS: tuple[Kind, ...] = get_args(Kind)

Vectors: TypeAlias = NDArray[np.float32]
Samples: TypeAlias = NDArray[np.float32]
Picture: TypeAlias = NDArray[np.uint8]
Pictures: TypeAlias = NDArray[np.uint8] | Sequence[NDArray[np.uint8]]


class ModelError(RuntimeError):
    """A model cannot be had; the message says what to do."""


class NotInstalled(ModelError):  # noqa: N818 - it reads as what happened
    """A package is lacking; the message says which one and how to install it."""


class ItemError(Exception):
    """Why a model gave no answer for one item; returned in its place, or raised for a single one.

    Attributes:
        reason: short words from a small set, so that they can be counted: "out of memory",
            "too long", "time-out", "server error", "refused by the server", "no answer", ...
        detail: what was said, for a person; may be ''.
    """

    def __init__(self, reason: str, detail: str = ""):
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason


@dataclass(frozen=True)
class LoadOptions:
    """How to load and run a model.

    Attributes:
        device: "auto" (the first GPU, else the processor), "cpu", "cuda", "cuda:1", ...
        dtype: "auto" (bfloat16 on a GPU, float32 on a processor), "bfloat16", "float16",
            "float32".
        revision: of a hub name; None takes the newest.
        longest_side: frames are scaled down to it before a server gets them, in px; None leaves
            them as they are. For local models, ask `core.decoding.feeding` for smaller frames.
        batch: largest batch to try, in frames (image_text) or requests (chat); None lets the model
            choose. Without memory a batch is halved by itself.
        timeout_s: for one request to a server.
        retries: of a request that a server turned down for now (429, 5xx, no connection).
        back_off_s: wait before the first retry; doubled each time, at most 30 s.
        workers: requests to a server that are under way at once.
        api_key_env: name of the environment variable that holds a server's key; the key itself is
            never stored.
        offline: whether nothing may be downloaded.
        compile: whether to compile the model for this GPU, slow to start, then faster; None leaves
            it to who knows how much there is to do.
    """

    device: str = "auto"
    dtype: str = "auto"
    revision: str | None = None
    longest_side: int | None = None
    batch: int | None = None
    timeout_s: float = 120.0
    retries: int = 4
    back_off_s: float = 1.0
    workers: int = 8
    api_key_env: str = "OPENAI_API_KEY"
    offline: bool = False
    compile: bool | None = None


@dataclass(frozen=True)
class Source:
    """What is known of a model before it is loaded.

    Attributes:
        name: as given.
        scheme: "server", "package", "words", "stub", "folder" or "hub".
        rest: the name without its scheme.
        folder: the local folder, None when there is none (yet).
        config: its config.json; empty when there is none.
        files: names of the files in it.
    """

    name: str
    scheme: str
    rest: str
    folder: Path | None = None
    config: dict[str, Any] = field(default_factory=dict[str, Any])
    files: frozenset[str] = frozenset()

    @property
    def architectures(self) -> tuple[str, ...]:
        """The class names that config.json gives."""
        return tuple(str(name) for name in self.config.get("architectures") or ())

    @property
    def model_type(self) -> str:
        """The family that config.json gives, or ''."""
        return str(self.config.get("model_type") or "")


@dataclass(frozen=True)
class Request:
    """One question to a chat model.

    Attributes:
        text: the prompt.
        frames: uint8 (T, H, W, 3) RGB in the order shown; None for text alone.
        system: instructions that stand before everything; '' for none.
        times: seconds of the frames; () when unknown.
        as_video: whether the frames are one video to the model; else T pictures.
    """

    text: str
    frames: Picture | None = None
    system: str = ""
    times: tuple[float, ...] = ()
    as_video: bool = True


@dataclass(frozen=True)
class Reply:
    """What a chat model wrote.

    Attributes:
        text: without the model's own special tokens.
        tokens: how many were written; 0 when a server does not say.
        finished: False when it was cut off at the limit.
    """

    text: str
    tokens: int = 0
    finished: bool = True


@dataclass(frozen=True)
class Heard:
    """A stretch of speech: seconds after the first sample, and the words."""

    start_s: float
    end_s: float
    text: str


@dataclass(frozen=True)
class Line:
    """A line of text in a picture.

    Attributes:
        text: as read.
        confidence: 0..1.
        box: four corners (x, y) in px, clockwise from the top left one.
    """

    text: str
    confidence: float
    box: tuple[tuple[float, float], ...]


class Model(Protocol):
    """What every model has.

    Attributes:
        name: as given to `core.model_loading.load_model`.
        device: where it runs, in words such as "cpu" or "NVIDIA H100", or the server's address.
        is_stand_in: whether it only stands in for the kind of model it serves as: its scores mean
            something else.
        stand_in_words: what must be said wherever its scores are shown; '' for a real one.
    """

    name: str
    device: str
    is_stand_in: bool
    stand_in_words: str


class ImageText(Model, Protocol):
    """Pictures and texts as vectors of one space, as CLIP does."""

    def embed_images(self, frames: Pictures) -> Vectors:
        """(N, D) unit vectors of N pictures.

        Args:
            frames: uint8 RGB (N, H, W, 3), or a list of (H, W, 3) and (T, H, W, 3) of any sizes,
                whose pictures count one after the other.
        """
        ...

    def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """(M, D) unit vectors; cosine similarity to a picture is the dot product."""
        ...


class Chat(Model, Protocol):
    """A model that answers; causal language models too, whose requests hold no frames.

    Attributes:
        sees: whether requests may hold frames.
        scores: whether `score` is to be had (some servers give no probabilities).
    """

    sees: bool
    scores: bool

    def score(
        self, requests: Sequence[Request], choices: Sequence[Sequence[str]]
    ) -> list[tuple[float, ...] | ItemError]:
        """For each request, how probable each choice is as the first thing said.

        One pass, nothing is generated. Probabilities sum to 1 over the choices.

        Args:
            requests: the questions.
            choices: for each request short answers such as ("A", "B", "C") or ("yes", "no") that
                begin differently.
        """
        ...

    def generate(self, requests: Sequence[Request], max_tokens: int) -> list[Reply | ItemError]:
        """A reply to each request, the most probable word each time (temperature 0)."""
        ...


class Embedding(Model, Protocol):
    """Texts as vectors."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(N, D) unit vectors."""
        ...


class Speech(Model, Protocol):
    """Sound as words."""

    def transcribe(self, samples: Samples) -> tuple[Heard, ...]:
        """What is said, in order of time; () when nobody speaks.

        Args:
            samples: (S,) mono at 16 kHz, -1..1.

        Raises:
            ItemError: if it cannot.
        """
        ...


class Ocr(Model, Protocol):
    """Pictures as lines of text."""

    def read(self, image: Picture) -> tuple[Line, ...]:
        """The lines of text in uint8 RGB (H, W, 3), from top to bottom; () when there is none.

        Raises:
            ItemError: if it cannot.
        """
        ...


class Plugin(Protocol):
    """What a module of ``core/models`` has."""

    TITLE: str
    KINDS: tuple[Kind, ...]

    def likeness(self, kind: Kind, source: Source) -> int:
        """0 (cannot load this as that kind) .. 3 (made for it)."""
        ...

    def load(self, kind: Kind, source: Source, options: LoadOptions) -> Any:
        """The model."""
        ...
