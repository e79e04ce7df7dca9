"""Failure tagging: what went wrong in a model's answer (ActionAtlas B.1, K9-Bench H)."""

from collections.abc import Iterable
from typing import Any, cast

from annotations import author_lists
from annotations.decision import Decision
from annotations.failure import failed_answer, failure_items
from annotations.part_votes import jaccard_distance, named_by_most, named_by_most_settled
from annotations.reading.responses import text
from annotations.record.item import Item
from annotations.record.stage import Content
from annotations.task import ItemDraft, Shown
from annotations.task_settings import completed, in_range
from annotations.workspace import Workspace
from core.refusal import Refusal

LABEL = "Failure tagging"
SCHEMA_VERSION = 1
OVERLAP = 2
SOURCES = ("predictions", "rows")

NONE = "none"
NONE_FITS = {"id": NONE, "label": "None of these", "description": "Say in the remark what it is."}
MOST_CLASSES = 25
ANSWERED_BY = "the answer of {model}, {condition}"


def shows_key(settings: dict[str, Any]) -> bool:
    """True: what is wrong with an answer can only be said beside the key."""
    del settings
    return True


def check_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings: classes to choose from, and which wrong predictions become items.

    `classes` is the name of a shipped list (assets/failures), or a list of labels or of {"id",
    "label", "description"}; 'None of these' is always among them. `runs`, `categories` and `states`
    (such as 'read') keep only some wrong predictions, `most_per_run` draws so many of each run
    (0: all) by `seed`. They count only where items are made of the workspace's predictions.

    Raises:
        ValueError: for a setting that is not allowed.
    """
    wanted = {"classes": "usual", **settings}
    if isinstance(wanted["classes"], str):
        wanted["classes"] = author_lists.load("failures", wanted["classes"])["classes"]
    defaults: dict[str, Any] = {
        "classes": [], "runs": cast("list[str]", []), "categories": cast("list[str]", []),
        "states": ["read"], "most_per_run": 20, "seed": 0,
    }  # fmt: skip
    completed_settings = completed(wanted, defaults)
    in_range(completed_settings, "most_per_run", 0, 1_000_000)
    named = [entry for entry in completed_settings["classes"] if _id(entry) != NONE]
    classes = author_lists.entries(named, "classes", "description", MOST_CLASSES)
    unknown = [entry for entry in completed_settings["states"] if entry not in failure_items.STATES]
    if unknown:
        raise Refusal(
            f"Setting states holds {unknown[0]!r}; allowed: {', '.join(failure_items.STATES)}."
        )
    return {**completed_settings, "classes": [*classes, dict(NONE_FITS)]}


def _id(entry: object) -> object:
    return cast("dict[str, object]", entry).get("id") if isinstance(entry, dict) else None


def build_items(
    workspace: Workspace, settings: dict[str, Any], rows: list[dict[str, Any]] | None
) -> Iterable[ItemDraft]:
    """One item for each wrong prediction, or for each row that names one.

    A row has "prediction", its number, or "run" ('MODEL · CONDITION') and "question".

    Raises:
        ValueError: for a row that names none, or one that is not wrong.
    """
    if rows is not None:
        return failure_items.drafts(workspace, failure_items.of_rows(workspace, rows))
    chosen = failure_items.wrong(
        workspace,
        runs=settings["runs"],
        categories=settings["categories"],
        states=settings["states"],
        most_per_run=settings["most_per_run"],
        seed=settings["seed"],
    )
    return failure_items.drafts(workspace, chosen)


def show(workspace: Workspace, item: Item, settings: dict[str, Any], seed: str) -> Shown:
    """What the model saw, and the classes that may be chosen.

    Raises:
        ValueError: if the prediction is not in the workspace.
    """
    del seed
    shown = failed_answer.shown_again(workspace, item.payload["prediction"])
    classes = [entry["id"] for entry in settings["classes"]]
    return Shown({**shown.facts, "classes": classes}, shown.question_revision_id)


def content(workspace: Workspace, item: Item, shown: Shown) -> Content:
    """The frames that the model saw, and its answer beside question and key."""
    del item
    answer = failed_answer.failed_answer(workspace, shown.facts["prediction"])
    seen = failed_answer.Seen.from_facts(shown.facts)
    return Content(
        label=f"{answer.uid} · {answer.model}",
        stage=failed_answer.stage(workspace, seen),
        values={
            "question": answer.question,
            "answer": {
                "options": answer.options(),
                "by": ANSWERED_BY.format(model=answer.model, condition=answer.condition),
                "reply": answer.reply,
                "read": answer.words,
                "note": failed_answer.not_known(workspace, seen),
            },
        },
    )


def check_response(response: dict[str, Any], shown: Shown) -> dict[str, Any]:
    """The classes in the order of the list, and a remark.

    Raises:
        ValueError: if no class is chosen, one was not offered, or 'None of these' beside others.
    """
    sent = response.get("classes")
    named = cast("list[Any]", sent) if isinstance(sent, list) else []
    offered: list[str] = shown.facts["classes"]
    unknown = [class_id for class_id in named if class_id not in offered]
    if unknown:
        raise Refusal(f"{unknown[0]!r} is no class of this list. Reload the page.")
    classes = [class_id for class_id in offered if class_id in named]
    if not classes:
        raise Refusal("No class is chosen. Choose one or more, or 'None of these'.")
    if NONE in classes and len(classes) > 1:
        raise Refusal("'None of these' cannot stand beside a class. Take one of them back.")
    return {"classes": classes, "note": text(response, "note", "Remark")}


def named_classes(responses: list[dict[str, Any]], offered: Iterable[str]) -> list[str]:
    """The classes that more than half of the taggers named, in the order of the list."""
    total = len(responses)
    return [
        class_id
        for class_id in offered
        if named_by_most(sum(class_id in response["classes"] for response in responses), total)
    ]


def decide(responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
    """The classes that more than half named; a tie if there is none. The value is their ids."""
    if not responses:
        return Decision(None, "none", "no votes")
    offered = [class_id["id"] for class_id in settings["classes"]]
    total = len(responses)
    agreed = named_classes(responses, offered)
    counts = (
        (offer["label"], sum(offer["id"] in response["classes"] for response in responses))
        for offer in settings["classes"]
    )
    counts_text = ", ".join(f"{count} of {total} “{label}”" for label, count in counts if count)
    return Decision(agreed or None, "decided" if agreed else "tie", counts_text)


def settled(responses: list[dict[str, Any]], missing: int, settings: dict[str, Any]) -> bool:
    """Whether every class stands, or does not, whatever comes."""
    if missing == 0:
        return True
    total = len(responses)
    counts = [
        sum(entry["id"] in response["classes"] for response in responses)
        for entry in settings["classes"]
    ]
    return total > 0 and all(named_by_most_settled(count, total, missing) for count in counts)


def known_answer(settings: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    """What a known answer may hold, see `DeclaresKnown`."""
    del payload
    classes = [*(entry["id"] for entry in settings["classes"]), NONE]
    return {"classes": classes, "note": None, "why": None}


def feedback(
    response: dict[str, Any], expected: dict[str, Any], settings: dict[str, Any]
) -> tuple[bool, str]:
    """Whether every class that is surely right is among those chosen."""
    why = f" {expected['why']}" if expected.get("why") else ""
    called = {entry["id"]: entry["label"] for entry in settings["classes"]}
    lacking = [
        called.get(name, name) for name in expected["classes"] if name not in response["classes"]
    ]
    if lacking:
        return False, f"Also, or rather: {', '.join(lacking)}.{why}"
    return True, f"Right.{why}"


def distance(a: dict[str, Any], b: dict[str, Any]) -> float | None:
    """The share of the named classes that only one of the two named."""
    return jaccard_distance(a["classes"], b["classes"])


def describe(response: dict[str, Any], values: dict[str, Any]) -> str:
    """The classes and the remark."""
    del values
    names = ", ".join(class_id.replace("_", " ") for class_id in response["classes"])
    return f"{names} ({response['note']})" if response["note"] else names
