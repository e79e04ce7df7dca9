"""Descriptions of videos as they are stored: who wrote them, and the texts of each video.

A set of descriptions is what one model wrote about the frames, with the objects, activities, verbs
and summaries that language models made of it; or what was published and brought in. Each of the
five texts is a run of its own, so a set can get other objects without losing its first ones.
"""

import json
from dataclasses import dataclass, field

from annotations.annotator import TextLine
from annotations.description.cleaning import cleaned
from annotations.description.concepts import TEXT_KINDS, TextKind
from annotations.workspace import Workspace
from core.bias.representation import FRAMES
from core.refusal import Refusal

_SETS = """
  SELECT r.id, p.name AS model, t.kind, count(*) AS videos,
    coalesce(json_extract(r.facts, '$.set'), json_extract(r.facts, '$.settings.descriptions'), '')
      AS set_name
  FROM video_text t JOIN run r ON r.id = t.run_id JOIN annotator p ON p.id = r.annotator_id
  WHERE t.kind IN (SELECT value FROM json_each(?)) GROUP BY r.id, t.kind ORDER BY r.id
"""
_TEXTS = """
  SELECT i.video_id, t.lines FROM video_text t JOIN item i ON i.id = t.item_id
  WHERE t.run_id = ? AND t.kind = ? AND i.video_id IS NOT NULL ORDER BY i.video_id
"""


@dataclass(frozen=True)
class DescriptionSet:
    """Descriptions that belong together.

    Attributes:
        name: of the run that described the frames, or of what was brought in.
        runs: the run of each kind of text; where there are several, the newest.
        videos: how many videos have each kind of text.
    """

    name: str
    runs: dict[str, int] = field(default_factory=dict[str, int])
    videos: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def words(self) -> str:
        """What it holds, for a person."""
        held = [
            f"{self.videos[kind.kind]:,} {kind.label}"
            for kind in TEXT_KINDS
            if kind.kind in self.runs
        ]
        return f"{self.name}: {', '.join(held)}"


@dataclass(frozen=True)
class VideoTexts:
    """Texts of one kind of one video.

    Attributes:
        texts: cleaned, one for each of the frames; '' where nothing was seen.
        missing: how many frames have no text at all, since the record was not complete.
    """

    texts: tuple[str, ...]
    missing: int = 0

    @property
    def empty(self) -> int:
        """How many frames have an empty text."""
        return sum(not text for text in self.texts)

    def sequence(self) -> str:
        """All texts as one, each with the number of its frame; '' where all are empty."""
        if not any(self.texts):
            return ""
        return " ".join(f"Frame {n}: {text}".rstrip() for n, text in enumerate(self.texts, start=1))


def description_sets(workspace: Workspace) -> list[DescriptionSet]:
    """Every set of descriptions, the one that was begun last first."""
    kinds = json.dumps([kind.kind for kind in TEXT_KINDS])
    sets: dict[str, DescriptionSet] = {}
    for row in workspace.store.rows(_SETS, [kinds]):
        name = row["set_name"] or row["model"]
        of_name = sets.setdefault(name, DescriptionSet(name))
        of_name.runs[row["kind"]] = row["id"]
        of_name.videos[row["kind"]] = row["videos"]
    return list(reversed(sets.values()))


def the_set(workspace: Workspace, name: str = "") -> DescriptionSet:
    """The set of a name; the newest one without a name.

    Raises:
        Refusal: if there is none; says which there are.
    """
    sets = description_sets(workspace)
    if not sets:
        raise Refusal(
            "No video has a description yet. Let a model write them with `rushes run "
            "frame_description`, or bring in published ones with `rushes import-bias FILE`."
        )
    if not name:
        return sets[0]
    for described in sets:
        if described.name == name:
            return described
    listed = "; ".join(repr(described.name) for described in sets)
    raise Refusal(f"There are no descriptions {name!r}. There are: {listed}.")


def texts_of(
    workspace: Workspace, described: DescriptionSet, kind: TextKind
) -> dict[int, VideoTexts]:
    """The texts of one kind by video id; empty where the set has none of the kind."""
    run = described.runs.get(kind.kind)
    if run is None:
        return {}
    return {
        row["video_id"]: read_texts(row["lines"], kind)
        for row in workspace.store.rows(_TEXTS, [run, kind.kind])
    }


def read_texts(lines: str, kind: TextKind) -> VideoTexts:
    """Stored lines of one video as cleaned texts of its frames."""
    raw = [str(line["text"]) for line in json.loads(lines)][:FRAMES]
    missing = FRAMES - len(raw)
    return VideoTexts((*(cleaned(text, kind) for text in raw), *[""] * missing), missing)


def version(workspace: Workspace, described: DescriptionSet) -> str:
    """A text that is another one whenever a text of the set has been added."""
    runs = json.dumps(sorted(described.runs.values()))
    [row] = workspace.store.rows(
        "SELECT count(*) AS count, coalesce(max(stored_at), 0) AS newest FROM video_text"
        " WHERE run_id IN (SELECT value FROM json_each(?))",
        [runs],
    )
    return f"{described.name} {runs} {row['count']} {row['newest']:.6f}"


def lines_of_item(workspace: Workspace, run_id: int, item_id: int) -> tuple[TextLine, ...]:
    """The texts that a run wrote about one item's video, as they were written; () for none.

    Another task's item of the same video serves as well.
    """
    rows = workspace.store.rows(
        "SELECT t.lines FROM video_text t JOIN item i ON i.id = t.item_id"
        " WHERE t.run_id = ? AND (i.id = ? OR i.video_id ="
        " (SELECT video_id FROM item WHERE id = ?)) ORDER BY i.id = ? DESC LIMIT 1",
        [run_id, item_id, item_id, item_id],
    )
    return tuple(
        TextLine(line["start_s"], line["end_s"], line["text"])
        for line in (json.loads(rows[0]["lines"]) if rows else ())
    )
