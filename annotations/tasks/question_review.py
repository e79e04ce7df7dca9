"""Question review and authoring (TOMATO 4.3 and G, ActionAtlas 2.7, K9-Bench 3.3)."""

import json
from collections.abc import Iterable
from typing import Any, cast

from annotations import author_lists
from annotations.decision import Decision
from annotations.question.questions_in_rows import clip_drafts, question_drafts
from annotations.record.item import Item
from annotations.record.stage import Content, Player
from annotations.review import review_response
from annotations.review.review_decision import decide_review, distance_review, review_settled
from annotations.review.review_response import DISCARD, REVIEW, WRITE, check_review, check_written
from annotations.shown_places import Rename
from annotations.task import ItemDraft, Shown
from annotations.task_settings import completed
from annotations.workspace import Workspace
from core.question.options import drawn_order
from core.refusal import Refusal
from db.connection import first_row

LABEL = "Question review"
SCHEMA_VERSION = 1
OVERLAP = 1
SOURCES = ("questions", "videos", "rows")
STAGE, STAGE_UNIT = "Reviewed", "question"
MAKES_QUESTIONS = (
    True  # decisions are carried over into questions (annotations/review/apply_review.py)
)

MOST_CATEGORIES = 26


def shows_key(settings: dict[str, Any]) -> bool:
    """Whether reviewers see the given key."""
    return settings["mode"] == REVIEW and bool(settings["show_key"])


def asks_key(settings: dict[str, Any]) -> bool:
    """Whether reviewers say what the key is without having seen it."""
    return settings["mode"] == REVIEW and not settings["show_key"]


