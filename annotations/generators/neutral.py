"""Stored questions rewritten without speakers, names and sounds; the key stays (K9-Bench 3.4)."""

import json
import re
from string import ascii_uppercase
from typing import Any, cast

from annotations.generation.generator import Draft, Results, Step, Subject, Unfit
from annotations.generation.replies import all_differ, json_value, short, text_field
from annotations.workspace import Workspace
from core.check import CheckedQuestion
from core.checks import key_moved
from core.refusal import Refusal

TITLE = "Neutral rewriting"
HELP = "Each question anew without speakers, names and sounds, options within 20 words."
SETTINGS: dict[str, Any] = {"category": ""}
KEEP = list(range(1, 26))
_SOUND = re.compile(
    r"\b(?:says?|said|saying|tells?|told|voices?|speakers?|speaks?|spoke|narrators?|music|songs?"
    r"|hears?|heard|sounds?|noises?|shouts?|shouted|whispers?|whispered|barks?|barking)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,;:] )([A-Z][a-z]+)\b")


def subjects(workspace: Workspace, settings: dict[str, Any]) -> list[Subject]:
    """The questions that are asked, with options and a key, on usable videos.

    Raises:
        Refusal: where there is none.
    """
    rows = workspace.store.rows(
        "SELECT q.*, c.start_s, c.end_s, c.video_id, v.sha256 FROM asked_question q"
        " JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id"
        " WHERE v.status = 'usable' AND q.key IS NOT NULL AND json_array_length(q.options) > 1"
        " AND (:category = '' OR q.category = :category) ORDER BY q.question_id",
        settings,
    )
    if not rows:
        raise Refusal("There are no questions with options and a key to rewrite.")
    return [
        Subject(
            f"question:{row['uid']}:{row['revision']}", row["uid"], row["video_id"],
            row["sha256"], row["start_s"], row["end_s"],
            {"uid": row["uid"], "text": row["text"], "options": json.loads(row["options"]),
             "key": row["key"], "category": row["category"], "tags": json.loads(row["tags"])},
        )
        for row in rows
    ]  # fmt: skip


def _fill(subject: Subject, results: Results, settings: dict[str, Any]) -> dict[str, str]:
    del results, settings
    facts = subject.facts
    listed = "\n".join(
        f"{letter}. {option}"
        for letter, option in zip(ascii_uppercase, facts["options"], strict=False)
    )
    return {"question": facts["text"], "options": listed, "key": ascii_uppercase[facts["key"]]}


def _read(
    reply: str, subject: Subject, results: Results, settings: dict[str, Any]
) -> dict[str, Any]:
    """The new question, if nothing moved and nothing that had to go is left."""
    del results, settings
    facts = subject.facts
    value = json_value(reply, dict)
    question = text_field(value, "question")
    sent = value.get("options")
    texts = cast("dict[str, Any]", sent) if isinstance(sent, dict) else {}
    letters = list(ascii_uppercase[: len(facts["options"])])
    if sorted(texts) != letters:
        raise Unfit(f"The options are {', '.join(sorted(texts)) or 'lacking'}; keep"
                    f" {', '.join(letters)}.")  # fmt: skip
    options = [short(text_field(texts, letter)) for letter in letters]
    all_differ(options)
    key = ascii_uppercase[facts["key"]]
    if str(value.get("key", "")).strip() != key:
        raise Unfit(f"The key is {value.get('key')!r}; it stays {key}.")
    moved = key_moved.find(
        CheckedQuestion(facts["uid"], question, tuple(options), facts["key"],
                        earlier=((tuple(facts["options"]), facts["key"]),))
    )  # fmt: skip
    if moved:
        raise Unfit(f"{moved[0].where} {moved[0].reason}; each option stays at its letter.")
    old = " ".join([facts["text"], *facts["options"]])
    remaining_names = [name for name in sorted(set(_NAME.findall(old)))
            if re.search(rf"\b{name}\b", " ".join([question, *options]))]  # fmt: skip
    if remaining_names:
        raise Unfit(
            f"The name {remaining_names[0]} is still there; describe who it is by what is seen."
        )
    heard = _SOUND.search(" ".join([question, *options]))
    if heard:
        raise Unfit(f"“{heard[0]}” tells of a speaker or a sound; ask for what is seen.")
    return {"question": question, "options": options}


def _stand_in(subject: Subject, results: Results) -> str:
    """The same words without what has to go: no rewriting, only its form."""
    del results
    facts = subject.facts

    def plain(text: str) -> str:
        text = _NAME.sub("somebody", _SOUND.sub("shows", text))
        return " ".join(text.split()[:20]) or "it"

    options = {
        letter: plain(option)
        for letter, option in zip(ascii_uppercase, facts["options"], strict=False)
    }
    return json.dumps(
        {"question": plain(facts["text"]), "options": options, "key": ascii_uppercase[facts["key"]]}
    )


STEPS = (
    Step("rewriting", "neutral_rewriting", ("question", "options", "key"), _fill, _read, _stand_in,
         most_tokens=1000),
)  # fmt: skip


def drafts(subject: Subject, results: Results) -> list[Draft]:
    """The rewritten question, with what it said before; none where nothing changed."""
    facts, new = subject.facts, results["rewriting"]
    if (new["question"], new["options"]) == (facts["text"], facts["options"]):
        return []
    return [
        Draft(
            subject.id,
            {
                "uid": facts["uid"],
                "text": new["question"],
                "options": new["options"],
                "key": facts["key"],
                "category": facts["category"],
                "tags": facts["tags"],
                "keep_order": True,
                "was": {"text": facts["text"], "options": facts["options"]},
            },
        )
    ]
