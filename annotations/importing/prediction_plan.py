"""Plans of prediction imports, shown before anything is written."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from annotations.importing.import_reports import Problems
from annotations.importing.prediction_matching import Match
from annotations.prediction_format import PredictionDraft, PredictionFile
from annotations.run.second_reading import RULE as SECOND_READER
from core.reply.result import Reading
from core.reply.similarity import RULE as SIMILARITY
from core.reply.verdict import ONLY_OURS, ONLY_THEIRS, verdict


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """A prediction with its question and what was read out of it.

    Attributes:
        reading: its choice is a position in the order shown.
        choice: index in the question's own order; None where nothing was read.
    """

    draft: PredictionDraft
    match: Match
    reading: Reading
    choice: int | None

    @property
    def right(self) -> bool | None:
        """Whether the choice is the stored key; None without a key."""
        key = self.match.question.key
        return None if key is None else self.choice == key


@dataclass(frozen=True, slots=True)
class StoredReply:
    """The reply to a question that a run has already.

    Attributes:
        reply: raw; None where none came.
        rule: which rule read it.
        revision_id: of the question that it answers.
        alike: that revision and others of the question with the same options and clip.
    """

    reply: str | None
    rule: str
    revision_id: int | None
    alike: frozenset[int]


@dataclass
class PlannedRun:
    """The answers of one model under one condition.

    Attributes:
        free: whether they answer questions without options, which are in tasks of their own.
        answers: by question id; of two about one question the later.
        stored: what the run has answered before, by question id.
    """

    model: str
    condition: str
    answers: dict[int, PlannedAnswer] = field(default_factory=dict[int, PlannedAnswer])
    stored: dict[int, StoredReply] = field(default_factory=dict[int, StoredReply])
    free: bool = False

    @property
    def states(self) -> Counter[str]:
        """How many replies were read, refused, unread..."""
        return Counter(answer.reading.state for answer in self.answers.values())

    @property
    def rules(self) -> Counter[str]:
        """How many questions were found by each rule."""
        return Counter(answer.match.rule for answer in self.answers.values())

    @property
    def verdicts(self) -> Counter[str]:
        """Count our scores against the file's, where it has scores and the question has a key."""
        return Counter(
            verdict(answer.right, answer.draft.score) for answer in self.answers.values()
        )

    @property
    def differing(self) -> list[PlannedAnswer]:
        """The answers that the file scores differently from us."""
        return [
            answer
            for answer in self.answers.values()
            if verdict(answer.right, answer.draft.score) in (ONLY_OURS, ONLY_THEIRS)
        ]

    def only_judges(self, question_id: int) -> bool:
        """Whether a row adds a judge's scores to the answer that the run has, and no answer.

        Files of judges repeat what the model said, but not how it was scored before.
        """
        draft = self.answers[question_id].draft
        return bool(draft.judged) and not draft.similarities and question_id in self.stored

    def read_better(self, question_id: int) -> bool:
        """Whether a model has read or scored this very reply here, and the file says less of it."""
        stored, answer = self.stored.get(question_id), self.answers[question_id]
        if stored is None or stored.reply != answer.draft.response:
            return False
        if self.free:
            return stored.rule == SIMILARITY and not answer.draft.similarities
        return stored.rule == SECOND_READER and answer.choice is None

    def revision_id(self, question_id: int) -> int:
        """The question's revision that an answer is to.

        The same reply that the run has already stays with the revision it was stored with, though
        somebody corrected text or key since: what people said about that answer hangs on it.
        """
        stored, answer = self.stored.get(question_id), self.answers[question_id]
        current = answer.match.question.revision_id
        if stored is None or stored.revision_id is None or stored.reply != answer.draft.response:
            return current
        return stored.revision_id if current in stored.alike else current

    @property
    def writes(self) -> Counter[str]:
        """How many answers are new, and how many the run has with the same or another reply."""
        counts: Counter[str] = Counter()
        for number, answer in self.answers.items():
            if number not in self.stored:
                counts["new"] += 1
            elif self.only_judges(number):
                counts["judge's scores only"] += 1
            else:
                same = self.stored[number].reply == answer.draft.response
                counts["same reply" if same else "other reply"] += 1
        return counts


@dataclass
class PredictionPlan:
    """What an import of predictions would do.

    Attributes:
        files: as their readers understand them.
        runs: one for each model and condition.
        unmatched: rows about no stored question, or about several.
        shortened: rows that display fewer options than their question has.
        other_keys: rows whose right option is not the stored key; the stored one counts.
        questions: how many questions the workspace holds.
        problems: what a person should know.
        undecided: what has to be said before anything is written; '' if nothing.
        stamp: content of the files, so that a plan is not carried out on other content.
    """

    files: tuple[PredictionFile, ...]
    runs: list[PlannedRun] = field(default_factory=list[PlannedRun])
    unmatched: int = 0
    shortened: int = 0
    other_keys: int = 0
    questions: int = 0
    problems: Problems = field(default_factory=Problems)
    undecided: str = ""
    stamp: tuple[tuple[Path, str], ...] = ()

    @property
    def matched(self) -> int:
        """How many answers would be stored."""
        return sum(len(run.answers) for run in self.runs)

    def report(self) -> dict[str, Any]:
        """The plan as JSON can hold it."""
        return {
            "format": ", ".join(dict.fromkeys(item.format for item in self.files)),
            "files": [str(path) for item in self.files for path in item.files],
            "mapping": [dict(item.mapping) for item in self.files],
            "runs": [
                {
                    "model": run.model,
                    "condition": run.condition,
                    "free_answers": run.free,
                    "answers": len(run.answers),
                    "found_by": dict(run.rules),
                    "states": dict(run.states),
                    "ours_and_theirs": dict(run.verdicts),
                    "writes": dict(run.writes),
                }
                for run in self.runs
            ],
            "matched": self.matched,
            "unmatched": self.unmatched,
            "fewer_options": self.shortened,
            "other_keys": self.other_keys,
            "undecided": self.undecided,
            "errors": self.problems.errors,
            "warnings": self.problems.warnings,
            "problems": [asdict(item) for item in self.problems.worst_first],
            "problems_left_out": self.problems.left_out,
        }
