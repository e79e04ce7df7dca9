"""The form of question review: discard or edit, keep, key and flag; or write a new question."""

from typing import Any

from annotations.review.review_response import DISCARD, KEEP, REVIEW, WRITE
from ui.form import Choice, Choices, Field, Option, OptionsEdit, SettingField, Text, When

ICON = ":material/rate_review:"
ABOUT = "Edit generated questions and keep good wrong options, or write new ones on clips."
SETTINGS = {
    "mode": SettingField(
        "People",
        None,
        {REVIEW: "review questions that are there", WRITE: "write new questions on clips"},
    ),
    "keep": SettingField(
        "Wrong options to keep",
        "How many are allowed, in brackets: [3, 4] is three or four. For reviews.",
    ),
    "show_key": SettingField("Show the key that a question has"),
    "categories": SettingField("What new questions ask about, with the beginning of one"),
}

KEPT = When("verdict", (KEEP,))
FLAGS = (
    Option("answerable_from_text", "Answerable from the text", "Without the video one can guess."),
    Option("answer_on_screen", "Answer in on-screen text", "Written, or a score, in the picture."),
    Option("wrong_segment", "Wrong segment", "It begins or ends in the wrong place."),
    Option("wrong_key", "Wrong key", "Another option than the given one was right."),
)
NOTE = Text(name="note", label="Anything to add?")


def fields(settings: dict[str, Any]) -> list[Field]:
    """The parts of a review, or of a new question."""
    return _written(settings) if settings["mode"] == WRITE else _review(settings)


def _review(settings: dict[str, Any]) -> list[Field]:
    return [
        Choice(
            name="verdict",
            label_from="question",
            help_from="about",
            options=(
                Option(KEEP, "It can be used", "After the changes that you make below."),
                Option(DISCARD, "Discard it", "In doubt that what it asks about happens at all."),
            ),
        ),
        Text(
            name="question",
            label="Its text",
            lines=2,
            prefill_from="question",
            required=True,
            when=KEPT,
        ),
        OptionsEdit(
            name="options",
            label="Keep the most plausible wrong options and mark the key",
            options_from="options",
            keep=tuple(settings["keep"]),
            when=KEPT,
        ),
        Choices(
            name="flags",
            label="Is anything wrong with it?",
            options=FLAGS if settings["show_key"] else FLAGS[:-1],
            required=False,
            when=KEPT,
        ),
        NOTE,
    ]


def _written(settings: dict[str, Any]) -> list[Field]:
    count = " or ".join(map(str, settings["keep"]))
    return [
        Choice(
            name="category",
            label="What does the question ask about?",
            options=tuple(
                Option(entry["id"], entry["label"], entry["template"])
                for entry in settings["categories"]
            ),
        ),
        Text(
            name="question",
            label="The question",
            help="Begin with the template of the category.",
            lines=2,
            required=True,
        ),
        Text(name="answer", label="The right answer", required=True),
        Text(
            name="wrong",
            label="Wrong answers",
            help=f"{count} of them, one a line, each of which somebody might believe.",
            lines=4,
            required=True,
        ),
        NOTE,
    ]
