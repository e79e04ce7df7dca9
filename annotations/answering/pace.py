"""People who answer far faster than the others at the same task."""

from dataclasses import dataclass
from statistics import median

from annotations.workspace import Workspace

# Fewer answers say little about a person's pace.
LEAST_ANSWERS = 5
FAST = 1 / 3


@dataclass(frozen=True)
class Pace:
    """A pace that wants a look.

    Attributes:
        task: the task's name.
        own_s: the person's median active time an answer, s.
        others_s: the median of the other people's medians, s.
    """

    task: str
    own_s: float
    others_s: float

    @property
    def words(self) -> str:
        """The pace beside the others', for an author."""
        return f"{self.task}: {self.own_s:.1f} s an item, others {self.others_s:.1f} s"


def fast_people(workspace: Workspace) -> dict[int, tuple[Pace, ...]]:
    """By person the tasks that they answer in less than a third of the others' time.

    Per task, as tasks take unlike times; over answers to real work, each person with at least
    `LEAST_ANSWERS` of them. The median does not move with one long pause.
    """
    times: dict[str, dict[int, list[float]]] = {}
    for row in workspace.store.rows(
        "SELECT t.name AS task, a.annotator_id AS person, a.active_s FROM current_annotation a"
        " JOIN item i ON i.id = a.item_id JOIN task t ON t.id = i.task_id"
        " JOIN annotator p ON p.id = a.annotator_id"
        " WHERE i.role = 'work' AND p.kind = 'person' AND a.skip_reason IS NULL ORDER BY t.id"
    ):
        times.setdefault(row["task"], {}).setdefault(row["person"], []).append(row["active_s"])
    flags: dict[int, tuple[Pace, ...]] = {}
    for task, people in times.items():
        medians = {
            person: median(seconds)
            for person, seconds in people.items()
            if len(seconds) >= LEAST_ANSWERS
        }
        for person, seconds_each in medians.items():
            others = [value for colleague, value in medians.items() if colleague != person]
            if others and seconds_each < FAST * median(others):
                pace = Pace(task, seconds_each, median(others))
                flags[person] = (*flags.get(person, ()), pace)
    return flags
