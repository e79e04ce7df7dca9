"""Which items are open to whom, as conditions of SQL over `item i`.

The names that they take come from `names`: :task, :person, :now, :overlap, :skip_limit, :adaptive,
:shows_key, :asks_key, :showing, :asking, :shows, :meet_once, :richer,
:equal.
"""

import json
import time
from dataclasses import dataclass
from functools import lru_cache

from sqlite_utils import Database

from annotations import task as tasks
from annotations.answering.admission import EVERYTHING, admission
from annotations.condition import shown_first
from annotations.people import Person
from annotations.record.task import Task

# The setting of a task by which a person meets a clip once, or first under the poorer condition.
MEET_ONCE = "meet_once"

# Whether an annotation is to the version of the question that is asked now.
TO_THIS_VERSION = "(i.asked_from = 0 OR coalesce(a.question_revision_id, 0) >= i.asked_from)"
ANSWERED = f"""
  EXISTS (SELECT 1 FROM annotation a WHERE a.item_id = i.id AND a.annotator_id = :person
          AND {TO_THIS_VERSION})
"""

# An answer is returned while the remark is about the newest revision of it.
_RETURNED = """
  i.id IN (SELECT a.item_id FROM remark r JOIN current_annotation a ON a.id = r.annotation_id
           WHERE a.annotator_id = :person AND a.skip_reason IS {})
"""
RETURNED = """
  i.id IN (SELECT a.item_id FROM remark r JOIN current_annotation a ON a.id = r.annotation_id
           WHERE a.annotator_id = :person)
"""
RETURNED_ANSWER = _RETURNED.format("NULL")
RETURNED_SKIP = _RETURNED.format("NOT NULL")

# The + keeps a column's type out of the comparison, without which the index of names is not used.
# Named for the item; else, if nobody is named for it, for the task; else, if nobody is, everybody.
ALLOWED = """
  CASE WHEN EXISTS (SELECT 1 FROM assignment s WHERE s.task_id = i.task_id
                    AND coalesce(s.item_id, -1) = +i.id)
       THEN EXISTS (SELECT 1 FROM assignment s WHERE s.task_id = i.task_id
                    AND coalesce(s.item_id, -1) = +i.id AND s.annotator_id = :person)
       WHEN EXISTS (SELECT 1 FROM assignment s WHERE s.task_id = :task
                    AND coalesce(s.item_id, -1) = -1)
       THEN EXISTS (SELECT 1 FROM assignment s WHERE s.task_id = :task
                    AND coalesce(s.item_id, -1) = -1 AND s.annotator_id = :person)
       ELSE 1 END
"""

WANTED = "coalesce(i.overlap, :overlap)"

WANTS_MORE = f"i.settled = 0 AND i.skips < :skip_limit AND i.answers < {WANTED}"

# Places left beside answers and other people's leases. Where the task ends items early, no more
# people work at once than could end one: two of three, three of five, then one at a time.
PLACES = f"""
  CASE WHEN :adaptive THEN min({WANTED}, max({WANTED} / 2 + 1, i.answers + 1)) ELSE {WANTED} END
"""
ROOM = f"""
  i.answers + (SELECT count(DISTINCT l.annotator_id) FROM lease l
               WHERE l.item_id = i.id AND l.ended_at IS NULL AND l.expires_at > :now
                 AND l.annotator_id <> :person)
    < {PLACES}
"""

# Nobody sees a question's key who may still be asked for it, and nobody is asked who has seen it,
# whichever task came first. Authors see keys on their pages anyhow: it does not hold for them.
MAY_BE_ASKED = """
  SELECT 1 FROM item j JOIN task t ON t.id = j.task_id
  WHERE j.question_id = i.question_id AND j.task_id IN (SELECT value FROM json_each(:asking))
    AND j.status = 'open' AND j.role = 'work' AND j.settled = 0
    AND j.answers < coalesce(j.overlap, t.overlap)
    AND NOT EXISTS (SELECT 1 FROM annotation a WHERE a.item_id = j.id
                    AND a.annotator_id = :person)
    AND NOT (coalesce(t.settings ->> 'meet_once', 0) AND EXISTS (
      SELECT 1 FROM item k JOIN annotation a ON a.item_id = k.id AND a.annotator_id = :person
      WHERE k.question_id = j.question_id AND k.task_id <> j.task_id
        AND (:shows ->> ('$.' || k.task_id)) >= (:shows ->> ('$.' || j.task_id))))
    AND (EXISTS (SELECT 1 FROM assignment s WHERE s.task_id = j.task_id
                 AND coalesce(s.item_id, -1) IN (-1, +j.id) AND s.annotator_id = :person)
         OR NOT EXISTS (SELECT 1 FROM assignment s WHERE s.task_id = j.task_id
                        AND coalesce(s.item_id, -1) IN (-1, +j.id)))
"""
HAS_SEEN_KEY = """
  SELECT j.question_id FROM lease l JOIN item j ON j.id = l.item_id
  WHERE :asks_key AND l.annotator_id = :person AND j.question_id IS NOT NULL
    AND j.task_id IN (SELECT value FROM json_each(:showing))
"""
# Whoever has met a clip under a condition that shows more is not asked about it under a poorer
# one, and nobody is asked the same question twice under one: what they answer would be memory.
HAS_MET = """
  SELECT r.question_id FROM annotation a JOIN item j ON j.id = a.item_id
  JOIN question_revision q ON q.id = a.question_revision_id
  JOIN question_revision r ON r.clip_id = q.clip_id
  WHERE :meet_once AND a.annotator_id = :person
    AND j.task_id IN (SELECT value FROM json_each(:richer))
  UNION SELECT j.question_id FROM annotation a JOIN item j ON j.id = a.item_id
  WHERE :meet_once AND a.annotator_id = :person AND j.question_id IS NOT NULL
    AND j.task_id IN (SELECT value FROM json_each(:equal))
"""
HAS_SEEN = f"{HAS_SEEN_KEY} UNION {HAS_MET}"
KEY_HIDDEN = f"(:shows_key AND EXISTS ({MAY_BE_ASKED}))"
KEY_SEEN = f"((:asks_key OR :meet_once) AND i.question_id IN ({HAS_SEEN}))"

