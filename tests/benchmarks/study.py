"""A study of known truth, and whether every page's number is what a recount of it says.

    PYTHONPATH=. python tests/benchmarks/study.py [FOLDER]

1,484 questions about 1,397 videos in six categories, nine people of known accuracy under two
conditions, an author who answers and checks keys, a task that asks further people only where
answers differ, four models; skips, corrections, extras, a person put aside, keys fixed, questions
asked anew. Who answered what is written down here as it is given, and counted again in plain Python
by the rules that the README states. It prints each figure beside its recount, and every exclusion
with both counts; it ends with 1 where one differs.
"""

import json
import sys
import tempfile
import time
import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from random import Random

from annotations.adjudication.cross_check import check_keys
from annotations.agreement.coefficients import agreement_table
from annotations.answering import answer_store, exclusion, queue
from annotations.people import Person, add_annotator, now_text
from annotations.planning.task_store import create_task, grow
from annotations.question.questions import revise
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import ensure_run
from annotations.scoring.leaderboard import leaderboard
from annotations.scoring.pivot import AVERAGE, pivot
from annotations.scoring.score_coverage import population
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.reply.reading import read
from core.video.table import FrameTable
from ui.commands.metrics import report

CATEGORIES = ("count", "direction", "rotation", "shape", "velocity", "cues")
OPTIONS = ["up", "down", "left", "right", "nowhere"]
QUESTIONS, VIDEOS, OVERLAP = 1_484, 1_397, 3
PEOPLE = {f"P{number}": 0.55 + 0.05 * number for number in range(9)}
MODELS = {"fair": 0.6, "good": 0.7, "poor": 0.3, "part": 0.9}
FULL, FRAMES = "full video", "16 frames"


@dataclass
class Given:
    """One answer as it was given: the last of a person to an item is the one that stands."""

    person: str
    task: str
    question: int
    right: bool | None  # None for a skip
    choice: int


@dataclass
class Study:
    """The workspace and what was written down beside it."""

    workspace: Workspace
    rng: Random = field(default_factory=lambda: Random(7))
    ids: list[int] = field(default_factory=list)
    keys: dict[int, int] = field(default_factory=dict)
    category: dict[int, str] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)
    tasks: dict[str, int] = field(default_factory=dict)
    items: dict[tuple[str, int], int] = field(default_factory=dict)
    log: list[Given] = field(default_factory=list)

    def question(self, number: int, video: int) -> None:
        """Store a question on a video of 60 frames."""
        content = sha256(f"video {video}".encode()).hexdigest()
        table = self.workspace.media.table(content)
        table.parent.mkdir(parents=True, exist_ok=True)
        if not table.exists():
            pts = tuple(range(60))
            frames = FrameTable(pts, Fraction(1, 30), pts, ((0, 0),), 60)
            table.write_text(frames.to_json(), encoding="utf-8")
        key, category = self.rng.randrange(5), CATEGORIES[number % len(CATEGORIES)]
        with self.workspace.store.write() as database:
            execute = database.conn.execute
            execute(
                "INSERT INTO video (name, sha256, status, created_at) VALUES (?, ?, 'usable', ?)"
                " ON CONFLICT DO NOTHING",
                [f"v{video}", content, now_text()],
            )
            [row] = execute("SELECT id FROM video WHERE name = ?", [f"v{video}"]).fetchall()
            execute("INSERT INTO clip (video_id) VALUES (?) ON CONFLICT DO NOTHING", [row[0]])
            [clip] = execute("SELECT id FROM clip WHERE video_id = ?", [row[0]]).fetchall()
            [made] = execute(
                "INSERT INTO question (uid, source, created_at) VALUES (?, 'study', ?)"
                " RETURNING id",
                [f"{category}/{number}", now_text()],
            ).fetchall()
            execute(
                "INSERT INTO question_revision (question_id, revision, clip_id, text, options, key,"
                " category, created_at) VALUES (?, 1, ?, 'Which way?', ?, ?, ?, ?)",
                [made[0], clip[0], json.dumps(OPTIONS), key, category, now_text()],
            )
        self.ids.append(made[0])
        self.keys[made[0]], self.category[made[0]] = key, category

    def task(self, name: str, task_id: int) -> None:
        """Remember a task's items by question."""
        self.tasks[name] = task_id
        for row in self.workspace.store.rows(
            "SELECT id, question_id FROM item WHERE task_id = ?", [task_id]
        ):
            self.items[name, row["question_id"]] = row["id"]

    def answer(self, name: str, task: str, question: int, accuracy: float) -> str:
        """Let a person answer, right with a probability, skip with 2 in 100; the receipt."""
        person, item = self.people[name], self.items[task, question]
        skip = self.rng.random() < 0.02
        right = self.rng.random() < accuracy
        wrong = [choice for choice in range(5) if choice != self.keys[question]]
        choice = self.keys[question] if right else self.rng.choice(wrong)
        handed = queue.hand(self.workspace, self.tasks[task], person, item)
        given = answer_store.Answer(
            uuid.uuid4().hex, item, handed.lease.id, None if skip else {"choice": choice},
            "too dark" if skip else None, 3.0, 0.0,
        )  # fmt: skip
        [receipt] = answer_store.store(self.workspace, self.tasks[task], person, [given])
        assert receipt.status in ("stored", "extra"), receipt
        self.log.append(Given(name, task, question, None if skip else right, choice))
        return receipt.status


