"""A file put into a plug-in folder is found on its page or command, and nothing else changes."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from annotations.answering import queue
from annotations.answering.answer_store import Answer, store
from annotations.planning.task_store import create_task, grow

ROOT = Path(__file__).resolve().parents[1]
# A dummy of every plug-in folder: which file it is copied from, what is changed in the copy.
DUMMIES = {
    "core/metrics/dummy.py": ("accuracy.py", {'NAME = "Accuracy"': 'NAME = "Dummy statistic"'}),
    "core/agreements/dummy.py": ("percent.py", {'"Percent agreement"': '"Dummy coefficient"'}),
    "core/models/dummy.py": ("stub.py", {"Stub (no model)": "Dummy family"}),
    "core/edits/dummy.py": ("mirror.py", {"Exchange left and right.": "Dummy edit."}),
    "core/checks/dummy.py": (
        "option_long.py",
        {"More than 20 words": "Dummy check", "MOST_WORDS = 20": "MOST_WORDS = 0"},
    ),
    "annotations/annotators/dummy.py": ("text_only.py", {"Which time": "Dummy setting"}),
    "annotations/generators/dummy.py": ("neutral.py", {}),
    "annotations/formats/dummy.py": ("videos.py", {"a folder of videos": "a dummy folder"}),
    "annotations/prediction_formats/dummy.py": ("nextqa.py", {"of NExT-QA": "of a dummy"}),
    "annotations/answer_formats/dummy.py": ("label_studio.py", {"of Label Studio": "of a dummy"}),
    "annotations/tasks/dummy.py": (
        "frame_picking.py",
        {'LABEL = "Frame picking"': 'LABEL = "Dummy task"'},
    ),
    "ui/tasks/dummy.py": ("frame_picking.py", {}),
    "ui/commands/dummy.py": ("status.py", {'NAME = "status"': 'NAME = "dummy"'}),
    "ui/pages/dummy.py": ("people.py", {'TITLE = "People"': 'TITLE = "Dummy page"'}),
    "assets/languages/xx.json": ("de.json", {"Deutsch": "Dummy language"}),
    "assets/instructions/dummy.md": ("frame_picking.md", {}),
}
# Runs in the copy, so that every folder is read as it is there; prints what was seen where.
LOOKS = """
import contextlib, io, json, sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
from annotations.people import Person
from ui import access, cli

access.person_here = lambda: Person(1, "Ann", "author")  # nobody signs in here
study, out = sys.argv[1], Path(sys.argv[2])
def command(*words):
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            cli.main(words)
        except SystemExit:
            pass
    return said.getvalue()

def page(name, **query):
    shell = (
        "from pathlib import Path\\nfrom annotations.people import Person\\n"
        "from annotations.workspace import Workspace\\nfrom ui.pages import {0}\\n"
        "{0}.render(Workspace.open(Path({1!r})), Person(1, 'Ann', 'author'))"
    ).format(name, study)
    shown = AppTest.from_string(shell, default_timeout=60)
    for key, value in query.items():
        shown.query_params[key] = value
    shown.run()
    assert not shown.exception, shown.exception
    return " ".join([
        *(str(table.value.to_csv()) for table in shown.dataframe),
        *(str(box.options) for box in (*shown.selectbox, *shown.radio)),
        *(part.proto.body for part in shown.get("html")),
    ])

