"""`rushes run` as somebody types it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotations.engine import engine_worker
from annotations.engine.engine_hold import Progress
from annotations.run import run_plan
from annotations.workspace import Workspace
from core.model import ModelError, NotInstalled
from ui.cli import main
from ui.commands._progress_bar import duration, line


class Guessing:
    """A language model that takes the first letter."""

    name, device, is_stand_in, stand_in_words = "guess", "cpu", True, "It only guesses."
    sees, scores = False, True

    def score(self, requests: Any, choices: Any) -> list[tuple[float, ...]]:
        return [tuple(np.linspace(2, 1, len(c)) / np.linspace(2, 1, len(c)).sum()) for c in choices]


@pytest.fixture
def guessing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_worker, "load_model", lambda *given: Guessing())
    monkeypatch.setattr(run_plan, "fitting_kind", lambda module, name: module.MODEL_KINDS[0])


def typed(workspace: Workspace, *words: str) -> list[str]:
    return ["run", *words, "--workspace", str(workspace.root)]


def test_a_run_is_summed_up_and_goes_on_where_it_stopped(
    workspace: Workspace,
    add_question: Callable[..., int],
    guessing: None,
    capsys: pytest.CaptureFixture[str],
):
    for number in range(5):
        add_question(f"count/{number}")
    assert main(typed(workspace, "text_only", "--model", "stub:x", "--sample", "2")) == 0
    said = capsys.readouterr().out
    assert "stub:x · text only" in said
    assert "stopped: 3 items are left" in said
    assert "2 of 2 items have a result, 2 of them new" in said
    assert "Note: It only guesses." in said
    assert said.count("question:count/") == 2
    assert main(typed(workspace, "text_only", "--model", "stub:x", "--json")) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["status"], facts["done"], facts["new"]) == ("finished", 5, 3)
    assert facts["stand_in"] == "It only guesses."


def test_several_models_and_times_are_runs_of_their_own(
    workspace: Workspace,
    add_question: Callable[..., int],
    guessing: None,
    capsys: pytest.CaptureFixture[str],
):
    add_question("count/1")
    words = ["text_only", "--model", "stub:a", "--model", "stub:b", "--times", "3"]
    assert main(typed(workspace, *words)) == 0
    assert capsys.readouterr().out.count("finished: all items are done") == 6
    assert len(workspace.store.rows("SELECT 1 FROM run")) == 6
    assert main(typed(workspace, "transcript", "--model", "stub:a", "--times", "2")) == 1
    assert "--times is for text_only only" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--task", "Nothing"], "There is no task 'Nothing'. There are:"),
        (["--set", "nonsense"], "has to look like NAME=VALUE"),
        (["--set", "colour=red"], "There is no setting 'colour'. Allowed:"),
        (["--prompt", "unknown"], "There is no prompt 'unknown'. Allowed:"),
    ],
)
def test_what_is_wrong_is_said_in_words(
    workspace: Workspace,
    add_question: Callable[..., int],
    guessing: None,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
):
    add_question("count/1")
    assert main(typed(workspace, "text_only", "--model", "stub:x", *words)) == 1
    assert said in capsys.readouterr().err


def test_a_package_that_is_lacking_is_named_with_the_command_that_installs_it(
    workspace: Workspace,
    add_question: Callable[..., int],
    guessing: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def lacking(*given: object) -> None:
        raise NotInstalled("This model needs the package torch: pip install -e '.[models]'")

    add_question("count/1")
    monkeypatch.setattr(engine_worker, "load_model", lacking)
    assert main(typed(workspace, "text_only", "--model", "some/model")) == 1
    assert "pip install -e '.[models]'" in capsys.readouterr().err
    assert workspace.store.rows("SELECT status FROM run") == [{"status": "failed"}]


def test_a_model_that_there_is_not_is_said(
    workspace: Workspace, add_question: Callable[..., int], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    def none(*given: object) -> None:
        raise ModelError("No model 'x/y'.")

    monkeypatch.setattr("core.model_loading.find_source", none)
    add_question("count/1")
    assert main(typed(workspace, "text_only", "--model", "x/y")) == 1
    assert "No model 'x/y'." in capsys.readouterr().err


def test_the_bar_says_how_far_how_fast_and_how_long_still():
    now = Progress("running", "annotating", 90, 10, 200, 12.5, 8.0)
    assert line(now) == (
        "[############------------]  100/200  annotating  12.5/s  8 s left  10 failed  "
    )
    assert line(Progress("waiting")).startswith("[------------------------]  0/0  waiting")
    assert [duration(s) for s in (0.4, 89, 91, 3600, 7800)] == [
        "0 s", "89 s", "2 min", "60 min", "2 h 10 min",
    ]  # fmt: skip


def test_help_names_the_annotators(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    said = capsys.readouterr().out
    assert "clip_similarity" in said
    assert "vlm_screening" in said


def test_a_question_of_another_folder_is_no_workspace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    words = ["run", "text_only", "--model", "stub:x", "--workspace", str(tmp_path / "none")]
    assert main(words) == 1
    assert "is no workspace" in capsys.readouterr().err
