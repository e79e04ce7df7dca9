"""Three-way merge of a question: the file, the last import, and the edits made here since.

| the file says          | since the last import, here | what becomes of it                       |
| ---------------------- | --------------------------- | ---------------------------------------- |
| what it said before    | anything                    | unchanged: what is here stays            |
| something else         | nothing                     | changed: the file's                      |
| something else         | other parts                 | merged: both changes                     |
| something else         | the same                    | unchanged: they agree                    |
| something else         | the same parts, otherwise   | kept: what is here stays, until a person |
|                        |                             | takes the file's                         |

Text, options, key and clip are one part: a key answers a text and options in a stretch of video,
and half of one change with half of another would be a question that nobody has seen. So is the
video, where it is another one; new content of the same video is a part of its own. Tags go by their
names.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

Parts = dict[str, Any]
Verdict = Literal["unchanged", "changed", "merged", "kept"]

NAMES = ("text", "options", "key", "reference", "video", "clip", "category", "tags", "note")
ASKED = ("text", "options", "key", "reference", "clip")
_ABSENT = object()
_NOTHING: Parts = {**dict.fromkeys(NAMES, _ABSENT), "tags": {}}


@dataclass(frozen=True)
class Meeting:
    """The result of merging a question.

    Attributes:
        verdict: as in the table above.
        parts: names of the parts that the file changes; with 'kept': that both changed.
        result: the parts afterwards; with 'kept': where the file's are taken for what both changed.
    """

    verdict: Verdict
    parts: tuple[str, ...]
    result: Parts


def differing(version: Parts, base: Parts) -> tuple[str, ...]:
    """Names of the parts in which two versions of a question differ."""
    return tuple(name for name in NAMES if version[name] != base[name])


def merge_question(file: Parts, base: Parts | None, current: Parts, *, edited: bool) -> Meeting:
    """Merge a stored question with the file's.

    All three have the parts of `NAMES`: options as a list, the video as its name and row, the clip
    as start and end (s), tags by name.

    Args:
        file: what the file says.
        base: what an import last wrote; None if none ever did: then nothing of it is the file's.
        here: what is current.
        edited: whether that came after the import.
    """
    changed = differing(file, current if base is None else base)
    if not changed:
        return Meeting("unchanged", (), current)
    if not edited and base is not None:
        return Meeting("changed", changed, file)
    result, clashing = _merged(file, base or _NOTHING, current)
    if clashing:
        return Meeting("kept", tuple(clashing), result)
    if result == current:
        return Meeting("unchanged", (), current)
    return Meeting("changed" if result == file else "merged", changed, result)


def _merged(file: Parts, base: Parts, current: Parts) -> tuple[Parts, list[str]]:
    """Both changes, the file's where they clash; and names of what clashes."""
    result = {**current, "tags": dict(current["tags"])}
    clashing: list[str] = []
    for group in _groups(file, current):
        file_units, old_units, new_units = (_units(parts, group) for parts in (file, base, current))
        if all(
            parts in (old, new)
            for parts, old, new in zip(file_units, old_units, new_units, strict=True)
        ):
            continue  # not changed, or done here as well
        result.update({name: file[name] for name in group})
        if new_units != old_units:
            clashing += [name for name in group if _value(file, name) != _value(current, name)]
    for tag in _clashing_tags(file["tags"], base["tags"], current["tags"], result["tags"]):
        clashing.append(f"tag {tag}")
    return result, clashing


def _groups(file: Parts, current: Parts) -> tuple[tuple[str, ...], ...]:
    """Return the groups of parts that change together."""
    if file["video"][0] == current["video"][0]:
        return (ASKED, ("video",), ("category",), ("note",))
    return ((*ASKED, "video"), ("category",), ("note",))


def _value(parts: Parts, name: str) -> Any:
    """What is compared of a part: a key is one of its own options only."""
    return (parts["options"], parts["key"]) if name == "key" else parts[name]


def _units(parts: Parts, group: tuple[str, ...]) -> list[Any]:
    return [_value(parts, name) for name in group if name != "options"]


def _clashing_tags(file: Parts, base: Parts, current: Parts, result: Parts) -> Iterator[str]:
    """Names of tags that both changed, otherwise; what the file changed goes into the result."""
    for tag in sorted({*file, *base}):
        in_file, old, new = (tags.get(tag, _ABSENT) for tags in (file, base, current))
        if in_file in (old, new):
            continue
        if in_file is _ABSENT:
            result.pop(tag, None)
        else:
            result[tag] = in_file
        if new != old:
            yield tag
