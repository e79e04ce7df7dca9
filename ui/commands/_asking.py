"""What imports share on the terminal: problems, the question before writing, and progress."""

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from annotations.importing.import_reports import Problems
    from annotations.run.run_answers import Stored
    from annotations.video.library import Progress

SHOWN_PROBLEMS = 20


class Plan(Protocol):
    """What is to be written; `undecided` is what a person has to say first, '' if nothing."""

    @property
    def undecided(self) -> str:
        """What a person has to say first."""
        ...

    def report(self) -> dict[str, Any]:
        """The plan as JSON."""
        ...


def write_plan(
    arguments: argparse.Namespace,
    plan: Plan,
    empty: str,
    *,
    described: Callable[[], str],
    write: Callable[[], dict[str, int]],
    written: Callable[[dict[str, int]], str],
) -> int:
    """The exit status of showing a plan, asking, and writing it: in words, or as JSON.

    Args:
        arguments: of the command, with `json` and `yes`.
        plan: what is to be written.
        empty: why there is nothing to write, '' if there is something.
        described: the plan in words.
        write: writes it; how many are new, changed and the same.
        written: what was written, in words.
    """
    if not arguments.json:
        print(described())
    status = may_write(plan.undecided, empty, yes=arguments.yes)
    if status is not None:
        if arguments.json:
            print(json.dumps({"written": False, **plan.report()}, ensure_ascii=False))
        return status
    counts = write()
    if arguments.json:
        print(json.dumps({"written": True, "stored": counts, **plan.report()}, ensure_ascii=False))
    else:
        print(f"\nWritten: {written(counts)}")
    return 0


def counts_of(*stored: "Stored") -> dict[str, int]:
    """How many answers are new, changed and the same, of all parts together."""
    return {
        "new": sum(part.new for part in stored),
        "changed": sum(part.changed for part in stored),
        "same": sum(part.same for part in stored),
    }


def may_write(undecided: str, empty: str, *, yes: bool) -> int | None:
    """The exit status if nothing is to be written, None to go on.

    Args:
        undecided: what a person has to say first, '' if nothing.
        empty: why there is nothing to write, '' if there is something.
        yes: write without asking.
    """
    if undecided:
        print(f"Nothing was written. {undecided}", file=sys.stderr)
        return 1
    if empty:
        print(f"Nothing to import: {empty}. Nothing was written.", file=sys.stderr)
        return 1
    if yes:
        return None
    if not sys.stdin.isatty():
        print("Nothing was written. To write it without being asked, add --yes.", file=sys.stderr)
        return 2
    print("Write this? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return None
    print("Nothing was written.", file=sys.stderr)
    return 1


def problem_lines(problems: "Problems") -> list[str]:
    """The worst problems, one a line, and how many more there are."""
    if not problems.listed:
        return []
    from annotations.annotator import number_words

    groups = problems.grouped
    shown = groups[:SHOWN_PROBLEMS]
    more = len(groups) - len(shown)
    errors = number_words(problems.errors, "error")
    lines = ["", f"Problems: {errors}, {number_words(problems.warnings, 'warning')}"]
    lines += [f"  {problem.level:<7}  {problem.text}" for problem in shown]
    if more:
        lines.append(
            f"  and {more} more kinds: all of them with --json, or in the workspace afterwards"
        )
    return lines


def progress() -> "Progress":
    """Says on standard error what is being done, not more often than one can read."""
    printed_at = {"words": "", "at": 0.0}
    again = "\r" if sys.stderr.isatty() else ""

    def say(message: str, finished: int, total: int) -> None:
        new = message != printed_at["words"]
        pause = 0.2 if again else 5.0
        if not new and finished < total and time.monotonic() - float(printed_at["at"]) < pause:
            return
        if not new and not again and finished == total:
            return
        end = "" if again and finished < total else "\n"
        print(f"{again}{message}: {finished} of {total}", end=end, file=sys.stderr, flush=True)
        printed_at.update(words=message, at=time.monotonic())

    return say
