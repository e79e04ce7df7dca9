"""List the newest results of a run, and why items gave none, in words for a person."""

import json
from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import Any, cast

from annotations import task as tasks
from annotations.filter_kind import filter_kind, is_filter
from annotations.record.stage import Content
from annotations.scoring.people_columns import people_are_few
from annotations.task import describer
from annotations.workspace import Workspace
from core.stored_json import stored_json

MOST_FAILED = 500

# In the order of the index of predictions by run, so that it ends after the first few.
_ANSWERS = """
  SELECT a.id AS annotation_id, a.item_id, i.uid, i.payload, a.shown, a.response, a.active_s,
    y.score, y.state, y.words, t.kind, t.settings, r.options
  FROM prediction y CROSS JOIN annotation a ON a.id = y.annotation_id
  CROSS JOIN item i ON i.id = a.item_id CROSS JOIN task t ON t.id = i.task_id
  LEFT JOIN question_revision r ON r.id = a.question_revision_id
  WHERE y.run_id = :run AND NOT EXISTS (SELECT 1 FROM annotation later
    WHERE later.item_id = a.item_id AND later.annotator_id = a.annotator_id
      AND later.revision > a.revision)
  ORDER BY y.annotation_id DESC LIMIT :most
"""
_PEOPLE_FIRST = "annotator p CROSS JOIN annotation a ON a.annotator_id = p.id"
_ANSWERS_FIRST = "annotation a CROSS JOIN annotator p ON p.id = a.annotator_id"
_SECONDS = """
  SELECT a.active_s FROM {tables}
  WHERE a.task_kind = ? AND p.kind = 'person' AND a.skip_reason IS NULL AND a.revision = 1
    AND a.active_s > 0 ORDER BY a.id DESC LIMIT 2000
"""
_TEXTS = """
  SELECT x.item_id, i.uid, i.payload, x.sha256, x.state, x.lines FROM video_text x
  JOIN item i ON i.id = x.item_id WHERE x.run_id = :run ORDER BY x.stored_at DESC LIMIT :most
"""
_RAW = """
  SELECT i.uid, a.response AS answer, p.score FROM prediction p
  JOIN annotation a ON a.id = p.annotation_id JOIN item i ON i.id = a.item_id
  WHERE p.run_id = :run UNION ALL
  SELECT i.uid, t.state || ' ' || t.lines, NULL FROM video_text t
  JOIN item i ON i.id = t.item_id WHERE t.run_id = :run ORDER BY 1 LIMIT :most
"""
_PICTURES = """
  SELECT i.id, v.sha256, i.payload FROM item i LEFT JOIN video v ON v.id = coalesce(i.video_id,
    (SELECT c.video_id FROM current_question q JOIN clip c ON c.id = q.clip_id
     WHERE q.question_id = i.question_id)) WHERE i.id = ?
"""


@dataclass(frozen=True)
class Result:
    """What came of one item.

    Attributes:
        sha256: of its video; '' without one.
        clip: (start, end) in s; end None is the video's end.
        words: the answer, or the lines of text, for a person.
        note: how it was read, or what else is to be known.
        score: None without one.
        accepted: whether a filter accepts it; None where that makes no sense.
        state: 'read', or why the reply is none.
    """

    item_id: int
    uid: str
    sha256: str
    clip: tuple[float, float | None]
    words: str
    note: str
    score: float | None
    accepted: bool | None
    state: str


@dataclass(frozen=True)
class Failure:
    """An item that gave no answer."""

    item_id: int
    uid: str
    reason: str
    tries: int


def newest_results(workspace: Workspace, run_id: int, limit: int = 20) -> list[Result]:
    """The newest results of a run, newest first; answers of its task's kind, or texts."""
    wanted = {"run": run_id, "most": limit}
    rows = workspace.store.rows(_ANSWERS, wanted)
    if rows:
        return [_answer(workspace, row) for row in rows]
    return [_text(workspace, row) for row in workspace.store.rows(_TEXTS, wanted)]


