"""Strangers of the two sites for tests, as their addresses name them."""

from dataclasses import dataclass, field

from annotations.recruiting.sites import Arrival

KEY = 1


@dataclass
class Answering:
    """What somebody answered, by the role of the items."""

    roles: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.roles)

    def of(self, role: str) -> int:
        return self.roles.count(role)


def turk(number: int, assignment: int | None = None) -> Arrival:
    shown = number if assignment is None else assignment
    return Arrival(f"A{number:013}", f"3ASSIGNMENT{shown:019}", f"3HIT{0:026}")


def prolific(number: int, session: int | None = None) -> Arrival:
    shown = number if session is None else session
    return Arrival(f"{number:024x}", f"{shown + 0xABC000:024x}", f"{7:024x}")
