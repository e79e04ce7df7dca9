"""Filters of lists as conditions: choices and words; and the page of a list that they give."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlite_utils import Database

from core.refusal import Refusal

SHORTEST = 3  # what the index of a table of words can look up


@dataclass
class Conditions:
    """Parts of a WHERE clause that all have to hold, with their values in order."""

    parts: list[str] = field(default_factory=list[str])
    values: list[object] = field(default_factory=list[object])

    def add(self, part: str, *values: object) -> None:
        """Add a part; its values stand for its question marks."""
        self.parts.append(part)
        self.values += values

    @property
    def sql(self) -> str:
        """The clause, with WHERE; '' without parts."""
        return f" WHERE {' AND '.join(self.parts)}" if self.parts else ""

    def count(self, database: Database, table: str) -> int:
        """How many rows of a table there are, such as 'video v'."""
        sql = f"SELECT count(*) FROM {table}{self.sql}"
        return int(database.conn.execute(sql, self.values).fetchone()[0])

    def page(
        self, database: Database, table: str, order: str, offset: int, limit: int
    ) -> list[int]:
        """Ids of some rows of a table.

        Args:
            database: to read from.
            table: with the letter that the conditions call it by, such as 'video v'.
            order: columns to sort by.
            offset: of the first row.
            limit: how many at most.
        """
        letter = table.split()[-1]
        sql = f"SELECT {letter}.id FROM {table}{self.sql} ORDER BY {order} LIMIT ? OFFSET ?"
        return [row[0] for row in database.conn.execute(sql, [*self.values, limit, offset])]


def check_choice(name: str, value: str, allowed: Mapping[str, str]) -> None:
    """Refuse a choice of a filter that is not there.

    Raises:
        Refusal: with what is allowed.
    """
    if value not in allowed:
        raise Refusal(f"{name} is {value!r}. Allowed: {', '.join(map(repr, allowed))}.")


def add_words(conditions: Conditions, table: str, columns: tuple[str, ...], text: str, key: str):
    """Rows of which some column holds each of the words of a text, whatever their case.

    Args:
        conditions: they are added there.
        table: of words, an FTS5 table of trigrams.
        columns: its columns.
        text: as somebody typed it: words, never syntax.
        key: what the row's number is called in the query.
    """
    long = [word for word in text.split() if len(word) >= SHORTEST]
    if long:
        doubled = (word.replace('"', '""') for word in long)
        all_of_them = " AND ".join(f'"{word}"' for word in doubled)
        conditions.add(f"{key} IN (SELECT rowid FROM {table} WHERE {table} MATCH ?)", all_of_them)
    for word in text.split():
        if len(word) < SHORTEST:
            escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            either = " OR ".join(f"{column} LIKE ? ESCAPE '\\'" for column in columns)
            conditions.add(f"{key} IN (SELECT rowid FROM {table} WHERE {either})",
                           *[f"%{escaped}%"] * len(columns))  # fmt: skip
