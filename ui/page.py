"""What a page has to bring along; each is a file in ui/pages/ and a line in ui/shell/app.py."""

from typing import Protocol

from annotations.people import Person
from annotations.workspace import Workspace


class Page(Protocol):
    """The module of a page.

    Attributes:
        TITLE: its name in the navigation.
        ICON: a Material icon, such as ':material/monitoring:'.
        ROLES: who may open it.
    """

    TITLE: str
    ICON: str
    ROLES: frozenset[str]

    def render(self, workspace: Workspace, person: Person) -> None:
        """Draw the page for a person whose role is among `ROLES`."""
        ...
