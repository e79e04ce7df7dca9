"""The pages in the order of the navigation, which is a choice."""

PAGES = (
    "start",
    "annotate",
    "tasks",
    "metrics",
    "runs",
    "shortcuts",
    "agreement",
    "disagreements",
    "failures",
    "pipeline",
    "filters",
    "bring_in",
    "videos",
    "people",
)
