"""The order of files when several processes share them: those that take long begin first.

A file goes to one process as a whole. One of minutes that begins last keeps a process busy while
the others have nothing to do any more.
"""

from collections import defaultdict
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# Seconds that files took on a machine of two cores, where a guess would be far from it.
MEASURED = {
    "annotations/adjudication/test_cross_check.py": 30,
    "annotations/demo/test_moved.py": 75,
    "annotations/footage/test_pipeline.py": 60,
    "annotations/predictions/test_whole_path.py": 90,
    "test_floors.py": 20,
    "ui/commands/test_kills.py": 30,
    "ui/desk/test_desk_answers.py": 60,
    "ui/desk/test_desk_connection.py": 60,
    "ui/desk/test_desk_practice.py": 90,
    "ui/shell/test_pages_in_browser.py": 30,
    "ui/test_accessibility.py": 260,
    "ui/test_disagreements.py": 180,
    "ui/test_every_task.py": 310,
    "ui/test_failures_room.py": 110,
    "ui/test_pipeline_in_browser.py": 70,
    "ui/test_pipeline_page.py": 90,
    "ui/test_recruiting_in_browser.py": 190,
    "ui/test_sign_in.py": 120,
    "ui/test_two_people.py": 180,
}
# The demo is drawn for a minute by the first process that needs it, for all of them: meanwhile the
# others have long files without it.
FIRST = (
    "ui/test_accessibility.py",
    "ui/test_recruiting_in_browser.py",
    "annotations/predictions/test_whole_path.py",
)
IN_A_BROWSER, OF_A_PAGE, OTHERS = 6.0, 1.0, 0.1  # seconds a test


def seconds(item: pytest.Item) -> float:
    """What a test takes by its kind, as a guess."""
    if item.get_closest_marker("browser"):
        return IN_A_BROWSER
    return OF_A_PAGE if "served" in getattr(item, "fixturenames", ()) else OTHERS


def sort(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put files that take long before others in a process that shares the tests with others."""
    if not hasattr(config, "workerinput"):
        return
    takes: defaultdict[Path, float] = defaultdict(float)
    for item in items:
        takes[item.path] += seconds(item)
    takes.update({TESTS / name: took for name, took in MEASURED.items()})
    places = {TESTS / name: place for place, name in enumerate(FIRST)}
    # Tests of one file stay in their order.
    items.sort(key=lambda item: (places.get(item.path, len(FIRST)), -takes[item.path]))
