"""How far survey links are, for their authors."""

from dataclasses import dataclass

from annotations.recruiting.recruitment import Recruitment, recruitments
from annotations.workspace import Workspace

_COUNTS = """
  SELECT r.id, (SELECT name FROM task WHERE id = r.task_id) AS task,
    (SELECT count(*) FROM recruited_submission s WHERE s.recruitment_id = r.id
      AND s.outcome IN ('finished', 'ran_out', 'aside')) AS ended,
    (SELECT count(*) FROM recruited_submission s WHERE s.recruitment_id = r.id
      AND s.outcome = '') AS running,
    (SELECT count(*) FROM recruited_submission s WHERE s.recruitment_id = r.id
      AND s.outcome = 'failed') AS failed,
    (SELECT count(*) FROM recruited_submission s WHERE s.recruitment_id = r.id
      AND s.paid_at IS NOT NULL) AS paid,
    (SELECT count(*) FROM recruited_refusal f WHERE f.recruitment_id = r.id) AS refused
  FROM recruitment r
"""


@dataclass(frozen=True)
class LinkCounts:
    """A survey link with the counts of its submissions.

    Attributes:
        ended: submissions with work that is paid, `running` those at work, `failed` those that did
            not pass practice, `paid` those that were marked as paid.
        refused: arrivals that were not let in, such as a second browser with somebody's id.
    """

    recruitment: Recruitment
    task: str
    ended: int
    running: int
    failed: int
    paid: int
    refused: int


def overview(workspace: Workspace) -> list[LinkCounts]:
    """Return every survey link with its counts, the newest first."""
    counts = {row.pop("id"): row for row in workspace.store.rows(_COUNTS)}
    return [LinkCounts(made, **counts[made.id]) for made in recruitments(workspace)]


@dataclass(frozen=True)
class RefusedArrival:
    """Somebody who came and was not let in: the name that they have here, and what they were told.

    The site's own ids are not kept here.
    """

    name: str
    why: str


def refusals(workspace: Workspace, recruitment_id: int, most: int = 100) -> list[RefusedArrival]:
    """Return the newest arrivals that were not let in."""
    return [
        RefusedArrival(**row)
        for row in workspace.store.rows(
            "SELECT coalesce(p.name, 'nobody here') AS name, f.why FROM recruited_refusal f"
            " JOIN recruitment r ON r.id = f.recruitment_id LEFT JOIN recruited_worker w"
            " ON w.site = r.site AND w.site_id = f.site_id"
            " LEFT JOIN annotator p ON p.id = w.annotator_id"
            " WHERE f.recruitment_id = ? ORDER BY f.id DESC LIMIT ?",
            [recruitment_id, most],
        )
    ]