def check_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings: mode, how many wrong options are kept, whether the key is shown, categories.

    `mode` is 'review' for questions that are there, or 'write' for new ones on clips. `categories`
    is the name of a shipped list (assets/templates), or a list of labels or of {"id", "label",
    "template"}.

    Raises:
        ValueError: for a setting that is not allowed.
    """
    wanted = {"categories": "temporal", **settings}
    if isinstance(wanted["categories"], str):
        wanted["categories"] = author_lists.load("templates", wanted["categories"])["categories"]
    defaults: dict[str, Any] = {
        "mode": REVIEW, "keep": [3, 4], "show_key": True, "categories": [],
    }  # fmt: skip
    completed_settings = completed(wanted, defaults)
    if completed_settings["mode"] not in (REVIEW, WRITE):
        raise Refusal(
            f"Setting mode is {completed_settings['mode']!r}; allowed: {REVIEW}, {WRITE}."
        )
    keep = completed_settings["keep"]
    if not keep or not all(type(count) is int and 1 <= count <= 25 for count in keep):
        raise Refusal(f"Setting keep is {keep!r}; it has to look like [3, 4].")
    entries = author_lists.entries(
        completed_settings["categories"], "categories", "template", MOST_CATEGORIES
    )
    return {**completed_settings, "keep": sorted(set(keep)), "categories": entries}


def build_items(
    workspace: Workspace, settings: dict[str, Any], rows: list[dict[str, Any]] | None
) -> Iterable[ItemDraft]:
    """Questions to review, or clips to write questions on: of the workspace, or of rows.

    Raises:
        ValueError: for a row that is none.
    """
    if settings["mode"] == WRITE:
        return clip_drafts(workspace, rows)
    return question_drafts(workspace, rows)


def show(workspace: Workspace, item: Item, settings: dict[str, Any], seed: str) -> Shown:
    """The clip and the question as it is now, its options in another order for each person.

    An option's id is its place in the question's own order, from 0.

    Raises:
        ValueError: if the question's video is not usable.
    """
    payload = item.payload
    facts: dict[str, Any] = {"mode": settings["mode"], "keep": settings["keep"]}
    if settings["mode"] == WRITE:
        categories = [category["id"] for category in settings["categories"]]
        return Shown({**facts, **_clip_facts(payload["clip"]), "categories": categories})
    revision = None
    if item.question_id is not None:
        payload = _current(workspace, item)
        revision = payload["revision_id"]
    question = {name: payload[name] for name in ("text", "options", "key", "category")}
    if payload.get("struck") and settings["show_key"]:
        facts["struck"] = payload["struck"]
    if payload.get("was"):
        facts["was"] = payload["was"]
    order = drawn_order(question["options"], seed)
    return Shown(
        {
            **facts,
            **_clip_facts(payload["clip"]),
            "question": question,
            "order": list(order),
            "show_key": settings["show_key"],
            "category_label": _label(settings, question["category"]),
        },
        revision,
    )


def _clip_facts(clip: dict[str, Any]) -> dict[str, Any]:
    return {"video": clip["video"], "start_s": clip["start"], "end_s": clip["end"]}


def _current(workspace: Workspace, item: Item) -> dict[str, Any]:
    """The current revision of the item's question, as the payload of a row's item would be."""
    with workspace.store.read() as database:
        row = first_row(
            database,
            "SELECT q.id, q.text, q.options, q.key, q.category, c.start_s, c.end_s, v.sha256,"
            " v.status FROM current_question q JOIN clip c ON c.id = q.clip_id"
            " JOIN video v ON v.id = c.video_id WHERE q.question_id = ?",
            [item.question_id],
        )
    if row is None or row["status"] != "usable":
        raise Refusal(f"{item.uid}: its video is not usable.")
    clip = {"video": row["sha256"], "start": row["start_s"], "end": row["end_s"]}
    parts = {name: row[name] for name in ("text", "key", "category")}
    return {**parts, "revision_id": row["id"], "options": json.loads(row["options"]), "clip": clip}


def content(workspace: Workspace, item: Item, shown: Shown) -> Content:
    """The clip beside the question with its options, or beside nothing to write one on."""
    del workspace
    facts = shown.facts
    values: dict[str, Any] = {}
    if facts["mode"] == REVIEW:
        question = facts["question"]
        key = question["key"] if facts["show_key"] else None
        category = facts.get("category_label", question["category"])
        values = {
            "question": question["text"],
            "about": "; ".join(_about(question, key, category, facts)),
            "options": [
                {
                    "id": str(i),
                    "text": question["options"][i],
                    "key": i == key,
                    **({"struck": True} if question["options"][i] == facts.get("struck") else {}),
                }
                for i in facts["order"]
            ],
        }
    return Content(
        label=item.uid.partition(":")[2].replace("/", " "),
        stage=Player(facts["video"], facts["start_s"], facts["end_s"]),
        values=values,
    )


def _label(settings: dict[str, Any], category: str) -> str:
    """A category in the words of the task's list, or as it is where the list lacks it."""
    labels = {entry["id"]: entry["label"] for entry in settings["categories"]}
    return labels.get(category, category)


def _as_it_was(earlier: dict[str, Any]) -> str:
    """A question before it was rewritten, beside which the new one is read."""
    return f"before it was rewritten: {earlier['text']} {' / '.join(earlier['options'])}"


def _about(
    question: dict[str, Any], key: int | None, category: str, facts: dict[str, Any]
) -> list[str]:
    """What has to be known before a question is discarded or kept."""
    old = "Before the video was edited the key was “{}”; it no longer counts, decide anew"
    return [
        *([old.format(facts["struck"])] if "struck" in facts else []),
        *([_as_it_was(facts["was"])] if "was" in facts else []),
        *([] if key is None else [f"Given key: {question['options'][key].removesuffix('.')}"]),
        *([f"category: {category}"] if category else []),
    ]


def options_shown(shown: Shown) -> list[str]:
    """The ids of the options in the order shown; none where a question is written."""
    return [str(index) for index in shown.facts.get("order", ())]


def rename_values(values: dict[str, Any], rename: Rename) -> dict[str, Any]:
    """The question with another id for each option."""
    if "options" not in values:
        return values
    options = [{**option, "id": rename(option["id"])} for option in values["options"]]
    return {**values, "options": options}


