"""Text on screen, previews and many edits in the studio, drawn by Streamlit alone."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from striped_text import StripeReader, striped

from annotations.edit import background, text_work, work_rows
from annotations.edit.batch import standing
from annotations.edit.make_edits import make_waiting
from annotations.importing.import_plan import carry_out, plan_import
from annotations.people import Person
from annotations.workspace import Workspace
from core.question.text_boxes import SeenLine, TextTrack
from core.video.encode import write_video
from ui.components.studio.text_frames import frames_to_show, lines_at

SHELL = """
from ui.serving import workspace
from annotations.people import Person
from ui.pages import studio
studio.render(workspace(), Person(1, "Eva", "author"))
"""
# 1 s at 8 frames/s: the answer from frame 2 on, the score all the time.
SHOWN = [[*([0] if index >= 2 else []), 1] for index in range(8)]


@pytest.fixture
def clips(served: Workspace, add_person: Callable[..., Person], tmp_path: Path) -> Workspace:
    """Two clips with stripes that StripeReader reads as 'bicycle kick' and 'score'."""
    add_person("Eva", "author")
    for number, name in enumerate(("a.mp4", "b.mp4")):
        shown = SHOWN[: 8 - number]
        carry_out(served, plan_import(served, write_video(
            tmp_path / name, striped(shown), Fraction(8), crf=4
        )))  # fmt: skip
    return served


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """What the page asks to be done; it is done here and not in another process."""
    asked: list[list[int]] = []

    def start(workspace: Workspace, edits=(), readings=(), blurrings=()) -> int:
        numbers = [*edits, *readings, *blurrings]
        work_rows.release(workspace, "video_edit", list(edits))
        asked.append(numbers)
        return 0

    monkeypatch.setattr(background, "start", start)
    return asked


def drawn() -> AppTest:
    app = AppTest.from_string(SHELL, default_timeout=60).run()
    assert not app.exception
    return app


def button(app: AppTest, label: str):
    [fitting] = [one for one in app.button if one.label == label]
    return fitting


def texts(app: AppTest) -> str:
    shown = [*app.markdown, *app.caption, *app.success, *app.warning, *app.error]
    return " ".join(str(one.value) for one in shown).replace("\\", "")


def test_lines_that_say_the_answer_are_ticked_and_blurred(
    clips: Workspace, started: list[list[int]]
):
    app = drawn()
    button(app, "Read what is on screen").click().run()
    [[number]] = started
    assert button(app, "Stop"), "while it is read it can be stopped"
    reader = StripeReader()
    text_work.read(clips, number, reader)
    app = drawn()
    app.text_input(key="studio-answer").input("a bicycle kick")
    app.text_area(key="studio-wrong").input("a volley\na header").run()
    score, kick = (
        app.checkbox(key=f"studio-line-{number}-0"),
        app.checkbox(key=f"studio-line-{number}-1"),
    )
    assert (score.label, score.value) == ("**1** score · 0.00 to 0.75 s", False)
    assert kick.label == "**2** bicycle kick · 0.25 to 0.75 s · :orange[says the answer]"
    button(app, "Choose all").click().run()
    assert button(app, "Blur 2 lines in a copy")
    button(app, "Choose none").click().run()
    assert button(app, "Blur 0 lines in a copy").disabled
    app.checkbox(key=f"studio-line-{number}-1").check().run()
    button(app, "Blur 1 line in a copy").click().run()
    text_work.blur(clips, started[-1][0], reader)
    app = drawn()
    assert "Blurred: bicycle kick" in texts(app)
    assert "Gone. Read again 3 times; in a~blur.mp4 nothing of it is read." in texts(app)


def test_what_failed_and_what_is_without_text_is_said(clips: Workspace, started: list[list[int]]):
    [row] = clips.store.rows("SELECT sha256 FROM video WHERE name = 'a.mp4'")
    number = text_work.plan_reading(clips, row["sha256"])
    work_rows.end(clips, "screen_text", number, "failed", "there is no such reader")
    app = drawn()
    assert "It could not be read: there is no such reader" in texts(app)
    button(app, "Try again").click().run()
    assert started == [[number]]
    work_rows.release(clips, "screen_text", [number])
    text_work.read(clips, number, StripeReader(words=()))
    assert "No line of text was read on 4 frames." in texts(drawn())


def test_frames_of_an_edit_are_shown_before_it_is_made(clips: Workspace, started: list[list[int]]):
    app = drawn()
    assert button(app, "Make the copy").disabled
    next(one for one in app.checkbox if one.label == "Reverse").check().run()
    assert "8 frames, 1.00 s, 320 × 96 px, no sound." in texts(app)
    assert standing(clips).total == 0, "nothing is planned by looking"
    next(one for one in app.text_input if one.label.startswith("Crop")).input("0,0,9,9").run()
    assert "too small; at least 16" in texts(app)
    next(one for one in app.text_input if one.label.startswith("Crop")).input("").run()
    button(app, "Make the copy").click().run()
    assert len(started) == 1
    assert standing(clips).words == "1 copy: 1 waiting."


def test_several_edits_of_many_videos_are_made_stopped_and_gone_on_with(
    clips: Workspace, started: list[list[int]]
):
    app = drawn()
    app.text_input(key="studio-answer").input("kept while another part is shown").run()
    app.segmented_control(key="studio-part").set_value("Many videos").run()
    assert not app.exception
    assert "No copies yet" in texts(app)
    assert button(app, "Make the copies").disabled
    app.checkbox(key="studio-every").check()
    app.multiselect(key="studio-edits").set_value(["Reversed", "Twice the speed"]).run()
    assert "8 frames, 0.50 s" in texts(app), "the first video as it will be"
    button(app, "Make 4 copies").click().run()
    [edits] = started
    assert len(edits) == 4
    assert "4 copies: 4 waiting." in texts(app)
    button(app, "Stop").click().run()
    assert "4 copies: 4 stopped." in texts(app)
    assert make_waiting(clips, edits, lambda _: None) == 0
    button(app, "Go on").click().run()
    make_waiting(clips, edits[:1], lambda _: None)
    app.run()
    assert "4 copies: 1 made, 3 waiting." in texts(app)
    app.segmented_control(key="studio-part").set_value("One clip").run()
    assert app.text_input(key="studio-answer").value == "kept while another part is shown"


def test_few_frames_show_every_line():
    box = (0.0, 0.0, 9.0, 9.0)
    # Lines 0 and 1 stand together at 1 s and 2 s, line 2 alone at 3 s, with line 0 also at 0 s.
    tracks = [
        TextTrack([SeenLine(time, box, "a") for time in (0.0, 1.0, 2.0)]),
        TextTrack([SeenLine(time, box, "b") for time in (1.0, 2.0)]),
        TextTrack([SeenLine(3.0, box, "c")]),
    ]
    assert frames_to_show(tracks) == [1.0, 3.0], "the earliest with both, and the one with the last"
    assert [number for number, _ in lines_at(tracks, 1.0)] == [0, 1]
    assert frames_to_show([]) == []
