"""Survey links: one for a task on one site, with what a submission asks for and pays."""

import json
from dataclasses import dataclass
from typing import Any, Self

from itsdangerous import BadSignature, URLSafeSerializer
from sqlite_utils import Database

from annotations.people import now_text
from annotations.record.task import task_in
from annotations.recruiting.onboarding import onboarding_in
from annotations.recruiting.sites import SITES, Site
from annotations.workspace import Workspace
from core.refusal import Missing, Refusal
from db.connection import first_row, rows

LONGEST_CONSENT = 20_000
MOST_PLACES = 100_000
# What a submission may end as, with which a site's own completion codes are told apart.
OUTCOMES = {
    "finished": "the work is done",
    "ran_out": "the work ran out before it was done",
    "aside": "an author has put the person's work aside",
    "failed": "practice was not passed",
    "nothing": "there was no work left",
}
PAID = ("finished", "ran_out", "aside")


@dataclass(frozen=True)
class Recruitment:
    """A survey link.

    Attributes:
        site: where it is put.
        items: answers that one submission asks for.
        places: submissions at most.
        reward: what the site pays for one, fixed beforehand.
        consent: Markdown; shown before anything is kept of a person.
        codes: the site's own completion codes by outcome; {} where they are made here.
        state: 'open' or 'closed'.
    """

    id: int
    name: str
    site: Site
    task_id: int
    items: int
    places: int
    reward: float
    consent: str
    codes: dict[str, str]
    state: str

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Self:
        """The recruitment of a row of the table."""
        plain = {name: row[name] for name in ("id", "name", "task_id", "items", "places")}
        return cls(
            **plain, site=SITES[row["site"]], reward=row["reward"], consent=row["consent"],
            codes=json.loads(row["codes"]), state=row["state"],
        )  # fmt: skip


def make_recruitment(
    workspace: Workspace,
    *,
    name: str,
    site: str,
    task_id: int,
    items: int,
    places: int,
    reward: float,
    consent: str = "",
    codes: dict[str, str] | None = None,
) -> Recruitment:
    """Return a new survey link for a task.

    Raises:
        Refusal: names the field, what was got and what is allowed.
    """
    name = " ".join(name.split())
    codes = {outcome: code.strip() for outcome, code in (codes or {}).items() if code.strip()}
    _check(name, site, items, places, reward, consent, codes)
    with workspace.store.write() as database:
        task_in(database, task_id)
        limits = onboarding_in(database, task_id)
        for limit in (limits.total_limit, limits.daily_limit):
            if limit is not None and limit < items:
                raise Refusal(
                    f"items: got {items}, but one person may give {limit} answers to this task. "
                    "Ask for fewer, or raise the limit: nobody could finish."
                )
        if first_row(database, "SELECT id FROM recruitment WHERE name = ?", [name]):
            raise Refusal(f"name: a link {name!r} exists already. Choose another name.")
        row = first_row(
            database,
            "INSERT INTO recruitment (name, site, task_id, items, places, reward, consent, codes,"
            " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
            [
                name, site, task_id, items, places, reward, consent.strip(), json.dumps(codes),
                now_text(),
            ],
        )  # fmt: skip
    return Recruitment.from_row(row or {})


def _check(
    name: str,
    site: str,
    items: int,
    places: int,
    reward: float,
    consent: str,
    codes: dict[str, str],
) -> None:
    if not name or len(name) > 80 or not name.isprintable():
        raise Refusal(f"name: got {name[:80]!r}. Allowed: 1 to 80 characters.")
    if site not in SITES:
        raise Refusal(f"site: got {site!r}. Allowed: {', '.join(SITES)}.")
    if not 1 <= items <= 10_000:
        raise Refusal(f"items: got {items}. Allowed: 1 to 10,000 answers for one submission.")
    if not 1 <= places <= MOST_PLACES:
        raise Refusal(f"places: got {places}. Allowed: 1 to {MOST_PLACES:,} submissions.")
    if not 0 <= reward <= 10_000:
        raise Refusal(f"reward: got {reward}. Allowed: 0 to 10,000.")
    if len(consent) > LONGEST_CONSENT:
        raise Refusal(f"consent: {len(consent):,} characters. Allowed: {LONGEST_CONSENT:,}.")
    unknown = sorted(codes.keys() - OUTCOMES.keys())
    if unknown:
        raise Refusal(f"codes: got {', '.join(unknown)}. Allowed: {', '.join(OUTCOMES)}.")
    if SITES[site].own_codes and "finished" not in codes:
        raise Refusal(
            f"codes: {SITES[site].label} makes the completion code. Enter at least the one for "
            "work that is done (finished)."
        )
    if not SITES[site].own_codes and codes:
        raise Refusal(f"codes: for {SITES[site].label} codes are made here, one a submission.")
    if any(not code.isalnum() or len(code) > 40 for code in codes.values()):
        raise Refusal("codes: a completion code has 1 to 40 letters and digits.")


def link_token(workspace: Workspace, recruitment: Recruitment) -> str:
    """Return what stands behind `/recruit/` in the link: signed, so that none can be guessed."""
    return str(URLSafeSerializer(workspace.secret, salt="recruit").dumps(recruitment.id))


def recruitment_of(workspace: Workspace, token: str) -> Recruitment:
    """Return the survey link that a token stands for.

    Raises:
        Missing: if it stands for none.
    """
    try:
        number = URLSafeSerializer(workspace.secret, salt="recruit").loads(token)
    except BadSignature:
        number = None
    if not isinstance(number, int):
        raise Missing("This link is not complete, or not one of ours. Open it on the site again.")
    with workspace.store.read() as database:
        return recruitment_in(database, number)


def recruitment_in(database: Database, number: int) -> Recruitment:
    """Return one survey link.

    Raises:
        Missing: if there is none of this id.
    """
    row = first_row(database, "SELECT * FROM recruitment WHERE id = ?", [number])
    if row is None:
        raise Missing(f"There is no survey link {number}.")
    return Recruitment.from_row(row)


def recruitments(workspace: Workspace) -> list[Recruitment]:
    """Return every survey link, the newest first."""
    with workspace.store.read() as database:
        stored_rows = rows(database, "SELECT * FROM recruitment ORDER BY id DESC")
    return [Recruitment.from_row(row) for row in stored_rows]


def recruitment_named(workspace: Workspace, name: str) -> Recruitment:
    """Return the survey link of a name.

    Raises:
        Missing: if there is none; says which there are.
    """
    known = recruitments(workspace)
    for recruitment in known:
        if recruitment.name.casefold() == name.casefold():
            return recruitment
    names = ", ".join(recruitment.name for recruitment in known) or "none yet"
    raise Missing(f"There is no survey link {name!r}. There are: {names}.")


def set_state(workspace: Workspace, recruitment_id: int, state: str) -> None:
    """Close a link for those who have not come yet, or open it again."""
    if state not in ("open", "closed"):
        raise Refusal(f"state: got {state!r}. Allowed: open, closed.")
    with workspace.store.write() as database:
        database.conn.execute(
            "UPDATE recruitment SET state = ? WHERE id = ?", [state, recruitment_id]
        )
