"""The sites' own lists of submissions: what nobody but the site can write."""

import csv
import io
from collections import Counter
from dataclasses import dataclass

from annotations.reading.text_tables import LONGEST_CELL
from annotations.recruiting.sites import Site
from core.refusal import Refusal

# Headings by which a column is known, lower case.
_COLUMNS = {
    "mturk": {
        "session": ("assignmentid",),
        "worker": ("workerid",),
        "status": ("assignmentstatus",),
        "code": ("answer.surveycode", "answer.code", "answer.completion_code"),
    },
    "prolific": {
        "session": ("submission id", "session id", "session_id"),
        "worker": ("participant id", "participant_id"),
        "status": ("status",),
        "code": ("completion code", "entered_code"),
    },
}


@dataclass(frozen=True)
class Claim:
    """One submission as the site lists it.

    Attributes:
        code: what the worker handed in; '' for nothing.
        status: as the site writes it.
    """

    worker: str
    session: str
    code: str
    status: str


@dataclass(frozen=True)
class SiteFile:
    """A site's list, with its cells as they came."""

    headings: list[str]
    cells: list[list[str]]
    claims: list[Claim]


def read_site_file(site: Site, content: bytes) -> SiteFile:
    """Return what a site's CSV of submissions says.

    Raises:
        Refusal: if it is no such file, or lists one submission twice; says what is absent.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal(
            f"The file is not UTF-8: {error}. Download it from the site again."
        ) from error
    table = _table(text)
    if not table:
        raise Refusal("The file is empty.")
    headings, *cells = table
    known = [heading.strip().casefold() for heading in headings]
    columns = {
        field: next((known.index(name) for name in names if name in known), None)
        for field, names in _COLUMNS[site.name].items()
    }
    for field in ("session", "worker"):
        if columns[field] is None:
            wanted = " or ".join(_COLUMNS[site.name][field])
            raise Refusal(
                f"The file has no column {wanted}. It has: {', '.join(headings)}. Use the results "
                f"that {site.label} lets you download."
            )
    claims = [_claim(columns, row) for row in cells]
    counts = Counter(claim.session for claim in claims)
    if counts[""]:
        raise Refusal(
            f"The file lists {site.submission}s without an id: {counts['']} of {len(claims)}. "
            "Download it from the site again."
        )
    doubled = [session for session, count in counts.items() if count > 1]
    if doubled:
        raise Refusal(
            f"The file lists {len(doubled)} {site.submission}s twice, such as {doubled[0]}. "
            "Download it from the site again."
        )
    return SiteFile(headings, cells, claims)


def _table(text: str) -> list[list[str]]:
    """The filled rows of a CSV; a spreadsheet may have saved it with semicolons or tabs."""
    csv.field_size_limit(LONGEST_CELL)
    heading = text.partition("\n")[0]
    delimiter = max(",;\t", key=heading.count)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise Refusal(
            f"The file is no whole CSV ({error}): it was cut short or changed. Download it from "
            "the site again."
        ) from error
    return [row for row in lines if any(cell.strip() for cell in row)]


def _claim(columns: dict[str, int | None], row: list[str]) -> Claim:
    def cell(field: str) -> str:
        at = columns[field]
        return row[at].strip() if at is not None and at < len(row) else ""

    return Claim(cell("worker"), cell("session"), cell("code"), cell("status"))


def norm_code(code: str) -> str:
    """A code as it was given out, whatever blanks, hyphens and case came back."""
    return "".join(c for c in code if c.isalnum()).upper()
