from streamlit.testing.v1 import AppTest

from annotations.planning.task_store import create_task, grow
from annotations.recruiting.overview import overview
from ui import cli

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.workspace import Workspace
from ui.pages import recruiting
recruiting.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


def page(workspace):
    return AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=60).run()


def a_task(workspace, add_question):
    for number in range(5):
        add_question(f"q/{number}")
    task = create_task(workspace, "study", "human_evaluation", {"condition": "full video"}, 3)
    grow(workspace, task)
    return task


def button(app, label):
    return next(one for one in app.button if one.label == label)


def test_without_a_task_there_is_nothing_to_link_to(workspace):
    app = page(workspace)
    assert not app.exception
    assert "leads to a task" in app.info[0].value


def test_a_link_is_made_shown_and_closed(served, add_question):
    a_task(served, add_question)
    app = page(served)
    assert not app.exception
    app.text_input[0].set_value("Pilot")
    app.number_input[0].set_value(3)
    button(app, "Make the link").click().run()
    assert not app.exception
    [made] = overview(served)
    assert (made.recruitment.name, made.recruitment.items) == ("Pilot", 3)
    assert "ExternalQuestion" in app.code[0].value
    assert any("https" in warning.value for warning in app.warning)
    button(app, "Close for new people").click().run()
    assert overview(served)[0].recruitment.state == "closed"
    assert any("Nobody has finished yet" in caption.value for caption in app.caption)


def test_what_cannot_work_is_said(served, add_question):
    a_task(served, add_question)
    app = page(served)
    button(app, "Make the link").click().run()
    assert "name" in app.error[0].value
    mark = next(one for one in app.number_input if one.label == "Practice to be right, %")
    mark.set_value(80)
    button(app, "Save").click().run()
    assert "no practice items" in app.error[0].value


def test_the_command_makes_links_and_payment_files(workspace, add_question, tmp_path, capsys):
    a_task(workspace, add_question)
    here = ["--workspace", str(workspace.root)]
    usual = ["--task", "study", "--items", "2", "--places", "5", "--reward", "1"]
    assert cli.main(["recruit", "onboard", "--task", "study", "--total-limit", "4", *here]) == 0
    assert cli.main(["recruit", "link", "p", "--site", "prolific", *usual, *here]) != 0
    assert "completion code" in capsys.readouterr().err
    code = ["--code", "finished=C1"]
    assert cli.main(["recruit", "link", "p", "--site", "prolific", *usual, *code, *here]) == 0
    assert "{{%PROLIFIC_PID%}}" in capsys.readouterr().out
    assert cli.main(["recruit", "list", *here]) == 0
    assert "0 of 5 places done" in capsys.readouterr().out
    assert cli.main(["recruit", "payments", "p", str(tmp_path / "pay"), *here]) == 0
    assert "0 to approve" in capsys.readouterr().out
    assert (tmp_path / "pay" / "prolific_bonuses.txt").read_bytes() == b""
    assert cli.main(["recruit", "payments", "q", str(tmp_path / "pay"), *here]) != 0
    assert "There are: p" in capsys.readouterr().err
