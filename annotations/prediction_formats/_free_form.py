"""What tables hold of free-form answers: similarity with each option, and a judge's scores (K9)."""

import json
from collections.abc import Sequence
from functools import cache

from annotations.prediction_format import QuestionReference, to_score
from annotations.reading.json_rows import Record
from annotations.reading.mapping import plain_name
from annotations.reading.text_tables import Row

JUDGED = ("logic", "factuality", "accuracy", "conciseness", "overall")
AT_LEAST = 3  # of the judge's scores among the columns; 'accuracy' alone may be anything
LOWEST, HIGHEST = 0.0, 10.0  # K9-Bench, section 4; its appendix says 1 to 10


def by_option(value: object, question: QuestionReference) -> tuple[float, ...] | None:
    """One similarity for each option, in the order shown; () if there are none, None if amiss.

    An object by label, such as {"A": 0.71}, a list, or a text that holds either.
    """
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return None
    options = len(question.options)
    if isinstance(value, dict):
        fields: dict[str, object] = {str(name).strip(): cosine for name, cosine in value.items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        labels = question.labels or tuple(chr(ord("A") + i) for i in range(options or len(fields)))
        numbers = [to_score(fields.get(label)) for label in labels]
    elif isinstance(value, list):
        numbers = [to_score(cosine) for cosine in value]  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    else:
        return None
    valid = tuple(
        cosine for cosine in numbers if cosine is not None and -1.0001 <= cosine <= 1.0001
    )
    right = len(valid) == len(numbers) and (not options or len(valid) == options)
    return valid if right and valid else None


def judge_scores(row: Row, columns: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """A judge's scores from 0 to 10, in an object 'scores' or in columns of their names."""
    scores = row.cells.get("scores")
    if isinstance(scores, Record):
        plain = {plain_name(name): to_score(value) for name, value in scores.items()}
    else:
        judged = _judged_columns(tuple(columns))
        plain = {name: to_score(row.cells.get(column)) for name, column in judged}
    scored = [
        (name, score)
        for name in JUDGED
        if (score := plain.get(name)) is not None and LOWEST <= score <= HIGHEST
    ]
    return tuple(scored) if len(scored) >= AT_LEAST else ()


@cache
def _judged_columns(columns: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Names of scores and the columns that hold them; a table has the same for every row."""
    return tuple((name, column) for column in columns if (name := plain_name(column)) in JUDGED)
