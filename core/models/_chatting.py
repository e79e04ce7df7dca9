"""Asking a transformers language model: many requests in batches, scored or answered."""

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from core import device
from core.model import ItemError, LoadOptions, Reply, Request
from core.model_sources import first_line
from core.models._prompts import Inputs

Result = TypeVar("Result")

TOO_LONG = "too long"
FAILED = "the model failed"
ALIKE = "choices begin alike"
_TOKENS = {"cuda": 24576, "cpu": 4096}
_AT_ONCE = 512
_SHARE = 0.6  # of the free memory: the rest is for what is not counted here
_SPACES = ("", " ", "Ġ", "▁")


class Front(Protocol):
    """Turns requests into the inputs of a language model."""

    sees: bool
    tokenizer: Any

    def length(self, request: Request) -> int:
        """About how many tokens a request takes."""
        ...

    def key(self, request: Request) -> Any:
        """Only requests with equal keys may share a batch."""
        ...

    def collate(self, requests: Sequence[Request]) -> Inputs:
        """The model's inputs on its device, padded on the left."""
        ...


class Asked:
    """A chat model and the front that prepares its inputs; see `core.model.Chat`."""

    is_stand_in = False
    stand_in_words = ""
    scores = True

    def __init__(self, name: str, model: Any, front: Front, options: LoadOptions):
        """Join model and front."""
        self.name = name
        self.sees = front.sees
        self.model = model
        self.front = front
        self.torch_device = next(model.parameters()).device
        self.device = device.words_of(self.torch_device)
        self.tokens = tokens_that_fit(model.config, self.torch_device, model.dtype)
        self._most = options.batch or _AT_ONCE
        self._limit = _longest(model.config)
        self._takes = set(inspect.signature(model.forward).parameters)

    def score(
        self, requests: Sequence[Request], choices: Sequence[Sequence[str]]
    ) -> list[tuple[float, ...] | ItemError]:
        """Return probabilities of the first token over each request's choices, in one pass."""
        if len(requests) != len(choices):
            raise ValueError(
                f"{len(requests)} requests but choices for {len(choices)}: give one list for each."
            )
        known = {
            choice_list: self.first_tokens(choice_list)
            for choice_list in {tuple(c) for c in choices}
        }
        firsts = [known[tuple(choice_list)] for choice_list in choices]

        def work(positions: Sequence[int]) -> list[tuple[float, ...] | ItemError]:
            logits = self.last_logits(self.front.collate([requests[p] for p in positions]))
            return some_shares(logits, [firsts[p] for p in positions])

        return self._in_batches(requests, 1, work)

    def generate(self, requests: Sequence[Request], max_tokens: int) -> list[Reply | ItemError]:
        """Return a reply to each request, by the most probable token each time."""

        def work(positions: Sequence[int]) -> list[Reply | ItemError]:
            inputs = self.front.collate([requests[p] for p in positions])
            return list(self._written(inputs, max_tokens))

        return self._in_batches(requests, max_tokens, work)

    def last_logits(self, inputs: Inputs) -> Any:
        """Return float32 logits (N, vocabulary) of the token after each request, on the device."""
        more: Inputs = {"logits_to_keep": 1} if "logits_to_keep" in self._takes else {}
        if not self.sees and "position_ids" in self._takes:
            # The padding on the left must not move the words along.
            more["position_ids"] = (inputs["attention_mask"].cumsum(-1) - 1).clamp_(min=0)
        with device.torch().inference_mode():
            out = self.model(**inputs, **more, use_cache=False)
        return out.logits[:, -1].float()

    def first_tokens(self, choices: Sequence[str]) -> list[list[int]]:
        """Return for each choice the tokens that it may begin with and no other choice does."""
        beginnings = [self._beginnings(choice) for choice in choices]
        return [
            sorted(ids - set().union(*(o for j, o in enumerate(beginnings) if j != i)))
            for i, ids in enumerate(beginnings)
        ]

    def _beginnings(self, choice: str) -> set[int]:
        tokenizer = self.front.tokenizer
        spellings = {choice}
        if len(choice) > 1:
            spellings |= {choice.lower(), choice.capitalize()}
        ids: set[int] = set()
        for word in spellings:
            for space in ("", " "):
                pieces = tokenizer(space + word, add_special_tokens=False)["input_ids"]
                # A space alone begins everything.
                ids |= {piece for piece in pieces[:1] if tokenizer.decode([piece]).strip()}
            for space in _SPACES:
                known = tokenizer.convert_tokens_to_ids(space + word)
                if known is not None and known != tokenizer.unk_token_id:
                    ids.add(known)
        return ids

    def _written(self, inputs: Inputs, max_tokens: int) -> list[Reply]:
        tokenizer = self.front.tokenizer
        with device.torch().inference_mode():
            out = self.model.generate(
                **inputs,
                max_new_tokens=max_tokens,
                do_sample=False,
                temperature=None,
                top_p=None,
                top_k=None,
                pad_token_id=tokenizer.pad_token_id,
            )
        ends = _ends(self.model, tokenizer)
        replies: list[Reply] = []
        for row in out[:, inputs["input_ids"].shape[1] :].tolist():
            stop = next((i for i, token in enumerate(row) if token in ends), None)
            kept = row[:stop]
            text = tokenizer.decode(kept, skip_special_tokens=True).strip()
            replies.append(Reply(text, len(kept), stop is not None))
        return replies

    def _in_batches(
        self,
        requests: Sequence[Request],
        written: int,
        work: Callable[[Sequence[int]], list[Result | ItemError]],
    ) -> list[Result | ItemError]:
        """Results in the order of the requests, worked on in order of length."""
        results: dict[int, Result | ItemError] = {}
        lengths: dict[int, int] = {}
        for position, request in enumerate(requests):
            try:
                lengths[position] = self._length(request) + written
            except (ItemError, ValueError) as error:
                results[position] = _as_item_error(error)
        keys = {p: self.front.key(requests[p]) for p in lengths}
        waiting = sorted(lengths, key=lambda p: (str(keys[p]), -lengths[p]))
        while waiting:
            part = self._part(waiting, lengths, keys)
            part_results = self._tried(part, work)
            if part_results is not None:
                results |= dict(zip(part, part_results, strict=True))
                waiting = waiting[len(part) :]
            else:
                self.tokens = max(1, lengths[part[0]] * len(part) // 2)
        return [results[p] for p in range(len(requests))]

    def _length(self, request: Request) -> int:
        if request.frames is not None and not self.sees:
            raise ItemError("cannot see", f"{self.name} reads text only")
        length = self.front.length(request)
        if length > self._limit:
            raise ItemError(TOO_LONG, f"{length} tokens of {self._limit}")
        return length

    def _part(
        self, waiting: Sequence[int], lengths: dict[int, int], keys: dict[int, Any]
    ) -> list[int]:
        # The first is the longest of its kind, so it sets the width of the batch.
        limit = max(1, min(self._most, self.tokens // max(1, lengths[waiting[0]])))
        part: list[int] = []
        for position in waiting[:limit]:
            if keys[position] != keys[waiting[0]]:
                break
            part.append(position)
        return part

    def _tried(
        self, part: Sequence[int], work: Callable[[Sequence[int]], list[Result | ItemError]]
    ) -> list[Result | ItemError] | None:
        """None when the memory is full and the batch can be halved."""
        try:
            return work(part)
        except Exception as error:
            if not device.is_out_of_memory(error):
                if len(part) == 1:
                    return [_as_item_error(error)]
                failed = True
            else:
                failed = False
        if failed:
            return [result for p in part for result in self._tried([p], work) or []]
        device.freed()
        if len(part) == 1:
            return [ItemError(device.OUT_OF_MEMORY, "not even one request alone fits")]
        return None


def some_shares(
    logits: Any, firsts: Sequence[Sequence[Sequence[int]]]
) -> list[tuple[float, ...] | ItemError]:
    """`shares` of each row (N, vocabulary), with one copy from the device: of the tokens needed."""
    t = device.torch()
    needed = sorted({token for choice_tokens in firsts for ids in choice_tokens for token in ids})
    column = {token: number for number, token in enumerate(needed)}
    few = logits[:, t.tensor(needed, dtype=t.long, device=logits.device)].cpu()
    return [
        shares(row, [[column[token] for token in ids] for ids in choice_tokens])
        for row, choice_tokens in zip(few, firsts, strict=True)
    ]


def shares(logits: Any, firsts: Sequence[Sequence[int]]) -> tuple[float, ...] | ItemError:
    """Probabilities over the choices, given the tokens that each may begin with; they sum to 1."""
    t = device.torch()
    if not firsts or any(not ids for ids in firsts):
        return ItemError(ALIKE, "the first token does not tell them apart")
    whole = t.stack([t.logsumexp(logits[list(ids)], dim=0) for ids in firsts])
    values = t.softmax(whole.double(), dim=0).tolist()
    return tuple(float(v) for v in values)


def tokens_that_fit(config: Any, torch_device: Any, dtype: Any) -> int:
    """How many tokens a batch may have, prompts and replies together, by the memory that is free.

    A step of generating takes as long for one reply as for a hundred, so the batch decides how many
    replies a second there are. A batch that is too large all the same is halved (`_in_batches`).
    """
    usual = _TOKENS.get(torch_device.type, 4096)
    if torch_device.type != "cuda":
        return usual
    free, _ = device.torch().cuda.mem_get_info(torch_device)
    return max(usual, int(_SHARE * free / bytes_a_token(config, dtype.itemsize)))


def bytes_a_token(config: Any, number_size: int) -> int:
    """Bytes of memory that a token of a batch takes while a reply is written.

    Keys and values of every layer stay; of the widest layer, what is computed on the way through.

    Args:
        config: of a transformers model; sizes it does not give are those of a model of 7B.
        number_size: bytes of a number, such as 2 for bfloat16.
    """
    text = getattr(config, "text_config", None) or config
    hidden = int(getattr(text, "hidden_size", None) or 4096)
    layers = int(getattr(text, "num_hidden_layers", None) or 32)
    heads = int(getattr(text, "num_attention_heads", None) or 32)
    shared = int(getattr(text, "num_key_value_heads", None) or heads)
    size = int(getattr(text, "head_dim", None) or hidden // heads)
    inner = int(getattr(text, "intermediate_size", None) or 4 * hidden)
    return number_size * (2 * layers * shared * size + 3 * inner + 6 * hidden)


def _longest(config: Any) -> int:
    text = getattr(config, "text_config", None) or config
    longest = getattr(text, "max_position_embeddings", None) or getattr(text, "n_positions", None)
    return int(longest) if longest else 10**9


def _ends(model: Any, tokenizer: Any) -> set[int]:
    model_ends: Any = getattr(model.generation_config, "eos_token_id", None)
    listed: list[Any] = [model_ends, tokenizer.eos_token_id]
    if isinstance(model_ends, list):
        listed += model_ends
    return {token for token in listed if isinstance(token, int)}


def _as_item_error(error: Exception) -> ItemError:
    if isinstance(error, ItemError):
        return error
    return ItemError(FAILED, re.sub(r"\s+", " ", first_line(error)))
