"""Compare imported questions with stored ones: new, changed, or edited here meanwhile."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlite_utils import Database

from annotations.importing.conflict import Clash, Conflict
from annotations.importing.three_way_merge import Meeting, Parts, merge_question
from annotations.people import now_text
from annotations.question.reasking import Effect, Wording, change_between, effect_of
from annotations.question.revisions import NewRevision, add_revision, clip_id
from annotations.reading.records import QuestionDraft
from annotations.video.stored_videos import VideoState
from db.connection import rows

NONE = "none"
_QUESTIONS = """
  SELECT q.id AS question_id, q.uid, r.id, r.revision, r.text, r.options, r.key, r.reference,
         r.category, r.tags, r.note, r.origin, r.clip_id, c.video_id, c.start_s, c.end_s,
         v.name AS video
  FROM question q JOIN question_revision r ON r.question_id = q.id
  JOIN clip c ON c.id = r.clip_id JOIN video v ON v.id = c.video_id
  WHERE q.uid IN ({marks}) AND r.revision IN (
    (SELECT max(revision) FROM question_revision x WHERE x.question_id = q.id),
    (SELECT max(revision) FROM question_revision x WHERE x.question_id = q.id
     AND x.origin = 'import'))
"""


@dataclass(frozen=True)
class StoredQuestion:
    """A question as it is, and as an import last wrote it.

    Attributes:
        current: row of the current revision, with its clip.
        base: row of the newest revision that an import wrote; None if none did.
    """

    current: dict[str, Any]
    base: dict[str, Any] | None

    @property
    def edited(self) -> bool:
        """Whether people changed it since an import last wrote it, or made it themselves."""
        return self.base is None or self.base["id"] != self.current["id"]


@dataclass
class Written:
    """Counts and conflicts after questions were stored.

    Attributes:
        counts: of 'new', 'changed', 'unchanged' and 'kept' questions; 'merged' ones are among the
            changed.
        conflicts: what was kept.
    """

    counts: Counter[str] = field(default_factory=Counter[str])
    conflicts: list[Conflict] = field(default_factory=list[Conflict])


def stored_questions(database: Database, uids: Sequence[str]) -> dict[str, StoredQuestion]:
    """Return the stored questions among some uids, by uid."""
    marks = ", ".join("?" * len(uids))
    versions_by_uid: dict[str, list[dict[str, Any]]] = {}
    for row in rows(database, _QUESTIONS.format(marks=marks), list(uids)):
        versions_by_uid.setdefault(row["uid"], []).append(row)
    return {
        uid: StoredQuestion(
            max(versions, key=lambda row: row["revision"]),
            next((row for row in versions if row["origin"] == "import"), None),
        )
        for uid, versions in versions_by_uid.items()
    }


def compare(
    draft: QuestionDraft, stored: StoredQuestion, state: VideoState
) -> tuple[Meeting, Conflict | None]:
    """Compare a question with the stored one; also return the conflict if the stored one is kept.

    Args:
        draft: as read.
        stored: what the workspace has of it.
        state: its video.
    """
    file, current = _draft_parts(draft, state), _revision_parts(stored.current, draft, state)
    base = None if stored.base is None else _revision_parts(stored.base, draft, state)
    met = merge_question(file, base, current, edited=stored.edited)
    if met.verdict != "kept":
        return met, None
    clashes = tuple(
        Clash(part, "" if base is None else _words(base, part), _words(current, part),
              _words(file, part))
        for part in met.parts
    )  # fmt: skip
    return met, Conflict(draft.uid, stored.current["revision"], clashes, draft.file, draft.row)


def effect_on_answers(
    database: Database,
    draft: QuestionDraft,
    stored: StoredQuestion,
    state: VideoState,
    met: Meeting,
) -> Effect:
    """What a file's change does to what people answered, before it is written."""
    if not met.parts:
        return Effect()
    before = _revision_parts(stored.current, draft, state)
    change = change_between(_asked(before), _asked(met.result))
    return effect_of(database, stored.current["question_id"], change)


def _asked(parts: Parts) -> Wording:
    clip = (parts["video"], parts["clip"])
    return Wording(clip, parts["text"], tuple(parts["options"]), parts["key"], parts["reference"])