def build(root: Path) -> Study:
    """The study with all its events."""
    study = Study(Workspace.create(root))
    for number in range(QUESTIONS):
        study.question(number, number % VIDEOS)
    with study.workspace.store.write() as database:
        for name in PEOPLE:
            study.people[name] = Person(
                add_annotator(database.conn, name, "person", "annotator"), name, "annotator"
            )
        clara = Person(add_annotator(database.conn, "Clara", "person", "author"), "Clara", "author")
        study.people["Clara"] = clara
    for condition in (FULL, FRAMES):
        settings = {"condition": condition, "meet_once": False}
        task = create_task(study.workspace, condition, "human_evaluation", settings, OVERLAP)
        grow(study.workspace, task)
        study.task(condition, task)
    _answers(study)
    _adaptive(study)
    keys = check_keys(study.workspace, "keys", "human_evaluation", {"condition": FULL}, ("Clara",))
    study.task("keys", keys)
    for question in study.ids[:112]:
        study.answer("Clara", "keys", question, 1.0)
    _models(study)
    exclusion.put_aside(study.workspace, "P8")
    with study.workspace.store.write() as database:
        for question in study.ids[200:210]:  # another key: answers stay, and turn
            study.keys[question] = (study.keys[question] + 1) % 5
            revise(database, question, {"key": study.keys[question]})
        for question in study.ids[300:320]:  # another wording: asked again, by nobody yet
            revise(database, question, {"text": "Which way in the first half?"})
    return study


def _answers(study: Study) -> None:
    names = list(PEOPLE)
    for place, question in enumerate(study.ids):
        for shift in range(OVERLAP):
            name = names[(place + 3 * shift) % 9]
            study.answer(name, FULL, question, PEOPLE[name])
        for shift in range(OVERLAP):
            name = names[(place + 3 * shift + place % 2) % 9]
            study.answer(name, FRAMES, question, PEOPLE[name] - 0.1)
    for question in study.ids[:60]:  # corrections: the last counts
        person = next(given.person for given in study.log if given.question == question)
        study.answer(person, FULL, question, PEOPLE[person])
    for place, question in enumerate(study.ids[400:440]):  # beyond the overlap
        having = {g.person for g in study.log if (g.task, g.question) == (FULL, question)}
        name = next(name for name in names[place % 9 :] + names if name not in having)
        study.answer(name, FULL, question, PEOPLE[name])
    for question in study.ids[500:550]:  # an author in the people's own task
        study.answer("Clara", FRAMES, question, 1.0)


