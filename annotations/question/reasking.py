"""What a changed question does to work in hand and to the answers that were given.

    earlier and after           people's answers to it
    ------------------------    -----------------------------------------------------------
    another clip                count no more; it is asked again
    other options               count no more; it is asked again
    several options for one,    count no more; it is asked again
    or one for several
    another wording             count no more; it is asked again, unless the author says that
                                it asks the same
    options in another order    stay: a choice is known by what it says
    spelling, punctuation       stay
    another key                 stay, and are right or wrong by the new key

Whatever changes, items that somebody holds without having answered are handed out anew, so that
nobody works on what is not asked any more. Nothing is deleted: an answer that counts no more is
kept, and every figure says how many there are.
"""

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlite_utils import Database

from annotations import task as tasks
from annotations.answering.early_stop import settle_again
from annotations.answering.item_events import note_event
from annotations.answering.returns import OPENED_AGAIN
from annotations.people import STORED_KEYS, Person
from annotations.record.annotation import count_answers, set_counted
from annotations.record.lease import end_leases_of_item
from annotations.record.question import accepted_options
from annotations.record.task import task_in
from db.connection import rows

Change = Literal["nothing", "key", "spelling", "order", "wording", "options", "clip"]
ASKED_AGAIN: frozenset[Change] = frozenset({"wording", "options", "clip"})
CHANGES: dict[Change, str] = {
    "nothing": "nothing that is asked changes",
    "key": "another key",
    "spelling": "another spelling",
    "order": "the options in another order",
    "wording": "another wording",
    "options": "other options",
    "clip": "another clip",
}
_REPLACED = "replace_video"
_QUIET = re.compile(r"[\s.,;:!?'\"“”‘’]+")


@dataclass(frozen=True)
class Effect:
    """What a change does to what people answered.

    Attributes:
        stay: counted answers that go on counting.
        again: counted answers that count no more, and are asked for again.
        in_hand: items that somebody is working on, which are handed out anew.
        opened: items that are asked again although they had been withdrawn for another video.
    """

    stay: int = 0
    again: int = 0
    in_hand: int = 0
    opened: int = 0

    def __add__(self, more: "Effect") -> "Effect":
        return Effect(
            self.stay + more.stay,
            self.again + more.again,
            self.in_hand + more.in_hand,
            self.opened + more.opened,
        )

    @property
    def words(self) -> str:
        """The effect for an author, such as '40 answers stay, 12 are asked again'."""
        stay, again = self.stay, self.again
        if not (stay or again):
            parts = ["nobody has answered yet"]
        else:
            parts = [f"{stay:,} answer{'s'[: stay != 1]} stay{'s'[: stay == 1]}"] if stay else []
            noun = "" if stay else f" answer{'s'[: again != 1]}"
            if again:
                parts.append(f"{again:,}{noun} {'are' if again != 1 else 'is'} asked again")
        if self.in_hand:
            parts.append(f"{self.in_hand:,} in somebody's hands handed out anew")
        if self.opened:
            parts.append(f"{self.opened:,} item{'s'[: self.opened != 1]} opened again")
        return ", ".join(parts)


@dataclass(frozen=True)
class Wording:
    """What one revision of a question asks, and what is right.

    Attributes:
        clip: id of the clip, or what else tells two clips apart.
        options: texts.
        key: index of the right option; None without one.
        reference: what free answers are held against, which is as good as a key.
    """

    clip: object
    text: str
    options: tuple[str, ...]
    key: int | None
    reference: Mapping[str, list[str]] | None = None

    @property
    def several(self) -> bool:
        """Whether any number of options may be chosen."""
        return self.key is None and bool(accepted_options(self.options, self.reference or {}))


def change_between(earlier: Wording, after: Wording) -> Change:
    """What becomes of a question, by the part that weighs most."""
    options, new_options = earlier.options, after.options
    if earlier.clip != after.clip:
        return "clip"
    if earlier.several != after.several:
        return "options"
    plain, new_plain = [spelled(option) for option in options], list(map(spelled, new_options))
    if sorted(plain) != sorted(new_plain) or len(set(plain)) < len(plain):
        if options != new_options:
            return "options"
    elif plain != new_plain:
        return "order" if spelled(earlier.text) == spelled(after.text) else "wording"
    if spelled(earlier.text) != spelled(after.text):
        return "wording"
    if earlier.key != after.key or earlier.reference != after.reference:
        return "key"
    same = earlier.text == after.text and options == new_options
    return "nothing" if same else "spelling"


def spelled(text: str) -> str:
    """A text without what spelling alone may change: case, spaces, stops and quotation marks."""
    return _QUIET.sub(" ", text).strip().casefold() or text


