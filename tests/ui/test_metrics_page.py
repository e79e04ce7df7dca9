import csv
import io
import json
from html.parser import HTMLParser

import plotly.graph_objects as go
import pytest
from building import (
    make_annotator,
    make_answer,
    make_clip,
    make_item,
    make_question,
    make_task,
    make_video,
)
from streamlit.testing.v1 import AppTest

from annotations.planning.task_store import ensure_tasks
from annotations.scoring import human_accuracy
from annotations.scoring.snapshot import take
from core.statistics.metric import Estimate
from ui import cli
from ui.components import cards
from ui.components.charts import accuracy_dots
from ui.components.downloads import csv_bytes
from ui.theme import DARK, LIGHT

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.workspace import Workspace
from ui.pages import metrics
metrics.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


def page(workspace):
    return AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=20)


def question(database, number, category, *, kind="human", status="usable", reason=""):
    """Question `number`, of four options with key A, about a video of its own."""
    clip = make_clip(database, make_video(database, f"v{number}", status=status, reason=reason))
    return make_question(
        database, f"q{number}", clip, text="What?", options="abcd", key=0, category=category,
        tags={"demonstration_type": kind},
    )  # fmt: skip


def answer(database, person, number, choice, condition="full video"):
    """An answer of a person to question `number`."""
    [item] = database.conn.execute(
        "SELECT i.id FROM item i JOIN task t ON t.id = i.task_id WHERE t.name = ? AND i.uid = ?",
        [condition, f"q{number}"],
    ).fetchone()
    [annotator] = database.conn.execute(
        "SELECT id FROM annotator WHERE name = ?", [person]
    ).fetchone()
    make_answer(
        database, item, annotator, {"choice": choice}, active_s=12,
        shown={"condition": condition, "option_order": [0, 1, 2, 3]},
    )  # fmt: skip


@pytest.fixture
def study(workspace):
    """Four questions of two categories in two conditions, for Ada and Bob; nobody has answered."""
    with workspace.store.write() as database:
        questions = [
            question(database, number, category, kind="human" if number % 2 else "object")
            for number, category in enumerate(["rotation", "rotation", "<b>count", "<b>count"], 1)
        ]
        question(database, 5, "rotation", status="broken", reason="empty file")
        for condition in ("full video", "16 frames"):
            task = make_task(database, condition, settings={"condition": condition})
            for number, asked in enumerate(questions, 1):
                make_item(database, task, f"q{number}", question=asked, position=number)
        for name in ("Ada", "Bob"):
            make_annotator(database, name)
    return workspace


def answered(study):
    """Ada: 4 of 4 with the full video, 2 of 4 with frames; Bob: 2 of 3 with the full video."""
    with study.store.write() as database:
        for number in range(1, 5):
            answer(database, "Ada", number, 0)
            answer(database, "Ada", number, number % 2, "16 frames")
        for number in range(1, 4):
            answer(database, "Bob", number, int(number == 3))
    return study


