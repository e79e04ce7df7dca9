"""Which stored question a prediction is about, by whatever the file says of it.

Rules go from the surest to the least sure. A rule that finds several questions decides nothing, and
a question whose options are not those of the file is never taken, since a choice could not be
carried over to it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal, TypeVar

from annotations.prediction_format import PredictionDraft
from annotations.question.stored_questions import StoredQuestion
from annotations.reading.answer_key import plain
from annotations.reading.records import Problem, shown
from annotations.video.video_folder import SUFFIXES

BY_ID = "id"
BY_VIDEO_AND_TEXT = "video and text"
BY_TEXT = "text and options, no video said"
BY_PROMPT = "video, and the text inside the prompt"
BY_OPTIONS = "video and options, no text said"
BY_NUMBER = "category and number"

# A link says which video it is in one of these ways; files are named by that identity.
_YOUTUBE = re.compile(r"(?:[?&]v=|youtu\.be/|/embed/|/shorts/)([A-Za-z0-9_-]{11})")

Order = tuple[int, ...]
Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Match:
    """A prediction with its question.

    Attributes:
        order: options in the order shown, as positions in the question's own order.
        rule: how the question was found.
    """

    question: StoredQuestion
    order: Order
    rule: str


@dataclass
class Questions:
    """The questions of a workspace, found by what files say of them."""

    all: list[StoredQuestion]
    _by_uid: dict[str, list[StoredQuestion]] = field(init=False)
    _by_text: dict[str, list[StoredQuestion]] = field(init=False)
    _by_video: dict[str, list[StoredQuestion]] = field(init=False)
    _by_place: dict[tuple[str, int], list[StoredQuestion]] = field(init=False)
    _doubles: Counter[tuple[object, ...]] = field(default_factory=Counter[tuple[object, ...]])

    def __post_init__(self) -> None:
        self._by_uid = _grouped(self.all, lambda one: one.uid)
        self._by_text = _grouped(self.all, lambda one: plain(one.text))
        self._by_video = _grouped(self.all, lambda one: _stem(one.video))
        current = [one for one in self.all if one.newest]
        self._by_place = _grouped(current, lambda one: (plain(one.category), one.place))

    def match(self, draft: PredictionDraft) -> Match | Problem:
        """The question of a prediction, or why there is none.

        Equal questions, which data sets hold by mistake, are taken in their order: the first row
        of the file is about the first of them.
        """
        near: list[StoredQuestion] = []
        for rule, found in self._candidates(draft):
            fitting = _fitting(draft, found)
            ids = {one.question.question_id for one in fitting}
            if len(ids) == 1:
                return _told(draft, Match(fitting[0].question, fitting[0].order, rule))
            if len(ids) > 1:
                chosen = self._of_equals(draft, [one for one in fitting if one.question.newest])
                if chosen is None:
                    return _several(draft, rule, fitting)
                return _told(draft, Match(chosen.question, chosen.order, rule))
            near += found
        return _none(draft, near, self._here(draft.question.video) != [])

    def _candidates(self, draft: PredictionDraft) -> Iterable[tuple[str, list[StoredQuestion]]]:
        """Questions by each rule that the file says enough for, the surest first."""
        about = draft.question
        for uid in about.uids:
            yield BY_ID, [one for one in self._by_uid.get(uid, ()) if _may_be(draft, one)]
        if about.text:
            same = self._by_text.get(plain(about.text), [])
            if about.video:
                yield BY_VIDEO_AND_TEXT, [one for one in same if _same_video(about.video, one)]
                yield BY_PROMPT, _inside(about.text, self._here(about.video))
            elif about.options:
                yield BY_TEXT, same
        elif about.options and about.video:
            yield BY_OPTIONS, self._here(about.video)
        if about.number is not None and about.category and not about.text:
            # Nothing but its place says which it is; only options or a key can bear that out.
            found = self._by_place.get((plain(about.category), about.number), [])
            if about.options or about.key is not None:
                yield BY_NUMBER, [one for one in found if _bears_out(draft, one)]

    def _here(self, video: str) -> list[StoredQuestion]:
        if not video:
            return []
        return [one for one in self._by_video.get(_stem(video), ()) if _same_video(video, one)]

    def _of_equals(self, draft: PredictionDraft, fitting: Sequence[Match]) -> Match | None:
        """The next one of questions that differ in nothing that the file could say; else None."""
        category = plain(draft.question.category)
        narrowed = [one for one in fitting if plain(one.question.category) == category] or fitting
        if draft.question.key is not None:
            keyed = [one for one in narrowed if _right(draft, one.order) == one.question.key]
            narrowed = keyed or narrowed
        if len(narrowed) == 1:
            return narrowed[0]
        alike = {
            (plain(one.question.text), one.question.options, one.question.key, one.question.video)
            for one in narrowed
        }
        if len(alike) != 1:
            return None
        identity = (draft.model, draft.condition, draft.file, *alike)
        place = self._doubles[identity]
        self._doubles[identity] += 1
        return narrowed[place % len(narrowed)]


def _grouped(
    questions: Iterable[StoredQuestion], name: Callable[[StoredQuestion], Name]
) -> dict[Name, list[StoredQuestion]]:
    groups: dict[Name, list[StoredQuestion]] = defaultdict(list)
    for one in questions:
        groups[name(one)].append(one)
    return dict(groups)


def option_order(displayed: Sequence[str], stored: Sequence[str]) -> Order | None:
    """Displayed options as positions in a question's own order; None if they are others.

    Case, blanks and punctuation around them do not count; a file may display fewer options than
    the question has. No displayed options stand for the question's own order.
    """
    if not displayed:
        return tuple(range(len(stored)))
    here, there = [plain(one) for one in displayed], [plain(one) for one in stored]
    if here == there:
        return tuple(range(len(there)))
    places = [[i for i, one in enumerate(there) if one == words] for words in here]
    if any(len(found) != 1 for found in places):
        return None
    order = tuple(found[0] for found in places)
    return order if len(set(order)) == len(order) else None


def _fitting(draft: PredictionDraft, found: Sequence[StoredQuestion]) -> list[Match]:
    """Of each question the newest revision whose options are those of the file."""
    fitting: dict[int, Match] = {}
    for one in found:
        order = option_order(draft.question.options, one.options)
        if order is not None:
            fitting.setdefault(one.question_id, Match(one, order, ""))
    return list(fitting.values())


def _inside(prompt: str, found: Sequence[StoredQuestion]) -> list[StoredQuestion]:
    """The questions with the longest text that stands in a prompt."""
    words = plain(prompt)
    inside = [one for one in found if plain(one.text) in words]
    longest = max((len(one.text) for one in inside), default=0)
    return [one for one in inside if len(one.text) == longest]


def _may_be(draft: PredictionDraft, one: StoredQuestion) -> bool:
    """Whether nothing that the file says of a question with the same id speaks against it.

    Ids such as 17 repeat between data sets. A text that was corrected since is no objection where
    the video is the same.
    """
    about = draft.question
    text, wanted = plain(one.text), plain(about.text)
    same_text = not about.text or text in wanted or wanted in text
    return same_text or (bool(about.video) and _same_video(about.video, one))


def _bears_out(draft: PredictionDraft, one: StoredQuestion) -> bool:
    about = draft.question
    if about.video and not _same_video(about.video, one):
        return False
    order = option_order(about.options, one.options)
    return order is not None and (about.key is None or _right(draft, order) == one.key)


def _right(draft: PredictionDraft, order: Order) -> int | None:
    """The file's right option in the question's own order."""
    key = draft.question.key
    return order[key] if key is not None and 0 <= key < len(order) else None


def _parts(name: str) -> list[str]:
    linked = _YOUTUBE.search(name)
    if linked:
        return [linked[1].casefold()]
    path = PurePosixPath(name.replace("\\", "/").casefold())
    bare = path.with_suffix("") if path.suffix in SUFFIXES else path
    return [part for part in bare.parts if part not in (".", "/")]


def _stem(name: str) -> str:
    return (_parts(name) or [""])[-1]


def _same_video(name: str, one: StoredQuestion) -> bool:
    """Whether a file's name of a video is the stored one, with more or fewer folders before it."""
    here, there = _parts(name), _parts(one.video)
    length = min(len(here), len(there))
    return length > 0 and here[-length:] == there[-length:]


