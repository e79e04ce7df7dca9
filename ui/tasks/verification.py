"""The form of verification: a verdict for each clip, and two questions about the action."""

from typing import Any

from annotations.tasks.verification import IDENTIFIED, MAYBE, NO, YES
from ui.form import Choice, Each, Field, Option, SettingField, Text, When

ICON = ":material/fact_check:"
ABOUT = "Does an action happen in up to five candidate clips? A clip passes by votes."
SETTINGS = {
    "passes_at": SettingField(
        "A clip passes with", "So many people have to say that it definitely happens."
    ),
    "longest_clip_s": SettingField("Longest clip (s)"),
}

VERDICT = Choice(
    name="verdict",
    label="The action",
    options=(
        Option(YES, "definitely happens", "You see it yourself, from beginning to end."),
        Option(MAYBE, "seems to happen", "Partly hidden, unclear, or you are not sure."),
        Option(NO, "definitely does not happen", "Or it is too poor to see, or another activity."),
    ),
)
OTHER_SPORT = Text(
    name="other_sport",
    label="If it is another sport or activity, which?",
    placeholder="leave empty if it is not; 'none' if it is none",
    when=When("verdict", (NO,)),
)
YES_OR_NO = tuple(Option(value, value.capitalize()) for value in IDENTIFIED)


def fields(settings: dict[str, Any]) -> list[Field]:
    """The clips, then what the description was good for, then free words."""
    del settings
    return [
        Each(
            name="clips",
            label_from="ask",
            help_from="description",
            of="clips",
            fields=(VERDICT, OTHER_SPORT),
        ),
        Choice(
            name="from_description",
            label="Could you tell which action it is from the description alone?",
            help="If you have met the action before: as it was the first time.",
            options=YES_OR_NO,
        ),
        Choice(
            name="from_video",
            label="And from the description together with the clips?",
            options=YES_OR_NO,
        ),
        Text(name="feedback", label="Anything to add?"),
    ]
