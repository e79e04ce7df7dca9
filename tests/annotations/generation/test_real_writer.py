"""The whole chain with a real language model in a folder, beside the stub: killed, and gone on."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from trained_writer import train_writer

from annotations.generation.generate import AGAIN, generate
from annotations.generation.generation_plan import plan_generation
from annotations.generation.generator import Subject, Unfit
from annotations.generators import actionatlas, neutral
from annotations.prompts import prompt
from annotations.record.item import item_in
from annotations.workspace import Workspace
from ui.cli import main

pytest.importorskip("torch")
pytest.importorskip("transformers")

CARDS = (
    ("bicycle kick", "football", "the player in red", "he turns his back",
     "Who does the bicycle kick?",
     "Which move does the player in red make after he turns his back?",
     ["scissors kick", "volley", "header", "back heel", "rabona", "chip", "toe poke",
      "diving header", "half volley"]),
    ("crossover dribble", "basketball", "the tall woman", "she slows down",
     "What does the tall woman do?",
     "Which move does the tall woman make after she slows down?",
     ["spin move", "hesitation step", "euro step", "jab step", "fadeaway", "lay-up",
      "step-back jumper", "pump fake", "behind-the-back pass"]),
)  # fmt: skip


def subjects(video: int, sha256: str) -> list[Subject]:
    return [
        Subject(f"segment:{number}:1", f"clip {number}", video, sha256, facts={
            "action": action, "domain": domain, "who": who, "before": before, "after": "none",
        })
        for number, (action, domain, who, before, *_) in enumerate(CARDS)
    ]  # fmt: skip


def lessons(root: Path) -> list[tuple[str, str, str]]:
    """A first question that cannot be taken, the one after being told why, and nine negatives."""
    taught: list[tuple[str, str, str]] = []
    question, negatives = actionatlas.STEPS
    for subject, (*_, bad, good, nine) in zip(subjects(1, ""), CARDS, strict=True):
        system, text = prompt(question.prompt, question.fields, root).fill(
            question.fill(subject, {}, actionatlas.SETTINGS)
        )
        with pytest.raises(Unfit) as unfit:
            question.read(bad, subject, {}, {})
        again = AGAIN.format(text=text, problem=str(unfit.value), reply=bad)
        taught += [(system, text, bad), (system, again, good)]
        system, text = prompt(negatives.prompt, negatives.fields, root).fill(
            negatives.fill(subject, {}, actionatlas.SETTINGS)
        )
        taught.append((system, text, "\n".join(nine)))
    return taught


@pytest.fixture(scope="module")
def writer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the model; it is trained once."""
    folder = tmp_path_factory.mktemp("writer")
    train_writer(folder, lessons(folder))
    return folder


SLOW = """
import sys, time
from pathlib import Path
sys.path[:0] = sys.argv[4:]
from annotations.generation.generate import generate
from annotations.generation.generation_plan import plan_generation
from annotations.generators import actionatlas
from annotations.workspace import Workspace
from test_real_writer import subjects
workspace = Workspace.open(Path(sys.argv[1]))
actionatlas.subjects = lambda *_: subjects(1, sys.argv[3])
def say(through, wanted, name):
    print(through, flush=True)
    if through == 1: time.sleep(120)
generate(workspace, plan_generation(workspace, "actionatlas", sys.argv[2]), say=say)
"""


def test_a_real_model_writes_is_told_what_was_wrong_and_goes_on_after_a_kill(
    workspace: Workspace, add_question, writer: Path, monkeypatch: pytest.MonkeyPatch
):
    add_question("a/1", video="kick.mp4")
    [row] = workspace.store.rows("SELECT id, sha256 FROM video")
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[2])]
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(workspace.root), str(writer), row["sha256"], *paths],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    while (said := process.stdout.readline().strip()) != "1":
        assert said == "0"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    replies = (
        "SELECT subject, step, attempt, reply, problem FROM generation_reply ORDER BY stored_at"
    )
    kept = workspace.store.rows(replies)
    assert [(one["subject"], one["step"], one["attempt"]) for one in kept] == [
        ("segment:0:1", "question", 1), ("segment:0:1", "question", 2),
        ("segment:0:1", "negatives", 1),
    ]  # fmt: skip
    assert kept[0]["reply"] == "Who does the bicycle kick?"
    assert "It names the action: bicycle, kick" in kept[0]["problem"]
    assert kept[1]["problem"] == ""
    monkeypatch.setattr(actionatlas, "subjects", lambda *_: subjects(row["id"], row["sha256"]))
    number = plan_generation(workspace, "actionatlas", str(writer))
    result = generate(workspace, number)
    assert (result.done, result.drafts, result.new, result.requests) == (2, 2, 1, 3)
    assert result.stand_in == "", "a real model is no stand-in"
    assert workspace.store.rows(replies)[:3] == kept, "nothing is asked again"
    assert "does not say what happens before" in workspace.store.rows(replies)[3]["problem"]
    rows = workspace.store.rows("SELECT id, payload FROM item WHERE uid LIKE 'generated:%'")
    assert [json.loads(item["payload"])["text"] for item in rows] == [card[5] for card in CARDS]
    assert json.loads(rows[1]["payload"])["options"] == [CARDS[1][0], *CARDS[1][6]]
    with workspace.store.read() as database:
        assert item_in(database, rows[0]["id"]).status == "open", "people review it first"


def test_the_command_says_which_model_wrote(
    workspace: Workspace, add_question, writer: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    add_question("a/1", video="kick.mp4")
    monkeypatch.setattr(neutral, "STEPS", (replace(neutral.STEPS[0], most_tokens=40),))
    where = ["--workspace", str(workspace.root), "--json"]
    # Rewriting was not taught: each reply is refused with its reason and kept, and nothing is made.
    assert main(["generate", "neutral", *where, "--model", str(writer)]) == 1
    real = json.loads(capsys.readouterr().out)
    assert (real["done"], real["requests"], real["stand_in"]) == (0, 3, "")
    assert str(writer) in real["task"]
    assert main(["generate", "neutral", *where, "--model", "stub:fair"]) == 0
    stub = json.loads(capsys.readouterr().out)
    assert stub["done"] == 1
    assert "A stub, no model" in stub["stand_in"]
    kept = workspace.store.rows("SELECT reply, problem FROM generation_reply WHERE problem <> ''")
    assert len(kept) == 3
