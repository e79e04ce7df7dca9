"""The checks over a workspace, and the command that prints them."""

import json
from collections.abc import Callable

import pytest

from annotations.generation.question_checks import check_workspace
from annotations.question.questions import revise
from annotations.workspace import Workspace
from ui.cli import main

AddQuestion = Callable[..., int]


def test_flags_have_their_reason_and_their_question(
    workspace: Workspace, add_question: AddQuestion
):
    add_question("a/1", ("Moving Up.", "Moving Up then Down.", "Still."))
    add_question("a/2", ("left", "right", "up"))
    report = check_workspace(workspace)
    assert (report.questions, report.flagged) == (2, 1)
    assert report.counts["options_overlap"] == 1
    [flag] = [one for one in report.flags if one.check == "options_overlap"]
    assert (flag.uid, flag.flag.where) == ("a/1", "option 2")


def test_a_revision_that_moved_the_key_is_flagged(workspace: Workspace, add_question: AddQuestion):
    question = add_question("a/1", ("throws the red ball", "kicks the blue box", "sits"), 0)
    assert check_workspace(workspace).counts["key_moved"] == 0
    with workspace.store.write() as database:
        changed = {"options": ["kicks a blue box", "throws a red ball", "sits down"]}
        revise(database, question, changed)
    assert check_workspace(workspace).counts["key_moved"] == 1


def test_the_command_prints_json_and_a_summary(
    workspace: Workspace, add_question: AddQuestion, capsys: pytest.CaptureFixture[str]
):
    assert main(["checks", "--workspace", str(workspace.root)]) == 0
    assert "No questions with options yet" in capsys.readouterr().out
    for number in range(30):
        add_question(f"a/{number}", ("left", "right", "up"), 1)
    add_question("b/1", ("to eat", "to drink", "sleep"), 0)
    assert main(["checks", "--workspace", str(workspace.root), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["questions"] == 31
    assert report["counts"]["options_uneven"] == 1
    assert report["flags"] == [
        {"question": "b/1", "check": "options_uneven",
         "title": "Options of unequal length or form", "where": "option 3",
         "reason": "all others begin with to", "marks": []},
    ]  # fmt: skip
    assert "30 have the key at B" in report["set"][0]["reason"]
    assert {guess["rule"] for guess in report["guesses"]} >= {"always the longest option"}
    assert main(["checks", "--workspace", str(workspace.root)]) == 0
    text = capsys.readouterr().out
    assert "1 of 31 questions have something to look at" in text
    assert "b/1, option 3: all others begin with to" in text
