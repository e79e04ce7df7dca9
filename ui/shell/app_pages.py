"""The pages in the order of the navigation, which is a choice; under a heading those less used."""

SECTIONS = {
    "": ("start", "annotate", "tasks", "metrics", "agreement", "disagreements", "runs", "failures"),
    "Questions": ("questions", "studio"),
    "Models": ("shortcuts", "bias", "footage", "pipeline", "filters"),
    "Workspace": ("people", "recruiting", "videos", "bring_in", "publish"),
}
PAGES = tuple(page for pages in SECTIONS.values() for page in pages)
