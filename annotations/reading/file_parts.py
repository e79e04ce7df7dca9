"""Several files that belong together, of which one may be broken."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from annotations.reading.records import Problem

Content = TypeVar("Content")


def each_file(
    files: Sequence[Path], read: Callable[[Path], Content], problems: list[Problem]
) -> list[tuple[Path, Content]]:
    """Each file with its content; one that cannot be read becomes a problem and costs only itself.

    Args:
        files: in order.
        read: raises ValueError for a file that cannot be read.
        problems: is added to.

    Raises:
        ValueError: if the only file cannot be read.
    """
    contents: list[tuple[Path, Content]] = []
    for file in files:
        try:
            contents.append((file, read(file)))
        except ValueError as error:
            if len(files) == 1:
                raise
            problems.append(Problem("error", f"the whole file is left out: {error}", file.name))
    return contents
