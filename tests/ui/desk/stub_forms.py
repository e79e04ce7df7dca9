"""Made-up tasks of the further kinds: their forms, as a form file declares them, and items."""

from dataclasses import asdict
from typing import Any

from ui.form import (
    Checklist,
    Choice,
    Choices,
    Each,
    Field,
    Frame,
    Option,
    OptionsEdit,
    Segments,
    Text,
    When,
)


def options(*texts: str) -> tuple[Option, ...]:
    """Options whose value is their text in one word."""
    return tuple(Option(text.lower().replace(" ", "_"), text) for text in texts)


YES_NO = options("Yes", "No", "Not sure")
VERIFICATION: list[Field] = [
    Each(
        name="clips",
        of="clips",
        label="Does the clip show the action?",
        fields=(
            Choice(
                name="shows", label="It shows it", options=options("Definitely", "Maybe", "Not")
            ),
            Text(name="sport", label="Which sport then?", when=When("shows", ("not",))),
        ),
    ),
    Choice(name="alone", label="Clear from the description alone?", options=YES_NO),
    Choice(name="both", label="Clear from description and video?", options=YES_NO),
    Text(name="feedback", label="Anything else?", key="W"),
]
LOCALIZATION: list[Field] = [
    Choice(
        name="happens",
        label_from="question",
        options=options("It happens", "It does not", "In another sport"),
    ),
    Segments(
        name="cards",
        label="Where it happens",
        when=When("happens", (None, "it_happens", "in_another_sport")),
        fields=(
            Text(
                name="who",
                label="Who does it?",
                placeholder="the player in red",
                required=True,
            ),
            Choice(name="before", label="Right before", options=options("None", "Not sure")),
        ),
    ),
]
PICKING: list[Field] = [Frame(name="frame", label_from="question")]
CHECK: list[Field] = [
    Checklist(
        name="objects",
        label="Which of these do you see?",
        items_from="objects",
        second_label="What is wrong with",
        second_options=options("Attribute error", "Misclassified", "Made up", "Visible after all"),
    )
]
REVIEW: list[Field] = [
    Text(name="text", label="Question", prefill_from="text", lines=2, required=True),
    OptionsEdit(name="options", label="Options", options_from="wrong"),
    Choices(
        name="flags",
        label="Flags",
        required=False,
        options=options("Answerable from text", "On-screen text", "Wrong segment"),
    ),
    Text(name="remark", label="Remark", key="W"),
]
SCREENING: list[Field] = [
    Choice(name="verdict", label="Is it fit for use?", options=options("Accept", "Reject")),
    Choices(
        name="reasons",
        label="Why not?",
        when=When("verdict", ("reject",)),
        options=options(*[f"Reason {word}" for word in ["one", "two", "three", "four", "five"]]),
    ),
    Text(name="words", label="In your words", lines=2, when=When("verdict", ("reject",))),
]
CHOICE: list[Field] = [Choice(name="choice", label_from="question", options_from="options")]
# More options than there are keys, so that some are reached with the arrows only.
MANY: list[Field] = [
    Choices(name="many", label="Which ones?", options=options(*[f"Thing {i}" for i in range(16)])),
    Text(name="words", label="Words", lines=1),
]

FORMS: dict[int, dict[str, Any]] = {
    8: {"name": "Verification", "stage": "clips", "items": 6, "form": VERIFICATION},
    9: {"name": "Localization", "stage": "marks", "items": 6, "form": LOCALIZATION},
    10: {"name": "Frame picking", "stage": "picker", "items": 6, "form": PICKING},
    11: {"name": "Object check", "stage": "single", "items": 6, "form": CHECK},
    12: {"name": "Question review", "stage": "player", "items": 6, "form": REVIEW},
    13: {"name": "Screening", "stage": "player", "items": 6, "form": SCREENING},
    14: {"name": "Practice", "stage": "grid", "items": 6, "form": CHOICE},
    15: {"name": "Many", "stage": "grid", "items": 6, "form": MANY},
}


def declared(fields: list[Field]) -> list[dict[str, Any]]:
    """The fields as the server sends them: without what is None."""
    return [_without_none(asdict(field)) for field in fields]


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_none(one) for name, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [_without_none(one) for one in value]
    return value


def values(k: int) -> dict[str, Any]:
    """Whatever the forms ask for, of item number `k`."""
    things = "a red ball, a wooden bench, two cyclists, a dog on a lead, a traffic light, a bridge"
    return {
        "clips": [{"id": f"c{i}", "label": f"Clip {i}"} for i in range(1, 6)],
        "objects": [{"id": f"o{i}", "label": t} for i, t in enumerate(things.split(", "), 1)],
        "text": f"What does the disc do after it has crossed the middle in clip {k}?",
        "wrong": [
            {"id": i, "text": f"It turns {word} and rolls on", "key": i == 2}
            for i, word in enumerate(
                ["left", "right", "back", "up", "down", "away", "round", "over", "in", "out"]
            )
        ],
    }
