"""Which stored question a prediction is about, by whatever the file says of it.

Rules go from the surest to the least sure. A rule that finds several questions decides nothing, and
a question whose options are not those of the file is never taken, since a choice could not be
carried over to it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from annotations.prediction_format import PredictionDraft
from annotations.question.stored_questions import StoredQuestion
from annotations.reading.answer_key import plain
from annotations.reading.records import Problem, shown
from annotations.video.video_names import same_video, stem

BY_ID = "id"
BY_VIDEO_AND_TEXT = "video and text"
BY_TEXT = "text and options, no video said"
BY_PROMPT = "video, and the text inside the prompt"
BY_OPTIONS = "video and options, no text said"
BY_NUMBER = "category and number"


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

    stored: list[StoredQuestion]
    _by_uid: dict[str, list[StoredQuestion]] = field(init=False)
    _by_text: dict[str, list[StoredQuestion]] = field(init=False)
    _by_video: dict[str, list[StoredQuestion]] = field(init=False)
    _by_place: dict[tuple[str, int], list[StoredQuestion]] = field(init=False)
    _doubles: Counter[tuple[object, ...]] = field(default_factory=Counter[tuple[object, ...]])

    def __post_init__(self) -> None:
        self._by_uid = _grouped(self.stored, lambda question: question.uid)
        self._by_text = _grouped(self.stored, lambda question: plain(question.text))
        self._by_video = _grouped(self.stored, lambda question: stem(question.video))
        current = [question for question in self.stored if question.newest]
        self._by_place = _grouped(
            current, lambda question: (plain(question.category), question.position)
        )

    def match(self, draft: PredictionDraft) -> Match | Problem:
        """Find the question of a prediction, or say why there is none.

        Equal questions, which data sets hold by mistake, are taken in their order: the first row
        of the file is about the first of them.
        """
        near: list[StoredQuestion] = []
        for rule, candidates in self._candidates(draft):
            fitting = _fitting(draft, candidates)
            ids = {match.question.question_id for match in fitting}
            if len(ids) == 1:
                return _told(draft, Match(fitting[0].question, fitting[0].order, rule))
            if len(ids) > 1:
                chosen = self._of_equals(
                    draft, [match for match in fitting if match.question.newest]
                )
                if chosen is None:
                    return _several(draft, rule, fitting)
                return _told(draft, Match(chosen.question, chosen.order, rule))
            near += candidates
        about = draft.question
        if not near and not about.video and not about.options and about.text:
            near_text = self._by_text.get(plain(about.text), [])
            if near_text:
                return _problem(
                    draft,
                    f"the text fits question {near_text[0].uid}, but the file says neither its "
                    "video nor its options, so their order cannot be checked",
                    "Add a column with the id, the video or the options.",
                )
        return _none(draft, near, self._here(draft.question.video) != [])

    def _candidates(self, draft: PredictionDraft) -> Iterable[tuple[str, list[StoredQuestion]]]:
        """Questions by each rule that the file says enough for, the surest first."""
        about = draft.question
        for uid in about.uids:
            yield (
                BY_ID,
                [question for question in self._by_uid.get(uid, ()) if _may_be(draft, question)],
            )
        if about.text:
            same = self._by_text.get(plain(about.text), [])
            if about.video:
                yield (
                    BY_VIDEO_AND_TEXT,
                    [question for question in same if same_video(about.video, question.video)],
                )
                yield BY_PROMPT, _inside(about.text, self._here(about.video))
            elif about.options:
                yield BY_TEXT, same
        elif about.options and about.video:
            yield BY_OPTIONS, self._here(about.video)
        if about.number is not None and about.category and not about.text:
            # Nothing but its place says which it is; only options or a key can bear that out.
            numbered = self._by_place.get((plain(about.category), about.number), [])
            if about.options or about.key is not None:
                yield BY_NUMBER, [question for question in numbered if _bears_out(draft, question)]

    def _here(self, video: str) -> list[StoredQuestion]:
        if not video:
            return []
        return [
            question
            for question in self._by_video.get(stem(video), ())
            if same_video(video, question.video)
        ]

    def _of_equals(self, draft: PredictionDraft, fitting: Sequence[Match]) -> Match | None:
        """Take the next of several questions that the file cannot tell apart; else None."""
        category = plain(draft.question.category)
        narrowed = [
            match for match in fitting if plain(match.question.category) == category
        ] or fitting
        if draft.question.key is not None:
            keyed = [
                match for match in narrowed if _right(draft, match.order) == match.question.key
            ]
            narrowed = keyed or narrowed
        if len(narrowed) == 1:
            return narrowed[0]
        alike = {
            (
                plain(match.question.text),
                match.question.options,
                match.question.key,
                match.question.video,
            )
            for match in narrowed
        }
        if len(alike) != 1:
            return None
        identity = (draft.model, draft.condition, draft.file, *alike)
        position = self._doubles[identity]
        self._doubles[identity] += 1
        return narrowed[position % len(narrowed)]


def _grouped(
    questions: Iterable[StoredQuestion], name: Callable[[StoredQuestion], Name]
) -> dict[Name, list[StoredQuestion]]:
    groups: dict[Name, list[StoredQuestion]] = defaultdict(list)
    for question in questions:
        groups[name(question)].append(question)
    return dict(groups)


def option_order(displayed: Sequence[str], stored: Sequence[str]) -> Order | None:
    """Displayed options as positions in a question's own order; None if they are others.

    Case, blanks and punctuation around them do not count; a file may display fewer options than
    the question has. No displayed options stand for the question's own order.
    """
    if not displayed:
        return tuple(range(len(stored)))
    wanted, known = [plain(option) for option in displayed], [plain(option) for option in stored]
    if wanted == known:
        return tuple(range(len(known)))
    positions = [[i for i, option in enumerate(known) if option == text] for text in wanted]
    if any(len(same) != 1 for same in positions):
        return None
    order = tuple(same[0] for same in positions)
    return order if len(set(order)) == len(order) else None


def _fitting(draft: PredictionDraft, candidates: Sequence[StoredQuestion]) -> list[Match]:
    """Return for each question its newest revision with the options of the file."""
    fitting: dict[int, Match] = {}
    for question in candidates:
        order = option_order(draft.question.options, question.options)
        if order is not None:
            fitting.setdefault(question.question_id, Match(question, order, ""))
    return list(fitting.values())


def _inside(prompt: str, candidates: Sequence[StoredQuestion]) -> list[StoredQuestion]:
    """The questions with the longest text that stands in a prompt."""
    text = plain(prompt)
    inside = [question for question in candidates if plain(question.text) in text]
    longest = max((len(question.text) for question in inside), default=0)
    return [question for question in inside if len(question.text) == longest]


def _may_be(draft: PredictionDraft, question: StoredQuestion) -> bool:
    """Whether everything that the file says agrees with the question of the same id.

    Ids such as 17 repeat between data sets. A text that was corrected since is no objection where
    the video is the same.
    """
    about = draft.question
    text, wanted = plain(question.text), plain(about.text)
    same_text = not about.text or text in wanted or wanted in text
    return same_text or (bool(about.video) and same_video(about.video, question.video))


def _bears_out(draft: PredictionDraft, question: StoredQuestion) -> bool:
    about = draft.question
    if about.video and not same_video(about.video, question.video):
        return False
    order = option_order(about.options, question.options)
    return order is not None and (about.key is None or _right(draft, order) == question.key)


def _right(draft: PredictionDraft, order: Order) -> int | None:
    """The file's right option in the question's own order."""
    key = draft.question.key
    return order[key] if key is not None and 0 <= key < len(order) else None


def _told(draft: PredictionDraft, match: Match) -> Match | Problem:
    if match.question.retired:
        return _problem(
            draft, f"its question {match.question.uid} is retired", "It is left out.", "warning"
        )
    return match


def _several(draft: PredictionDraft, rule: str, matches: Sequence[Match]) -> Problem:
    names = ", ".join(match.question.uid for match in matches[:3])
    more = f" and {len(matches) - 3} more" if len(matches) > 3 else ""
    return _problem(
        draft,
        f"fits {len(matches)} questions by {rule}: {names}{more}",
        "Add a column with the id of the question, or take out the questions that are doubled.",
    )


def _none(draft: PredictionDraft, near: Sequence[StoredQuestion], has_video: bool) -> Problem:
    about = draft.question
    if near:
        theirs = " | ".join(shown(option, 40) for option in near[0].options)
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