@dataclass(frozen=True)
class _Standing:
    """An item about a question that works or counts.

    Attributes:
        status: 'open', or 'withdrawn' where it waits for another video.
        in_hand: whether somebody holds a lease of it.
        asks_again: whether it would be asked again.
    """

    id: int
    task_id: int
    status: str
    in_hand: bool
    asks_again: bool


def effect_of(
    database: Database, question_id: int, change: Change, *, again: bool | None = None
) -> Effect:
    """What a change would do, before it is made.

    Args:
        again: whether answers are asked for again; None leaves it to the rule.
    """
    asks = change in ASKED_AGAIN if again is None else again
    total = Effect()
    for item in _items(database, question_id, change):
        counted = len(_counted(database, item.id))
        asked_anew = asks and item.asks_again
        total += Effect(
            0 if asked_anew else counted,
            counted if asked_anew else 0,
            0 if change == "nothing" else int(item.in_hand),
            int(asked_anew and item.status == "withdrawn"),
        )
    return total


def follow_change(
    database: Database,
    question_id: int,
    revision_id: int,
    change: Change,
    *,
    again: bool | None = None,
    author: Person | None = None,
) -> Effect:
    """Let a new revision take effect on leases, items and answers; what it did.

    Args:
        revision_id: of the new revision.
        change: from the one before.
        again: whether answers are asked for again; None leaves it to the rule.
        author: who changes it; None for an import or the command line.
    """
    effect = effect_of(database, question_id, change, again=again)
    if change == "nothing":
        return effect
    asks = change in ASKED_AGAIN if again is None else again
    for item in _items(database, question_id, change):
        end_leases_of_item(database, item.id, time.time())
        if asks and item.asks_again:
            _ask_again(database, item, revision_id, change, author)
    return effect


def _ask_again(
    database: Database, item: _Standing, revision_id: int, change: Change,
    author: Person | None,
) -> None:  # fmt: skip
    answers = _counted(database, item.id)
    set_counted(database, answers, counted=False)
    count_answers(database, [(item.id, -len(answers))])
    database.conn.execute(
        "UPDATE item SET asked_from = ?, skips = 0, status = 'open' WHERE id = ?",
        [revision_id, item.id],
    )
    database.conn.execute("DELETE FROM draft WHERE item_id = ?", [item.id])
    note_event(
        database, item.id, author, OPENED_AGAIN,
        f"{CHANGES[change]}; {Effect(again=len(answers)).words}",
    )  # fmt: skip
    task = task_in(database, item.task_id)
    if task.adaptive:
        settle_again(database, task, [item.id])


def _items(database: Database, question_id: int, change: Change) -> list[_Standing]:
    """The items about a question that work or count, and whether they would be asked again.

    Not asked again are closed tasks, whose numbers may be published; checks of the stored keys and
    tasks that show the key, which are about the version that was checked; and known answers.
    """
    items = rows(
        database,
        "SELECT i.id, i.task_id, i.status, i.role, t.kind, t.settings, t.status AS task_status,"
        " (SELECT r.outcome FROM current_resolution r WHERE r.item_id = i.id) AS outcome,"
        " EXISTS (SELECT 1 FROM annotation a JOIN annotator p ON p.id = a.annotator_id"
        "  WHERE a.item_id = i.id AND p.name = :keys) AS checks_key,"
        " (SELECT count(*) FROM lease l WHERE l.item_id = i.id AND l.ended_at IS NULL"
        "  AND l.expires_at > :now) > 0 AS in_hand"
        " FROM item i JOIN task t ON t.id = i.task_id WHERE i.question_id = :question"
        " ORDER BY i.id",
        {"question": question_id, "keys": STORED_KEYS, "now": time.time()},
    )
    standing: list[_Standing] = []
    for item in items:
        waits = item["outcome"] == _REPLACED and change == "clip"
        if item["status"] != "open" and not waits:
            continue
        asks_again = (
            item["role"] == "work"
            and item["task_status"] != "closed"
            and not item["checks_key"]
            and not tasks.shows_key(item["kind"], json.loads(item["settings"]))
        )
        standing.append(
            _Standing(
                item["id"], item["task_id"], item["status"], bool(item["in_hand"]), asks_again
            )
        )
    return standing


def _counted(database: Database, item_id: int) -> list[int]:
    """Ids of the current answers to an item that count."""
    cursor = database.conn.execute(
        "SELECT id FROM current_annotation WHERE item_id = ? AND counted = 1"
        " AND skip_reason IS NULL",
        [item_id],
    )
    return [row[0] for row in cursor]