def _answer(workspace: Workspace, row: dict[str, Any]) -> Result:
    response = stored_json(row["response"])
    sha256, clip = _picture(workspace, row["item_id"])
    accepted, answer_text, note = None, row["state"], row["words"]
    labels: dict[str, str] = {}
    settings = json.loads(row["settings"])
    if row["state"] == "read" and is_filter(row["kind"], settings):
        kind = filter_kind(row["kind"])
        labels = kind.reason_labels(settings)
        accepted = kind.passes(response)
        answer_text = ", ".join(
            labels.get(reason, reason) for reason in kind.reasons_given(response)
        )
    if row["state"] == "read" and response.keys() == {"choice"} and row["options"]:
        answer_text = _option(response["choice"], json.loads(row["options"]))
    elif row["state"] == "read" and (accepted is None or not labels):
        describe = describer(tasks.kind(row["kind"]), Content(row["uid"], None, {}))
        answer_text = describe(
            {name: reason for name, reason in response.items() if reason not in ("", [])}
        )
    return Result(
        row["item_id"], row["uid"], sha256, clip, answer_text, note, row["score"], accepted,
        row["state"],
    )  # fmt: skip


def _option(choice: object, options: list[str]) -> str:
    """The options that were chosen, of which a response holds numbers; or 'cannot tell'."""
    if isinstance(choice, list):
        return "; ".join(_option(part, options) for part in cast("list[object]", choice))
    if isinstance(choice, int) and 0 <= choice < len(options):
        return options[choice]
    return str(choice).replace("_", " ")


def _text(workspace: Workspace, row: dict[str, Any]) -> Result:
    lines = json.loads(row["lines"])
    sha256, clip = _picture(workspace, row["item_id"])
    transcript = " / ".join(f"{line['start_s']:.1f} s: {line['text']}" for line in lines)
    return Result(
        row["item_id"], row["uid"], row["sha256"] or sha256, clip, transcript or row["state"], "",
        None, None, row["state"],
    )  # fmt: skip


def _picture(workspace: Workspace, item_id: int) -> tuple[str, tuple[float, float | None]]:
    [row] = workspace.store.rows(_PICTURES, [item_id])
    clip: dict[str, Any] = json.loads(row["payload"]).get("clip") or {}
    return row["sha256"] or "", (clip.get("start") or 0.0, clip.get("end"))


def failures(workspace: Workspace, run_id: int) -> list[Failure]:
    """Items that gave no answer, newest first, at most `MOST_FAILED`."""
    return [
        Failure(row["item_id"], row["uid"], row["reason"], row["tries"])
        for row in workspace.store.rows(
            "SELECT e.item_id, i.uid, e.reason, e.tries FROM run_error e"
            " JOIN item i ON i.id = e.item_id WHERE e.run_id = ? ORDER BY e.at DESC LIMIT ?",
            [run_id, MOST_FAILED],
        )
    ]


def raw_answers(
    workspace: Workspace, run_id: int, limit: int
) -> list[tuple[str, str, float | None]]:
    """(uid of the item, answer as it is stored, score) of a run's results, by uid."""
    rows = workspace.store.rows(_RAW, {"run": run_id, "most": limit})
    return [(row["uid"], row["answer"], row["score"]) for row in rows]


def by_reason(failed_items: list[Failure]) -> list[tuple[str, int, str]]:
    """Reasons before their first colon, with how many items and one in full, most first."""
    counts = Counter(failure.reason.split(":")[0] for failure in failed_items)
    example = {failure.reason.split(":")[0]: failure.reason for failure in reversed(failed_items)}
    return [(reason, count, example[reason]) for reason, count in counts.most_common()]


def usual_seconds(workspace: Workspace, kind: str) -> float | None:
    """The median active time of people's newest answers to tasks of a kind, s; None without any."""
    with workspace.store.read() as database:
        # Where models have answered more, the newest answers of all are not those of people.
        tables = _PEOPLE_FIRST if people_are_few(database) else _ANSWERS_FIRST
        rows = database.conn.execute(_SECONDS.format(tables=tables), [kind]).fetchall()
    return median(row[0] for row in rows) if rows else None
