import pytest

from annotations.workspace import Workspace
from ui.cli import main


def test_a_run_that_is_not_there_is_named_beside_those_there_are(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["reread", "gpt-x", "--workspace", str(workspace.root), "--model", "server:x#y"]
    assert main(command) == 1
    assert "'gpt-x' names 0 runs. There are: none." in capsys.readouterr().err
