"""Human evaluation: people answer the benchmark's questions (TOMATO 6.1 and Fig. 9)."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, cast

from annotations.answering.availability import MEET_ONCE
from annotations.condition import Condition
from annotations.decision import Decision, majority, majority_settled, nominal
from annotations.question.question_values import tag_text
from annotations.question.questions import as_asked
from annotations.record.item import Item
from annotations.record.question import Question, questions_in_revisions
from annotations.record.stage import Content
from annotations.shown_places import Rename
from annotations.task import ItemDraft, Shown
from annotations.task_parts import OneOf
from annotations.task_settings import completed
from annotations.tasks._question_answers import answer_words, checked_answer, renamed, vote
from annotations.tasks._question_shown import (
    CANNOT_TELL,
    EXTRA,
    NONE_RIGHT,
    content_of,
    shown_question,
)
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.statistics.strata import sample

LABEL = "Human evaluation"
SCHEMA_VERSION = 1
OVERLAP = 2
SOURCES = ("questions",)


DEFAULTS: dict[str, Any] = {
    "condition": "full video",
    "shuffle_options": True,
    "free_text": False,
    NONE_RIGHT: False,
    CANNOT_TELL: False,
    MEET_ONCE: True,
    "only": {},
    "sample": 0,
    "sample_seed": 42,
    "descriptions": {},
}


def asks_key(settings: dict[str, Any]) -> bool:
    """True: whoever has seen the key answers nothing any more."""
    del settings
    return True


def check_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings: condition, order of options, and how people answer.

    With `free_text` they write the answer instead of choosing it. `none_right` and `cannot_tell`
    are answers beside the options. With `meet_once` nobody is asked about a clip that they have met
    under a condition that shows more, or twice under one that shows the same. `descriptions`
    explains options: {text of an option: words}. With `only` those questions are asked whose
    category or tag is one of some values: {"category": [...], "name of a tag": [...]}. With
    `sample` only so many of them are asked, each category in its share, drawn by `sample_seed`; 0
    asks all.

    Raises:
        ValueError: for an unknown condition, or a setting that is not allowed.
    """
    completed_settings = completed(settings, DEFAULTS)
    if completed_settings["sample"] < 0:
        raise Refusal(
            f"Setting sample is {completed_settings['sample']}; allowed: 0 for all, or how many."
        )
    if not is_choice_of_questions(completed_settings["only"]):
        raise Refusal(
            "Setting only has to be {name: values}, such as {category = ['direction']} or the name "
            "of a tag with its values."
        )
    if not all(
        isinstance(description, str) for description in completed_settings["descriptions"].values()
    ):
        raise Refusal("Setting descriptions has to be {text of an option: words}.")
    if completed_settings["free_text"] and completed_settings[NONE_RIGHT]:
        raise Refusal("Setting none_right needs options; allowed only without free_text.")
    return {
        **completed_settings,
        "condition": Condition.parse(completed_settings["condition"]).name,
    }


def build_items(
    workspace: Workspace, settings: dict[str, Any], rows: list[dict[str, Any]] | None
) -> Iterable[ItemDraft]:
    """One item for each question with options whose video is usable, in the order of import.

    Questions without options are asked where answers are written. Where nothing but the text is
    shown, the video need not be usable.
    """
    del rows
    count = "<> 1" if settings.get("free_text") else "> 1"
    statuses = ("usable", "missing", "broken") if _condition(settings).is_text else ("usable",)
    questions = workspace.store.rows(
        "SELECT q.uid, q.question_id, q.category, q.tags, c.video_id FROM asked_question q"
        " JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id"
        f" WHERE v.status IN ({', '.join('?' * len(statuses))})"
        f" AND json_array_length(q.options) {count} ORDER BY q.question_id",
        list(statuses),
    )
    if only := settings.get("only"):
        questions = [row for row in questions if is_among(row, only)]
    if settings.get("sample"):
        chosen = sample(
            [row["category"] for row in questions], [row["uid"] for row in questions],
            settings["sample"], settings.get("sample_seed", 42),
        )  # fmt: skip
        questions = [questions[index] for index in chosen]
    for row in questions:
        yield ItemDraft(f"question:{row['uid']}", row["question_id"], row["video_id"])


def is_choice_of_questions(only: object) -> bool:
    """Return whether a value is a choice of questions: lists of texts by name."""
    return isinstance(only, dict) and all(
        isinstance(name, str)
        and isinstance(values, list)
        and all(isinstance(value, str) for value in cast("list[object]", values))
        for name, values in cast("dict[object, object]", only).items()
    )


def is_among(row: dict[str, Any], only: dict[str, list[str]]) -> bool:
    """Return whether a question, by its category and tags (JSON), is one of those chosen."""
    known = {**json.loads(row["tags"]), "category": row["category"]}
    return all(tag_text(known.get(name)) in values for name, values in only.items() if values)


def _condition(settings: dict[str, Any]) -> Condition:
    return Condition.parse(settings["condition"])


def show(workspace: Workspace, item: Item, settings: dict[str, Any], seed: str) -> Shown:
    """Frames (equal for everybody) and option order (another for each person) of a question.

    Raises:
        ValueError: if the question's video is not usable.
    """
    [shown] = show_many(workspace, [item], settings, [seed])
    if isinstance(shown, Exception):
        raise shown
    return shown


