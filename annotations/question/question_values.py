"""What questions can be chosen by: values of their category and of each tag, counted."""

import json
from collections import Counter
from typing import Any, cast

from annotations.workspace import Workspace

_VALUES = """
  SELECT 'category' AS name, category AS value, count(*) AS n FROM asked_question
  GROUP BY category
  UNION ALL
  SELECT t.key, iif(t.type IN ('true', 'false'), t.type, t.value), count(*)
  FROM asked_question q, json_each(q.tags) t WHERE t.type NOT IN ('array', 'object')
  GROUP BY 1, 2
"""


def values_to_choose_by(workspace: Workspace, most: int) -> dict[str, Counter[str]]:
    """Values with how many questions have them, by 'category' or the name of a tag.

    Left out is what has one value only, or more than `most`, such as the name of a file.
    """
    values: dict[str, Counter[str]] = {}
    for row in workspace.store.rows(_VALUES):
        values.setdefault(row["name"], Counter())[tag_text(row["value"])] += row["n"]
    return {name: counted for name, counted in values.items() if 1 < len(counted) <= most}


def tag_text(value: object) -> str:
    """Return a tag's value as it is chosen: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def tag_texts(text: str) -> dict[str, str]:
    """Tags as text: a flag reads yes or no, a list its parts."""
    texts: dict[str, str] = {}
    for name, tag in cast("dict[str, Any]", json.loads(text)).items():
        match tag:
            case bool():
                texts[name] = "yes" if tag else "no"
            case list():
                texts[name] = ", ".join(map(str, cast("list[object]", tag)))
            case None | "":
                pass
            case _:
                texts[name] = str(tag)
    return texts
