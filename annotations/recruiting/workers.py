"""Strangers who come by a link: who they are here, and why nobody else becomes them.

What stands in an address proves nothing, since whoever has the link can write another worker's id
into it. So an id belongs to the browser that came with it first: that browser holds a secret, and a
second browser that names the same id gets nothing but words, unless it was let in by the worker's
own return link. What is paid is decided by the site's own list of submissions, which nobody else
can write.
"""

import hashlib
import hmac
import time
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from annotations.answering.admission import admission
from annotations.answering.exclusion import is_aside
from annotations.people import Person, accept_invite, add_annotator, invite, now_text
from annotations.record.task import task_in
from annotations.recruiting.recruitment import Recruitment
from annotations.recruiting.sites import Arrival, Site
from annotations.workspace import Workspace
from core.refusal import Forbidden, Refusal
from db.connection import first_row, rows

ELSEWHERE = (
    "Work under this {site} ID was begun in another browser. Go on there, or open your own return "
    "link, which stood on the page with your progress. If you have neither, write to the requester "
    "through {site}: nothing is lost, and they can send you a new link. If it was not you who "
    "began, tell them that too."
)
ANOTHER_ID = (
    "This browser works under another {site} ID already. Each person uses a browser, or a browser "
    "profile, of their own."
)
SIGNED_IN = (
    "You are signed in here as {name}, who does not come from {site}. To see what a worker sees, "
    "open the link in a private window."
)
CLOSED = "The requester has closed this job. Please return it on {site}; you lose nothing by that."
FULL = "All places of this job are taken. Please return it on {site}; you lose nothing by that."
REASONS = {
    "failed": "You did the practice for this kind of work before and did not reach the mark. "
    "Please return the job on {site}; what you did earlier stays paid.",
    "limit": "You have done as much of this work as one person may. Thank you! Please return the "
    "job on {site}.",
    "today": "You have done as much of this work as one person may do in a day. Come back "
    "tomorrow (UTC), or return the job on {site}.",
    "done": "There is no work left here that is open to you. Please return the job on {site}; you "
    "lose nothing by that.",
    "closed": CLOSED,
    "paused": "The requester has paused this work. Come back later, or return the job on {site}.",
    "aside": "The requester has ended your work here; what you did until then is not lost. Please "
    "return the job on {site}.",
}


@dataclass(frozen=True)
class Begun:
    """A worker who may work now.

    Attributes:
        session: what the browser keeps to be them.
        submission_id: what their work is counted for.
    """

    person: Person
    session: str
    submission_id: int


def begin(
    workspace: Workspace,
    recruitment: Recruitment,
    arrival: Arrival,
    browser: str,
    person: Person | None,
) -> Begun:
    """Return a worker who has agreed, with a session; coming again changes nothing.

    Args:
        browser: the secret that this browser keeps.
        person: who is signed in in it.

    Raises:
        Forbidden: if the id belongs to another browser, or the browser to somebody else; the
            arrival is noted for authors.
        Refusal: if there is no place or no work for them; in words for them.
    """
    site = recruitment.site
    known: int | None = None
    with workspace.store.write() as database:
        refusal = _stranger_to(database, site, arrival, browser, person)
        worker = _worker(database, site, arrival.worker)
        if refusal:
            database.conn.execute(
                "INSERT INTO recruited_refusal (recruitment_id, site_id, session, why, at)"
                " VALUES (?, ?, ?, ?, ?)",
                [recruitment.id, arrival.worker, arrival.session, str(refusal), time.time()],
            )
        elif worker is not None:
            known = _submission(database, recruitment, arrival, worker["id"])
    if refusal:
        raise refusal
    if worker is not None and not worker["active"]:
        raise Refusal(REASONS["aside"], site=site.label)
    if known is None:
        _check_open(workspace, recruitment, worker)
    with workspace.store.write() as database:
        worker = _worker(database, site, arrival.worker) or _add_worker(database, site, arrival)
        if _stranger_to(database, site, arrival, browser, person, fresh=not worker["browser"]):
            raise Forbidden(ELSEWHERE, site=site.label)  # the other one was faster
        _bind(database, worker, browser)
        _name_for_task(database, recruitment.task_id, worker["id"])
        submission = _ensure_submission(database, recruitment, arrival, worker["id"])
    token = invite(workspace, worker["name"], worker["role"])
    accepted = accept_invite(workspace, token)
    if accepted is None:
        raise Refusal(REASONS["aside"], site=site.label)
    return Begun(accepted[0], accepted[1], submission)


def _stranger_to(
    database: Database,
    site: Site,
    arrival: Arrival,
    browser: str,
    person: Person | None,
    *,
    fresh: bool = False,
) -> Forbidden | None:
    """Why a browser may not come as a worker; None if it may."""
    worker = _worker(database, site, arrival.worker)
    if person is not None and (worker is None or person.id != worker["id"]):
        other = first_row(
            database,
            "SELECT site FROM recruited_worker WHERE annotator_id = ?",
            [person.id],
        )
        words = SIGNED_IN if other is None else ANOTHER_ID
        return Forbidden(words, site=site.label, name=person.name)
    for row in rows(
        database,
        "SELECT w.site_id, w.browser, p.invite FROM recruited_worker w"
        " JOIN annotator p ON p.id = w.annotator_id WHERE w.site = ? AND w.browser <> ''",
        [site.name],
    ):
        if row["site_id"] != arrival.worker and _is_browser(row, browser):
            return Forbidden(ANOTHER_ID, site=site.label)
    if worker is None or fresh or person is not None or _is_browser(worker, browser):
        return None
    return Forbidden(ELSEWHERE, site=site.label)


