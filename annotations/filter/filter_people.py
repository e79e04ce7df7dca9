"""What people make of the clips that a filter went over; an answer changes only its own clip.

People's decision is that of authors once enough have signed, else the rule's over their counted
answers, on the same item or, where the same clip stands in another task of the kind and of the same
settings, there.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sqlite_utils import Database

from annotations.filter.filter_items import KEY, FilterItems, Key
from annotations.filter.filter_verdicts import NONE_GIVEN, Reasons
from annotations.filter_kind import FilterKind
from core.statistics.ratings import Bools, Ints
from core.statistics.threshold import ACCEPTED, REJECTED, UNJUDGED
from core.stored_json import stored_json
from db.tally import tally

_VERSION = """
  SELECT (SELECT sum(y.count) FROM tally y JOIN annotator p ON p.id = y.id
          WHERE y.what = 'answers' AND p.kind = 'person'),
    (SELECT max(id) FROM annotation), (SELECT max(id) FROM resolution),
    (SELECT max(id) FROM signature)
"""
# In the order in which they are preferred: items of the task itself first, then the newest.
_ITEMS = """
  SELECT {key}, i.id,
    (SELECT json_object('value', json(c.value)) FROM current_resolution c
     WHERE c.item_id = i.id AND c.outcome <> 'reopen' AND c.signed >= c.signatures) AS resolved
  FROM task own JOIN task t ON t.kind = own.kind AND t.settings = own.settings
  CROSS JOIN item i ON i.task_id = t.id {only}
  WHERE own.id = :task AND i.role = 'work' AND i.answers > 0
  ORDER BY t.id = own.id DESC, i.id DESC
"""
_ONLY = "AND i.uid IN (SELECT value FROM json_each(:uids))"
# In two steps, since in one the database makes an index of all annotations each time.
_ANSWERS = """
  SELECT a.item_id, a.response FROM json_each(?) j CROSS JOIN annotation a ON a.item_id = j.value
  WHERE a.counted = 1 AND a.skip_reason IS NULL
    AND a.annotator_id IN (SELECT id FROM annotator WHERE kind = 'person' AND aside_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM annotation later WHERE later.item_id = a.item_id
      AND later.annotator_id = a.annotator_id AND later.revision > a.revision)
  ORDER BY a.id
"""
_CHANGED = """
  SELECT DISTINCT i.uid FROM (
    SELECT a.item_id FROM annotation a
    WHERE a.id > :annotation AND a.annotator_id IN (SELECT id FROM annotator WHERE kind = 'person')
    UNION SELECT r.item_id FROM resolution r WHERE r.id > :resolution
    UNION SELECT r.item_id FROM signature s JOIN resolution r ON r.id = s.resolution_id
    WHERE s.id > :signature
  ) c JOIN item i ON i.id = c.item_id
  JOIN task t ON t.id = i.task_id
  JOIN task own ON own.id = :task AND t.kind = own.kind AND t.settings = own.settings
"""

Verdict = tuple[bool | None, Reasons, int]


@dataclass(frozen=True, eq=False)
class People:
    """People's decisions as they are now; columns are (items,).

    Attributes:
        whole: differs once all has to be read anew.
        seen: how far it was read: people's answers, newest annotation, resolution and signature.
        by_clip: verdict (None: a tie), reasons and item of each clip that people answered.
        items: whose rows the columns have.
    """

    whole: tuple[object, ...]
    seen: tuple[int, int, int, int]
    by_clip: dict[Key, Verdict]
    items: FilterItems
    people: Ints
    tie: Bools
    people_item: Ints
    reasons: tuple[Reasons, ...]


def _whole(database: Database) -> tuple[object, ...]:
    return tally(database, "counted"), tally(database, "annotators")


def _seen(database: Database) -> tuple[int, int, int, int]:
    answers, annotation, resolution, signature = database.conn.execute(_VERSION).fetchone()
    return answers or 0, annotation or 0, resolution or 0, signature or 0


def read_people(
    database: Database,
    task_id: int,
    kind: FilterKind,
    settings: dict[str, Any],
    items: FilterItems,
    earlier: People | None = None,
) -> People:
    """People's decisions; of what was read before only the clips with something new are read."""
    whole, seen = _whole(database), _seen(database)
    if earlier is None:
        by_clip = _decided(database, task_id, kind, settings, None)
        return _columns(whole, seen, by_clip, items, None, by_clip)
    was, current = dict[Key, Verdict](), dict[Key, Verdict]()
    if earlier.whole != whole:
        was, current = earlier.by_clip, _decided(database, task_id, kind, settings, None)
    elif (earlier.seen[0], *earlier.seen[2:]) != (seen[0], *seen[2:]):
        uids = _uids_since(database, task_id, earlier.seen)
        was = {key: verdict for key, verdict in earlier.by_clip.items() if key[0] in uids}
        current = _decided(database, task_id, kind, settings, uids) if uids else {}
    changed = {key: current.get(key) for key in was | current if current.get(key) != was.get(key)}
    if not changed and earlier.items is items:
        return replace(earlier, whole=whole, seen=seen)
    by_clip = earlier.by_clip
    if changed:
        by_clip = {key: verdict for key, verdict in by_clip.items() if key not in changed}
        by_clip |= {key: verdict for key, verdict in changed.items() if verdict is not None}
    return _columns(whole, seen, by_clip, items, earlier, changed)


