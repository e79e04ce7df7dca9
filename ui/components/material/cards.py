"""Videos and questions as cards with contact sheets that play while the pointer rests on them."""

import json
from collections.abc import Mapping, Sequence

from annotations.material.question_list import ListedQuestion
from annotations.material.video_list import ListedVideo
from annotations.people import Person
from annotations.video.video_health import weaknesses
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.reply.reading import LETTERS
from core.video.plans import uniform
from ui.components.filters.gallery import Badge, Card
from ui.routes.media import address, small_sheet_address

FRAMES = 4
LONGEST = 140


def video_cards(
    workspace: Workspace,
    person: Person,
    videos: Sequence[ListedVideo],
    near: Mapping[int, str] | None = None,
) -> list[Card]:
    """A card for each video; `near` says by id which other one has almost the same pictures."""
    return [_video(workspace, person, row, (near or {}).get(row.id, "")) for row in videos]


def _video(workspace: Workspace, person: Person, row: ListedVideo, near: str) -> Card:
    usable = row.status == "usable"
    badges = [] if usable else [Badge(row.status, "reject")]
    weak = weaknesses(json.loads(row.facts)) if usable else []
    badges += [Badge("damaged", "reject")] if weak else []
    badges += [Badge("edited")] if row.edited else []
    if row.questions:
        badges.append(Badge(count(row.questions, "question"), "accept"))
    facts = [
        f"{row.duration_s:.1f} s" if row.duration_s else "",
        f"{row.width}×{row.height}" if row.width else "",
    ]
    title = row.title or row.name.rsplit("/", 1)[-1]
    return Card(
        str(row.id), title, sheet(workspace, person, row, 0.0, None), tuple(badges),
        tuple(filter(None, (" · ".join(filter(None, facts)), near, row.reason, *weak))),
        "\n".join(filter(None, (row.title, row.name, near, row.reason, *weak))),
        play=address(workspace, person, row.sha256, "player") if usable else "",
    )  # fmt: skip


def question_cards(
    workspace: Workspace, person: Person, questions: Sequence[ListedQuestion]
) -> list[Card]:
    """A card for each question."""
    return [_question(workspace, person, row) for row in questions]


def _question(workspace: Workspace, person: Person, row: ListedQuestion) -> Card:
    options: list[str] = json.loads(row.options)
    key = "no key" if row.key is None else f"{_letter(row.key)}. {options[row.key]}"
    badges = [Badge(row.category)] if row.category else []
    badges += [Badge("retired", "reject")] if row.retired_at else []
    badges += [Badge(f"video {row.status}", "reject")] if row.status != "usable" else []
    numbers = ((row.people, "people"), (row.models, "models"))
    answers = [f"{count(number, 'answer')} of {whose}" for number, whose in numbers if number]
    return Card(
        str(row.id), row.uid, sheet(workspace, person, row, row.start_s, row.end_s),
        tuple(badges), tuple(filter(None, (short(row.text), key, " · ".join(answers)))),
        "\n".join((row.text, *(f"{_letter(i)}. {text}" for i, text in enumerate(options)))),
        play=address(workspace, person, row.sha256, "player")
        if row.status == "usable" else "",
        start_s=row.start_s, end_s=row.end_s,
    )  # fmt: skip


def sheet(
    workspace: Workspace,
    person: Person,
    row: ListedVideo | ListedQuestion,
    start_s: float,
    end_s: float | None,
) -> str:
    """The address of four frames of a clip side by side; '' where there are none."""
    if row.status != "usable" or not row.sha256:
        return ""
    whole = not start_s and end_s is None
    if whole and row.n_frames:
        frames = uniform(row.n_frames, FRAMES)
    else:
        try:
            inside = workspace.media.frames_between(row.sha256, start_s, end_s)
        except (OSError, Refusal):
            return ""
        frames = tuple(inside[index] for index in uniform(len(inside), FRAMES))
    return small_sheet_address(workspace, person, row.sha256, frames) if frames else ""


def short(text: str) -> str:
    """A text that fits a card."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def count(number: int, word: str) -> str:
    """A number with its noun."""
    return f"{number:,} {word}{'s'[: number != 1]}"


def _letter(index: int) -> str:
    return LETTERS[index] if index < len(LETTERS) else str(index + 1)