def _told(draft: PredictionDraft, match: Match) -> Match | Problem:
    if match.question.retired:
        return _problem(
            draft, f"its question {match.question.uid} is retired", "It is left out.", "warning"
        )
    return match


def _several(draft: PredictionDraft, rule: str, found: Sequence[Match]) -> Problem:
    names = ", ".join(one.question.uid for one in found[:3])
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return _problem(
        draft,
        f"fits {len(found)} questions by {rule}: {names}{more}",
        "Add a column with the id of the question, or take out the questions that are doubled.",
    )


def _none(draft: PredictionDraft, near: Sequence[StoredQuestion], has_video: bool) -> Problem:
    about = draft.question
    if near:
        theirs = " | ".join(shown(one, 40) for one in near[0].options)
        return _problem(
            draft,
            f"its options are not those of question {near[0].uid}, so a choice cannot be carried "
            f"over; there they are {theirs}",
            "Import the questions that the model was asked.",
        )
    if about.video and not has_video:
        return _problem(
            draft,
            f"no stored question is about video {shown(about.video, 60)}",
            "Import the questions first.",
        )
    named = about.uids[0] if about.uids else about.text or about.video or about.number
    return _problem(
        draft,
        f"no stored question is {shown(named, 60)}",
        "Import the questions first, or name the column that identifies them: --map id=COLUMN.",
    )


def _problem(
    draft: PredictionDraft, what: str, todo: str, level: Literal["error", "warning"] = "error"
) -> Problem:
    return Problem(level, what, draft.file, draft.row, todo=todo)
