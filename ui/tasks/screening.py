"""The form of screening: a verdict, and why a video is rejected."""

from typing import Any

from annotations.tasks.screening import ACCEPT, EXPLORATORY, REJECT, STRUCTURED
from ui.form import Choice, Choices, Field, Option, SettingField, Text, When

ICON = ":material/filter_alt:"
ABOUT = "Does a video belong in the data set, and if not, for which reasons?"
SETTINGS = {
    "pass": SettingField(
        "When they reject, people",
        "Begin with their own words: the task lists what they wrote, from which you make the list.",
        {STRUCTURED: "choose from the reasons below", EXPLORATORY: "say why in their own words"},
    ),
    "duplicates": SettingField("Show look-alikes beside the video"),
    "near_bits": SettingField(
        "How different look-alikes may be",
        "Of the 255 bits that describe a picture, so many may differ: 0 is the same picture. Copies"
        " of real clips differ by 2 to 10, other takes by one camera by 38.",
    ),
    "with_titles": SettingField("Show the video's title and where it is from"),
    "reasons": SettingField("Reasons to reject"),
    "criteria": SettingField("When to accept"),
}

REJECTED = When("verdict", (REJECT,))


def fields(settings: dict[str, Any]) -> list[Field]:
    """The verdict, then reasons to choose from or, in the exploratory pass, in words."""
    verdict = Choice(
        name="verdict",
        label="Does this video belong in the data set?",
        help=" ".join(settings["criteria"]),
        options=(Option(ACCEPT, "Accept"), Option(REJECT, "Reject")),
    )
    if settings["pass"] == EXPLORATORY:
        why = Text(
            name="note",
            label="Why not?",
            help="One reason a line, in a few words: they become the list of the next pass.",
            lines=3,
            required_when=REJECTED,
        )
        return [verdict, why]
    reasons = tuple(
        Option(reason["id"], reason["label"], reason["description"])
        for reason in settings["reasons"]
    )
    return [
        verdict,
        Choices(name="reasons", label="Why not?", options=reasons, when=REJECTED),
        Text(name="note", label="Anything to add?"),
    ]
