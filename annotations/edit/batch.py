"""Many videos times several edits, planned in one go; one that does not fit costs itself."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotations.edit.edit_store import StoredEdit, plan_edit, stored_edits
from annotations.edit.work_rows import FAILED, MADE, RUNNING, WAITING
from annotations.people import Person
from annotations.reading.records import Fault
from annotations.video.clips_in_rows import Videos
from annotations.workspace import Workspace
from core.editing.recipe import Recipe
from core.refusal import Refusal

STOPPED = "stopped"


@dataclass(frozen=True)
class Batch:
    """Edits that were asked for together.

    Attributes:
        edits: their ids, video by video.
        refused: what could not be planned: the video, the edit, and why.
    """

    edits: tuple[int, ...]
    refused: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Standing:
    """How far edits are.

    Attributes:
        counts: how many are 'made', 'running', 'waiting', 'stopped' and 'failed'.
        running: those that are made now.
        failed: those that failed, each with its reason.
        unmade: ids of all that are neither made nor running.
    """

    counts: Counter[str]
    running: tuple[StoredEdit, ...]
    failed: tuple[StoredEdit, ...]
    unmade: tuple[int, ...]

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    @property
    def words(self) -> str:
        """The counts, for a person; states of which there is none are left out."""
        names = (MADE, RUNNING, WAITING, STOPPED, FAILED)
        parts = [f"{self.counts[name]:,} {_WORDS[name]}" for name in names if self.counts[name]]
        return f"{self.total:,} {'copy' if self.total == 1 else 'copies'}: {', '.join(parts)}."


_WORDS = {MADE: "made", RUNNING: "being made", WAITING: "waiting", STOPPED: "stopped",
          FAILED: "failed"}  # fmt: skip


def plan_batch(
    workspace: Workspace,
    videos: Sequence[str],
    recipes: Sequence[Recipe],
    author: Person | None = None,
    others: Sequence[str] = (),
) -> Batch:
    """Plan each edit of each video; what is planned or made already is not planned again.

    Args:
        workspace: where the videos are.
        videos: names or content hashes.
        recipes: each makes a copy of its own of each video.
        author: who asks; None on the command line.
        others: names of the videos that joins append, in the order of the recipes' joins.
    """
    edits: list[int] = []
    refused: list[tuple[str, str, str]] = []
    known = Videos(workspace)
    for video in videos:
        joined = list(others)
        for recipe in recipes:
            appended, joined = joined[: recipe.others], joined[recipe.others :]
            try:
                edits.append(plan_edit(workspace, [video, *appended], recipe, author, known))
            except Refusal as refusal:
                refused.append((_name(known, video), recipe.label, str(refusal)))
    return Batch(tuple(dict.fromkeys(edits)), tuple(refused))


def _name(known: Videos, video: str) -> str:
    try:
        return known.find(video).name
    except Fault:
        return video


def standing(workspace: Workspace, only: Sequence[int] | None = None) -> Standing:
    """How far edits are; None takes all of the workspace, oldest first."""
    wanted = None if only is None else set(only)
    edits = [
        edit for edit in reversed(stored_edits(workspace)) if wanted is None or edit.id in wanted
    ]
    states = {edit.id: _state(edit) for edit in edits}
    return Standing(
        Counter(states.values()),
        tuple(edit for edit in edits if states[edit.id] == RUNNING),
        tuple(edit for edit in edits if states[edit.id] == FAILED),
        tuple(edit.id for edit in edits if states[edit.id] not in (MADE, RUNNING)),
    )


def _state(edit: StoredEdit) -> str:
    """The status, or 'stopped' where somebody stopped what waits."""
    return STOPPED if edit.stopped and edit.status == WAITING else edit.status
