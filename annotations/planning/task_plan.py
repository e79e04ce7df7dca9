"""A task as it would be: everything checked, its items built, nothing stored yet."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from annotations import task as tasks
from annotations.answering.assignments import person_ids
from annotations.decision import check_signatures
from annotations.planning.known_answers import (
    Known,
    check_known_answers,
    known_answer,
    named_item,
    no_doubles,
)
from annotations.task import ItemDraft
from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import first_row

NAME_LENGTH = 120
ROWS = "rows"
MOST_OVERLAP = 1000
SHUFFLED, AS_IMPORTED = ORDERS = ("shuffled", "as imported")


@dataclass(frozen=True)
class PlannedItem:
    """An item to be made.

    Attributes:
        role: 'work', or 'practice' or 'attention', whose answer is known.
        expected: the known answer.
    """

    draft: ItemDraft
    role: str = "work"
    expected: dict[str, Any] | None = None


@dataclass(frozen=True)
class TaskPlan:
    """A task to be made.

    Attributes:
        source: 'rows' where items come of a file, else what of the workspace they are made of.
        adaptive: ask for another answer only while it could change the decision.
        skip_limit: so many skips send an item to an author.
        rate: pay per hour; None is the workspace's.
        instructions: Markdown; '' is the kind's own.
        people: names of those who may work on it; none means everybody.
        signatures: authors who sign what settles a disagreement; None leaves it to them.
        order_seed: shuffles the items as they are handed out; None: in the order of import.
    """

    name: str
    kind: str
    settings: dict[str, Any]
    overlap: int
    source: str
    items: tuple[PlannedItem, ...]
    adaptive: bool = False
    skip_limit: int = 3
    rate: float | None = None
    instructions: str = ""
    people: tuple[str, ...] = ()
    signatures: int | None = None
    order_seed: str | None = None

    @property
    def order(self) -> str:
        """One of `ORDERS`."""
        return AS_IMPORTED if self.order_seed is None else SHUFFLED

    def count(self, role: str) -> int:
        """How many items have this role."""
        return sum(item.role == role for item in self.items)


def plan_task(
    workspace: Workspace,
    *,
    name: str,
    kind: str,
    settings: dict[str, Any] | None = None,
    overlap: int | None = None,
    source: str = "",
    rows: list[dict[str, Any]] | None = None,
    adaptive: bool = False,
    skip_limit: int = 3,
    rate: float | None = None,
    instructions: str = "",
    people: Iterable[str] = (),
    signatures: int | None = None,
    order: str = SHUFFLED,
    seed: str | int | None = None,
) -> TaskPlan:
    """A task that can be made as it is.

    Args:
        order: one of `ORDERS`.
        seed: of a shuffled order; None is the task's name.
        rows: parsed lines of an items file; with a source other than rows, only the known answers
            of items: {"item" | "question" | "video", "role", "expected"}.

    Raises:
        ValueError: names the field or row, what was got and what is allowed.
    """
    name = " ".join(name.split())
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        raise Refusal(f"name: got {name[:80]!r}. Allowed: 1 to {NAME_LENGTH} characters.")
    with workspace.store.read() as database:
        if first_row(database, "SELECT id FROM task WHERE name = ?", [name]):
            raise Refusal(f"name: a task {name!r} exists already. Choose another name.")
        try:
            named = tuple(people)
            person_ids(database, named)
        except Refusal as error:
            raise Refusal(f"people: {error}") from error
    if kind not in tasks.kinds():
        raise Refusal(f"kind: got {kind!r}. Allowed: {', '.join(tasks.kinds())}.")
    module = tasks.kind(kind)
    _at_least("overlap", overlap if overlap is not None else module.OVERLAP, 1)
    _at_least("skip_limit", skip_limit, 1)
    check_signatures(signatures)
    if seed is not None and order == AS_IMPORTED:
        raise Refusal(f"seed: got {seed!r}, but the order is as imported. Leave it out.")
    order_seed = seed_of(order, name if seed is None else str(seed))
    if rate is not None and not 0 <= rate < 100_000:
        raise Refusal(f"rate: got {rate}. Allowed: pay per hour, 0 or more.")
    source = _checked_source(module.SOURCES, source, rows)
    try:
        checked = module.check_settings(settings or {})
    except Refusal as error:
        raise Refusal(f"settings: {error}") from error
    items = planned_items(workspace, kind, checked, source, rows)
    if not any(item.role == "work" for item in items):
        raise Refusal(_nothing(source, checked.get("only")))
    return TaskPlan(
        name, kind, checked, module.OVERLAP if overlap is None else overlap, source, items,
        adaptive, skip_limit, rate, instructions.strip(), named, signatures, order_seed,
    )  # fmt: skip


def seed_of(order: str, seed: str) -> str | None:
    """What is kept of an order with its seed: the seed, None for the order of import.

    Raises:
        ValueError: if there is no such order.
    """
    if order not in ORDERS:
        raise Refusal(f"order: got {order!r}. Allowed: {', '.join(ORDERS)}.")
    return seed if order == SHUFFLED else None


def _at_least(field: str, value: int, least: int) -> None:
    if not least <= value <= MOST_OVERLAP:
        raise Refusal(f"{field}: got {value}. Allowed: {least} to {MOST_OVERLAP}.")


def _checked_source(allowed: tuple[str, ...], source: str, rows: list[Any] | None) -> str:
    source = source or (ROWS if rows is not None and ROWS in allowed else usual_source(allowed))
    if source not in allowed:
        raise Refusal(f"source: got {source!r}. Allowed for this kind: {', '.join(allowed)}.")
    if source == ROWS and rows is None:
        others = [source_name for source_name in allowed if source_name != ROWS]
        raise Refusal(
            "items: got none. This task is made of the rows of a file"
            + (f"; or set source to {' or '.join(others)}." if others else ".")
        )
    return source


def usual_source(allowed: tuple[str, ...]) -> str:
    """What items are made of if nobody says: what the workspace holds, else rows."""
    return next((source for source in allowed if source != ROWS), ROWS)


def _nothing(source: str, only: dict[str, list[str]] | None) -> str:
    if only:
        parts = "; ".join(f"{name} {' or '.join(values)}" for name, values in only.items())
        return f"settings: only: no usable question is left with {parts}. Choose more."
    if source == ROWS:
        return "items: got no item of work. The file needs at least one row without a known answer."
    return f"source: the workspace holds no usable {source}. Import some first."


def planned_items(
    workspace: Workspace,
    kind: str,
    settings: dict[str, Any],
    source: str,
    rows: list[dict[str, Any]] | None,
) -> tuple[PlannedItem, ...]:
    """The items of a task with checked settings, with their roles.

    Raises:
        ValueError: for a row that makes no item; says which, what was got, what is allowed.
    """
    build = tasks.kind(kind).build_items
    known = [known_answer(number, row) for number, row in enumerate(rows or [], 1)]
    if source == ROWS:
        bare = [
            {field: value for field, value in row.items() if field not in ("role", "expected")}
            for row in rows or []
        ]
        drafts = list(build(workspace, settings, bare))
        if len(drafts) != len(bare):
            raise Refusal(f"items: {len(bare)} rows made {len(drafts)} items.")
        no_doubles([draft.uid for draft in drafts])
        _check_known(workspace, kind, settings, drafts, known)
        return tuple(
            PlannedItem(draft, *answer) for draft, answer in zip(drafts, known, strict=True)
        )
    drafts = list(build(workspace, settings, None))
    by_uid = {draft.uid: draft for draft in drafts}
    named = [named_item(number, row, by_uid.keys()) for number, row in enumerate(rows or [], 1)]
    no_doubles(named)
    roles = dict(zip(named, known, strict=True))
    work = [uid for uid, (role, _) in roles.items() if role == "work"]
    if work and len(named) < len(drafts):
        raise Refusal(
            f"items: {len(work)} of {len(drafts)} {source} are listed as work, but the task takes "
            "all of them. List only those with a known answer; choose by settings, "
            "such as only or sample."
        )
    _check_known(workspace, kind, settings, [by_uid[uid] for uid in named], known)
    return tuple(PlannedItem(draft, *roles.get(draft.uid, ("work", None))) for draft in drafts)


def _check_known(
    workspace: Workspace,
    kind: str,
    settings: dict[str, Any],
    drafts: list[ItemDraft],
    known: list[Known],
) -> None:
    """Refuse answers that cannot be given; drafts and known answers are those of the rows."""
    of_rows = enumerate(zip(drafts, known, strict=True), 1)
    answers = [(n, draft, answer) for n, (draft, (_, answer)) in of_rows if answer is not None]
    check_known_answers(workspace, kind, settings, answers)
