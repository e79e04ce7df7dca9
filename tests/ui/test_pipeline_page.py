"""The pipeline page, drawn in this process."""

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from annotations.annotator import Annotator, Setup, TextLine, annotator, annotators
from annotations.people import Person
from annotations.planning.task_store import all_tasks, create_task, ensure_tasks, grow, set_status
from annotations.run.annotator_settings import settings_of
from annotations.run.run_answers import ModelAnswer, store_answers, store_errors
from annotations.run.run_plan import facts_of
from annotations.run.runs import all_runs, ensure_run
from annotations.task import kind
from annotations.video.video_texts import NewText, store_texts
from annotations.workspace import Workspace
from core.reply.result import Reading
from ui.cli import main

READ = Reading(None, "read", "threshold", "similarity 0.2")
SHELL = """
from ui.serving import workspace
from annotations.people import Person
from ui.pages import pipeline
pipeline.render(workspace(), Person(1, "Eva", "author"))
"""


@pytest.fixture
def served(served: Workspace, add_person: Callable[..., Person]) -> Workspace:
    add_person("Eva", "author")
    return served


def page() -> AppTest:
    return AppTest.from_string(SHELL, default_timeout=60)


def said(app: AppTest) -> str:
    shown = [*app.title, *app.subheader, *app.markdown, *app.caption, *app.info, *app.success,
             *app.warning, *app.error]  # fmt: skip
    return " ".join(str(one.value) for one in shown).replace("\\", "")


def button(app: AppTest, label: str):
    [found] = [one for one in app.button if one.label.startswith(label)]
    return found


@pytest.fixture
def scored(served: Workspace, add_question: Callable[..., int]) -> int:
    """A run that scored ten of twelve videos and failed on one."""
    for number in range(12):
        add_question(f"count/{number}")
    settings = {"reasons": ["dark", "still"], "duplicates": False}
    task = create_task(served, "Footage", "screening", settings, 1)
    grow(served, task)
    set_status(served, "Footage", "closed")
    items = [row["id"] for row in served.store.rows(
        "SELECT id FROM item WHERE task_id = ? ORDER BY position", [task])]  # fmt: skip
    setup = Setup("clip_similarity", "stub:image_text", "image_text", {"text": "a dog"})
    run = ensure_run(served, "stub · a dog", task, "clip_similarity", facts_of(setup))
    store_answers(served, run, [
        ModelAnswer(item, None, {"verdict": "accept" if place > 4 else "reject", "note": "",
                                 "reasons": [] if place > 4 else ["still"]}, {}, READ,
                    score=place / 10)
        for place, item in enumerate(items[:10])
    ])  # fmt: skip
    store_errors(served, run, [(items[10], "no frame could be decoded: index missing")])
    return run


def test_without_videos_the_page_says_how_to_get_some(served: Workspace):
    app = page().run()
    assert not app.exception
    assert "no videos yet" in said(app)


def test_a_new_run_is_described_with_its_prompts(served: Workspace, add_question):
    add_question("count/1")
    app = page().run()
    assert not app.exception
    app.radio(key="pipeline annotator").set_value("vlm_screening").run()
    assert not app.exception
    # A written verdict takes one template; for the probability two others are asked for.
    assert "Prompt" in [one.label for one in app.expander]
    assert app.selectbox(key="pipeline vlm_screening prompt").value == "screening"
    assert any("verdict" in one.value.lower() for one in app.code)
    assert "Accepted from" not in [one.label for one in app.number_input]
    app.segmented_control(key="pipeline vlm_screening answer").set_value("score").run()
    assert not app.exception
    assert "Prompts" in [one.label for one in app.expander]
    assert app.selectbox(key="pipeline vlm_screening reason_prompt").value == "screening_reason"
    assert "Accepted from" in [one.label for one in app.number_input]
    options = app.selectbox(key="pipeline items vlm_screening").options
    assert "All usable videos, in a new task that is closed for people" in options


@pytest.mark.parametrize("name", annotators())
def test_every_annotator_has_a_form_that_says_in_words_what_it_asks(
    name: str, served: Workspace, add_question
):
    add_question("count/1")
    app = page().run()
    app.radio(key="pipeline annotator").set_value(name).run()
    assert not app.exception
    assert [one for one in app.button if one.label == "Start on everything"]
    asked = [*app.text_input, *app.number_input, *app.segmented_control, *app.selectbox,
             *app.toggle, *app.text_area]  # fmt: skip
    labels = {one.label.removesuffix(" (JSON)") for one in asked}
    module = annotator(name)
    settings = settings_of(module, task_settings(module))
    assert {one.label for one in settings if one.counts(module.SETTINGS)} <= labels
    assert not {label for label in labels if "_" in label}


def task_settings(module: Annotator) -> dict[str, object]:
    return kind(module.TASK_KINDS[0]).check_settings({})


