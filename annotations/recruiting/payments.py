"""What each submission is owed, and whether anything about it should be looked at first."""

import json
import time
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass

from sqlite_utils import Database

from annotations.answering.attention import judged
from annotations.answering.progress import hourly_rate
from annotations.record.task import Task, task_in
from annotations.recruiting.onboarding import Onboarding, onboarding_in
from annotations.recruiting.recruitment import OUTCOMES, PAID, Recruitment
from annotations.recruiting.site_files import Claim, norm_code
from annotations.recruiting.submissions import bind, end_if_done
from annotations.workspace import Workspace
from core.number_text import percent_text
from core.refusal import Refusal
from core.stored_json import stored_json
from db.connection import rows

_ENDED_UNPAID = frozenset(("rejected", "returned", "timed-out", "timed out"))
APPROVE, REVIEW, NOTHING = "approve", "review", "nothing"


@dataclass(frozen=True)
class Payment:
    """What is known of one submission when it is paid.

    Attributes:
        worker: the site's id of the person, `name` what they are called here.
        session: the site's id of the submission, `study` of the job.
        items: answers that it is paid for.
        active_min: time at work, practice included, min.
        owed: that time at the hourly rate of the task, to the cent.
        reward: what the site pays; 0 where the submission is not approved.
        bonus: what is owed beyond the reward.
        attention_right: attention items answered right, of `attention_total`.
        suggestion: 'approve', 'review' (look at the reason first), or 'nothing' (nothing is due).
        paid_at: Unix time, s, at which it was marked as paid; None: not yet.
    """

    submission_id: int
    name: str
    worker: str
    session: str
    study: str
    outcome: str
    code: str
    items: int
    active_min: float
    owed: float
    reward: float
    bonus: float
    attention_right: int
    attention_total: int
    suggestion: str
    reason: str
    paid_at: float | None


_SUBMISSIONS = """
  SELECT s.*, p.name, p.aside_at, w.site_id FROM recruited_submission s
  JOIN annotator p ON p.id = s.annotator_id
  JOIN recruited_worker w ON w.annotator_id = s.annotator_id
  WHERE s.recruitment_id = ? ORDER BY s.id
"""
_WORK = """
  SELECT r.submission_id, a.item_id, a.active_s, a.skip_reason, a.response, a.revision, i.role,
    i.expected
  FROM recruited_answer r JOIN annotation a ON a.id = r.annotation_id
  JOIN item i ON i.id = a.item_id JOIN recruited_submission s ON s.id = r.submission_id
  WHERE s.recruitment_id = ? ORDER BY a.id
"""


def payments(
    workspace: Workspace, recruitment: Recruitment, claims: Collection[Claim] | None = None
) -> list[Payment]:
    """Return one payment for each submission that has ended, in the order of arrival.

    Args:
        claims: what the site's own list of submissions says; with it a submission that the site
            does not know, or that names another worker or code, is never suggested for approval.
    """
    for number in _running(workspace, recruitment):
        end_if_done(workspace, number)
    with workspace.store.write() as database:
        _bind_corrections(database, recruitment)
    with workspace.store.read() as database:
        task = task_in(database, recruitment.task_id)
        return _payments(workspace, database, recruitment, task, claims)


def _running(workspace: Workspace, recruitment: Recruitment) -> list[int]:
    lease_rows = workspace.store.rows(
        "SELECT id FROM recruited_submission WHERE recruitment_id = ? AND outcome = '' ORDER BY id",
        [recruitment.id],
    )
    return [row["id"] for row in lease_rows]


def _bind_corrections(database: Database, recruitment: Recruitment) -> None:
    """Count what was corrected after the end of somebody's newest submission for it, if unpaid."""
    for row in rows(
        database,
        "SELECT max(s.id) AS id, s.annotator_id FROM recruited_submission s JOIN recruitment r"
        " ON r.id = s.recruitment_id WHERE r.task_id = ? GROUP BY s.annotator_id"
        " HAVING min(s.outcome <> '') = 1",
        [recruitment.task_id],
    ):
        newest = database.conn.execute(
            "SELECT recruitment_id = ? AND paid_at IS NULL AND outcome IN ('finished', 'ran_out',"
            " 'aside') FROM recruited_submission WHERE id = ?",
            [recruitment.id, row["id"]],
        ).fetchone()[0]
        if newest:
            bind(database, row["id"], row["annotator_id"], recruitment.task_id, 2**62)


