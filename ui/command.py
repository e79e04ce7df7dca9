"""What a command has to bring along; each is a file in ui/commands/."""

import argparse
from typing import Protocol


class Command(Protocol):
    """The module of a command.

    Attributes:
        NAME: the word typed after `rushes`.
        HELP: one line for `rushes --help`.
    """

    NAME: str
    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare what the command takes."""
        ...

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it. The exit status: 0 only if it did what it said.

        Raises:
            Refusal, OSError: in words for a person; `rushes` prints them.
        """
        ...