def test_only_tasks_and_conditions_that_an_annotator_can_answer_are_offered(
    served: Workspace, add_question
):
    add_question("count/1")
    ensure_tasks(served)
    app = page().run()
    app.radio(key="pipeline annotator").set_value("text_only").run()
    assert not app.exception
    items = app.selectbox(key="pipeline items text_only")
    assert list(items.options) == ["The questions, under another condition"]
    assert list(app.selectbox(key="pipeline condition text_only").options) == ["text only"]
    app.radio(key="pipeline annotator").set_value("multiple_choice").run()
    assert "Human evaluation: 16 frames (1 items)" not in said(app)
    items = app.selectbox(key="pipeline items multiple_choice")
    assert items.options[0] == "Human evaluation: full video (1 item)"
    app.radio(key="pipeline annotator").set_value("clip_zero_shot").run()
    items = app.selectbox(key="pipeline items clip_zero_shot")
    items.set_value(items.options[-1]).run()
    offered = app.selectbox(key="pipeline condition clip_zero_shot").options
    assert "8 frames" in offered
    assert "text only" not in offered


def test_the_reason_of_a_rejection_is_chosen_from_the_list_of_the_task(
    served: Workspace, add_question
):
    add_question("count/1")
    settings = {"reasons": ["Too dark", "Nothing moves"], "duplicates": False}
    grow(served, create_task(served, "Footage", "screening", settings, 1))
    app = page().run()
    app.radio(key="pipeline annotator").set_value("clip_similarity").run()
    [reason] = [one for one in app.segmented_control if one.label == "Reason of a rejection"]
    assert list(reason.options) == ["Left open", "Too dark", "Nothing moves"]
    reason.set_value("nothing_moves").run()
    app.segmented_control(key="pipeline clip_similarity over").set_value("max").run()
    app.text_input(key="pipeline clip_similarity text").set_value("ice").run()
    app.selectbox(key="pipeline model clip_similarity").set_value("stub:demo").run()
    started: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "ui.components.pipeline.progress_panel.start",
            lambda workspace, run, **given: started.append(run) or os.getpid(),
        )
        button(app, "Start on everything").click().run()
    assert not app.exception
    [run] = all_runs(served)
    assert started == [run.id]
    found = run.facts["settings"]
    assert (found["over"], found["reason"], found["text"]) == ("max", "nothing_moves", "ice")


def test_what_a_model_does_not_allow_is_said_and_nothing_is_made(served: Workspace, add_question):
    add_question("count/1")
    app = page().run()
    app.radio(key="pipeline annotator").set_value("clip_similarity").run()
    app.selectbox(key="pipeline model clip_similarity").set_value("stub:demo").run()
    button(app, "Start on everything").click().run()
    assert not app.exception
    assert "Setting text is empty" in said(app)
    assert (all_runs(served), all_tasks(served)) == ([], [])


def test_a_run_shows_how_far_it_is_why_items_failed_and_what_goes_to_people(
    served: Workspace, scored: int
):
    app = page().run()
    assert not app.exception
    words = said(app)
    assert "10 of 11" in words
    assert "1 failed" in words
    assert "no frame could be decoded" in words
    assert "People have judged none of these yet" in words
    # The slider begins where the filter itself decides, at 0.5: five videos.
    assert "5 of 12 videos" in words
    button(app, "Try 1 failed again")
    button(app, "Go on with the rest")


def test_a_random_sample_becomes_a_task_of_people(served: Workspace, scored: int):
    app = page().run()
    app.segmented_control(key="sending what").set_value("A random sample").run()
    app.number_input(key="sending most A random sample").set_value(4).run()
    assert "4 of 12 videos" in said(app)
    button(app, "Send 4 to people").click().run()
    assert not app.exception
    task = all_tasks(served)[-1]
    assert (task.name, task.items, task.status) == ("Footage, for people", 4, "open")
    assert "4 videos are work for people in the task Footage, for people" in said(app)


@pytest.fixture
def segmented(served: Workspace, add_question: Callable[..., int]) -> int:
    """A finished run that named two segments in one of two videos."""
    for number in range(2):
        add_question(f"a/{number}", video=f"{number}.mp4")
    task = create_task(served, "Footage", "screening", {"duplicates": False}, 1)
    grow(served, task)
    set_status(served, "Footage", "closed")
    setup = Setup("segment_finder", "stub:text", "text", {"action": "a kick", "side_s": 15.0})
    run = ensure_run(served, "stub · segments", task, "segment_finder", facts_of(setup))
    rows = served.store.rows("SELECT i.id, v.name, v.sha256 FROM item i"
                             " JOIN video v ON v.id = i.video_id ORDER BY v.name")  # fmt: skip
    lines = (TextLine(0.0, 0.5, "now"), TextLine(1.0, 1.5, "and again"))
    store_texts(served, run, [
        NewText(rows[0]["id"], rows[0]["sha256"], "segments", "found", lines),
        NewText(rows[1]["id"], rows[1]["sha256"], "segments", "empty: no moment named", ()),
    ])  # fmt: skip
    with served.store.write() as database:
        database.conn.execute(
            "UPDATE run SET status = 'finished', progress = ? WHERE id = ?",
            ['{"done": 2, "wanted": 2}', run],
        )
    return run


