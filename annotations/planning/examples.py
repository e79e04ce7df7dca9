"""Examples of tasks as files: a TOML file for each kind, and the rows that it names."""

from dataclasses import dataclass
from pathlib import Path

from annotations import task as tasks
from core.refusal import Refusal

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "tasks"
TABLES = (".jsonl", ".csv")


@dataclass(frozen=True)
class Example:
    """A task as files.

    Attributes:
        declared: the TOML file, which says in comments what else is allowed.
        rows_name: the name of the rows' file, `rows` its text.
    """

    declared: str
    rows_name: str
    rows: str


def kinds_with_example() -> list[str]:
    """Names of the kinds that have an example."""
    return [kind for kind in tasks.kinds() if (FOLDER / f"{kind}.toml").exists()]


def example_of(kind: str) -> Example:
    """Return the example of a kind.

    Raises:
        Refusal: if there is no such kind, or no example of it.
    """
    if kind not in kinds_with_example():
        raise Refusal(f"kind: got {kind!r}. Allowed: {', '.join(kinds_with_example())}.")
    path = FOLDER / f"{kind}.toml"
    table = next(path.with_suffix(end) for end in TABLES if path.with_suffix(end).exists())
    return Example(path.read_text(encoding="utf-8"), table.name, table.read_text(encoding="utf-8"))


def write_example(kind: str, folder: Path) -> list[Path]:
    """Write a kind's example into a folder and return the files; nothing is written over.

    Raises:
        Refusal: for an unknown kind, or if one of the files is there.
    """
    example = example_of(kind)
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        folder / f"{kind}.toml": example.declared,
        folder / example.rows_name: example.rows,
    }
    if there := [path for path in files if path.exists()]:
        raise Refusal(f"{there[0]} exists already. Name another folder.")
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return list(files)
