"""Every stored answer as columns, whatever it is about: what agreement is computed from."""

from sqlite_utils import Database

from annotations.scoring.columns import Columns, Source, extended
from db.tally import tally

COUNTED, SKIPPED, FLAGS = 1, 2, 2

# `by` is the id of the annotator, shifted by `FLAGS`, with the flags `COUNTED` and `SKIPPED`;
# `revision` that of the question, 0 for none.
_SOURCE = Source(
    f"""
  SELECT id, item_id AS item,
         (annotator_id << {FLAGS}) + (skip_reason IS NOT NULL) * {SKIPPED} + counted AS "by",
         coalesce(question_revision_id, 0) AS revision, response
  FROM annotation WHERE id > ? AND id <= ?
""",
    ("id", "item", "by", "revision"),
    texts=("response",),
)


def read_stored(database: Database, earlier: Columns | None) -> Columns:
    """All annotations, oldest first; those read earlier are kept unless one counts otherwise."""
    newest = database.conn.execute("SELECT coalesce(max(id), 0) FROM annotation").fetchone()[0]
    return extended(database, _SOURCE, earlier, int(newest), tally(database, "counted"))
