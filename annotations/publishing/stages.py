"""How far a benchmark is: counts from its videos to what authors settled."""

from annotations.scoring.snapshot import Snapshot

_STAGES = (
    ("Videos known", "SELECT count(*) FROM video"),
    ("Videos usable", "SELECT count(*) FROM video WHERE status = 'usable'"),
    ("Questions", "SELECT count(*) FROM question"),
    ("Questions that stand", "SELECT count(*) FROM question WHERE retired_at IS NULL"),
    (
        "Questions answered by people",
        "SELECT count(DISTINCT i.question_id) FROM annotation a JOIN item i ON i.id = a.item_id"
        " JOIN annotator p ON p.id = a.annotator_id WHERE p.kind = 'person'"
        " AND a.skip_reason IS NULL AND a.counted = 1",
    ),
    (
        "Questions answered by models",
        "SELECT count(DISTINCT i.question_id) FROM prediction y JOIN annotation a"
        " ON a.id = y.annotation_id JOIN item i ON i.id = a.item_id",
    ),
    (
        "Questions settled by authors",
        "SELECT count(DISTINCT i.question_id) FROM current_resolution c JOIN item i"
        " ON i.id = c.item_id WHERE c.outcome <> 'reopen' AND c.signed >= c.signatures",
    ),
)


def stages(snapshot: Snapshot) -> list[tuple[str, int]]:
    """(stage, how many videos or questions have reached it), in the order of work."""
    return [(name, int(snapshot.tuples(query)[0][0])) for name, query in _STAGES]
