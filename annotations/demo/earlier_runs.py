"""What three simulated models replied: made up, so that the pages about runs have something to say.

No model was run. Every reply is a text as models word them, read by the ordinary rules.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from annotations import task as kinds
from annotations.demo.clip import DemoQuestion
from annotations.demo.clips import questions
from annotations.record.item import Item, items_of_task
from annotations.record.shown import Shown
from annotations.record.task import task_in
from annotations.run.run_answers import ModelAnswer, store_answers, store_errors
from annotations.run.runs import condition_task, ensure_run
from annotations.workspace import Workspace
from core.reply.reading import LETTERS, read

# From the least that was shown to the most.
CONDITIONS = (
    "text only",
    "1 random frame",
    "1 handpicked frame",
    "4 frames",
    "16 shuffled frames",
    "16 frames",
)
HANDPICKED = "1 handpicked frame"
FACTS = {"simulated": True, "words": "Made up for the demo: no model was run."}
# What the words of question and options give away: no picture is needed.
GUESSABLE = frozenset(("rotation/4", "direction/2", "shape&trend/5", "visual_cues/0", "count/2"))
FAILED = ("direction/4", "the server did not reply within 120 s")
STEPS_ANSWERED = 30  # of all questions, by the model that was stopped early


@dataclass(frozen=True)
class _Model:
    name: str
    right: tuple[float, ...]  # probability of a right reply under each condition, in their order
    odd: float  # share of replies that choose nothing
    wordings: tuple[str, ...]  # {letter} and {text} are those of the option chosen


MODELS = (
    _Model(
        "simulated model A (made up for the demo)",
        (0.24, 0.32, 0.42, 0.46, 0.48, 0.63),
        0.02,
        ("{letter}", "{letter}.", "({letter})", "{letter}. {text}", "The answer is {letter}."),
    ),
    _Model(
        "simulated model B (made up for the demo)",
        (0.20, 0.27, 0.36, 0.36, 0.41, 0.44),
        0.10,
        (
            "A motion can be followed over the frames, and it fits one option only. Therefore the "
            "correct answer is **{letter}. {text}**",
            "Let me go through the frames one by one.\n\nThe pose changes steadily.\n\n"
            "Final answer: {letter}",
            "Based on what is shown, the best choice is ({letter}) {text}",
        ),
    ),
    _Model(
        "simulated model C (made up for the demo)",
        (0.18, 0.24, 0.27, 0.27, 0.30, 0.31),
        0.05,
        ('{{"answer": "{letter}"}}', "{text}", "I would say {letter}, since the rest does not fit"),
    ),
)
ODD = (
    "I'm sorry, but I cannot view the video. Please provide a description of what happens in it.",
    "It is impossible to tell from what is shown.",
    "None of the options matches what is shown.",
    "Answer: {letter} or {other}",
    "The object moves at a steady pace in front of a plain background.",
    "",
)


def add_earlier_runs(workspace: Workspace) -> None:
    """Store what the simulated models replied under each condition, as a run stores it."""
    module = kinds.kind("human_evaluation")
    for number, condition in enumerate(CONDITIONS):
        task_id = condition_task(workspace, condition)
        with workspace.store.read() as database:
            items, settings = items_of_task(database, task_id), task_in(database, task_id).settings
        if condition == HANDPICKED:  # nobody has picked yet: the frame in the middle stands for it
            settings["condition"] = "1 frame"
        shown = {item.id: module.show(workspace, item, settings, "models") for item in items}
        for model in MODELS:
            run = ensure_run(workspace, model.name, task_id, "simulated", FACTS)
            answers = list(_answers(model, number, items, shown))
            store_answers(workspace, run, answers)
            if model is MODELS[1] and condition == CONDITIONS[-1]:
                failed = {item.uid: item.id for item in items}[f"question:{FAILED[0]}"]
                store_errors(workspace, run, [(failed, FAILED[1])])


def _answers(
    model: _Model, condition_number: int, items: list[Item], shown: dict[int, Shown]
) -> Iterator[ModelAnswer]:
    asked = {f"question:{question.uid}": question for question in questions()}
    condition = CONDITIONS[condition_number]
    answered = items[:STEPS_ANSWERED] if model is MODELS[2] and condition_number == 0 else items
    for item in answered:
        question = asked[item.uid]
        if model is MODELS[1] and condition == CONDITIONS[-1] and question.uid == FAILED[0]:
            continue
        facts: dict[str, Any] = {**shown[item.id].facts, "condition": condition}
        order: list[int] = facts["option_order"]
        reply = _reply(model, condition_number, question, order)
        reading = read(reply, [question.options[i] for i in order])
        choice = None if reading.choice is None else order[reading.choice]
        yield ModelAnswer(
            item_id=item.id,
            question_revision_id=shown[item.id].question_revision_id,
            response={"choice": choice},
            shown=facts,
            reading=reading,
            reply=reply,
            active_s=0.4 + 0.05 * len(facts["frames"]),
        )


def _reply(model: _Model, condition_number: int, question: DemoQuestion, order: list[int]) -> str:
    """The same on every machine; who knows it from less mostly knows it from more."""
    question_luck = Random(f"{model.name} {question.uid}")
    condition_luck = Random(f"{model.name} {question.uid} {CONDITIONS[condition_number]}")
    luck = condition_luck.random() if condition_luck.random() < 0.2 else question_luck.random()
    guessed = question.uid in GUESSABLE and model is not MODELS[2]
    right = max(model.right[condition_number], 0.97 if guessed else 0.0)
    others = [i for i in range(len(question.options)) if i != question.key]
    choice = question.key if luck < right else condition_luck.choice(others)
    odd = condition_luck.random() < (2 * model.odd if condition_number == 0 else model.odd)
    wording = condition_luck.choice(ODD if odd else model.wordings)
    return wording.format(
        letter=LETTERS[order.index(choice)],
        text=question.options[choice],
        other=LETTERS[(order.index(choice) + 1) % len(order)],
    )
