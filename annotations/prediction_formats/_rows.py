"""What readers share: doubles told, problems put together, models and files named."""

from collections.abc import Callable, Iterator
from pathlib import Path

from annotations.prediction_format import PredictionDraft
from annotations.reading.records import Problem

Rows = Callable[[], Iterator[PredictionDraft | Problem]]

NO_MODEL = "The file does not say which model it is. Name it: --model NAME."


def without_doubles(rows: Rows) -> Iterator[PredictionDraft | Problem]:
    """Drafts with each question once a model and condition, problems as they are.

    Harnesses append to a file that exists, so a run that was repeated stands there twice. The later
    reply counts; a warning says so, and whether the two differ.
    """
    # Read once: whoever takes the drafts keeps them all the same.
    entries = list(rows())
    drafts = [entry for entry in entries if isinstance(entry, PredictionDraft)]
    latest = {_identity(draft): draft for draft in drafts}
    seen: dict[object, object] = {}
    for draft in entries:
        if isinstance(draft, Problem):
            yield draft
            continue
        identity = _identity(draft)
        if latest[identity] is draft:
            yield draft
            if identity in seen:
                same = seen[identity] == (draft.response, draft.choice)
                yield Problem(
                    "warning",
                    "the same question stands there before with the same reply"
                    if same
                    else "the same question stands there before with another reply; this counts",
                    draft.file,
                    draft.row,
                )
        else:
            seen[identity] = (draft.response, draft.choice)


def _identity(draft: PredictionDraft) -> object:
    return (draft.question.identity, draft.model, draft.condition)


def first_rows(path: Path, count: int = 3) -> list[str]:
    """The first lines of a text file that are not empty, for judging by; [] if it is no text."""
    lines: list[str] = []
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            for line in file:
                if line.strip():
                    lines.append(line)
                if len(lines) == count:
                    break
    except OSError:
        return []
    return lines


_AT_A_LIMIT = ("length", "max_tokens", "max_new_tokens", "max_length", "max_output_tokens", "true",
               "truncated", "model_length", "incomplete")  # fmt: skip


def finished(reason: str) -> bool:
    """False where a harness says that a reply ended at a limit: 'length', 'MAX_TOKENS', 'true'."""
    return reason.strip().lower().rsplit(".", 1)[-1] not in _AT_A_LIMIT