export = out / "export"
command("export", str(export), "--workspace", study)
from core import plugins
from ui.shell.app_pages import PAGES
from ui.languages import languages
json.dump({
    "metrics": command("metrics", "--workspace", study),
    "page Metrics": page("metrics"),
    "page Agreement": page("agreement"),
    "wizard of Tasks": page("tasks", new="1"),
    "export": " ".join((export / f"{name}.jsonl").read_text()
                       for name in ("statistics", "agreement")),
    "edit": command("edit", "--help"),
    "checks": command("checks", "--workspace", study),
    "run": command("run", "dummy", "--settings"),
    "generate": command("generate", "--help"),
    "import": command("import", study + "/rushes.toml", "--workspace", study),
    "predictions": command("import", study + "/rushes.toml", "--as", "predictions",
                           "--workspace", study),
    "answers": command("import", study + "/rushes.toml", "--as", "answers",
                       "--workspace", study),
    "help": command("--help"),
    "languages": " ".join(languages().values()),
    "models": command("run", "text_only", "--model", sys.argv[3], "--workspace", study),
    "pages": " ".join(plugins.load("ui.pages", name).TITLE for name in PAGES),
}, sys.stdout)
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the four packages and the assets, with a dummy in every plug-in folder."""
    copy = tmp_path / "house"
    for floor in ("core", "db", "annotations", "ui", "assets"):
        shutil.copytree(ROOT / floor, copy / floor, ignore=shutil.ignore_patterns("__pycache__"))
    for path, (source, changes) in DUMMIES.items():
        text = (copy / path).with_name(source).read_text(encoding="utf-8")
        for old, new in changes.items():
            assert old in text, (path, old)
            text = text.replace(old, new)
        (copy / path).write_text(text, encoding="utf-8")
    order = copy / "ui/shell/app_pages.py"  # the one line that a page needs beside its file
    order.write_text(order.read_text("utf-8").replace('"studio")', '"studio", "dummy")'))
    return copy


@pytest.fixture
def study(workspace, add_question, model_says, add_person):
    """Two people and a model on two questions."""
    for number in (1, 2):
        add_question(f"count/{number}")
        model_says("stub", f"count/{number}", "A")
    settings = {"condition": "full video", "shuffle_options": False}
    task = create_task(workspace, "t", "human_evaluation", settings, 2)
    grow(workspace, task)
    for person in (add_person("Ada"), add_person("Ben")):
        for row in workspace.store.rows("SELECT id FROM item WHERE task_id = ?", [task]):
            lease = queue.hand(workspace, task, person, row["id"]).lease.id
            answer = Answer(f"{person.name} {row['id']}, the first answer", row["id"], lease,
                            {"choice": 1}, None, 2.0, time.time())  # fmt: skip
            [receipt] = store(workspace, task, person, [answer])
            assert receipt.status == "stored", receipt
    return workspace


def test_a_dummy_of_every_plugin_folder_is_found(house, study, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(house)}
    empty = tmp_path / "a model"
    empty.mkdir()
    (empty / "config.json").write_text(json.dumps({"architectures": ["Nothing"]}))
    done = subprocess.run(
        [sys.executable, "-c", LOOKS, str(study.root), str(tmp_path), str(empty)],
        cwd=house, env=environment, capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    for where, words in {
        "metrics": ("Dummy statistic", "Dummy coefficient"),
        "page Metrics": ("Dummy statistic",),
        "page Agreement": ("Dummy coefficient",),
        "wizard of Tasks": ("Dummy task",),
        "export": ("Dummy statistic", "Dummy coefficient"),
        "edit": ("--dummy", "Dummy edit."),
        "checks": ("Dummy check",),
        "run": ("Dummy setting",),
        "generate": ("dummy",),
        "import": ("a dummy folder",),
        "predictions": ("of a dummy",),
        "answers": ("of a dummy",),
        "help": ("dummy",),
        "languages": ("Dummy language",),
        "models": ("Dummy family",),
        "pages": ("Dummy page",),
    }.items():
        for word in words:
            assert word in seen[where], (where, word, seen[where])


def test_every_plugin_folder_has_a_dummy_and_a_row_in_the_readme():
    # A plural folder holds plug-ins where something lists its files by `core.plugins`.
    text = "".join(
        path.read_text(encoding="utf-8")
        for floor in ("core", "annotations", "ui")
        for path in (ROOT / floor).rglob("*.py")
    )
    folders = {
        name.replace(".", "/")
        for name in re.findall(r'"((?:core|annotations|ui)\.[a-z_]+)"', text)
        if (ROOT / name.replace(".", "/")).is_dir()
    } | {"assets/languages"}
    assert folders <= {str(Path(path).parent) for path in DUMMIES}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"`((?:core|annotations|ui|assets)/[a-z_]+)/[A-Z]+\.", readme))
    assert {str(Path(path).parent) for path in DUMMIES} - {"assets/instructions"} <= rows
