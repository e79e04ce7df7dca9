"""Questions on localized actions that never name them, with nine hard negatives.

Method: ActionAtlas 2.7 and appendix H.
"""

import json
from typing import Any, cast

from annotations import task as tasks
from annotations.generation.generator import Draft, Results, Step, Subject, Unfit
from annotations.generation.replies import is_told, listed_lines, one_line, share_named
from annotations.question.passed_clips import counted_responses
from annotations.workspace import Workspace
from core.checks.action_named import named
from core.question.words import same_key
from core.refusal import Refusal

TITLE = "From localized actions (ActionAtlas)"
HELP = "One question for each localized action, from who does it and what happens before and after."
SETTINGS: dict[str, Any] = {"task": ""}
KEEP = [3, 4]
NEGATIVES = 9
LEAST_NAMED = 0.5  # of the actor's words


def subjects(workspace: Workspace, settings: dict[str, Any]) -> list[Subject]:
    """The segments that people's localization decided on, with the first card that fits each.

    Raises:
        Refusal: where there is none.
    """
    rows = workspace.store.rows(
        "SELECT i.*, t.settings, t.kind, v.name FROM item i JOIN task t ON t.id = i.task_id"
        " JOIN video v ON v.id = i.video_id"
        " WHERE t.kind = 'localization' AND i.status = 'open' AND i.role = 'work'"
        " AND v.status = 'usable' AND (:task = '' OR t.name = :task) ORDER BY i.id",
        {"task": settings["task"]},
    )
    localized = [subject for row in rows for subject in _subjects_of(workspace, row)]
    if not localized:
        raise Refusal(
            "No action is localized yet. Let people answer a localization task first, or name it"
            " with --set task=NAME."
        )
    return localized


def _subjects_of(workspace: Workspace, item: dict[str, Any]) -> list[Subject]:
    responses = counted_responses(workspace, item["id"])
    kind = tasks.kind(item["kind"])
    decided = kind.decide(responses, json.loads(item["settings"])).value
    value = cast("dict[str, Any]", decided or {})
    segments: list[dict[str, Any]] = value.get("segments", [])
    payload = json.loads(item["payload"])
    return [
        Subject(
            f"segment:{item['id']}:{number}", f"{item['name']} {segment['start']:g} s",
            item["video_id"], payload["video"], segment["start"], segment["end"],
            {"action": payload["action"], "domain": payload["domain"],
             **_card(responses, segment)},
        )
        for number, segment in enumerate(segments, start=1)
    ]  # fmt: skip


def _card(responses: list[dict[str, Any]], segment: dict[str, Any]) -> dict[str, str]:
    """Who, before and after as the card says that lies nearest to a segment."""
    middle = (segment["start"] + segment["end"]) / 2
    cards: list[dict[str, Any]] = [
        card
        for response in responses
        for card in response.get("cards", ())
        if not card.get("which")
    ]
    if not cards:
        return dict.fromkeys(("who", "before", "after"), "")
    card = min(cards, key=lambda card: abs((card["start"] + card["end"]) / 2 - middle))
    return {name: str(card.get(name, "")) for name in ("who", "before", "after")}


def _fill_question(subject: Subject, results: Results, settings: dict[str, Any]) -> dict[str, str]:
    del results, settings
    facts = subject.facts
    texts = {name: facts[name] if is_told(facts[name]) else "(nothing)"
            for name in ("who", "before", "after")}  # fmt: skip
    return {"action": facts["action"], "domain": facts["domain"], **texts}


def _read_question(reply: str, subject: Subject, results: Results, settings: dict[str, Any]) -> str:
    del results, settings
    question, facts = one_line(reply), subject.facts
    if not question.endswith("?"):
        raise Unfit("It does not end with a question mark.")
    marks = named(question, facts["action"])
    if marks:
        raise Unfit(f"It names the action: {', '.join(marks)}. Ask without these words.")
    if is_told(facts["who"]) and share_named(question, facts["who"]) < LEAST_NAMED:
        raise Unfit(f"It does not say who is meant: {facts['who']}.")
    for name in ("before", "after"):
        is_given = is_told(facts[name])
        if is_given and share_named(question, facts[name]) < LEAST_NAMED:
            raise Unfit(f"It does not say what happens {name}: {facts[name]}.")
    return question


def _stand_in_question(subject: Subject, results: Results) -> str:
    del results
    facts = subject.facts
    who = facts["who"] if is_told(facts["who"]) else "the person"
    parts = [f"Which move does {who} make"]
    parts += [f"after {facts['before']}"] if is_told(facts["before"]) else []
    parts += [f"before {facts['after']}"] if is_told(facts["after"]) else []
    return " ".join(parts) + "?"


def _fill_negatives(subject: Subject, results: Results, settings: dict[str, Any]) -> dict[str, str]:
    del results, settings
    return {name: subject.facts[name] for name in ("action", "domain")}


def _read_negatives(
    reply: str, subject: Subject, results: Results, settings: dict[str, Any]
) -> list[str]:
    del results, settings
    names = listed_lines(reply, NEGATIVES)
    action = same_key(subject.facts["action"])
    same = [name for name in names if same_key(name) == action]
    if same:
        raise Unfit(f"“{same[0]}” is the action itself; all nine have to be wrong.")
    return names


def _stand_in_negatives(subject: Subject, results: Results) -> str:
    del results
    ordinals = "first second third fourth fifth sixth seventh eighth ninth".split()  # noqa: SIM905
    return "\n".join(f"{word} made-up {subject.facts['domain']} move" for word in ordinals)


STEPS = (
    Step("question", "question_from_action", ("action", "domain", "who", "before", "after"),
         _fill_question, _read_question, _stand_in_question, most_tokens=200),
    Step("negatives", "hard_negatives", ("action", "domain"), _fill_negatives, _read_negatives,
         _stand_in_negatives, most_tokens=400),
)  # fmt: skip


def drafts(subject: Subject, results: Results) -> list[Draft]:
    """One draft: the action is the key, with nine wrong options of which people keep some."""
    facts = subject.facts
    return [
        Draft(
            subject.id,
            {
                "text": results["question"],
                "options": [facts["action"], *results["negatives"]],
                "key": 0,
                "category": facts["domain"],
                "tags": {"action": facts["action"]},
            },
        )
    ]
