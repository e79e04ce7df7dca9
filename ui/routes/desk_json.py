"""Items, answers and receipts as JSON, as they travel between a desk and the server."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt

from annotations.answering import answer_store
from annotations.record.item import Item
from annotations.record.shown import Shown
from annotations.record.stage import Content
from annotations.record.task import Task
from annotations.shown_places import response_for_desk, response_from_desk
from ui.routes.assets import assets_url
from ui.routes.body import Json, integer, number, record, records, text
from ui.routes.stages import Stages

MOST_ANSWERS = 100


def item_facts(
    stages: Stages, item: Item, lease_id: int, content: Content, remark: str = ""
) -> dict[str, Any]:
    """Return an item as JSON; whether it is an attention item is not said."""
    return {
        "id": item.id,
        "lease": lease_id,
        "practice": item.role == "practice",
        "remark": {"text": remark} if remark else None,
        "label": content.label,
        "stage": stages.json(content.stage),
        "values": content.values,
    }


def answers_of(body: Json) -> list[answer_store.Answer]:
    """Return the answers of a request's body.

    Raises:
        Refusal: if they are none, or more than `MOST_ANSWERS`.
    """
    return [
        answer_store.Answer(
            uid=text(answer, "uid"),
            item_id=integer(answer, "item"),
            lease_id=integer(answer, "lease"),
            response=None if answer.get("response") is None else record(answer, "response"),
            skip=None if answer.get("skip") is None else text(answer, "skip"),
            drawn=bool(answer["drawn"]) if "drawn" in answer else None,
            fresh=answer.get("fresh") is True,
            active_s=number(answer, "active_s"),
            answered_at=number(answer, "answered_at"),
        )
        for answer in records(body, "answers", MOST_ANSWERS)
    ]


def as_stored(task: Task, answer: answer_store.Answer, shown: Shown | None) -> answer_store.Answer:
    """Return an answer of a desk with its response as it is stored; `shown` is that of its lease.

    A response that is of no use comes back as it is: it is refused where it is checked.
    """
    if shown is None or not answer.response:
        return answer
    return replace(answer, response=response_from_desk(task.kind, answer.response, shown))


def receipt_facts(task: Task, receipt: answer_store.Receipt, shown: Shown | None) -> dict[str, Any]:
    """Return a receipt as JSON, the known answer of a practice item as a desk knows it."""
    facts = dict(vars(receipt))
    if shown is not None and receipt.feedback is not None:
        expected = response_for_desk(task.kind, receipt.feedback["expected"], shown)
        facts["feedback"] = {**receipt.feedback, "expected": expected}
    return facts


@lru_cache(maxsize=256)
def instructions_html(markdown: str) -> str:
    """Markdown as HTML in which any HTML of the author stands as text.

    A picture that is named without a path is one of assets/instructions/.
    """
    reader = MarkdownIt("commonmark", {"html": False})
    tokens = reader.parse(markdown)
    for token in (inner for outer in tokens for inner in outer.children or []):
        source = str(token.attrs.get("src", ""))
        if token.type == "image" and "/" not in source and ":" not in source:
            token.attrSet("src", f"{assets_url()}instructions/{source}")
    return str(reader.renderer.render(tokens, reader.options, {}))