@dataclass
class _Sums:
    active_s: float = 0.0
    right: int = 0
    total: int = 0


def _payments(
    workspace: Workspace,
    database: Database,
    recruitment: Recruitment,
    task: Task,
    claims: Collection[Claim] | None,
) -> list[Payment]:
    asked = onboarding_in(database, task.id)
    sums: dict[int, _Sums] = {}
    items: dict[int, set[int]] = {}
    for row in rows(database, _WORK, [recruitment.id]):
        held = sums.setdefault(row["submission_id"], _Sums())
        held.active_s += row["active_s"]
        if row["skip_reason"] is not None:
            continue
        if row["role"] == "work":
            items.setdefault(row["submission_id"], set()).add(row["item_id"])
        elif row["role"] == "attention" and row["expected"] and row["revision"] == 1:
            right, _ = judged(
                task.kind,
                stored_json(row["response"]),
                json.loads(row["expected"]),
                task.settings,
            )
            held.right += right
            held.total += 1
    submissions = [row for row in rows(database, _SUBMISSIONS, [recruitment.id]) if row["outcome"]]
    arrived = Counter(row["session"] for row in rows(database, _SUBMISSIONS, [recruitment.id]))
    rate = hourly_rate(workspace, task)
    result: list[Payment] = []
    for row in submissions:
        held = sums.get(row["id"], _Sums())
        reason = _doubts(row, held, asked, arrived)
        if claims is not None and row["outcome"] in PAID:
            reason = " ".join(filter(None, [_against(recruitment, row, claims), reason]))
        paid = row["outcome"] in PAID
        owed = round(held.active_s / 3600 * rate, 2)
        reward = recruitment.reward if paid else 0.0
        result.append(
            Payment(
                row["id"], row["name"], row["site_id"], row["session"], row["study"],
                row["outcome"], row["code"] or "", len(items.get(row["id"], ())),
                round(held.active_s / 60, 2), owed, reward,
                round(max(0.0, owed - reward), 2) if paid else 0.0, held.right, held.total,
                NOTHING if not paid else REVIEW if reason else APPROVE,
                reason or OUTCOMES[row["outcome"]], row["paid_at"],
            )
        )  # fmt: skip
    return result


def _doubts(
    row: dict[str, object], held: _Sums, asked: Onboarding, arrived: Counter[object]
) -> str:
    """What an author should look at before paying; '' for nothing."""
    doubts: list[str] = []
    if arrived[row["session"]] > 1:
        doubts.append("Two workers came with this submission's id; the site knows whose it is.")
    if row["aside_at"] is not None:
        doubts.append("Their work was put aside.")
    mark = asked.attention_mark
    if mark is not None and held.right < mark * held.total - 1e-9:
        doubts.append(
            f"Attention items right: {held.right} of {held.total}, below the mark of "
            f"{percent_text(mark, 0)}."
        )
    return " ".join(doubts)


def _against(recruitment: Recruitment, row: dict[str, object], claims: Collection[Claim]) -> str:
    """What the site's own list says against a submission; '' for nothing."""
    label = recruitment.site.submission
    claim = next((claim for claim in claims if claim.session == row["session"]), None)
    if claim is None:
        return f"The site's file holds no such {label}."
    if claim.worker != row["site_id"]:
        return f"The site says that this {label} is another worker's."
    if claim.status.casefold().replace("_", "-") in _ENDED_UNPAID:
        return f"The site lists this {label} as {claim.status}."
    if recruitment.site.own_codes:
        return ""  # one code for everybody says nothing
    if not claim.code:
        return "No code was handed in."
    return "" if norm_code(claim.code) == row["code"] else "The code is not this worker's."


def mark_paid(workspace: Workspace, chosen: Iterable[Payment]) -> int:
    """Mark payments as paid, so that no later file holds them; return how many were not before."""
    marked = 0
    with workspace.store.write() as database:
        for payment in chosen:
            if payment.suggestion == NOTHING:
                raise Refusal(f"{payment.name}: nothing is due for {payment.session}.")
            marked += database.conn.execute(
                "UPDATE recruited_submission SET paid_at = ?, paid = ? WHERE id = ?"
                " AND paid_at IS NULL",
                [time.time(), json.dumps(asdict(payment)), payment.submission_id],
            ).rowcount
    return marked
