"""Which stored question a file means whose ids are shorter or longer than those stored.

Ids that repeat from category to category are stored with the category in front, but a file of one
category holds them bare. What identified a question when it came first identifies it again.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlite_utils import Database

from annotations.reading.records import Problem, QuestionDraft

_STORED = """
  SELECT q.uid, q.text, v.name AS video
  FROM current_question q JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id
  WHERE q.uid IN (SELECT value FROM json_each(?))
"""
_SAME_TEXT = """
  SELECT q.uid, q.text, q.options, v.name AS video, c.start_s, c.end_s
  FROM current_question q JOIN clip c ON c.id = q.clip_id JOIN video v ON v.id = c.video_id
  WHERE q.text IN (SELECT value FROM json_each(?))
"""
Asked = tuple[str, str, str, float, float | None]


@dataclass
class Identified:
    """Drafts under the ids of the stored questions that they mean.

    Attributes:
        drafts: in their order.
        problems: ids that were taken for others, and new questions that repeat a stored one.
    """

    drafts: list[QuestionDraft] = field(default_factory=list[QuestionDraft])
    problems: list[Problem] = field(default_factory=list[Problem])


def identified(database: Database, drafts: Sequence[QuestionDraft]) -> Identified:
    """Give drafts the ids of stored questions that they are known by."""
    names = [name for draft in drafts for name in (draft.uid, *_longer(draft))]
    rows = database.conn.execute(_STORED, [json.dumps(names)])
    stored = {str(row["uid"]): (str(row["text"]), str(row["video"])) for row in rows}
    new = [draft for draft in drafts if draft.uid not in stored]
    same = _stored_alike(database, new)
    result = Identified()
    for draft in drafts:
        if draft.uid in stored:
            result.drafts.append(draft)
            continue
        alike = same.get(_asked(draft), [])
        about = {draft.text, draft.video}
        # Another data set may have a category of the same name: text or video has to agree.
        known = next((n for n in _longer(draft) if about & set(stored.get(n, ()))), "")
        known = known or next((uid for uid in alike if _same_identity(uid, draft.uid)), "")
        if known:
            note = f"{draft.uid!r} is known here as {known!r}"
            problem = Problem("warning", note, draft.file, draft.row)
            result.problems.append(problem)
        elif alike:
            note = f"the same question, video and options are stored as {alike[0]!r}"
            todo = "It comes in as a second question. Give it the stored id if it is the same."
            result.problems.append(Problem("warning", note, draft.file, draft.row, todo=todo))
        result.drafts.append(replace(draft, uid=known) if known else draft)
    return result


def _longer(draft: QuestionDraft) -> list[str]:
    """Ids under which a whole file would have stored the question of a part."""
    return [f"{front}/{draft.uid}" for front in (draft.category, draft.video) if front]


def _same_identity(stored: str, given: str) -> bool:
    """Whether one id is the end of the other, from a '/' on."""
    return stored.endswith(f"/{given}") or given.endswith(f"/{stored}")


def _asked(draft: QuestionDraft) -> Asked:
    return (draft.video, draft.text, json.dumps(draft.options), draft.start_s, draft.end_s)


def _stored_alike(database: Database, drafts: Sequence[QuestionDraft]) -> dict[Asked, list[str]]:
    """Ids of the stored questions that ask the very same, by what they ask."""
    alike: dict[Asked, list[str]] = defaultdict(list)
    texts = json.dumps(list({draft.text for draft in drafts}))
    for row in database.conn.execute(_SAME_TEXT, [texts]) if drafts else ():
        options = json.dumps(tuple(json.loads(row["options"])))
        asked = (row["video"], row["text"], options, row["start_s"], row["end_s"])
        alike[asked].append(str(row["uid"]))
    return alike
