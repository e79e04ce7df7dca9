"""What the checks flag in 200 real questions, to be read one by one: their precision.

python tests/benchmarks/question_checks.py ../shared/data
"""

import csv
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path

from core.check import CheckedQuestion, check, checks
from core.question.guessing import guesses

SEED = 19
DRAWN = {"tomato": 67, "nextqa": 67, "tempcompass": 66}


def questions(data: Path) -> dict[str, list[CheckedQuestion]]:
    """Every question with options of the three sets."""
    tomato = [
        CheckedQuestion(f"{file.stem}/{uid}", row["question"], tuple(row["options"]), row["answer"])
        for file in sorted((data / "tomato").glob("*.json"))
        for uid, row in json.loads(file.read_text(encoding="utf-8")).items()
    ]
    with (data / "nextqa" / "val.csv").open(encoding="utf-8") as file:
        nextqa = [
            CheckedQuestion(
                f"{row['video']}_{row['qid']}", row["question"],
                tuple(row[f"a{index}"] for index in range(5)), int(row["answer"]),
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip
    stored = json.loads((data / "tempcompass/questions/multi-choice.json").read_text("utf-8"))
    tempcompass: list[CheckedQuestion] = []
    for video, aspects in stored.items():
        for aspect, rows in aspects.items():
            for number, row in enumerate(rows):
                text, *lines = row["question"].splitlines()
                options = tuple(re.sub(r"^[A-D]\. ", "", line) for line in lines)
                key = ord(row["answer"][0]) - ord("A")
                uid = f"{video}/{aspect}/{number}"
                tempcompass.append(CheckedQuestion(uid, text, options, key))
    return {"tomato": tomato, "nextqa": nextqa, "tempcompass": tempcompass}


def main(data: Path) -> None:
    """Print what guessing solves of each set, then every flag of the drawn questions."""
    sets = questions(data)
    for name, asked in sets.items():
        for guess in guesses(asked):
            share, chance = 100 * (guess.share or 0), 100 * guess.chance / guess.questions
            print(f"{name}: {guess.rule}: {share:.1f} % (chance {chance:.1f} %)")
    random.seed(SEED)
    counts: Counter[str] = Counter()
    for name, number in DRAWN.items():
        for question in random.sample(sets[name], number):
            flags = [(at, flag) for at in checks() for flag in check(at).find(question)]
            if flags:
                print(f"\n{question.uid}: {question.text}")
                for index, option in enumerate(question.options):
                    print(f"  {'*' if index == question.key else ' '} {index + 1} {option}")
            for at, flag in flags:
                counts[at] += 1
                print(f"    {at}, {flag.where}: {flag.reason}")
    print(f"\n{counts.total()} flags: {dict(counts)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
