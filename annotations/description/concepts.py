"""The texts that a description of a video is made of, and their names in published files."""

from dataclasses import dataclass

from core.bias.representation import Concept


@dataclass(frozen=True)
class TextKind:
    """One of the five texts of a frame.

    Attributes:
        kind: as it is stored with a video's text.
        published: its name in UTD's files of descriptions.
        label: in words.
    """

    kind: str
    published: str
    label: str


DESCRIPTION = TextKind("description", "objects+composition+activities", "descriptions")
OBJECTS = TextKind("objects", "objects", "objects")
ACTIVITIES = TextKind("activities", "activities", "activities")
VERBS = TextKind("verbs", "verbs", "verbs")
SUMMARY = TextKind("summary", "objects+composition+activities_15_words", "15-word summaries")
TEXT_KINDS = (DESCRIPTION, OBJECTS, ACTIVITIES, VERBS, SUMMARY)
BASE_KIND = DESCRIPTION.kind
BY_KIND = {text_kind.kind: text_kind for text_kind in TEXT_KINDS}
BY_PUBLISHED = {text_kind.published: text_kind for text_kind in TEXT_KINDS}

# A frame's text, and the text of which a sequence is made: whole descriptions would be too long.
OF_CONCEPT: dict[Concept, tuple[TextKind, TextKind]] = {
    "objects+composition+activities": (DESCRIPTION, SUMMARY),
    "objects": (OBJECTS, OBJECTS),
    "activities": (ACTIVITIES, ACTIVITIES),
    "verbs": (VERBS, VERBS),
}
