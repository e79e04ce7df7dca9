"""The form of localization: whether the action happens, and cards with its segments."""

from typing import Any

from annotations.tasks.localization import ELSEWHERE, HAPPENS, IDENTIFIED, MOST_CARDS, NOT
from ui.form import Choice, Field, Option, Segments, SettingField, Text, When

ICON = ":material/content_cut:"
ABOUT = "When an action starts and ends in a clip, who does it, and what comes before and after."
SETTINGS = {
    "longest_clip_s": SettingField("Longest clip (s)"),
    "same_from_iou": SettingField(
        "Segments are the same from",
        "Temporal IoU, how much two segments overlap: 0 not at all, 1 entirely. Those of different"
        " people with at least this much are taken together.",
    ),
    "agree_from_iou": SettingField(
        "People agree from", "Mean temporal IoU from which two people count as agreeing."
    ),
    "from_task": SettingField(
        "Task whose clips are taken",
        "Its name. Only where items are made of what passed in another task.",
    ),
}

YES_OR_NO = tuple(Option(value, value.capitalize()) for value in IDENTIFIED)
HINT = "'none' or 'not sure' are answers too"
CARD = (
    Text(
        name="who",
        label="Who does it? Nobody else may fit",
        placeholder="number 7 in red; 'not sure'",
        required=True,
    ),
    Text(name="before", label="What happens right before?", placeholder=HINT, required=True),
    Text(name="after", label="What happens right after?", placeholder=HINT, required=True),
    Text(
        name="which",
        label="Which action, if it is another one?",
        placeholder="empty: the action that is asked for",
    ),
)


def fields(settings: dict[str, Any]) -> list[Field]:
    """The choice, the sport where it is another, and the cards."""
    del settings
    return [
        Choice(
            name="happens",
            label_from="ask",
            help_from="description",
            options=(
                Option(HAPPENS, "It happens"),
                Option(NOT, "It does not"),
                Option(ELSEWHERE, "In another activity"),
            ),
        ),
        Text(
            name="sport",
            label="In which sport or activity?",
            required=True,
            when=When("happens", (ELSEWHERE,)),
        ),
        Segments(
            name="cards",
            label="When, and who? A card for each time",
            fields=CARD,
            most=MOST_CARDS,
            required=False,
            required_when=When("happens", (HAPPENS, ELSEWHERE)),
            when=When("happens", (None, HAPPENS, ELSEWHERE)),
        ),
        Choice(
            name="from_description",
            label="Could you tell which action it is from the description alone?",
            help="If you have met the action before: as it was the first time.",
            options=YES_OR_NO,
            required=False,
        ),
        Choice(
            name="from_video",
            label="And from the description together with the clip?",
            options=YES_OR_NO,
            required=False,
        ),
    ]
