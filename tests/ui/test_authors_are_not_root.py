"""An author in a browser reads no file of the server, no variable of it, and asks no address."""

import ast
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotations.people import Person
from annotations.prompts import prompt
from annotations.settings_file import ListedModel
from annotations.workspace import Workspace
from core.refusal import Refusal
from ui.components.pipeline.model_choices import allowed_key, check_offered, offered_models

ROOT = Path(__file__).resolve().parents[2]
SHELL = """
from ui.serving import workspace
from annotations.people import Person
from ui.pages import {page}
{page}.render(workspace(), Person(1, "Eva", "author"))
"""
OPTIONS = {"device": "cpu", "revision": None}
# What people may type into a list: a number of frames, and the name of an encoding.
TYPED = {
    "ui/components/pipeline/new_run.py", "ui/components/importing/file_settings.py",
    "ui/pages/bring_in.py",
}  # fmt: skip


@pytest.fixture
def author(served: Workspace, add_person: Callable[..., Person]) -> Workspace:
    add_person("Eva", "author")
    return served


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """An address of this machine that notices whoever asks it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        yield server


def address(server: socket.socket) -> str:
    return f"server:http://127.0.0.1:{server.getsockname()[1]}/v1#m"


def was_asked(server: socket.socket) -> bool:
    try:
        server.accept()[0].close()
    except TimeoutError:
        return False
    return True


def page(name: str) -> AppTest:
    return AppTest.from_string(SHELL.format(page=name), default_timeout=60)


def send(app: AppTest, key: str, value: str) -> None:
    """What a browser sends that was made to send what its list does not hold."""
    app.selectbox(key=key).options.append(value)
    app.selectbox(key=key).set_value(value)


def test_a_prompt_is_a_name_and_no_path(workspace: Workspace, tmp_path: Path):
    (tmp_path / "private.txt").write_text("private")
    key = workspace.root / "secret.key"
    for path in ("/etc/passwd", "/proc/self/environ", str(key), "../secret.key", "secret.key",
                 str(tmp_path / "private.txt"), "../../private", "~/.ssh/id_rsa"):  # fmt: skip
        with pytest.raises(Refusal, match="There is no prompt") as refused:
            prompt(path, (), workspace.root)
        assert workspace.secret not in str(refused.value)
    assert prompt(str(tmp_path / "private.txt"), (), files=True).text == "private"


def test_a_path_that_a_browser_sends_as_prompt_shows_no_file(author: Workspace, add_question: Any):
    add_question("count/1")
    app = page("pipeline").run()
    app.radio(key="pipeline annotator").set_value("vlm_screening").run()
    for path in ("/etc/passwd", str(author.root / "secret.key")):
        send(app, "pipeline vlm_screening prompt", path)
        app.run()
        shown = " ".join(str(one.value) for one in (*app.code, *app.markdown, *app.warning))
        assert "root:" not in shown
        assert author.secret not in shown
        assert app.selectbox(key="pipeline vlm_screening prompt").value == "screening"


@pytest.mark.parametrize(
    "model", ["server:http://127.0.0.1:1/v1#m", "/etc", "some/other-model", "", "stub:other"]
)
def test_pages_take_models_from_their_list_and_keys_with_them(author: Workspace, model: str):
    from annotations.annotator import annotator

    with pytest.raises(Refusal, match=r"rushes\.toml under \[\[models\]\]"):
        allowed_key(author, ("text",), model)
    with pytest.raises(Refusal, match="is not offered here"):
        check_offered(author, annotator("text_only"), model, OPTIONS)


def test_a_listed_server_gets_the_key_that_stands_beside_it_and_no_other(author: Workspace):
    listed = (ListedModel("server:https://lab.example/v1#big", "LAB_KEY"), ListedModel("/models/a"))
    object.__setattr__(author.settings, "models", listed)
    assert allowed_key(author, ("text",), listed[0].model) == "LAB_KEY"
    assert allowed_key(author, ("text",), "/models/a") == ""
    assert {entry.model for entry in listed} <= set(offered_models(author, ("embedding",)))


def test_the_studio_asks_no_address_that_a_browser_sends(
    author: Workspace, add_question: Any, listener: socket.socket
):
    add_question("count/1")
    app = page("studio").run()
    app.text_input(key="studio-answer").set_value("a bicycle kick").run()
    send(app, "studio-model", address(listener))
    app.run()
    [button] = [one for one in app.button if one.label == "Ask for nine"]
    assert button.disabled  # an address is not taken for a model, and none is chosen beforehand
    assert not was_asked(listener)
    assert app.selectbox(key="studio-model").value is None


def test_the_pipeline_takes_no_address_that_a_browser_sends(
    author: Workspace, add_question: Any, listener: socket.socket
):
    add_question("count/1")
    app = page("pipeline").run()
    app.radio(key="pipeline annotator").set_value("text_only").run()
    send(app, "pipeline model text_only", address(listener))
    app.run()
    assert app.selectbox(key="pipeline model text_only").value != address(listener)
    assert not was_asked(listener)


def calls(path: Path) -> Iterator[ast.Call]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def test_nothing_can_be_typed_into_other_lists_and_pages_load_no_files_or_models():
    typed: set[str] = set()
    for folder in ("pages", "components", "routes", "tasks", "shell"):
        for path in (ROOT / "ui" / folder).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            for call in calls(path):
                keywords = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
                if keywords.get("accept_new_options") == "True":
                    typed.add(name)
                assert keywords.get("files") != "True", f"{name} takes a path"
                assert ast.unparse(call.func) != "load_model", f"{name} loads a model itself"
                assert "environ" not in ast.unparse(call.func), f"{name} reads a variable"
    assert typed == TYPED
