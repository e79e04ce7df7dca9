"""Import of people's answers, planned: matched to questions and read, nothing written yet."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from annotations import answer_format
from annotations.answer_format import AnswerDraft, AnswerFile
from annotations.condition import ALLOWED, Condition
from annotations.importing.file_stamp import stamp_of
from annotations.importing.import_reports import Problems
from annotations.importing.prediction_matching import Match, Questions
from annotations.prediction_format import PredictionChoices, read_free, read_reply
from annotations.question.stored_questions import StoredQuestion, stored_questions
from annotations.reading.answer_key import number_of
from annotations.reading.records import Problem
from annotations.video.library import Progress, no_progress
from annotations.workspace import Workspace
from core.refusal import Refusal
from core.reply.reading import read, read_several

NO_CONDITION = (
    "The files do not say what people were shown. Name it: --condition 'full video'. "
    f"Allowed: {ALLOWED}."
)
_POSITIONS = " Say --keys 0 or --keys 1 if answers are positions."
TWICE = "of a person who had answered the question before"


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """A person's answer with its question.

    Attributes:
        source: the tool that it comes from.
        choice: index in the question's own order; None for a free answer or a set.
        chosen: indices, ascending, where any number of options may be chosen; else ().
    """

    draft: AnswerDraft
    match: Match
    source: str
    choice: int | None
    chosen: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """What the answer was read as, for a person."""
        options = self.match.question.options
        chosen = self.chosen if self.choice is None else (self.choice,)
        read = "; ".join(f"{chr(ord('A') + index)}. {options[index]}" for index in chosen)
        return read or "a free answer"


@dataclass
class AnswerPlan:
    """What an import of people's answers would do.

    Attributes:
        files: as their readers understand them.
        answers: by person, question and condition; of several the one that was given first.
        left_out: how many answers do not count, by the reason.
        people: everybody in the files, by the names that the other tool has for them.
        unmatched: rows about no stored question, or about several.
        unread: answers that name none of their question's options.
        questions: how many questions the workspace holds.
        problems: what a person should know.
        undecided: what has to be said before anything is written; '' if nothing.
        stamp: content of the files.
    """

    files: tuple[AnswerFile, ...]
    answers: dict[tuple[str, int, str], PlannedAnswer] = field(
        default_factory=dict[tuple[str, int, str], PlannedAnswer]
    )
    left_out: Counter[str] = field(default_factory=Counter[str])
    people: dict[str, None] = field(default_factory=dict[str, None])
    unmatched: int = 0
    unread: int = 0
    questions: int = 0
    problems: Problems = field(default_factory=Problems)
    undecided: str = ""
    stamp: tuple[tuple[Path, str], ...] = ()

    @property
    def matched(self) -> int:
        """How many answers would count."""
        return len(self.answers)

    @property
    def conditions(self) -> Counter[str]:
        """How many answers were given under each condition."""
        return Counter(condition for _, _, condition in self.answers)

    @property
    def right(self) -> tuple[int, int]:
        """How many answers are the stored key or the very right set, of how many with either."""
        asked = [(answer, answer.match.question) for answer in self.answers.values()]
        sets = [answer.chosen == question.right for answer, question in asked if question.right]
        keys = [answer.choice == q.key for answer, q in asked if q.key is not None]
        return sum(sets) + sum(keys), len(sets) + len(keys)

    def report(self) -> dict[str, Any]:
        """The plan as JSON can hold it; without the names that another tool has for people."""
        right, keyed = self.right
        return {
            "format": ", ".join(dict.fromkeys(file.format for file in self.files)),
            "files": [str(path) for file in self.files for path in file.files],
            "mapping": [dict(file.mapping) for file in self.files],
            "people": len(self.people),
            "counted": self.matched,
            "left_out": dict(self.left_out),
            "conditions": dict(self.conditions),
            "right": right,
            "with_key": keyed,
            "unmatched": self.unmatched,
            "unread": self.unread,
            "undecided": self.undecided,
            "errors": self.problems.errors,
            "warnings": self.problems.warnings,
            "problems": [asdict(problem) for problem in self.problems.worst_first],
            "problems_left_out": self.problems.left_out,
        }


def plan_answers(
    workspace: Workspace,
    paths: Sequence[Path],
    choices: PredictionChoices | None = None,
    *,
    format_name: str = "",
    progress: Progress = no_progress,
) -> AnswerPlan:
    """Plan the import of files or folders in which people answered; nothing is written.

    Args:
        workspace: where the questions are.
        paths: files or folders.
        choices: what the person who imports decided; None: everything is told from the files.
        format_name: a module of annotations/answer_formats; '' to tell it from the content.
        progress: told how many files are read.

    Raises:
        Refusal: if a path cannot be read; says why and what to do.
    """
    chosen = choices or PredictionChoices()
    files = tuple(_open(path, chosen, format_name) for path in paths)
    stored = stored_questions(workspace)
    if not stored:
        raise Refusal("The workspace holds no questions. Import the questions first.")
    plan = AnswerPlan(files, questions=sum(question.newest for question in stored))
    plan.stamp = stamp_of(path for file in files for path in file.files)
    questions = Questions(stored)
    for number, file in enumerate(files):
        progress("Reading answers", number, len(files))
        for problem in file.problems:
            plan.problems.add(problem)
        for entry in file.rows():
            if isinstance(entry, Problem):
                plan.problems.add(entry)
            else:
                _add(plan, file.source, entry, questions)
    progress("Reading answers", len(files), len(files))
    plan.undecided = _undecided(plan)
    return plan


def _open(path: Path, choices: PredictionChoices, format_name: str) -> AnswerFile:
    path = path.expanduser().resolve()
    return answer_format.load(format_name or answer_format.detect(path)).read(path, choices)


def _add(plan: AnswerPlan, source: str, draft: AnswerDraft, questions: Questions) -> None:
    plan.people[draft.person] = None
    if draft.left_out:
        plan.left_out[draft.left_out] += 1
        return
    answer = draft.answer
    match = questions.match(answer)
    if isinstance(match, Problem):
        plan.unmatched += 1
        plan.problems.add(match)
        return
    question = match.question
    shown = [question.options[index] for index in match.order]
    reading = read_reply(answer, shown) if shown else read_free(answer)
    several = _options_chosen(draft, question, shown)
    unread = reading.choice is None if shown else reading.state != "read"
    if not several and (draft.several or unread):
        plan.unread += 1
        what = "no answer" if answer.response is None else "the answer names none of the options"
        if draft.several and not question.right:
            what = "several answers; one option is expected"
        plan.problems.add(
            Problem(
                "error", what, answer.file, answer.row, value=(answer.response or "")[:80],
                allowed=f"a letter or the words of an option of {question.uid}" if shown else "",
                todo="It is left out."
                + ("" if number_of(answer.response or "") is None else _POSITIONS),
            )
        )  # fmt: skip
        return
    chosen = None if reading.choice is None else match.order[reading.choice]
    if question.right:
        options = sorted(match.order[index] for index in several) or [chosen or 0]
        planned = PlannedAnswer(draft, match, source, None, tuple(options))
    else:
        planned = PlannedAnswer(draft, match, source, chosen)
    key = (draft.person, question.question_id, answer.condition)
    earlier = plan.answers.get(key)
    if earlier is not None:
        plan.left_out[TWICE] += 1
        if _moment(earlier.draft) <= _moment(draft):
            return
    plan.answers[key] = planned


def _options_chosen(
    draft: AnswerDraft, question: StoredQuestion, shown: Sequence[str]
) -> tuple[int, ...]:
    """Places, as shown, of the options that an answer names where any number may be chosen.

    () where one option is asked for, or a part of the answer is none of the options.
    """
    answer = draft.answer
    labels = answer.question.labels or None
    if not question.right or answer.choice is not None:
        return ()
    if not draft.several:
        return read_several(answer.response, shown, labels)
    read_parts = [read(part, shown, labels).choice for part in draft.several]
    chosen = {index for index in read_parts if index is not None}
    return tuple(sorted(chosen)) if len(chosen) == len(draft.several) else ()


def _moment(draft: AnswerDraft) -> float:
    return draft.answered_at or 0.0


def _undecided(plan: AnswerPlan) -> str:
    """What a person must say before the answers are written; '' if nothing."""
    for condition in plan.conditions:
        if not condition:
            return NO_CONDITION
        try:
            Condition.parse(condition)
        except Refusal as error:
            return f"{error} Name it: --condition 'full video'."
    return ""