def test_a_finished_finder_of_segments_offers_a_task_of_them_once(
    served: Workspace, segmented: int
):
    app = page().run()
    assert not app.exception
    words = said(app)
    assert "2 segments" in words
    assert "Send the rest to people" not in words  # it rejects nothing
    assert list(app.dataframe[0].value["Why"]) == ["now", "and again"]
    button(app, "Make the task").click().run()
    assert not app.exception
    made = all_tasks(served)[-1]
    assert (made.name, made.items, made.status) == (
        "Segments of a kick, screening", 2, "closed",
    )  # fmt: skip
    words = said(app)
    assert "2 clips are in the task" in words
    assert "holds 2 of these segments" in words
    assert not [one for one in app.button if one.label.startswith(("Make", "Add"))]
    app.segmented_control(key=f"segments kind {segmented}").set_value("localization").run()
    button(app, "Make the task").click().run()
    assert "Name the domain of the action" in said(app)
    app.text_input(key=f"segments domain {segmented}").set_value("football")
    button(app, "Make the task").click().run()
    assert not app.exception
    assert [task.kind for task in all_tasks(served)] == ["screening"] * 2 + ["localization"]


def test_the_command_line_makes_the_same_task(served: Workspace, segmented: int, capsys):
    typed = ["segments", str(segmented), "--workspace", str(served.root)]
    assert main(typed) == 0
    assert "Segments of a kick, screening holds 2 clips, 2 of them new." in capsys.readouterr().out
    assert main([*typed, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["new"] == 0
    assert main([*typed, "--for", "localization"]) == 1
    assert "Name the domain" in capsys.readouterr().err
    assert main([*typed, "--for", "localization", "--domain", "football", "--name", "Kicks"]) == 0
    assert main(["segments", "nothing", "--workspace", str(served.root)]) == 1
    assert "names 0 runs. There are: " in capsys.readouterr().err
    assert [task.name for task in all_tasks(served)][-1] == "Kicks"


def test_a_transcript_is_no_filter(served: Workspace, segmented: int):
    with served.store.write() as database:
        database.conn.execute("UPDATE run SET method = 'transcript'")
    app = page().run()
    assert not app.exception
    assert "Send the rest to people" not in said(app)
    assert "Newest results" in app.segmented_control[0].options


def test_the_same_name_is_not_used_twice(served: Workspace, scored: int):
    app = page().run()
    button(app, "Send 5 to people").click().run()
    app = page().run()
    app.segmented_control(key="sending what").set_value("A random sample").run()
    # All but the five that are with people by now.
    button(app, "Send 7 to people").click().run()
    assert [task.name for task in all_tasks(served)][-2:] == [
        "Footage, for people", "Footage, for people 2",
    ]  # fmt: skip


def test_the_rest_can_go_first_in_the_filters_own_task(served: Workspace, scored: int):
    app = page().run()
    app.segmented_control(key="sending how").set_value("First in the filter's task").run()
    button(app, "Send 5 to people").click().run()
    assert not app.exception
    assert all_tasks(served)[-1].status == "open"
    rows = served.store.rows("SELECT count(*) AS n FROM item WHERE priority = 1")
    assert rows[0]["n"] == 5


def test_how_it_annotates_is_kept_with_the_run(served: Workspace, scored: int):
    app = page().run()
    view = next(one for one in app.segmented_control if one.label == "Show")
    view.set_value("How it annotates").run()
    assert not app.exception
    assert "stub:image_text" in said(app)
    assert "a dog" in app.dataframe[-1].value["Value"].tolist()


def test_the_page_and_its_pieces_import_no_torch():
    script = (
        "import sys; import ui.pages.pipeline, ui.pages.filters; "
        "assert 'torch' not in sys.modules and 'transformers' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_without_torch_the_page_says_how_to_install_it(
    served: Workspace, add_question, monkeypatch
):
    add_question("count/1")
    monkeypatch.setattr("ui.components.pipeline.model_choices.has_torch", lambda: False)
    app = page().run()
    app.radio(key="pipeline annotator").set_value("clip_similarity").run()
    app.selectbox(key="pipeline model clip_similarity").set_value(
        "openai/clip-vit-large-patch14-336"
    ).run()
    assert "needs PyTorch, which is not installed" in said(app)
    assert any('pip install -e ".[models]"' in one.value for one in app.code)
    assert button(app, "Start on everything").disabled
    app.selectbox(key="pipeline model clip_similarity").set_value("stub:demo").run()
    assert not button(app, "Start on everything").disabled
