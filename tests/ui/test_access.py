"""Every page, fragment and callback asks who is there: read out of the source."""

import ast
from pathlib import Path

import pytest

from ui import access

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "ui").rglob("*.py"))
# What Streamlit runs before or without the page: keyword arguments that take a function.
CALLBACKS = ("on_click", "on_change", "on_select", "on_submit")
HARMLESS = {"rerun", "ignore"}


def named(node: ast.expr) -> str:
    return ast.unparse(node)


def faults(source: str) -> list[str]:
    """What takes a function that does not ask who is there."""
    found: list[str] = []
    tree = ast.parse(source)
    asking = {  # names that are bound to nothing but a callback of ours
        named(target)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and named(node.value).startswith("callback(")
        for target in node.targets
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("fragment", "dialog"):
            found.append(f"{node.lineno}: st.{node.attr}")
        if not isinstance(node, ast.Call):
            continue
        for keyword in node.keywords:
            name, value = keyword.arg or "", keyword.value
            if not (name in CALLBACKS or (name.startswith("on_") and name.endswith("_change"))):
                continue
            strings = {n.value for n in ast.walk(value) if isinstance(n, ast.Constant)}
            if isinstance(value, ast.Constant | ast.IfExp) and strings - {None} <= HARMLESS | {
                True
            }:
                continue
            if isinstance(value, ast.Call) and named(value.func) == "callback":
                continue
            if named(value) in asking or named(value) == "lambda: None":
                continue
            if named(value) == "_nothing":  # a component's trigger that only draws the page again
                continue
            found.append(f"{node.lineno}: {name}={named(value)}")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_fragment_and_no_callback_stands_outside_the_check(path: Path):
    if path != ROOT / "ui" / "access.py":
        assert faults(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "@st.fragment(run_every=2)\ndef draw(): ...",
        "st.button('x', on_click=act)",
        "st.text_input('x', on_change=lambda: act())",
        "at.button('x', on_click=partial(act, 1))",
        "view(on_chosen_change=act)",
    ],
)
def test_the_reading_finds_what_it_is_for(source: str):
    assert faults(source)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch):
    return lambda person: monkeypatch.setattr(access, "person_here", lambda: person)


def test_a_callback_acts_for_authors_only(looks, add_person):
    acts: list[int] = []
    act = access.callback(acts.append)
    for person in (None, add_person("Ada")):
        looks(person)
        act(1)
    assert acts == []
    looks(add_person("Eva", "author"))
    act(2)
    assert acts == [2]
