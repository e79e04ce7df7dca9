"""A question that was edited here and in an imported file, and which of its parts differ."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Clash:
    """One part that was changed here and in the file, differently; values as texts.

    Attributes:
        part: its name, such as 'key' or 'tag difficulty'.
        imported: as an import last wrote it; '' if none did.
    """

    part: str
    imported: str
    current: str
    file: str


@dataclass(frozen=True)
class Conflict:
    """A question that was edited here and in the file; it stays as it is here.

    Attributes:
        revision: number of the current revision, which the comparison was made with.
        file: name of the file.
        row: where in it.
    """

    uid: str
    revision: int
    clashes: tuple[Clash, ...]
    file: str = ""
    row: str = ""

    @property
    def todo(self) -> str:
        """What to do about it."""
        return (
            f"It stays as it is here. To take the file's instead: --take-file {self.uid}, "
            "or choose so on the page Import."
        )

    @property
    def text(self) -> str:
        """The conflict as one line for a person."""
        parts = "; ".join(
            f"{clash.part}: here {clash.current}, file {clash.file}" for clash in self.clashes
        )
        return f"{self.uid}: edited here and in the file: {parts}. {self.todo}"

    def report(self) -> dict[str, Any]:
        """The conflict as JSON can hold it."""
        clashes = [
            {
                "part": clash.part,
                "before": clash.imported,
                "here": clash.current,
                "file": clash.file,
            }
            for clash in self.clashes
        ]
        return {**asdict(self), "clashes": clashes, "todo": self.todo}