def rename_response(response: dict[str, Any], shown: Shown, rename: Rename) -> dict[str, Any]:
    """A review, or a part of one, with another id for each option."""
    del shown
    options: object = response.get("options")
    if not isinstance(options, dict):
        return response
    renamed = dict(cast("dict[str, Any]", options))
    if renamed.get("key") is not None:
        renamed["key"] = rename(_id(renamed["key"]))
    if isinstance(renamed.get("kept"), list):
        kept = [rename(_id(option)) for option in renamed["kept"]]
        renamed["kept"] = sorted(kept, key=str)  # their order is that of the file otherwise
    if isinstance(renamed.get("texts"), dict):
        renamed["texts"] = {rename(_id(name)): text for name, text in renamed["texts"].items()}
    return {**response, "options": renamed}


def _id(name: object) -> object:
    return str(name) if isinstance(name, int) and not isinstance(name, bool) else name


def check_response(response: dict[str, Any], shown: Shown) -> dict[str, Any]:
    """The reviewed question: discarded, or its text, kept options, key and flags; or a new one.

    Raises:
        ValueError: for parts that are lacking, empty or equal.
    """
    if shown.facts["mode"] == WRITE:
        return check_written(response, shown.facts)
    return check_review(response, shown.facts)


describe, known_answer = review_response.describe, review_response.known_answer


def decide(responses: list[dict[str, Any]], settings: dict[str, Any]) -> Decision:
    """What the reviewers agree on, part by part; or, for writing, all questions written.

    The value is {"verdict"} or {"verdict", "question", "key", "kept", "texts", "flags"}.
    """
    if settings["mode"] == REVIEW:
        return decide_review(responses)
    if not responses:
        return Decision(None, "none", "no questions")
    return Decision({"written": responses}, "decided", f"{len(responses)} written")


def settled(responses: list[dict[str, Any]], missing: int, settings: dict[str, Any]) -> bool:
    """Whether every part stands whatever comes; who writes always adds a question."""
    return missing == 0 or (settings["mode"] == REVIEW and review_settled(responses, missing))


def feedback(
    response: dict[str, Any], expected: dict[str, Any], settings: dict[str, Any]
) -> tuple[bool, str]:
    """Whether the parts that the known answer names are right: verdict, key, flags, kept.

    A question that was written cannot be judged; the known answer is shown beside it.
    """
    del settings
    why = f" {expected['why']}" if expected.get("why") else ""
    if "answer" in expected:
        return True, f"For comparison: {expected.get('question', '')} {expected['answer']}.{why}"
    verdict = expected.get("verdict", response.get("verdict"))
    if response.get("verdict") != verdict:
        advice = "is to be discarded" if verdict == DISCARD else "can be kept"
        return False, f"This question {advice}.{why}"
    options: dict[str, Any] = response.get("options") or {}
    wanted: dict[str, Any] = expected.get("options") or {}
    if "key" in wanted and str(options.get("key")) != str(wanted["key"]):
        return False, f"Another option is right.{why}"
    if missed := set(expected.get("flags", ())) - set(response.get("flags", ())):
        return False, f"Not flagged: {', '.join(sorted(missed)).replace('_', ' ')}.{why}"
    if set(map(str, wanted.get("kept", ()))) - set(map(str, options.get("kept", ()))):
        return False, f"A more plausible wrong option was left out.{why}"
    return True, f"Right.{why}"


def distance(a: dict[str, Any], b: dict[str, Any]) -> float | None:
    """1 if only one discards, else the mean over text, key and kept options; None for writing."""
    if "answer" in a or "answer" in b:
        return None
    return distance_review(a, b)


def survivors(value: dict[str, Any]) -> tuple[int, int]:
    """One of one, if the question is not discarded; every question that was written."""
    if "written" in value:
        return len(value["written"]), len(value["written"])
    return int(value["verdict"] != DISCARD), 1