def _worker(database: Database, site: Site, site_id: str) -> dict[str, Any] | None:
    return first_row(
        database,
        "SELECT p.id, p.name, p.role, p.invite, p.active, w.browser FROM recruited_worker w"
        " JOIN annotator p ON p.id = w.annotator_id WHERE w.site = ? AND w.site_id = ?",
        [site.name, site_id],
    )


def _is_browser(row: dict[str, Any], browser: str) -> bool:
    return bool(browser) and hmac.compare_digest(row["browser"], _digest(browser, row["invite"]))


def _digest(browser: str, invite_secret: str) -> str:
    """What is kept of a browser's secret: a new return link ends it together with the old link."""
    return hashlib.sha256(f"{invite_secret}:{browser}".encode()).hexdigest()


def _add_worker(database: Database, site: Site, arrival: Arrival) -> dict[str, Any]:
    taken = database.conn.execute(
        "SELECT count(*) FROM recruited_worker WHERE site = ?", [site.name]
    ).fetchone()[0]
    number = taken + 1
    while first_row(
        database, "SELECT id FROM annotator WHERE name = ?", [f"{site.person} {number}"]
    ):
        number += 1
    annotator = add_annotator(database.conn, f"{site.person} {number}", "person")
    database.conn.execute(
        "INSERT INTO recruited_worker (annotator_id, site, site_id, at) VALUES (?, ?, ?, ?)",
        [annotator, site.name, arrival.worker, time.time()],
    )
    worker = _worker(database, site, arrival.worker)
    assert worker is not None
    return worker


def _bind(database: Database, worker: dict[str, Any], browser: str) -> None:
    database.conn.execute(
        "UPDATE recruited_worker SET browser = ? WHERE annotator_id = ?",
        [_digest(browser, worker["invite"]), worker["id"]],
    )


def _name_for_task(database: Database, task_id: int, annotator_id: int) -> None:
    """Assign a recruited worker to a task, if the task is assigned to people by name."""
    database.conn.execute(
        "INSERT OR IGNORE INTO assignment (task_id, annotator_id, created_at)"
        " SELECT :task, :person, :now WHERE EXISTS"
        " (SELECT 1 FROM assignment WHERE task_id = :task AND item_id IS NULL)",
        {"task": task_id, "person": annotator_id, "now": now_text()},
    )


def _submission(
    database: Database, recruitment: Recruitment, arrival: Arrival, annotator_id: int
) -> int | None:
    row = first_row(
        database,
        "SELECT id FROM recruited_submission WHERE recruitment_id = ? AND annotator_id = ?"
        " AND session = ?",
        [recruitment.id, annotator_id, arrival.session],
    )
    return None if row is None else int(row["id"])


def _ensure_submission(
    database: Database, recruitment: Recruitment, arrival: Arrival, annotator_id: int
) -> int:
    known = _submission(database, recruitment, arrival, annotator_id)
    if known is not None:
        return known
    taken = database.conn.execute(
        "SELECT count(*) FROM recruited_submission WHERE recruitment_id = ?"
        " AND outcome NOT IN ('failed', 'nothing')",
        [recruitment.id],
    ).fetchone()[0]
    if taken >= recruitment.places:
        raise Refusal(FULL, site=recruitment.site.label)
    cursor = database.conn.execute(
        "INSERT INTO recruited_submission (recruitment_id, annotator_id, session, study, agreed_at)"
        " VALUES (?, ?, ?, ?, ?)",
        [recruitment.id, annotator_id, arrival.session, arrival.study, time.time()],
    )
    return int(cursor.lastrowid or 0)


def _check_open(
    workspace: Workspace, recruitment: Recruitment, worker: dict[str, Any] | None
) -> None:
    """Refuse a new submission of somebody who could do nothing for it, in words for them."""
    site = recruitment.site.label
    if recruitment.state == "closed":
        raise Refusal(CLOSED, site=site)
    with workspace.store.read() as database:
        task = task_in(database, recruitment.task_id)
        reason = task.status if task.status != "open" else ""
        if not reason and worker is not None:
            admitted = admission(database, task, worker["id"], submissions=False).reason
            reason = "aside" if is_aside(database, worker["id"]) else admitted
        if reason not in REASONS:
            reason = "" if _work_left(database, task.id, worker) else "done"
    if reason:
        raise Refusal(REASONS[reason], site=site)


def _work_left(database: Database, task_id: int, worker: dict[str, Any] | None) -> bool:
    """Whether a task asks for answers to items that a worker has not answered."""
    return bool(
        database.conn.execute(
            "SELECT EXISTS (SELECT 1 FROM item i WHERE i.task_id = ? AND i.asks = 1 AND NOT EXISTS"
            " (SELECT 1 FROM annotation a WHERE a.item_id = i.id AND a.annotator_id = ?))",
            [task_id, worker["id"] if worker else 0],
        ).fetchone()[0]
    )