class Words(HTMLParser):
    """Collects the text of HTML as a browser would show it."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_data(self, data):
        self.found.append(data)


def words(html):
    parser = Words()
    parser.feed(html.split("</style>")[-1])
    return " ".join(" ".join(parser.found).split())


def headline(app):
    return words(app.get("html")[0].proto.body)


def traces(figure):
    """The traces of a figure that plotly itself has accepted."""
    return go.Figure(figure).to_plotly_json()["data"]


def test_an_empty_workspace_says_what_to_do_next(workspace):
    app = page(workspace).run()
    assert not app.exception
    assert "no questions to answer yet" in app.info[0].value
    assert (
        f"rushes import QUESTIONS --videos FOLDER --workspace {workspace.root}" in app.code[0].value
    )


def test_questions_without_answers_say_whom_to_invite_and_what_is_left_out(study):
    app = page(study).run()
    assert not app.exception
    assert "Invite people" in app.info[0].value
    assert any("1 video left out" in one.value for one in app.caption)
    assert list(app.dataframe[0].value["Answers wanted"]) == [8, 8]


def test_where_models_alone_have_answered_the_way_to_their_runs_is_shown(
    workspace, add_question, model_says
):
    add_question("turn/0")
    model_says("reader", "turn/0", "A")
    ensure_tasks(workspace)
    app = page(workspace).run()
    assert not app.exception
    assert "No answers of people are counted yet" in app.info[0].value
    assert [button.label for button in app.button] == ["Invite people", "Runs of models"]


def test_the_page_shows_the_hand_count(study):
    app = page(answered(study)).run()
    assert not app.exception
    shown = headline(app)
    people = next(frame.value for frame in app.dataframe if "Person" in frame.value)
    [ada] = people[(people["Person"] == "Ada") & (people["Accuracy %"] == 100.0)]["Low"]
    assert ada < 60  # not 100: four right ones leave much open
    # Full video: Ada 4 of 4, Bob 2 of 3. Frames: Ada 2 of 4.
    assert "Full video 85.7 %" in shown
    assert "7 answers to 4 questions, 4 videos" in shown
    assert "7 of 8 answers given" in shown
    assert "16 frames 50.0 %" in shown
    assert "Random guess 25.0 %" in shown
    assert "Most frequent option 100.0 %" in shown
    people = app.dataframe[2].value
    assert list(people["Person"]) == ["Ada", "Ada", "Bob"]
    assert list(people["Accuracy %"]) == [100.0, 50.0, 66.7]
    assert list(people["Active min"]) == [0.8, 0.8, 0.6]
    assert any("1 video left out" in one.value for one in app.caption)


def test_numbers_follow_an_answer_that_another_session_stores(study):
    app = page(answered(study)).run()
    with study.store.write() as database:
        answer(database, "Bob", 4, 0)
    app.run()
    assert "Full video 87.5 %" in headline(app)


def test_a_reader_may_resample_questions_and_choose_a_tag(study):
    app = page(answered(study)).run()
    app.segmented_control(key="metrics resample").set_value("question").run()
    assert not app.exception
    assert any("10,000 resamples of questions" in one.value for one in app.markdown)
    assert [one.value for one in app.subheader] == [
        "By category",
        "By demonstration type",
        "By person",
        "Every statistic",
    ]


def test_drawing_again_makes_no_new_widgets(study):
    app = page(answered(study)).run()
    before = set(app.session_state)
    for _ in range(5):
        app.run()
    assert set(app.session_state) == before


def test_names_are_shown_as_text_and_never_as_markup(study):
    rows = human_accuracy.accuracy_table(take(answered(study)), by="category")
    figure = json.dumps(accuracy_dots(rows, rows, LIGHT))
    assert "&lt;b>count" in figure
    assert "<b>count" not in figure
    card = cards.difference_card(human_accuracy.Difference("<i>", "$x$", rows[0].accuracy, 3))
    assert "<i>" not in card


def test_the_chart_is_a_valid_figure_with_a_dot_for_each_group_and_condition(study):
    rows = human_accuracy.accuracy_table(take(answered(study)), by="category")
    pooled = human_accuracy.accuracy_table(take(study), by="category", condition="all")
    for palette in (LIGHT, DARK):
        found = traces(accuracy_dots(rows, pooled, palette))
        dots = {trace["name"]: list(trace["x"]) for trace in found if trace["mode"] == "markers"}
        assert dots["full video"] == pytest.approx([100.0, 200 / 3])
        assert dots["16 frames"] == pytest.approx([50.0, 50.0])
        marks = {trace.get("name"): trace["x"] for trace in found if trace["mode"] == "lines"}
        assert marks["Random guess"][0] == 25.0


def test_a_chart_leaves_out_the_dot_of_a_group_without_answers(study):
    with study.store.write() as database:
        answer(database, "Ada", 1, 0)
    rows = human_accuracy.accuracy_table(take(study), by="category")
    figure = accuracy_dots(rows, rows, LIGHT)
    assert [len(trace["x"]) for trace in traces(figure) if trace["mode"] == "markers"] == [1, 0]
    assert figure["layout"]["yaxis"]["ticktext"] == ["rotation", "&lt;b>count"]


def test_a_table_as_csv_has_empty_cells_for_what_is_undefined_and_runs_no_formula():
    text = csv_bytes({"Name": ["=1+1", 'a "b", c'], "Accuracy %": [None, -1.5]}).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text))) == [
        ["Name", "Accuracy %"],
        ["'=1+1", ""],
        ['a "b", c', "-1.5"],
    ]


def test_the_command_prints_one_json_object(study, capsys):
    answered(study)
    assert cli.main(["metrics", "--workspace", str(study.root), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["overall"]["value"] == pytest.approx(8 / 11)
    assert [(one["condition"], one["value"], one["n"]) for one in found["conditions"]] == [
        ("full video", pytest.approx(6 / 7), 7),
        ("16 frames", 0.5, 4),
    ]
    assert [(one["group"], one["value"]) for one in found["tags"]["demonstration_type"]] == [
        ("human", pytest.approx(3 / 4)),
        ("human", 0.0),
        ("object", 1.0),
        ("object", 1.0),
    ]
    assert [one["group"] for one in found["people"]] == ["Ada", "Ada", "Bob"]
    assert found["baselines"]["random_guess"]["value"] == 0.25
    assert found["baselines"]["most_frequent_option"]["value"] == 1.0
    assert found["left_out"]["videos"] == {"empty file": 1}
    difference = found["differences"][0]
    assert difference["value"] == pytest.approx(6 / 7 - 1 / 2)
    assert difference["questions"] == 4


def test_the_command_prints_tables_for_a_reader(study, capsys):
    answered(study)
    assert cli.main(["metrics", "--workspace", str(study.root)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["Condition", "%", "low", "high", "n"]
    assert lines[1].split()[:3] == ["full", "video", "85.7"]
    assert any(line.startswith("1 video left out, and with it 1 question") for line in lines)


def test_the_command_says_what_is_wrong_with_a_folder_that_is_no_workspace(tmp_path, capsys):
    assert cli.main(["metrics", "--workspace", str(tmp_path), "--json"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "is no workspace" in printed.err


def test_several_tags_are_offered_one_at_a_time(study):
    answered(study)
    with study.store.write() as database:
        database.conn.execute(
            "UPDATE question_revision SET tags = json_set(tags, '$.zoom', iif(id < 3, 'yes', 'no'))"
        )
    app = page(study).run()
    assert [one.value for one in app.subheader] == [
        "By category", "By tag", "By person", "Every statistic",
    ]  # fmt: skip
    app.segmented_control(key="metrics tag").set_value("zoom").run()
    assert not app.exception
    assert list(app.dataframe[1].value["Zoom"]) == ["yes", "yes", "no", "no"]


def test_a_difference_without_an_interval_says_why():
    alone = Estimate(0.25, n=1, clusters=1, reason="one video only: an interval needs at least two")
    shown = words(
        cards.difference_card(human_accuracy.Difference("full video", "16 frames", alone, 1))
    )
    assert shown == (
        "Full video − 16 frames +25.0 points one video only: an interval needs at least two "
        "paired over 1 question answered under both"
    )


def test_the_population_is_said_and_who_had_seen_the_clip_can_be_left_out(study):
    app = page(answered(study)).run()

    def words() -> str:
        return " ".join(one.value for one in app.caption)

    assert "11 answers of 2 people to 4 questions about 4 videos" in words()
    # Ada answered from 16 frames what she had seen in full.
    assert "4 of the answers that count are of people who had met the clip before" in words()
    assert {"Low, people like these", "High, people like these"} <= set(
        app.dataframe[0].value.columns
    )
    app.toggle[0].set_value(True).run()
    assert not app.exception
    assert "7 answers of 2 people" in words()
    assert "4 answers left out" in words()
    app.toggle[0].set_value(False).run()
    assert "11 answers of 2 people" in words()