def show_many(
    workspace: Workspace, items: Sequence[Item], settings: dict[str, Any], seeds: Sequence[str]
) -> list[Shown | Exception]:
    """`show` for many items with one query; where nothing can be shown, the reason."""
    ids = json.dumps([item.question_id for item in items])
    questions = {
        row["question_id"]: row
        for row in workspace.store.rows(
            "SELECT q.question_id, q.id, q.uid, q.options, q.key, q.reference, c.start_s,"
            " c.end_s, v.sha256, v.status, v.name FROM current_question q"
            " JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id"
            " WHERE q.question_id IN (SELECT value FROM json_each(?))",
            [ids],
        )
    }
    shown: list[Shown | Exception] = []
    for item, seed in zip(items, seeds, strict=True):
        try:
            question = questions.get(item.question_id)
            shown.append(shown_question(workspace, item, question, {**DEFAULTS, **settings}, seed))
        except (Refusal, OSError) as error:
            shown.append(error)
    return shown


def content(workspace: Workspace, item: Item, shown: Shown) -> Content:
    """The question as it was shown, options in this person's order, without the key."""
    del item
    return content_of(as_asked(workspace.store, shown.question_revision_id), shown)


def content_many(workspace: Workspace, handed: Sequence[tuple[Item, Shown]]) -> list[Content]:
    """`content` for many items with one query."""
    with workspace.store.single() as database:
        questions = questions_in_revisions(
            database, (shown.question_revision_id for _, shown in handed)
        )
    return [content_of(questions[shown.question_revision_id or 0], shown) for _, shown in handed]


def options_shown(shown: Shown) -> list[int]:
    """The options in the order shown; none for free text."""
    return list(shown.facts.get("option_order", ()))


def rename_values(values: dict[str, Any], rename: Rename) -> dict[str, Any]:
    """The question with another name for each option."""
    options = [{**option, "value": rename(option["value"])} for option in values["options"]]
    return {**values, "options": options}


def rename_response(response: dict[str, Any], shown: Shown, rename: Rename) -> dict[str, Any]:
    """A response with another name for the chosen option, or for each of several."""
    del shown
    return renamed(response, rename)


def check_response(response: dict[str, Any], shown: Shown) -> dict[str, Any]:
    """The chosen option as its index in the question's own order, its name, or the words written.

    Where several options may be right, the choice is a list of indices, ascending.

    Raises:
        ValueError: if none of the shown options is chosen, or nothing is written.
    """
    return checked_answer(response, shown.facts)


def decide(responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
    """The option that most people chose, or the very same several; for free text most's words.

    Words are those that were written first.
    """
    del settings
    winner = majority([vote(response) for response in responses])
    stated = [
        response.get("text", response.get("choice"))
        for response in responses
        if winner.value is not None and vote(response) == winner.value
    ]
    return Decision(stated[0], winner.status, winner.words) if stated else winner


def settled(responses: list[dict[str, Any]], missing: int, settings: dict[str, Any]) -> bool:
    """Whether the majority stands whatever comes."""
    del settings
    return majority_settled([vote(response) for response in responses], missing)


def known_answer(settings: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    """What a known answer may hold, see `DeclaresKnown`."""
    if settings["free_text"]:
        return {"text": None, "choice": list(EXTRA), "why": None}
    extra = [name for name in EXTRA if settings[name]]
    choices = (*range(len(payload["options"])), *extra)
    return {"choice": choices if payload.get("several") else OneOf(choices), "why": None}


def feedback(
    response: dict[str, Any], expected: dict[str, Any], settings: dict[str, Any]
) -> tuple[bool, str]:
    """Whether the right option or the very right ones were chosen, or the right words written."""
    del settings
    why = f" {expected['why']}" if expected.get("why") else ""
    right = vote(response) == vote(expected)
    return right, f"Right.{why}" if right else f"Another answer is right.{why}"


def distance(a: dict[str, Any], b: dict[str, Any]) -> float | None:
    """0 for the same answer, 1 for another."""
    return nominal(vote(a), vote(b))


def key_response(question: Question) -> dict[str, Any]:
    """The response that the question's stored key, or its right options, amount to."""
    return {"choice": list(question.right_options) if question.asks_several else question.key}


def right_of(response: dict[str, Any]) -> tuple[int, ...]:
    """The several right options that a response amounts to, if it holds; () for any other one."""
    choice = response.get("choice")
    chosen = cast("list[object]", choice) if isinstance(choice, list) else []
    options = sorted(option for option in chosen if isinstance(option, int))
    return tuple(options) if len(options) == len(chosen) else ()


def key_of(response: dict[str, Any]) -> int | None:
    """The key that a response amounts to, if it holds; None for one that is no option."""
    choice = response.get("choice")
    return choice if isinstance(choice, int) and choice >= 0 else None


def describe(response: dict[str, Any], values: dict[str, Any]) -> str:
    """The chosen options with their letters in the question's own order, or what was written."""
    texts = {option["value"]: option["text"] for option in values.get("options", [])}
    return answer_words(response, texts)