def write_questions(
    database: Database,
    drafts: Sequence[QuestionDraft],
    states: dict[str, VideoState],
    source: str,
    take: Mapping[str, int],
) -> Written:
    """Store questions: a difference becomes a new revision, what is kept becomes a conflict.

    Args:
        drafts: whose videos are stored.
        states: the videos by name.
        source: name of the format, for new questions.
        take: conflicts in which the file's is taken: uid and the revision in which it was seen; one
            that was edited again since is kept.
    """
    written = Written()
    known = stored_questions(database, [draft.uid for draft in drafts])
    for draft in drafts:
        state, stored = states[draft.video], known.get(draft.uid)
        assert state.row is not None, "videos are stored before their questions"
        if stored is None:
            _write_new(database, draft, state.row, source)
            written.counts["new"] += 1
            continue
        met, conflict = compare(draft, stored, state)
        if conflict is not None and take.get(draft.uid) != conflict.revision:
            written.conflicts.append(conflict)
            written.counts["kept"] += 1
        elif met.verdict == "unchanged":
            written.counts["unchanged"] += 1
        else:
            merged = _write_change(database, draft, stored, state, met.result)
            written.counts.update(["changed", "merged"] if merged else ["changed"])
    return written


def _write_new(database: Database, draft: QuestionDraft, video: int, source: str) -> None:
    question = database.conn.execute(
        "INSERT INTO question (uid, source, created_at) VALUES (?, ?, ?) RETURNING id",
        [draft.uid, source, now_text()],
    ).fetchone()[0]
    clip = clip_id(database, video, draft.start_s, draft.end_s)
    add_revision(database, question, _values(draft, clip), "import")


def _write_change(
    database: Database,
    draft: QuestionDraft,
    stored: StoredQuestion,
    state: VideoState,
    result: Parts,
) -> bool:
    """Write a changed question; return whether edits made here were merged into it.

    The first says what the file says, so that the next import has that to compare with.
    """
    current, in_file = stored.current, _draft_parts(draft, state)
    assert state.row is not None
    video = current["video_id"] if current["video_id"] in state.rows else state.row
    clip = clip_id(database, video, draft.start_s, draft.end_s)
    question = current["question_id"]
    passing = result != in_file
    add_revision(database, question, _values(draft, clip), "import", passing=passing)
    if not passing:
        return False
    if result["video"] != in_file["video"]:
        video = current["video_id"]
    both = NewRevision(
        clip_id=clip_id(database, video, *result["clip"]), text=result["text"],
        options=tuple(result["options"]), key=result["key"], reference=result["reference"],
        category=result["category"], tags=result["tags"], note=result["note"],
    )  # fmt: skip
    revision_id, _ = add_revision(database, question, both, "here", instead_of=current["id"])
    database.conn.execute(
        "INSERT INTO revision_signature (question_revision_id, annotator_id)"
        " SELECT ?, annotator_id FROM revision_signature WHERE question_revision_id = ?",
        [revision_id, current["id"]],
    )
    return True


def _values(draft: QuestionDraft, clip: int) -> NewRevision:
    return NewRevision(
        clip_id=clip, text=draft.text, options=tuple(draft.options), key=draft.key,
        reference=draft.reference, category=draft.category, tags=draft.tags, note=draft.note,
    )  # fmt: skip


def _draft_parts(draft: QuestionDraft, state: VideoState) -> Parts:
    """Return the parts of a question in the file."""
    return {
        "text": draft.text, "options": list(draft.options), "key": draft.key,
        "video": (draft.video, state.row), "clip": (draft.start_s, draft.end_s),
        "reference": draft.reference, "category": draft.category, "tags": draft.tags,
        "note": draft.note,
    }  # fmt: skip


def _revision_parts(row: dict[str, Any], draft: QuestionDraft, state: VideoState) -> Parts:
    """Return the parts of a stored revision; a video equal to the file's counts as that."""
    as_good = row["video_id"] in {*state.rows, state.row}
    video = (draft.video, state.row) if as_good else (row["video"], row["video_id"])
    return {
        "text": row["text"], "options": json.loads(row["options"]), "key": row["key"],
        "video": video, "clip": (row["start_s"], row["end_s"]),
        "reference": json.loads(row["reference"]), "category": row["category"],
        "tags": json.loads(row["tags"]), "note": row["note"],
    }  # fmt: skip


def _words(parts: Parts, part: str) -> str:
    """Return a part's value as text for a person."""
    if part.startswith("tag "):
        value = parts["tags"].get(part.removeprefix("tag "))
        return NONE if value is None else str(value)
    if part == "key":
        key = parts["key"]
        return NONE if key is None else f"{chr(65 + key)} “{parts['options'][key]}”"
    if part == "options":
        return " | ".join(parts["options"])
    if part == "reference":
        return " | ".join(text for texts in parts["reference"].values() for text in texts) or NONE
    if part == "clip":
        start, end = parts["clip"]
        return f"{start:g} s to {'the end' if end is None else f'{end:g} s'}"
    if part == "video":
        return str(parts["video"][0])
    return str(parts[part]) or NONE