# Who is put aside is handed nothing. Practice and attention items are for everybody else, once,
# but for those whose key is hidden. A returned answer comes back whatever the overlap; a returned
# skip as long as there is room. What costs little is asked first.
OPEN = f"""
  i.task_id = :task AND i.status = 'open'
  AND NOT EXISTS (SELECT 1 FROM annotator p WHERE p.id = :person AND p.aside_at IS NOT NULL) AND (
    (i.role = 'work' AND NOT {KEY_HIDDEN} AND NOT {KEY_SEEN} AND {WANTS_MORE}
     AND (NOT {ANSWERED} OR {RETURNED_SKIP}) AND {ROOM} AND {ALLOWED})
    OR (i.role <> 'work' AND NOT {KEY_HIDDEN} AND NOT {ANSWERED} AND {ALLOWED})
    OR {RETURNED_ANSWER})
"""


@dataclass(frozen=True)
class _Keys:
    """What a task has to do with keys of questions, by its settings.

    Attributes:
        rank: sorts tasks that ask for keys from the least to the most that they show; None for
            other tasks.
    """

    shows: bool
    asks: bool
    rank: tuple[float, float] | None


@lru_cache(maxsize=1024)
def _keys(kind: str, settings_json: str) -> _Keys:
    """Read once for each settings: they are asked for with every answer, of all tasks."""
    settings = json.loads(settings_json)
    asks = tasks.asks_key(kind, settings)
    ranked = asks and "condition" in settings
    rank = shown_first(str(settings["condition"]))[:2] if ranked else None
    return _Keys(tasks.shows_key(kind, settings), asks, rank)


def _shows(others: list[tuple[int, str, _Keys]]) -> dict[int, int]:
    """How much each task that asks for keys shows, by its id: 0 for the least, equal for equal."""
    shown = {number: keys.rank for number, _, keys in others if keys.rank is not None}
    ranks = sorted(set(shown.values()))
    return {number: ranks.index(what) for number, what in shown.items()}


# What hangs on :task and :person alone is looked up once, not with every task.
_TASKS = """
  SELECT id, kind, status, settings,
    EXISTS (SELECT 1 FROM item i INDEXED BY item_known WHERE i.task_id = :task
      AND i.status = 'open' AND i.role = 'attention' AND i.role <> 'work') AS attention,
    EXISTS (SELECT 1 FROM onboarding o WHERE o.task_id = :task) AS is_limited,
    EXISTS (SELECT 1 FROM recruited_worker w WHERE w.annotator_id = :person) AS recruited
  FROM task
"""


def names(database: Database, task: Task, person: Person) -> dict[str, object]:
    """What the conditions ask for, at this moment."""
    asked = {"task": task.id, "person": person.id}
    rows = database.conn.execute(_TASKS, asked).fetchall()
    others = [(row["id"], row["status"], _keys(row["kind"], row["settings"])) for row in rows]
    limited = any(row["is_limited"] or row["recruited"] for row in rows)
    blind = not person.is_author
    shows = _shows(others)
    meet_once = blind and task.settings.get(MEET_ONCE) is True
    own = shows.get(task.id, -1)
    met = {n: shown for n, shown in shows.items() if meet_once and n != task.id and shown >= own}
    return {
        "shows_key": blind and tasks.shows_key(task.kind, task.settings),
        "asks_key": blind and tasks.asks_key(task.kind, task.settings),
        "showing": json.dumps([number for number, _, keys in others if keys.shows]),
        "asking": json.dumps(
            [number for number, status, keys in others if status != "closed" and keys.asks]
        ),
        "shows": json.dumps(shows),
        "meet_once": bool(met),
        "richer": json.dumps([number for number, shown in met.items() if shown > own]),
        "equal": json.dumps([number for number, shown in met.items() if shown == own]),
        "admission": admission(database, task, person.id) if blind and limited else EVERYTHING,
        "recruited": any(row["recruited"] for row in rows),
        "mixes_attention": any(row["attention"] for row in rows),
        "task": task.id,
        "person": person.id,
        "now": time.time(),
        "overlap": task.overlap,
        "skip_limit": task.skip_limit,
        "adaptive": task.adaptive,
    }
