"""Questions under a filter, a page at a time."""

import json
from dataclasses import dataclass

from sqlite_utils import Database

from annotations.material.search import Conditions, add_words, check_choice
from db.connection import rows

STATES = {
    "": "all",
    "asked": "asked",
    "retired": "retired",
    "no key": "without a key",
    "changed": "changed since import",
}
ANSWERS = {
    "": "answered or not",
    "people": "answered by people",
    "models": "answered by models",
    "none": "not answered",
}
VIDEO = {"": "whatever its video is", "usable": "video usable", "lost": "video missing or broken"}

NEWEST = """r.revision = (SELECT max(revision) FROM question_revision x
  WHERE x.question_id = r.question_id)"""
_ANSWERED = """EXISTS (SELECT 1 FROM item i JOIN annotation a ON a.item_id = i.id
  JOIN annotator p ON p.id = a.annotator_id WHERE i.question_id = q.id
  AND a.skip_reason IS NULL AND p.kind = '{kind}')"""
_PARTS = {
    "state": {
        "asked": "q.retired_at IS NULL",
        "retired": "q.retired_at IS NOT NULL",
        "no key": f"EXISTS (SELECT 1 FROM question_revision r WHERE r.question_id = q.id"
        f" AND r.key IS NULL AND {NEWEST})",
        "changed": "EXISTS (SELECT 1 FROM question_revision r WHERE r.question_id = q.id"
        " AND r.revision > 1 AND r.origin = 'here')",
    },
    "answers": {
        "people": _ANSWERED.format(kind="person"),
        "models": _ANSWERED.format(kind="model"),
        "none": "NOT EXISTS (SELECT 1 FROM item i WHERE i.question_id = q.id AND (i.answers > 0"
        " OR EXISTS (SELECT 1 FROM annotation a WHERE a.item_id = i.id"
        " AND a.skip_reason IS NULL)))",
    },
    "video": {
        "usable": f"EXISTS (SELECT 1 FROM question_revision r JOIN clip c ON c.id = r.clip_id"
        f" JOIN video v ON v.id = c.video_id WHERE r.question_id = q.id AND {NEWEST}"
        " AND v.status = 'usable')",
        "lost": f"EXISTS (SELECT 1 FROM question_revision r JOIN clip c ON c.id = r.clip_id"
        f" JOIN video v ON v.id = c.video_id WHERE r.question_id = q.id AND {NEWEST}"
        " AND v.status <> 'usable')",
    },
}
_CHOICES = {"state": STATES, "answers": ANSWERS, "video": VIDEO}


@dataclass(frozen=True)
class QuestionFilter:
    """Which questions are looked at; what is empty leaves all in.

    Attributes:
        text: words of name, question, options and category, all of which are there.
        source: name of the format that it came in by, or of what made it here.
    """

    text: str = ""
    state: str = ""
    category: str = ""
    source: str = ""
    answers: str = ""
    video: str = ""

    def conditions(self) -> Conditions:
        """The filter as a clause on `question q`.

        Raises:
            ValueError: for a choice that is not there.
        """
        wanted = Conditions()
        for name, allowed in _CHOICES.items():
            value = str(getattr(self, name))
            check_choice(name, value, allowed)
            if value:
                wanted.add(_PARTS[name][value])
        if self.category:
            wanted.add(
                "q.id IN (SELECT r.question_id FROM question_revision r"
                f" WHERE r.category = ? AND {NEWEST})",
                self.category,
            )
        if self.source:
            wanted.add("q.source = ?", self.source)
        columns = ("uid", "text", "options", "category")
        add_words(wanted, "question_words", columns, self.text, "q.id")
        return wanted


@dataclass(frozen=True, kw_only=True)
class ListedQuestion:
    """A question as it is now, with its clip and how often it was answered.

    Attributes:
        options: JSON list of texts.
        key: position of the right option; None without one.
        retired_at: since when it is not asked any more, ISO 8601.
        video: its name.
        start_s: of the clip, s; `end_s` is None for the video's end.
        people: answers of people.
        models: answers of models.
    """

    id: int
    uid: str
    retired_at: str | None
    text: str
    options: str
    key: int | None
    category: str
    revision: int
    video_id: int
    video: str
    sha256: str
    status: str
    start_s: float
    end_s: float | None
    n_frames: int | None
    people: int
    models: int


def count_questions(database: Database, wanted: QuestionFilter) -> int:
    """How many questions there are under a filter."""
    return wanted.conditions().count(database, "question q")


def list_questions(
    database: Database, wanted: QuestionFilter, offset: int, limit: int
) -> list[ListedQuestion]:
    """Some questions under a filter, by name, as they are now."""
    page = wanted.conditions().page(database, "question q", "q.uid", offset, limit)
    counted = (
        "(SELECT count(*) FROM item i JOIN annotation a ON a.item_id = i.id"
        " JOIN annotator p ON p.id = a.annotator_id WHERE i.question_id = q.id"
        " AND a.skip_reason IS NULL AND p.kind = '{}')"
    )
    listed = rows(
        database,
        "SELECT q.id, q.uid, q.retired_at, r.text, r.options, r.key, r.category, r.revision,"
        " v.id AS video_id, v.name AS video, v.sha256, v.status, c.start_s, c.end_s,"
        " json_extract(v.facts, '$.n_frames') AS n_frames,"
        f" {counted.format('person')} AS people, {counted.format('model')} AS models"
        " FROM question q JOIN question_revision r ON r.question_id = q.id"
        " JOIN clip c ON c.id = r.clip_id JOIN video v ON v.id = c.video_id"
        f" WHERE q.id IN (SELECT value FROM json_each(?)) AND {NEWEST} ORDER BY q.uid",
        [json.dumps(page)],
    )
    return [ListedQuestion(**row) for row in listed]


def sources(database: Database) -> list[str]:
    """Formats that questions came in by, and what made questions here."""
    source_rows = database.conn.execute("SELECT DISTINCT source FROM question ORDER BY source")
    return [row[0] for row in source_rows]