def _adaptive(study: Study) -> None:
    settings = {"condition": "8 frames", "meet_once": False}
    task = create_task(study.workspace, "8 frames", "human_evaluation", settings, 3)
    with study.workspace.store.write() as database:
        database.conn.execute("UPDATE task SET adaptive = 1 WHERE id = ?", [task])
    grow(study.workspace, task)
    study.task("8 frames", task)
    names = list(PEOPLE)
    for place, question in enumerate(study.ids[:300]):
        votes: list[int] = []
        for shift in (0, 3, 6):
            if len(votes) == 2 and votes[0] == votes[1]:
                break
            name = names[(place + shift) % 9]
            study.answer(name, "8 frames", question, 0.95 if place % 2 else 0.5)
            if study.log[-1].right is not None:
                votes.append(study.log[-1].choice)


def _models(study: Study) -> None:
    for model, accuracy in MODELS.items():
        run = ensure_run(study.workspace, model, study.tasks[FRAMES])
        asked = study.ids[:700] if model == "part" else study.ids
        answers: list[ModelAnswer] = []
        revisions = {
            row["question_id"]: row["id"]
            for row in study.workspace.store.rows("SELECT id, question_id FROM current_question")
        }
        for question in asked:
            right = study.rng.random() < accuracy
            choice = study.keys[question] if right else (study.keys[question] + 1) % 5
            text = "I cannot see the video." if study.rng.random() < 0.03 else "ABCDE"[choice]
            reading = read(text, OPTIONS)
            study.log.append(
                Given(f"model {model}", FRAMES, question, reading.choice == study.keys[question],
                      -1 if reading.choice is None else reading.choice)
            )  # fmt: skip
            answers.append(
                ModelAnswer(
                    study.items[FRAMES, question], revisions[question], {"choice": reading.choice},
                    {"condition": FRAMES, "option_order": [0, 1, 2, 3, 4]}, reading, text,
                )
            )  # fmt: skip
        store_answers(study.workspace, run, answers)


@dataclass
class Recount:
    """What the log says, by the rules of the README, in plain loops."""

    right: Counter[tuple[str, ...]] = field(default_factory=Counter)
    answers: Counter[tuple[str, ...]] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    seen: int = 0
    votes: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))


def recount(study: Study) -> Recount:
    """Go through the log once."""
    result = Recount()
    reworded = set(study.ids[300:320])
    last: dict[tuple[str, str, int], int] = {}
    for place, given in enumerate(study.log):
        last[given.person, given.task, given.question] = place
    held: Counter[tuple[str, int]] = Counter()
    counted_people: set[tuple[str, str, int]] = set()
    met: dict[tuple[str, int], int] = {}
    rank = {"8 frames": 1, FRAMES: 2, FULL: 3, "keys": 3}
    video = {question: place % VIDEOS for place, question in enumerate(study.ids)}
    # Whether there was room is decided when an answer comes, whoever is put aside afterwards.
    for given in study.log:
        who = (given.person, given.task, given.question)
        if given.person.startswith("model") or given.right is None:
            counted_people.discard(who)
        elif who in counted_people or held[given.task, given.question] < (
            1 if given.task == "keys" else OVERLAP
        ):
            if who not in counted_people:
                held[given.task, given.question] += 1
            counted_people.add(who)
    always: Counter[tuple[str, int]] = Counter()
    for place, given in enumerate(study.log):
        who = (given.person, given.task, given.question)
        if given.person.startswith("model") or last[who] != place:
            continue
        clip = (given.person, video[given.question])
        seen = met.get(clip, 0) > rank[given.task]
        met[clip] = max(met.get(clip, 0), rank[given.task])
        why = _reason(given, who in counted_people, reworded, always)
        if why:
            result.left_out[why] += 1
            continue
        result.seen += seen
        right = given.choice == study.keys[given.question]
        for key in ((given.task,), (given.task, study.category[given.question])):
            result.right[key] += right
            result.answers[key] += 1
        if given.task == FULL:
            result.votes[given.question].append(given.choice)
    return result


