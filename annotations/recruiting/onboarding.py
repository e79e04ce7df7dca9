"""What everybody who works on a task has to pass, and how much of it one person may do."""

from dataclasses import dataclass

from sqlite_utils import Database

from annotations.record.task import task_in
from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import first_row

MOST_ANSWERS = 1_000_000


@dataclass(frozen=True)
class Onboarding:
    """What a task asks of everybody but authors.

    Attributes:
        pass_mark: share of practice items, 0 to 1, to be right at the first try before work is
            handed out; None asks for nothing.
        qualification: tasks of one name take each other's practice; '' is this task's own.
        attention_mark: share of attention items, 0 to 1, below which a payment is to be looked at.
        daily_limit: answers of one person in one day, UTC; None is no limit.
        total_limit: answers of one person.
    """

    pass_mark: float | None = None
    qualification: str = ""
    attention_mark: float | None = None
    daily_limit: int | None = None
    total_limit: int | None = None


def onboarding_in(database: Database, task_id: int) -> Onboarding:
    """Return what a task asks for; nothing, if nobody has set it."""
    row = first_row(database, "SELECT * FROM onboarding WHERE task_id = ?", [task_id])
    if row is None:
        return Onboarding()
    return Onboarding(**{name: row[name] for name in Onboarding.__dataclass_fields__})


def onboarding_of(workspace: Workspace, task_id: int) -> Onboarding:
    """Return what a task asks for."""
    with workspace.store.read() as database:
        return onboarding_in(database, task_id)


def set_onboarding(workspace: Workspace, task_id: int, wanted: Onboarding) -> None:
    """Set what a task asks for, which holds from the next item on that is handed out.

    Raises:
        Refusal: names the field, what was got and what is allowed; also for a pass mark where the
            task has no practice and nothing to take it over from.
    """
    for field in ("pass_mark", "attention_mark"):
        mark = getattr(wanted, field)
        if mark is not None and not 0 <= mark <= 1:
            raise Refusal(f"{field}: got {mark}. Allowed: a share from 0 to 1.")
    for field in ("daily_limit", "total_limit"):
        limit = getattr(wanted, field)
        if limit is not None and not 1 <= limit <= MOST_ANSWERS:
            raise Refusal(f"{field}: got {limit}. Allowed: 1 to {MOST_ANSWERS:,}, or none.")
    name = " ".join(wanted.qualification.split())
    if len(name) > 60 or not (name.isprintable() or not name):
        raise Refusal(f"qualification: got {name[:60]!r}. Allowed: up to 60 characters.")
    with workspace.store.write() as database:
        task_in(database, task_id)
        _check_practice(database, task_id, wanted)
        database.conn.execute(
            "INSERT OR REPLACE INTO onboarding (task_id, pass_mark, qualification, attention_mark,"
            " daily_limit, total_limit) VALUES (?, ?, ?, ?, ?, ?)",
            [
                task_id, wanted.pass_mark, name, wanted.attention_mark, wanted.daily_limit,
                wanted.total_limit,
            ],
        )  # fmt: skip


def _check_practice(database: Database, task_id: int, wanted: Onboarding) -> None:
    if wanted.pass_mark is None:
        return
    practice = database.conn.execute(
        "SELECT count(*) FROM item WHERE task_id = ? AND role = 'practice' AND status = 'open'",
        [task_id],
    ).fetchone()[0]
    if not practice:
        raise Refusal(
            f"pass_mark: got {wanted.pass_mark:g}, but the task has no practice items. Give it "
            "items with the role practice and their known answers first."
        )