def _uids_since(database: Database, task_id: int, seen: tuple[int, int, int, int]) -> set[str]:
    """Names of the items of this task, or one like it, about which something new was said."""
    since = dict(zip(("annotation", "resolution", "signature"), seen[1:], strict=True))
    return {row[0] for row in database.conn.execute(_CHANGED, {**since, "task": task_id})}


def _columns(
    whole: tuple[object, ...],
    seen: tuple[int, int, int, int],
    by_clip: dict[Key, Verdict],
    items: FilterItems,
    earlier: People | None,
    changed: Iterable[Key],
) -> People:
    """The decisions as columns; those from before, with new cells where something has changed."""
    if earlier is not None and earlier.items is items:
        people, tie, item = earlier.people.copy(), earlier.tie.copy(), earlier.people_item.copy()
        reasons = list(earlier.reasons)
    else:
        count, changed = len(items.keys), by_clip
        people = np.full(count, UNJUDGED, dtype=np.int64)
        tie, item = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.int64)
        reasons = [NONE_GIVEN] * count
    for key in changed:
        index = items.index.get(key)
        if index is None:
            continue
        verdict, why, at = by_clip.get(key, (None, NONE_GIVEN, 0))
        people[index] = UNJUDGED if verdict is None else ACCEPTED if verdict else REJECTED
        tie[index] = verdict is None and at > 0
        item[index] = at
        reasons[index] = why
    return People(whole, seen, by_clip, items, people, tie, item, tuple(reasons))


def _decided(
    database: Database,
    task_id: int,
    kind: FilterKind,
    settings: dict[str, Any],
    uids: set[str] | None,
) -> dict[Key, Verdict]:
    """Verdict, reasons and item for each clip that people answered; of some items, or of all."""
    sql = _ITEMS.format(key=KEY, only="" if uids is None else _ONLY)
    named = {"task": task_id} if uids is None else {"task": task_id, "uids": json.dumps([*uids])}
    items = database.conn.execute(sql, named).fetchall()
    by_key: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    numbers = json.dumps([row["id"] for row in items])
    for item_id, response in database.conn.execute(_ANSWERS, [numbers]):
        by_key[item_id].append(stored_json(response))
    verdicts: dict[Key, Verdict] = {}
    for uid, video_id, clip, item_id, resolved in items:
        known = verdicts.get((uid, video_id, clip))
        if known is not None and known[0] is not None:
            continue
        responses = by_key.get(item_id, [])
        value = _value(kind, responses, resolved, settings)
        if value is not None:
            reasons = frozenset(kind.reasons_given(value))
            verdicts[uid, video_id, clip] = (kind.passes(value), reasons, item_id)
        elif responses:
            verdicts.setdefault((uid, video_id, clip), (None, NONE_GIVEN, item_id))
    return verdicts


def _value(
    kind: FilterKind,
    responses: list[dict[str, Any]],
    resolved: str | None,
    settings: dict[str, Any],
) -> dict[str, Any] | None:
    """What was concluded: by authors, else by the rule; None where nothing was.

    A form is concluded field by field: a tie on one does not take away what another one accepts.
    """
    settled = json.loads(resolved)["value"] if resolved else None
    if settled is not None:
        return settled
    return kind.decide(responses, settings).value
