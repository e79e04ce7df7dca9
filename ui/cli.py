"""The command line. Results go to standard output, messages to standard error."""

import argparse
import os
import sqlite3
import sys
import traceback
from collections.abc import Sequence
from typing import cast

from annotations.backup.database_errors import disk_words, error_words
from core import plugins
from core.refusal import Refusal
from ui.command import Command

PACKAGE = "ui.commands"
BROKEN = 70  # EX_SOFTWARE of sysexits.h


def parser() -> argparse.ArgumentParser:
    """The parser with every command found in ui/commands/."""
    root = argparse.ArgumentParser(
        prog="rushes",
        description="The review room of a video benchmark: label, cross-check, settle, measure.",
    )
    commands = root.add_subparsers(metavar="COMMAND", required=True)
    for name in plugins.names(PACKAGE):
        command = cast("Command", plugins.load(PACKAGE, name))
        below = commands.add_parser(command.NAME, help=command.HELP, description=command.HELP)
        command.add_arguments(below)
        below.set_defaults(run=command.run)
    return root


def main(given: Sequence[str] | None = None) -> int:
    """Run one command; its exit status."""
    arguments = parser().parse_args(given)
    try:
        return int(arguments.run(arguments))
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Refusal as error:
        print(f"rushes: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(" ".join(filter(None, (f"rushes: {error}", disk_words(error)))), file=sys.stderr)
        return 1
    except sqlite3.Error as error:
        words = error_words(error)
        if not words:
            return _broken()
        print(f"rushes: {words}", file=sys.stderr)
        return 1
    except Exception:
        return _broken()


def _broken() -> int:
    traceback.print_exc()
    print("rushes: something in Rushes broke; the lines above say what.", file=sys.stderr)
    return BROKEN
