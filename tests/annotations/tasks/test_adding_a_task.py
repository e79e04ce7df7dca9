import json
import sys
from pathlib import Path

import pytest

import annotations.tasks
import ui.tasks
from annotations import task as tasks
from annotations.planning.task_store import create_task
from annotations.tasks import human_evaluation
from annotations.video.preparer import Preparer
from core import plugins
from ui.routes.desk import Desk

KIND = '''
"""Brightness: is a video light or dark."""

import json

from annotations.video.clips_in_rows import Videos, row_named
from annotations.decision import majority, majority_settled, nominal
from annotations.reading.responses import one_of
from annotations.record.stage import Content, Player
from annotations.task import ItemDraft, Shown

LABEL = "Brightness"
SCHEMA_VERSION = 1
OVERLAP = 3
SOURCES = ("rows",)


def check_settings(settings):
    return settings


def build_items(workspace, settings, rows):
    for number, row in enumerate(rows or [], start=1):
        with row_named(number):
            clip = Videos(workspace).clip(row)
        yield ItemDraft(f"video:{clip.name}", video_id=clip.video_id, payload=clip.payload)


def show(workspace, item, settings, seed):
    return Shown(item.payload)


def content(workspace, item, shown):
    facts = shown.facts
    return Content(item.uid, Player(facts["video"], facts["start"], facts["end"]), {})


def check_response(response, shown):
    return {"light": one_of(response, "light", ("light", "dark"), "Light or dark")}


def decide(responses, settings):
    return majority([response["light"] for response in responses])


def settled(responses, left, settings):
    return majority_settled([response["light"] for response in responses], left)


def feedback(response, expected, settings):
    return response["light"] == expected["light"], "Look at the sky."


def distance(first, second):
    return nominal(first["light"], second["light"])
'''
FORM = '''
"""The form of brightness."""

from ui.form import Choice, Option


def fields(settings):
    options = (Option("light", "Light"), Option("dark", "Dark"))
    return [Choice(name="light", label="How is it?", options=options)]
'''


@pytest.fixture
def brightness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A task kind in a folder of its own: two files and its instructions, nothing else."""
    for package, text in ((annotations.tasks, KIND), (ui.tasks, FORM)):
        folder = tmp_path / package.__name__
        folder.mkdir()
        (folder / "brightness.py").write_text(text, encoding="utf-8")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    (tmp_path / "brightness.md").write_text("Look. A worked example: noon is light.", "utf-8")
    monkeypatch.setattr(tasks, "INSTRUCTIONS", tmp_path)
    forget()
    yield "brightness"
    forget()


def forget() -> None:
    plugins.names.cache_clear()
    plugins.load.cache_clear()
    for package in ("annotations", "ui"):
        sys.modules.pop(f"{package}.tasks.brightness", None)


def test_a_task_of_two_files_is_found_handed_out_drawn_answered_and_decided(
    brightness, workspace, add_video, add_task, add_person, respond
):
    add_video("noon.mp4")
    add_video("night.mp4")
    assert brightness in tasks.kinds()
    rows = [
        {"video": "noon", "role": "practice", "expected": {"light": "light"}},
        {"video": "night"},
    ]
    task = add_task(brightness, rows)
    people = [add_person(name) for name in ("Ada", "Ben", "Cy")]

    desk = Desk(workspace, Preparer(workspace))
    opened = desk.open(people[0], task)
    assert "noon is light" in opened["task"]["instructions"]
    [field] = opened["task"]["form"]["fields"]
    assert (field["type"], field["label"]) == ("choice", "How is it?")
    assert [option["value"] for option in field["options"]] == ["light", "dark"]
    assert [(item["label"], item["stage"]["type"]) for item in opened["items"]] == [
        ("video:noon.mp4", "player"),
        ("video:night.mp4", "player"),
    ]

    assert respond(task, people[0], {"light": "grey"}).status == "refused"
    for person, light in zip(people, ("dark", "light", "dark"), strict=True):
        respond(task, person, {"light": "light"})  # practice comes first and counts for nothing
        assert respond(task, person, {"light": light}).status == "stored"
    responses = [
        json.loads(row["response"])
        for row in workspace.store.rows(
            "SELECT a.response FROM annotation a JOIN item i ON i.id = a.item_id"
            " WHERE i.role = 'work'"
        )
    ]
    decision = tasks.kind(brightness).decide(responses, {})
    assert (decision.value, decision.words) == ("dark", "2 of 3")


def test_the_others_are_still_there_and_the_new_one_is_gone_afterwards(workspace):
    assert "brightness" not in tasks.kinds()
    assert create_task(workspace, "t", "human_evaluation", {}, human_evaluation.OVERLAP)
