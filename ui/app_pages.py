"""The pages in the order of the navigation, which is a choice."""

PAGES = ("start", "annotate", "metrics", "disagreements", "videos", "people")
