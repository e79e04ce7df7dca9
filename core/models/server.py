"""Models behind an OpenAI-compatible server: vLLM, llama.cpp, Ollama, OpenAI and many others."""

import base64
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

import cv2
import numpy as np

from core.model import (
    ItemError,
    Kind,
    LoadOptions,
    ModelError,
    Picture,
    Reply,
    Request,
    Source,
    Vectors,
)
from core.models._http import BROKEN, REFUSED, Server
from core.video.frame_grid import jpeg
from core.video.geometry import fitted

TITLE = "OpenAI-compatible server"
KINDS: tuple[Kind, ...] = ("chat", "text", "embedding")

NO_PROBABILITIES = "no probabilities"
NO_ANSWER = "no answer"
_TOP = 20
_QUALITY = 90
_TEXTS_AT_ONCE = 64

Result = TypeVar("Result")


def likeness(kind: Kind, source: Source) -> int:
    """3 for ``server:URL#MODEL``."""
    return 3 if source.scheme == "server" and kind in KINDS else 0


def load(kind: Kind, source: Source, options: LoadOptions) -> "ServerModel":
    """The model; nothing is asked yet.

    Raises:
        ModelError: if address or model name is lacking.
    """
    url, _, model = source.rest.partition("#")
    if not model:
        raise ModelError(f"{source.name!r} names no model. Give server:http://HOST/v1#MODEL.")
    return ServerModel(source.name, Server(url, options), model, options)


