"""Every page and every task, in both themes, by axe-core: WCAG 2 A and AA.

The visit of a page finds also what the policy of the page forbids, icons that the font lacks and
buttons that are named alike. The annotator's side is looked at in English in the light and in
German in the dark theme; the same visit finds what was left in English.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from browsing import forbidden_on
from left_in_english import Data, left_in_english
from playwright.sync_api import Locator, Page, expect
from waiting import settled

from annotations import author_lists
from ui.shell.app_pages import PAGES

pytestmark = pytest.mark.browser


STILL = """() => {
  const ends = ({ effect }) => effect.getTiming().iterations !== Infinity;
  const fades = document.getAnimations().filter((one) => one.playState === "running" && ends(one));
  return !fades.length && !document.querySelector('[data-stale="true"]');
}"""


def still(page: Page) -> None:
    """Wait until the page is drawn and its fades have begun; `faults` waits for their end."""
    settled(page)
    page.wait_for_timeout(100)  # a fade begins after the script has ended


AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
# What is Streamlit's own and cannot be changed from here: its rule, and where it stands.
STREAMLITS: dict[str, str] = {
    "aria-allowed-attr": "[data-testid=stTooltipHoverTarget], [data-baseweb]",
    "aria-required-children": "[data-baseweb]",
    "scrollable-region-focusable": "[data-testid=stMain], [data-testid=stDataFrame]",
    "nested-interactive": "[data-testid=stExpander] summary, [data-baseweb]",
}
RUN = """async ([rules]) => {
  const found = await axe.run(document, { runOnly: rules, resultTypes: ["violations"] });
  return found.violations.map(({ id, help, nodes }) => ({
    id, help, nodes: nodes.map((n) => [n.target.flat().join(" "), n.html, n.failureSummary]),
  }));
}"""
# Buttons of Streamlit's own that are named alike wherever they stand.
STREAMLITS_BUTTONS = ", ".join(
    f"[data-testid={name}]"
    for name in (
        "stHeaderActionElements", "stElementToolbarButton", "stSelectbox", "stMultiSelect",
        "stNumberInputStepUp", "stNumberInputStepDown", "stTooltipHoverTarget", "stTopNavSection",
        "stButtonGroup",
    )
)  # fmt: skip
TWINS = """([theirs]) => {
  const buttons = [...document.querySelectorAll("button")].filter((one) => one.checkVisibility());
  const ours = buttons.filter((one) => !one.closest(theirs));
  const names = ours.map((one) => one.ariaLabel ?? one.textContent.trim());
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
}"""
# An icon that the font lacks would be drawn as the letters of its name, far wider than high.
ICONS_IN_LETTERS = """() => [...document.querySelectorAll('[data-testid="stIconMaterial"]')]
  .filter((icon) => {
    const range = document.createRange();
    range.selectNodeContents(icon);
    const box = range.getBoundingClientRect();
    return box.width > 1.5 * Math.max(box.height, 8);
  }).map((icon) => icon.textContent)"""
OWNED = """([selector, target]) => {
  const parts = target.split(" ");
  let element;
  try { element = document.querySelector(target); } catch { return false; }
  return Boolean(element?.closest(selector));
}"""


def faults(page: Page) -> list[str]:
    """What axe-core finds each time, but for parts of Streamlit that we cannot change.

    A page that draws itself anew every few seconds may fade while axe-core looks: what is a fault
    of the page is there at the next look, too.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.add_script_tag(path=AXE)
    lines: list[str] = []
    for _ in range(3):
        page.wait_for_function(STILL, timeout=30_000)
        lines = _faults_now(page)
        if not lines:
            break
    return lines


def _faults_now(page: Page) -> list[str]:
    lines: list[str] = []
    for violation in page.evaluate(RUN, [RULES]):
        for target, html, why in violation["nodes"]:
            theirs = STREAMLITS.get(violation["id"])
            if theirs and page.evaluate(OWNED, [theirs, target]):
                continue
            lines.append(f"{violation['id']}: {violation['help']}\n  {html[:200]}\n  {why[:300]}")
    return lines


def test_every_page_is_clean(standing_demo: Any, person: Callable[..., Any]):
    """In the light, and in the dark once the colours of the system change under the open page."""
    page = person(standing_demo, "Clara", "author")
    problems = forbidden_on(page)
    for name in PAGES:
        page.emulate_media(color_scheme="light")
        page.goto(f"{standing_demo.url}/{'' if name == 'start' else name}")
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            still(page)
            where = f"{name} in the {theme}"
            problems += [f"{where}: {fault}" for fault in faults(page)]
            twins = page.evaluate(TWINS, [STREAMLITS_BUTTONS])
            problems += [f"{where}: several buttons are named {twin!r}" for twin in twins]
        icons = page.evaluate(ICONS_IN_LETTERS)
        problems += [f"{name}: icon {icon!r} is drawn as letters" for icon in icons]
    assert not problems, "\n".join(dict.fromkeys(problems))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_task_is_clean(standing_demo: Any, person: Callable[..., Any], theme: str):
    german = theme == "dark"
    locale = "de-DE" if german else "en-GB"
    page = person(standing_demo, f"Ada in the {theme}", color_scheme=theme, locale=locale)
    data = Data(page)
    workspace = standing_demo.workspace()
    # Of tasks that look alike one is enough: a form, a stage and its keys are the kind's.
    tasks = workspace.store.rows(
        "SELECT min(id) AS id, name FROM task WHERE status = 'open'"
        " GROUP BY kind, json_extract(settings, '$.condition'), json_extract(settings, '$.mode')"
        " ORDER BY id"
    )
    named = {row["name"] for row in workspace.store.rows("SELECT name FROM task")}
    # Templates of questions and what authors have written for a task are in their language.
    own = {entry["template"] for entry in author_lists.load("templates", "temporal")["categories"]}
    for row in workspace.store.rows("SELECT settings FROM task"):
        own.add(" ".join(json.loads(row["settings"]).get("criteria", [])))
    problems = english(page.locator("body"), {*named, f"Ada in the {theme}"}, german)
    for task in tasks:
        page.goto(f"{standing_demo.url}/annotate?task={task['id']}")
        desk = page.locator(".desk")
        expect(desk.locator("dialog, .screen").first).to_be_visible(timeout=30_000)
        found = faults(page) + english(desk, data.texts | own, german)
        page.keyboard.press("Enter")
        if desk.get_attribute("data-item"):
            expect(desk).to_have_attribute("data-ready", "1", timeout=30_000)
        found += faults(page) + english(desk, data.texts | own, german)
        page.keyboard.press("?")
        found += faults(page) + english(desk, data.texts | own, german)
        page.keyboard.press("Escape")
        page.keyboard.press("s")
        found += english(desk, data.texts | own, german)
        problems += [f"{task['name']}: {fault}" for fault in found]
    assert not problems, "\n".join(dict.fromkeys(problems))


def english(part: Locator, data: Iterable[str], german: bool) -> list[str]:
    """What is English on a part of a page that is meant to be German."""
    return [f"left in English: {words}" for words in left_in_english(part, data)] if german else []
