"""Clips of a filter as cards: thumbnail, score, and what the filter and people said."""

from collections.abc import Sequence

import numpy as np

from annotations.filter.filter_table import Filtered
from annotations.people import Person
from annotations.video.video_about import titles_of
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.statistics.ratings import Ints
from core.statistics.threshold import ACCEPTED, UNJUDGED
from ui.components.filters.gallery import Badge, Card, Tone
from ui.routes.media import address


def clip_cards(
    workspace: Workspace,
    person: Person,
    table: Filtered,
    indices: Sequence[int],
    model: Ints,
    *,
    short: bool = False,
) -> list[Card]:
    """A card for each of some rows of the table.

    Args:
        workspace: where the videos lie.
        person: whom the addresses of thumbnails are for.
        table: a filter beside people.
        places: rows.
        model: (items,) the filter's verdicts, by itself or by a threshold.
        short: whether only what a small card can hold.
    """
    items = [int(table.item_id[index]) for index in indices]
    titles = titles_of(workspace, items)
    return [
        (_short if short else _card)(
            workspace, person, table, index, int(model[index]), titles.get(item, "")
        )
        for index, item in zip(indices, items, strict=True)
    ]


def _short(
    workspace: Workspace, person: Person, table: Filtered, index: int, model: int, title: str
) -> Card:
    """Score, and the verdict in its colour: people's where there is one, else the filter's."""
    people = int(table.people[index])
    who, verdict = ("filter", model) if people == UNJUDGED else ("people", people)
    label = badge(who, verdict)
    mark = {"accept": " ✓", "reject": " ✕", "muted": ""}[label.tone]
    return Card(
        str(int(table.item_id[index])), f"{table.score[index]:.3f}".replace("-", "−"),
        thumb(workspace, person, table.sha256[index], table.clip[index]),
        (Badge(f"{who}{mark}", label.tone),), (),
        "\n".join(filter(None, (title, table.names[index], label.text))),
    )  # fmt: skip


def _card(
    workspace: Workspace, person: Person, table: Filtered, index: int, model: int, title: str
) -> Card:
    people = int(table.people[index])
    badges = [badge("filter", model)]
    if table.tie[index]:
        badges.append(Badge("people: tie"))
    elif people != UNJUDGED:
        badges.append(badge("people", people))
    score = float(table.score[index])
    lines = [f"score {score:.3f}".replace("-", "−")] if np.isfinite(score) else []
    for who, reasons in (("filter", table.model_reasons[index]),
                       ("people", table.people_reasons[index])):  # fmt: skip
        if reasons:
            lines.append(f"{who}: {reasons_words(table, reasons)}")
    name = table.names[index]
    return Card(
        str(int(table.item_id[index])), title or name.rsplit("/", 1)[-1],
        thumb(workspace, person, table.sha256[index], table.clip[index]), tuple(badges),
        tuple(lines), "\n".join(filter(None, (title, name))),
    )  # fmt: skip


def badge(who: str, verdict: int) -> Badge:
    """What somebody said, in the colour of the verdict."""
    if verdict == UNJUDGED:
        return Badge(f"{who}: nothing")
    tone: Tone = "accept" if verdict == ACCEPTED else "reject"
    return Badge(f"{who}: {tone}", tone)


def reasons_words(table: Filtered, reasons: frozenset[str]) -> str:
    """Labels of some reasons, in the order of the task's list."""
    known = [label for reason, label in table.labels.items() if reason in reasons]
    return ", ".join(known + sorted(reasons - set(table.labels)))


def thumb(
    workspace: Workspace, person: Person, sha256: str, clip: tuple[float, float | None]
) -> str:
    """The address of a small picture of a clip's middle frame; '' where there is none."""
    if not sha256:
        return ""
    try:
        inside = workspace.media.frames_between(sha256, *clip)
    except (OSError, Refusal):
        return ""
    return (
        address(workspace, person, sha256, f"thumbs/{inside[len(inside) // 2]}.jpg")
        if inside
        else ""
    )