class ServerModel:
    """See `core.model.Chat` and `core.model.Embedding`."""

    is_stand_in = False
    stand_in_words = ""
    sees = True

    def __init__(self, name: str, server: Server, model: str, options: LoadOptions):
        """Keeps what is needed for asking."""
        self.name = name
        self.scores = True
        self.device = server.host
        self._server = server
        self._model = model
        self._options = options
        self._limit = "max_tokens"

    def score(
        self, requests: Sequence[Request], choices: Sequence[Sequence[str]]
    ) -> list[tuple[float, ...] | ItemError]:
        """Probabilities from the first token's log-probabilities.

        A server that gives none is asked once; `scores` is False from then on.
        """
        pairs = list(zip(requests, choices, strict=True))
        return self._each(pairs, lambda pair: self._scored(*pair))

    def generate(self, requests: Sequence[Request], max_tokens: int) -> list[Reply | ItemError]:
        """A reply to each request, several at once."""
        return self._each(list(requests), lambda request: self._reply(request, max_tokens))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(N, D) unit vectors.

        Raises:
            ItemError: if the server does not give them.
        """
        parts = [texts[i : i + _TEXTS_AT_ONCE] for i in range(0, len(texts), _TEXTS_AT_ONCE)]
        parts_embedded = self._each(parts, self._vectors)
        rows: list[Vectors] = []
        for part in parts_embedded:
            if isinstance(part, ItemError):
                raise part
            rows.append(part)
        return np.concatenate(rows) if rows else np.zeros((0, 0), np.float32)

    def _each(
        self, items: Sequence[Any], work: Callable[[Any], Result]
    ) -> list[Result | ItemError]:
        def tried(item: Any) -> Result | ItemError:
            try:
                return work(item)
            except ItemError as error:
                return error
            except (KeyError, IndexError, TypeError, AttributeError) as error:
                return ItemError(BROKEN, f"the reply lacks {error}")

        with ThreadPoolExecutor(max(1, self._options.workers)) as pool:
            return list(pool.map(tried, items))

    def _reply(self, request: Request, max_tokens: int) -> Reply:
        answer = self._ask(request, max_tokens, {})
        choice = answer["choices"][0]
        message = choice["message"]
        if choice.get("finish_reason") == "content_filter":
            raise ItemError(REFUSED, "its content filter stopped the reply")
        text = plain_text(message.get("content")) or str(message.get("refusal") or "")
        thought = plain_text(message.get("reasoning_content") or message.get("reasoning"))
        if not text.strip() and thought.strip():
            # All that came is a thought: it is kept for people to see, and never read as an answer.
            text = f"<think>{thought.strip()}</think>"
        usage = cast(dict[str, Any], answer.get("usage") or {})
        tokens = int(usage.get("completion_tokens") or 0)
        return Reply(text.strip(), tokens, choice.get("finish_reason") != "length")

    def _scored(self, request: Request, choices: Sequence[str]) -> tuple[float, ...]:
        if not self.scores:
            raise ItemError(NO_PROBABILITIES, f"{self.device} gives none; generate instead")
        answer = self._ask(request, 1, {"logprobs": True, "top_logprobs": _TOP})
        logprobs = cast(dict[str, Any], answer["choices"][0].get("logprobs") or {})
        content = cast(list[dict[str, Any]], logprobs.get("content") or [])
        top = cast(list[dict[str, Any]], content[0].get("top_logprobs") or []) if content else []
        if not top:
            self.scores = False
            raise ItemError(NO_PROBABILITIES, f"{self.device} gives none; generate instead")
        return first_token_shares(top, choices)

    def _ask(self, request: Request, max_tokens: int, more: dict[str, Any]) -> dict[str, Any]:
        body = {"model": self._model, "messages": self._messages(request), "temperature": 0, **more}
        limit = self._limit
        try:
            return self._server.post("/chat/completions", body | {limit: max_tokens})
        except ItemError as error:
            # Newer models of some servers know this limit by another name only.
            if error.reason != REFUSED or "max_completion_tokens" not in error.detail:
                raise
        self._limit = "max_completion_tokens"
        return self._server.post("/chat/completions", body | {self._limit: max_tokens})

    def _messages(self, request: Request) -> list[dict[str, Any]]:
        content: Any = request.text
        if request.frames is not None:
            content = [self._picture(frame) for frame in request.frames]
            content.append({"type": "text", "text": request.text})
        messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
        if request.system:
            messages.insert(0, {"role": "system", "content": request.system})
        return messages

    def _picture(self, frame: Picture) -> dict[str, Any]:
        height, width = frame.shape[:2]
        size = fitted(width, height, self._options.longest_side)
        if size != (width, height):
            frame = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
        coded = base64.b64encode(jpeg(frame, _QUALITY)).decode()
        return {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{coded}"}}

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        answer = self._server.post("/embeddings", {"model": self._model, "input": list(texts)})
        rows = sorted(answer["data"], key=lambda row: int(row["index"]))
        vectors = np.asarray([row["embedding"] for row in rows], np.float32)
        if len(vectors) != len(texts):
            raise ItemError(BROKEN, f"{len(vectors)} vectors came for {len(texts)} texts")
        length = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.maximum(length, 1e-12)


def first_token_shares(top: Sequence[dict[str, Any]], choices: Sequence[str]) -> tuple[float, ...]:
    """Probabilities over the choices, out of the most probable first tokens; they sum to 1.

    A token stands for a choice when it is the choice, or the beginning of that one choice alone.

    Raises:
        ItemError: if none of the choices is among them.
    """
    wholes = [choice.strip().casefold() for choice in choices]
    shares = [0.0] * len(choices)
    for entry in top:
        word = str(entry["token"]).strip().casefold()
        fits = [i for i, whole in enumerate(wholes) if whole == word]
        if not fits and len(word) > 1:
            fits = [i for i, whole in enumerate(wholes) if whole.startswith(word)]
        if word and len(fits) == 1:
            shares[fits[0]] += math.exp(float(entry["logprob"]))
    total = sum(shares)
    if total <= 0:
        tokens = ", ".join(repr(str(entry["token"])) for entry in top[:5])
        raise ItemError(NO_ANSWER, f"none of the choices is likely; {tokens} are")
    return tuple(share / total for share in shares)


def plain_text(content: Any) -> str:
    """The text of a message, which some servers send in parts."""
    if isinstance(content, list):
        parts = cast(list[Any], content)
        texts = (cast(dict[str, Any], p).get("text") for p in parts if isinstance(p, dict))
        return "".join(str(text) for text in texts if text)
    return str(content or "")
