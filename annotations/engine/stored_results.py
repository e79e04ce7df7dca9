"""What models answered, as it is stored: answers, texts, or failures."""

from typing import Any

from annotations import task as tasks
from annotations.annotator import Annotator, Ask, Outcome, facts_with
from annotations.engine.engine_worker import Result
from annotations.run.run_answers import ModelAnswer
from annotations.video.video_texts import NewText
from core.model import ItemError
from core.refusal import Refusal


def stored_result(
    kind: tasks.TaskKind, module: Annotator, result: Result
) -> ModelAnswer | NewText | ItemError:
    """A result as it is stored; one that the task's kind refuses is a failure."""
    outcome, ask = result.outcome, result.ask
    if isinstance(outcome, ItemError):
        return outcome
    if outcome.lines is not None:
        return _text(module, ask, outcome, outcome.lines)
    response, shown = outcome.response or {}, facts_with(ask.shown, outcome.shown)
    if outcome.reading.state == "read":
        try:
            response = kind.check_response(response, shown)
        except Refusal as error:
            return ItemError("no valid answer", str(error))
    return ModelAnswer(
        ask.item_id,
        shown.question_revision_id,
        response,
        shown.facts,
        outcome.reading,
        outcome.reply,
        outcome.confidence,
        outcome.score,
        active_s=round(result.seconds, 4),
    )


def _text(module: Annotator, ask: Ask, outcome: Outcome, lines: Any) -> NewText:
    kind: str = outcome.text_kind or getattr(module, "TEXT_KIND", "")
    sha256 = str(ask.shown.facts.get("video", ""))
    return NewText(ask.item_id, sha256, kind, outcome.reading.reason, lines, outcome.reply)
