"""What two earlier annotators answered: made up, so that the metrics page has something to say."""

from dataclasses import dataclass
from random import Random

from annotations.demo.clip import DemoQuestion
from annotations.demo.clips import questions

FRAMES, VIDEO = "16 frames", "full video"

# Where sixteen frames lose what the video shows: fast counts, turns that seem to reverse.
LOST_IN_FRAMES = frozenset(
    (
        "rotation/0",
        "rotation/5",
        "direction/1",
        "visual_cues/3",
        "count/1",
        "count/3",
        "count/4",
        "count/6",
    )
)


@dataclass(frozen=True)
class EarlierAnswer:
    """One answer to one question under one condition."""

    annotator: str
    question_uid: str
    choice: int  # 0-based index into the question's options
    active_s: float
    condition: str


@dataclass(frozen=True)
class _Person:
    name: str
    careful: float  # probability of a right answer where nothing stands in the way
    weak: dict[str, float]  # lower ones, by reasoning type
    pace: float  # active time, as a multiple of the usual


PEOPLE = (
    _Person("Noor", 0.98, {"visual_cues": 0.85}, 0.9),
    _Person("Emil", 0.94, {"velocity&frequency": 0.75, "rotation": 0.85}, 1.25),
)
SHARE = {FRAMES: 0.78, VIDEO: 0.5}  # of the questions that each of them answered


def earlier_answers() -> tuple[EarlierAnswer, ...]:
    """All answers of both people, in the order given; the same on every machine.

    Each person answers about four of five questions from sixteen frames and about half of them
    from the full video, and errs most on fast counts seen in frames, there mostly by too few.
    """
    answers: list[EarlierAnswer] = []
    for person in PEOPLE:
        for condition in (FRAMES, VIDEO):
            rng = Random(f"{person.name} {condition}")
            asked = list(questions())
            rng.shuffle(asked)
            for question in asked[: round(SHARE[condition] * len(asked))]:
                answers.append(_answer(person, question, condition, rng))
    return tuple(answers)


def _answer(person: _Person, question: DemoQuestion, condition: str, rng: Random) -> EarlierAnswer:
    lost = condition == FRAMES and question.uid in LOST_IN_FRAMES
    right = person.weak.get(question.category, person.careful)
    chance = 0.5 * right if lost else right if condition == FRAMES else (1 + right) / 2
    choice = question.key if rng.random() < chance else _wrong(question, rng)
    usual = (17.0 if lost else 9.0) if condition == FRAMES else 8.5
    active_s = round(usual * person.pace * rng.lognormvariate(0, 0.35), 1)
    return EarlierAnswer(person.name, question.uid, choice, active_s, condition)


def _wrong(question: DemoQuestion, rng: Random) -> int:
    others = [index for index in range(len(question.options)) if index != question.key]
    if question.category == "count":
        # What happens between two frames is missed: people count too few, by one or two.
        truth = int(question.options[question.key])
        fewer = [i for i in others if truth - 2 <= int(question.options[i]) < truth]
        others = fewer or others
    return rng.choice(others)