def _reason(
    given: Given, counted: bool, reworded: set[int], always: Counter[tuple[str, int]]
) -> str:
    if given.right is None:
        return "skipped"
    if given.person == "P8":
        return "of people whose work is put aside"
    if given.task == "keys":
        return "given to check the stored keys"
    if given.person == "Clara":
        return "of authors, who may see the keys"
    if given.question in reworded:
        return "to an earlier version of the question, which is asked again"
    if not counted:
        return "extra, beyond the overlap"
    if given.task == "8 frames":
        always[given.task, given.question] += 1
        if always[given.task, given.question] > 2:
            return "asked only because the answers before them differed"
    return ""


def compare(study: Study) -> int:
    """Print each figure beside its recount; how many differ."""
    expected = recount(study)
    pairs: list[tuple[str, float, float]] = []
    with take(study.workspace) as snapshot:
        figures = report(snapshot, "video")
        stands_on = population(snapshot)
        board = {line.entry.name: line for line in leaderboard(snapshot)}
        table = pivot(snapshot, "category", FRAMES)
        percent = next(
            row.estimate.value
            for row in agreement_table(snapshot, study.tasks[FULL], among="people", resamples=0)
            if row.coefficient == "percent"
        )
    for row in figures["conditions"]:
        key = (row["condition"],)
        pairs += [(f"{key[0]}, answers", row["n"], expected.answers[key]),
                  (f"{key[0]}, accuracy", row["value"] or 0.0,
                   expected.right[key] / max(expected.answers[key], 1))]  # fmt: skip
    for row in figures["categories"]:
        key = (row["condition"], row["group"])
        pairs.append((f"{' · '.join(key)}, accuracy", row["value"] or 0.0,
                      expected.right[key] / max(expected.answers[key], 1)))  # fmt: skip
    left_out = dict(stands_on.answers)
    for why in sorted({*left_out, *expected.left_out}):
        pairs.append((f"left out: {why}", left_out.get(why, 0), expected.left_out[why]))
    pairs.append(("had met the clip before", stands_on.seen, expected.seen))
    pairs.append(("answers in all figures", stands_on.stands_on,
                  sum(n for key, n in expected.answers.items() if len(key) == 1)))  # fmt: skip
    means: list[float] = []
    for model in MODELS:
        rows = [given for given in study.log if given.person == f"model {model}"]
        right = sum(given.choice == study.keys[given.question] for given in rows)
        means.append(right / len(rows))
        pairs.append((f"model {model}", board[f"{model} · {FRAMES}"].accuracy.value or 0.0,
                      right / len(rows)))  # fmt: skip
    average = next(row for row in table.rows if row.name == AVERAGE)
    pairs.append((AVERAGE, average.cells[-1].value or 0.0, sum(means) / len(means)))
    shared = [votes for votes in expected.votes.values() if len(votes) > 1]
    agreed = [_agreement(votes) for votes in shared]
    pairs.append((f"percent agreement, {FULL}", percent or 0.0, sum(agreed) / len(agreed)))
    differing = 0
    for name, shown, counted in pairs:
        differs = abs(shown - counted) > 1e-9
        differing += differs
        print(f"{'DIFFERS' if differs else 'equal':<8}{name:<75}{shown:>14.6f}{counted:>14.6f}")
    print(f"\n{len(pairs)} figures, {differing} differ.")
    print(stands_on.words + ".")
    return differing


def _agreement(votes: list[int]) -> float:
    pairs = [(a, b) for i, a in enumerate(votes) for b in votes[i + 1 :]]
    return sum(a == b for a, b in pairs) / len(pairs)


def main() -> int:
    """Build, compare, and say how long it took."""
    begun = time.monotonic()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "study"
    study = build(folder)
    print(f"{len(study.log):,} answers in {time.monotonic() - begun:.0f} s, {folder}\n")
    differing = compare(study)
    study.workspace.close()
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
