"""Words that somebody looks for, as conditions on the tables of words."""

from dataclasses import dataclass, field

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
