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
    "annotations/bias/test_planted_bias.py": 40,
    "annotations/demo/test_moved.py": 10,
    "annotations/edit/test_screen_text.py": 36,
    "annotations/engine/test_kill.py": 35,
    "annotations/engine/test_places.py": 18,
    "annotations/engine/test_ray_nodes.py": 22,
    "annotations/engine/test_small_models.py": 25,
    "annotations/footage/test_download_queue.py": 17,
    "annotations/footage/test_pipeline.py": 75,
    "annotations/footage/test_search_queue.py": 26,
    "annotations/generation/test_real_writer.py": 15,
    "annotations/predictions/test_whole_path.py": 70,
    "core/models/test_packages.py": 20,
    "core/video/test_shared_clips.py": 15,
    "test_floors.py": 20,
    "ui/commands/test_kills.py": 20,
    "ui/desk/test_desk_answers.py": 30,
    "ui/desk/test_desk_connection.py": 50,
    "ui/desk/test_desk_in_streamlit.py": 35,
    "ui/desk/test_desk_practice.py": 45,
    "ui/shell/test_pages_in_browser.py": 30,
    "ui/test_accessibility.py": 220,
    "ui/test_desk_in_firefox.py": 65,
    "ui/test_disagreements.py": 65,
    "ui/test_every_task.py": 130,
    "ui/test_every_task_by_mouse.py": 30,
    "ui/test_failures_room.py": 45,
    "ui/test_own_form_in_browser.py": 35,
    "ui/test_pipeline_in_browser.py": 30,
    "ui/test_pipeline_page.py": 20,
    "ui/test_recruiting_in_browser.py": 65,
    "ui/test_sign_in.py": 40,
    "ui/test_studio_in_browser.py": 45,
    "ui/test_two_people.py": 55,
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
