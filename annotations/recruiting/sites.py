"""The sites that strangers come from: what their addresses hold, and whether it can be true."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.refusal import Refusal

NO_ASSIGNMENT = "ASSIGNMENT_ID_NOT_AVAILABLE"
TWICE = (
    "The address holds {name} twice. Open the link on the page of {site} again, and change nothing "
    "in the address."
)
ABSENT = (
    "The address lacks {name}. Open the link on the page of {site} again, and change nothing in "
    "the address."
)
NO_ID = (
    "{name} in the address is no id of {site}. Open the link on the page of {site} again, and "
    "change nothing in the address."
)


@dataclass(frozen=True)
class Site:
    """A site that pays people for work.

    Attributes:
        name: as it is stored.
        label: as people say it.
        person: what somebody from there is called here, before a number.
        parameters: names in the address of the worker, of their submission, and of the study.
        shapes: what these look like.
        own_codes: whether authors enter the completion codes that the site has made.
        submission: what the site calls one.
    """

    name: str
    label: str
    person: str
    parameters: tuple[str, str, str]
    shapes: tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]
    own_codes: bool
    submission: str


_HEX = re.compile(r"[0-9a-f]{24}")
_CAPITALS = re.compile(r"[0-9A-Z]{20,40}")
SITES = {
    site.name: site
    for site in (
        Site(
            "mturk", "Mechanical Turk", "Turk", ("workerId", "assignmentId", "hitId"),
            (re.compile(r"A[0-9A-Z]{7,30}"), _CAPITALS, _CAPITALS), False, "assignment",
        ),
        Site(
            "prolific", "Prolific", "Prolific", ("PROLIFIC_PID", "SESSION_ID", "STUDY_ID"),
            (_HEX, _HEX, _HEX), True, "submission",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Arrival:
    """Whom an address names. It proves nothing: whoever has the link can write another name.

    Attributes:
        worker: the site's id of the person.
        session: the site's id of what they were given to do, and are paid for.
        study: the site's id of the job.
    """

    worker: str
    session: str
    study: str


def read_arrival(site: Site, parameters: Iterable[tuple[str, str]]) -> Arrival | None:
    """Return whom an address names; None for a preview, which names nobody.

    Raises:
        Refusal: for parameters that are absent, doubled, or not of the site's shape.
    """
    values: dict[str, str] = {}
    for name, value in parameters:
        if name not in site.parameters:
            continue
        if name in values:
            raise Refusal(TWICE, name=name, site=site.label)
        values[name] = value
    worker, session, study = (values.get(name, "") for name in site.parameters)
    if session == NO_ASSIGNMENT or not any(values.values()):
        return None
    for name, value, shape in zip(
        site.parameters, (worker, session, study), site.shapes, strict=True
    ):
        if not value:
            raise Refusal(ABSENT, name=name, site=site.label)
        if not shape.fullmatch(value):
            raise Refusal(NO_ID, name=name, site=site.label)
    return Arrival(worker, session, study)
