"""What an embedding model is told to do with a text, by job, concept and time (UTD, appendix B.2).

Models that follow instructions get them in front of each text. Others get the text alone, but for
the nine of a debiased split, which differ in nothing but the wording.
"""

import re
from typing import Literal

from core.bias.representation import Concept

Job = Literal["classification", "retrieval"]
Span = Literal["frame", "sequence"]
JOBS: tuple[Job, ...] = ("classification", "retrieval")
_INSTRUCTED = re.compile(r"mistral|instruct|qwen3?-?embed|gritlm|nv-embed|llm2vec|icl", re.I)

_SEEN: dict[Concept, tuple[str, str]] = {
    "objects+composition+activities": ("a description of one frame", "descriptions of the frames"),
    "objects": ("the objects seen in one frame", "the objects seen in each frame"),
    "activities": ("the activities seen in one frame", "the activities seen in each frame"),
    "verbs": ("what is done in one frame", "what is done in each frame"),
}
_WANTED: dict[Job, str] = {
    "classification": "find the activity that the video shows",
    "retrieval": "find a sentence about the whole video",
}
_TARGET: dict[Job, tuple[str, str]] = {
    "classification": (
        "From the name of an activity, find a description of a video frame that may show it",
        "From the name of an activity, find a description of a video that may show it",
    ),
    "retrieval": (
        "From a sentence about a video, find a description of one of its frames",
        "From a sentence about a video, find another description of that video",
    ),
}
OBJECTS_THRICE: dict[Job, tuple[str, str, str]] = {
    "classification": (
        "From the objects seen in each frame of a video, find the activity that the video shows",
        "Given lists of things visible in video frames, name the activity in the video",
        "Use the objects listed for the frames of a video to tell which activity takes place",
    ),
    "retrieval": (
        "From the objects seen in each frame of a video, find a sentence about the whole video",
        "Given lists of things visible in video frames, retrieve a short summary of the video",
        "Use the objects listed for the frames of a video to tell which sentence describes it",
    ),
}
CAPTIONS_THRICE = (
    "From a sentence about a video, find another description of that video",
    "Given a short summary of a video, retrieve what else is said about it",
    "Use a sentence that describes a video to tell which other text belongs to it",
)


def follows_instructions(model: str) -> bool:
    """Whether a model of this name is known to follow instructions before a text."""
    return _INSTRUCTED.search(model) is not None


def for_text(job: Job, concept: Concept, span: Span) -> str:
    """The instruction for a video's texts."""
    return f"From {_SEEN[concept][span == 'sequence']} of a video, {_WANTED[job]}"


def for_target(job: Job, span: Span) -> str:
    """The instruction for class names or captions."""
    return _TARGET[job][span == "sequence"]


def instructed(instruction: str, text: str) -> str:
    """A text with an instruction in front; an empty text stays empty."""
    return f"Instruct: {instruction}\nQuery: {text}" if text and instruction else text
