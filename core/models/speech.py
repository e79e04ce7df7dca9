"""Whisper, as a transformers folder or as one of CTranslate2 (faster-whisper)."""

from pathlib import Path
from typing import Any

import numpy as np

from core import device
from core.model import Heard, ItemError, Kind, LoadOptions, ModelError, Samples, Source
from core.model_sources import INSTALL_SMALL, first_line, needed

TITLE = "Whisper (transformers, faster-whisper)"
KINDS: tuple[Kind, ...] = ("speech",)

RATE = 16000
QUIET = 0.0005
_WINDOW_S = 30.0
_NO_SPEECH, _UNSURE = (
    0.6,
    -1.0,
)  # a stretch is left out where both are passed (arXiv 2212.04356, 4.5)


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
    folder = device.folder_of(source, options)
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
    """Whisper by transformers; long sound is gone through from one sentence to the next."""

    is_stand_in = False
    stand_in_words = ""

    def __init__(self, name: str, folder: Path, options: LoadOptions):
        """Loads the model."""
        hf = device.transformers()
        self.name = name
        self._device = device.device_of(options)
        self._dtype = device.dtype_of(options, self._device)
        auto = hf.AutoModelForSpeechSeq2Seq
        self._model = device.loaded(auto, folder, self._device, self._dtype)
        self._features = hf.AutoFeatureExtractor.from_pretrained(folder, local_files_only=True)
        self._tokenizer = hf.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self.device = device.words_of(self._device)

    def transcribe(self, samples: Samples) -> tuple[Heard, ...]:
        """What is said; see `core.model.Speech`. What is probably no speech is left out."""
        samples = checked(samples)
        if is_silent(samples):
            return ()
        try:
            segments = self._segments(samples)
        except (RuntimeError, ValueError) as error:
            full = device.is_out_of_memory(error)
            reason = device.OUT_OF_MEMORY if full else "the model failed"
            raise ItemError(reason, first_line(error)) from None
        length_s = len(samples) / RATE
        heard = (self._heard(segment, length_s) for segment in segments)
        return tuple(stretch for stretch in heard if stretch.text)

    def _segments(self, samples: Samples) -> list[dict[str, Any]]:
        long = len(samples) > _WINDOW_S * RATE
        inputs = self._features(
            samples,
            sampling_rate=RATE,
            return_tensors="pt",
            return_attention_mask=True,
            truncation=not long,
            padding="longest" if long else "max_length",
        ).to(self._device)
        with device.torch().inference_mode():
            output = self._model.generate(
                input_features=inputs["input_features"].to(self._dtype),
                attention_mask=inputs["attention_mask"],
                return_timestamps=True,
                return_segments=True,
                condition_on_prev_tokens=False,
                temperature=0.0,
                no_speech_threshold=_NO_SPEECH,
                logprob_threshold=_UNSURE,
            )
        return output["segments"][0]

    def _heard(self, segment: dict[str, Any], length_s: float) -> Heard:
        start_s, end_s = (
            min(max(float(segment[name]), 0.0), length_s) for name in ("start", "end")
        )
        text = self._tokenizer.decode(segment["tokens"], skip_special_tokens=True).strip()
        return Heard(start_s, max(start_s, end_s), text)


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
