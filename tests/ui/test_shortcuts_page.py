import json
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotations.demo.clips import questions
from annotations.demo.earlier_runs import add_earlier_runs
from annotations.people import invite
from annotations.planning.task_store import ensure_tasks
from annotations.scoring.question_replies import question_replies
from annotations.scoring.snapshot import take
from annotations.scoring.solved_table import EVERY_QUESTION, question_ids
from annotations.shortcut.shortcut_audit import audit, flagged
from annotations.shortcut.splits import all_splits, split_lists
from annotations.workspace import Workspace
from ui.components.shortcuts.audit_table import audit_columns

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.workspace import Workspace
from ui.pages import shortcuts
shortcuts.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


def page(workspace: Workspace) -> AppTest:
    return AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=60)


@pytest.fixture
def study(workspace: Workspace, add_question: Callable[..., int]) -> Workspace:
    """The demo's questions with its simulated runs."""
    invite(workspace, "Ann", "author")
    for question in questions():
        add_question(question.uid, question.options, question.key)
    ensure_tasks(workspace)
    add_earlier_runs(workspace)
    return workspace


def table(app: AppTest) -> Any:
    return app.dataframe[0].value


def test_an_empty_workspace_says_which_runs_are_needed(workspace: Workspace):
    app = page(workspace).run()
    assert not app.exception
    assert "saw too little on purpose" in app.info[0].value


def test_without_a_run_that_saw_too_little_no_question_is_said_to_have_no_shortcut(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    add_question("turn/0")
    model_says("m", "turn/0", "B", "16 frames")
    app = page(workspace).run()
    assert not app.exception
    assert "No run has tried a shortcut yet" in app.info[0].value
    assert not any("without one" in one.proto.body for one in app.get("html"))
    assert list(table(app)["Question"]) == ["turn/0"]


def test_questions_with_most_shortcuts_come_first_with_flags_in_words(study: Workspace):
    app = page(study).run()
    assert not app.exception
    shown = table(app)
    counts = list(shown["Shortcuts"])
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] >= 1
    assert "solved from text alone by" in shown["In words"][0]
    assert {"Text only", "One random frame", "16 shuffled frames", "16 frames"} <= set(shown)
    assert shown["Text only"].between(0, 1).all()


def test_the_view_and_what_is_enough_choose_the_questions(study: Workspace):
    app = page(study).run()
    flags = flagged(audit(take(study)), "all")
    app.segmented_control(key="shortcuts enough").set_value("all").run()
    assert len(table(app)) == flags.any(axis=1).sum()
    app.segmented_control(key="shortcuts show").set_value("Text only").run()
    assert len(table(app)) == flags[:, 0].sum()
    app.segmented_control(key="shortcuts show").set_value("Every question").run()
    assert len(table(app)) == len(question_ids(take(study), EVERY_QUESTION))
    for view in ("Look at the key", "No run solves"):
        app.segmented_control(key="shortcuts show").set_value(view).run()
        assert not app.exception


def test_a_split_is_previewed_stored_once_and_offered_as_lists_of_ids(study: Workspace):
    app = page(study).run()
    assert any("of 38 questions kept" in one.value for one in app.markdown)
    app.button(key="shortcuts split store").click().run()
    assert "no name" in app.error[0].value
    app.text_input(key="shortcuts split name").set_value("deaf-blind").run()
    app.button(key="shortcuts split store").click().run()
    assert not app.exception
    [split] = all_splits(take(study))
    assert (split.name, split.made_by, split.questions) == ("deaf-blind", "Ann", 38)
    assert any("Stored splits" in one.value for one in app.subheader)
    lists = json.loads(json.dumps(split_lists(take(study), split.id)))
    assert set(lists) == {"full", "debiased"}
    assert len(lists["debiased"]) == split.kept
    app.button(key="shortcuts split store").click().run()
    assert "already" in app.error[0].value


def test_what_a_rule_drops_is_looked_at_and_taken_back(study: Workspace):
    app = page(study).run()
    back = next(one for one in app.multiselect if one.label.startswith("Take back"))
    dropped = len(back.options)
    assert dropped > 2
    assert any(f"{38 - dropped} of 38 questions kept" in one.value for one in app.markdown)
    assert len(app.dataframe[-1].value) == dropped
    back.set_value(back.options[:2]).run()
    assert not app.exception
    assert any(f"{40 - dropped} of 38 questions kept" in one.value for one in app.markdown)
    app.text_input(key="shortcuts split name").set_value("deaf-blind").run()
    app.button(key="shortcuts split store").click().run()
    [split] = all_splits(take(study))
    assert (split.kept, split.words.endswith("2 taken back by hand.")) == (40 - dropped, True)


def test_a_rule_without_fitting_runs_says_so_and_one_s_own_rule_takes_any(study: Workspace):
    app = page(study).run()
    rule = app.selectbox(key="shortcuts rule")
    rule.set_value(next(one for one in rule.options if "UTD" in one)).run()
    assert any("No run fits" in one.value for one in app.info)
    rule = app.selectbox(key="shortcuts rule")
    own = next(one for one in rule.options if "my own" in one)
    rule.set_value(own).run()
    runs = app.multiselect(key=f"shortcuts split runs {own}")
    assert len(runs.options) == 18
    runs.set_value(["run 1", "run 4"]).run()
    app.number_input(key=f"shortcuts split when {own} 2").set_value(1).run()
    assert not app.exception
    assert any("questions kept" in one.value for one in app.markdown)


def test_the_table_to_take_away_has_counts_beside_the_words(study: Workspace):
    found = audit(take(study))
    columns = audit_columns(found, flagged(found), range(len(found.uid)))
    assert columns["Text only, of"] == found.asked[:, 0].tolist()
    assert columns["Question"] == list(found.uid)
    assert len({len(cells) for cells in columns.values()}) == 1


def test_a_question_s_replies_are_those_of_the_runs_with_what_was_read(study: Workspace):
    found = audit(take(study))
    shown = question_replies(take(study), int(found.question_id[0]))
    assert shown.uid == found.uid[0]
    assert len(shown.replies) == found.asked.sum(axis=1)[0] + 3  # and three from 4 frames
    assert sum(bool(one.right) for one in shown.replies if one.condition != "4 frames") == (
        found.solved[0].sum()
    )
    assert next(one.condition for one in shown.replies) == "text only"
    with pytest.raises(LookupError, match="no question 99999"):
        question_replies(take(study), 99999)
