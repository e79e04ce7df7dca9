"""What a measurement of bias stands on: labelled videos with their texts, in one snapshot."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from annotations.bias.instructions import Job, Span, for_target, for_text, instructed
from annotations.description.cleaning import class_words, leaks
from annotations.description.concepts import OF_CONCEPT, TextKind
from annotations.description.stored import DescriptionSet, VideoTexts, texts_of
from annotations.video.families import clusters
from annotations.workspace import Workspace
from core.bias.representation import FRAMES, Bools, Concept, Ints
from core.refusal import Refusal

_NO_TEXT = VideoTexts(("",) * FRAMES, FRAMES)
_LABELLED = """
  SELECT v.id, v.name, v.sha256, l.label, l.part FROM video_label l JOIN video v
  ON v.id = l.video_id ORDER BY v.id
"""


@dataclass(frozen=True, eq=False)
class Material:
    """Videos that have a description, with what the data set says of them.

    Attributes:
        described: the set of descriptions.
        video_id: (V,) of all, training videos too.
        name: of each.
        family: (V,) number of its family: edits of one video are drawn together.
        train: (V,) whether a video is for training.
        truth: (V,) index of its class; -1 for none.
        classes: names of the classes, sorted.
        captions: of test videos, and `own` (Q,) the index of each caption's video in `video_id`.
        frames: of each concept the texts of each video's frames.
        sequence: of each concept one text for each video.
        undescribed: labelled test videos that have no description and are left out.
        missing: test videos whose record was not complete.
    """

    described: DescriptionSet
    video_id: Ints
    name: tuple[str, ...]
    family: Ints
    train: Bools
    truth: Ints
    classes: tuple[str, ...]
    captions: tuple[str, ...]
    own: Ints
    frames: dict[Concept, list[tuple[str, ...]]]
    sequence: dict[Concept, list[str]]
    undescribed: int
    missing: int

    @property
    def tested(self) -> Bools:
        """(labelled videos,) which of those that have a class are for testing."""
        return ~self.train[self.truth >= 0]

    @property
    def trained(self) -> Bools:
        """(labelled videos,) which of those that have a class are for training."""
        return self.train[self.truth >= 0]

    @property
    def tested_families(self) -> Ints:
        """(tests with a class,) the family of each."""
        return self.family[self.truth >= 0][self.tested]

    @property
    def labels(self) -> Ints:
        """(labelled videos,) index of each one's class."""
        return self.truth[self.truth >= 0]

    def why_not(self, job: Job) -> str:
        """Why there is nothing to measure for a job; '' where there is."""
        if job == "retrieval":
            videos = len(np.unique(self.own))
            return "" if videos > 1 else "not defined: fewer than two test videos have a caption"
        if not self.tested.any():
            return "not defined: no test video has a class"
        return "" if len(self.classes) > 1 else "not defined: there is one class only"

    def class_texts(self, span: Span, told: bool) -> list[str]:
        """Class names in words, as they are embedded."""
        instruction = for_target("classification", span) if told else ""
        return [instructed(instruction, class_words(name)) for name in self.classes]

    def caption_texts(self, span: Span, told: bool) -> list[str]:
        """Captions, as they are embedded."""
        instruction = for_target("retrieval", span) if told else ""
        return [instructed(instruction, text) for text in self.captions]

    def asked(self, job: Job) -> list[int]:
        """Positions of the videos that a job is about: labelled ones, or those with a caption."""
        chosen = np.unique(self.own) if job == "retrieval" else np.flatnonzero(self.truth >= 0)
        return chosen.tolist()

    def frame_texts(self, job: Job, concept: Concept, told: bool) -> list[str]:
        """Texts of all frames of the videos that a job is about, one video after the other."""
        instruction = for_text(job, concept, "frame") if told else ""
        frames = self.frames[concept]
        return [instructed(instruction, frame) for at in self.asked(job) for frame in frames[at]]

    def sequence_texts(self, job: Job, concept: Concept, instruction: str) -> list[str]:
        """One text for each video that a job is about."""
        return [instructed(instruction, self.sequence[concept][at]) for at in self.asked(job)]

    def leaking(self) -> tuple[int, int]:
        """How many names of objects say more than an object, and how many there are."""
        lists = (text.split(", ") for texts in self.frames["objects"] for text in texts if text)
        counts = [(leaks(names), len(names)) for names in lists]
        return sum(leak for leak, _ in counts), sum(count for _, count in counts)


def gather(workspace: Workspace, described: DescriptionSet) -> Material:
    """Labelled videos and captions with the texts of a set of descriptions.

    Raises:
        Refusal: if no video has a label or a caption, or none of those has a description.
    """
    rows = workspace.store.rows(_LABELLED)
    if not rows:
        raise Refusal(
            "No video has a class or a caption yet, so nothing can be solved. Bring in the data "
            "set's own lists, such as trainlist01.txt and testlist01.txt, or a table with the "
            "columns video, label, part, caption: rushes import-bias FILE --workspace DIR."
        )
    texts = {kind: texts_of(workspace, described, kind) for kind in _kinds()}
    known = [row for row in rows if any(row["id"] in one for one in texts.values())]
    if not known:
        raise Refusal(
            f"{len(rows):,} videos have a label, and none of them is among the descriptions "
            f"{described.name!r}. Do both name the videos alike?"
        )
    classes = tuple(sorted({row["label"] for row in rows if row["label"]}))
    number = {name: position for position, name in enumerate(classes)}
    ids = [row["id"] for row in known]
    train = np.array([row["part"] == "train" for row in known], np.bool_)
    captions, own = _captions(workspace, ids, train)
    relatives = clusters(workspace)
    families = [
        relatives.get(row["sha256"] or "", row["sha256"]) or f"video {row['id']}" for row in known
    ]
    incomplete = (
        any(texts[kind].get(row["id"], _NO_TEXT).missing for kind in texts if texts[kind])
        for row in known
        if row["part"] == "test"
    )
    return Material(
        described=described,
        video_id=np.array(ids, np.int64),
        name=tuple(row["name"] for row in known),
        family=np.unique(np.array(families), return_inverse=True)[1].astype(np.int64),
        train=train,
        truth=np.array([number.get(row["label"], -1) for row in known], np.int64),
        classes=classes,
        captions=tuple(captions),
        own=np.array(own, np.int64),
        frames={
            concept: [texts[single].get(video, _NO_TEXT).texts for video in ids]
            for concept, (single, _) in OF_CONCEPT.items()
        },
        sequence={
            concept: [texts[whole].get(video, _NO_TEXT).sequence() for video in ids]
            for concept, (_, whole) in OF_CONCEPT.items()
        },
        undescribed=sum(row["part"] == "test" for row in rows)
        - sum(row["part"] == "test" for row in known),
        missing=sum(incomplete),
    )  # fmt: skip


def _kinds() -> Iterator[TextKind]:
    return iter(dict.fromkeys(kind for pair in OF_CONCEPT.values() for kind in pair))


def _captions(workspace: Workspace, ids: list[int], train: Bools) -> tuple[list[str], list[int]]:
    place = {video: position for position, video in enumerate(ids) if not train[position]}
    rows = workspace.store.rows(
        "SELECT video_id, text FROM video_caption ORDER BY video_id, position"
    )
    pairs = [(row["text"], place[row["video_id"]]) for row in rows if row["video_id"] in place]
    return [text for text, _ in pairs], [position for _, position in pairs]
