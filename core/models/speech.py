"""Whisper, as a transformers folder or as one of CTranslate2 (faster-whisper)."""

from pathlib import Path
from typing import Any

import numpy as np

from core.model import Heard, ItemError, Kind, LoadOptions, ModelError, Samples, Source
from core.models import _device
from core.models._sources import INSTALL_SMALL, first_line, needed

TITLE = "Whisper (transformers, faster-whisper)"
KINDS: tuple[Kind, ...] = ("speech",)

RATE = 16000
QUIET = 0.0005
_WINDOW_S = 30.0


def likeness(kind: Kind, source: Source) -> int:
    """3 for both kinds of Whisper folders."""
    if source.model_type == "whisper" or is_ctranslate2(source):
        return 3
    return 0


def is_ctranslate2(source: Source) -> bool:
    """Whether the folder is one for faster-whisper."""
    return (
        "model.bin" in source.files
        and {"alignment_heads", "lang_ids"} & source.config.keys() != set()
    )


def load(kind: Kind, source: Source, options: LoadOptions) -> "FasterWhisper | HfWhisper":
    """The model."""
    folder = _device.folder_of(source, options)
    if is_ctranslate2(source):
        return FasterWhisper(source.name, folder, options)
    return HfWhisper(source.name, folder, options)


class FasterWhisper:
    """Whisper by CTranslate2: int8 on a processor, float16 on a GPU."""

    is_stand_in = False
    stand_in_words = ""

    def __init__(self, name: str, folder: Path, options: LoadOptions):
        """Loads the model.

        Raises:
            NotInstalled: without the package faster-whisper.
            ModelError: if the folder cannot be loaded.
        """
        package = needed("faster_whisper", INSTALL_SMALL, f"The model {name!r}")
        self.name = name
        gpu = options.device.startswith("cuda") or (options.device == "auto" and _gpu_here())
        self.device = "cuda" if gpu else "cpu"
        index = int(options.device.partition(":")[2] or 0) if gpu else 0
        try:
            self._model = package.WhisperModel(
                str(folder),
                device=self.device,
                device_index=index,
                compute_type="float16" if gpu else "int8",
            )
        except (RuntimeError, ValueError, OSError) as error:
            raise ModelError(f"{folder} cannot be loaded: {first_line(error)}") from None

    def transcribe(self, samples: Samples) -> tuple[Heard, ...]:
        """What is said; see `core.model.Speech`. Stretches without a voice are left out."""
        samples = checked(samples)
        if is_silent(samples):
            return ()
        try:
            segments, _ = self._model.transcribe(
                samples, beam_size=1, vad_filter=True, condition_on_previous_text=False
            )
            heard = [Heard(float(s.start), float(s.end), s.text.strip()) for s in segments]
        except (RuntimeError, ValueError) as error:
            raise ItemError("the model failed", first_line(error)) from None
        return tuple(h for h in heard if h.text)


class HfWhisper:
    """Whisper by transformers, in windows of 30 s with its own time stamps."""

    is_stand_in = False
    stand_in_words = ""

    def __init__(self, name: str, folder: Path, options: LoadOptions):
        """Loads the model."""
        hf = _device.transformers()
        self.name = name
        self._device = _device.device_of(options)
        self._dtype = _device.dtype_of(options, self._device)
        auto = hf.AutoModelForSpeechSeq2Seq
        self._model = _device.loaded(auto, folder, self._device, self._dtype)
        self._features = hf.AutoFeatureExtractor.from_pretrained(folder, local_files_only=True)
        self._tokenizer = hf.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self.device = _device.words_of(self._device)

    def transcribe(self, samples: Samples) -> tuple[Heard, ...]:
        """What is said; see `core.model.Speech`."""
        samples = checked(samples)
        heard: list[Heard] = []
        step = int(_WINDOW_S * RATE)
        for first in range(0, len(samples), step):
            window = samples[first : first + step]
            if not is_silent(window):
                heard += self._window(window, first / RATE)
        return tuple(heard)

    def _window(self, samples: Samples, start_s: float) -> list[Heard]:
        inputs = self._features(
            samples, sampling_rate=RATE, return_tensors="pt", return_attention_mask=True
        ).to(self._device)
        try:
            with _device.torch().inference_mode():
                tokens = self._model.generate(
                    input_features=inputs["input_features"].to(self._dtype),
                    attention_mask=inputs["attention_mask"],
                    return_timestamps=True,
                )
        except (RuntimeError, ValueError) as error:
            full = _device.is_out_of_memory(error)
            reason = _device.OUT_OF_MEMORY if full else "the model failed"
            raise ItemError(reason, first_line(error)) from None
        return stretches(self._tokenizer, tokens[0].tolist(), start_s, len(samples) / RATE)


def stretches(tokenizer: Any, tokens: list[int], start_s: float, length_s: float) -> list[Heard]:
    """Stretches of speech out of Whisper's tokens: time stamps stand around each.

    A time stamp token counts 0.02 s from ``<|notimestamps|>`` on.
    """
    zero = int(tokenizer.convert_tokens_to_ids("<|notimestamps|>")) + 1
    heard: list[Heard] = []
    begun = 0.0
    words: list[int] = []
    for token in [*tokens, zero + round(length_s / 0.02)]:
        if token < zero:
            words.append(token)
            continue
        at = min((token - zero) * 0.02, length_s)
        text = tokenizer.decode(words, skip_special_tokens=True).strip() if words else ""
        if text:
            heard.append(Heard(start_s + begun, start_s + max(at, begun), text))
        begun, words = at, []
    return heard


def checked(samples: Samples) -> Samples:
    """The samples as (S,) float32.

    Raises:
        ValueError: if they are of another shape.
    """
    if samples.ndim != 1:
        raise ValueError(f"Got sound of shape {samples.shape}: give mono (S,) at 16 kHz.")
    return np.ascontiguousarray(samples, np.float32)


def is_silent(samples: Samples) -> bool:
    """Whether there is nothing to hear: Whisper would make words up."""
    return not len(samples) or float(np.abs(samples).max()) < QUIET


def _gpu_here() -> bool:
    try:
        return needed("ctranslate2").get_cuda_device_count() > 0
    except Exception:
        return False
