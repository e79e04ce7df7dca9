import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

import plotly.graph_objects as go
import pytest
from building import make_answer
from streamlit.testing.v1 import AppTest

from annotations.demo.clips import questions
from annotations.demo.earlier_runs import add_earlier_runs
from annotations.failure.failure_tags import all_tags
from annotations.failure.failures import FailureFilter, find
from annotations.importing.import_plan import carry_out, plan_import
from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.planning.task_store import ensure_tasks
from annotations.prediction_format import PredictionChoices
from annotations.scoring.leaderboard import Line, baselines, leaderboard
from annotations.scoring.run_counts import Counts
from annotations.scoring.snapshot import take
from annotations.scoring.solved_table import Entry
from annotations.shortcut.option_positions import option_positions
from annotations.shortcut.shortcut_metrics import METRICS, gains
from annotations.shortcut.splits import plan_split, store_split
from annotations.workspace import Workspace
from core.statistics.metric import Estimate
from ui import cli
from ui.components.downloads import json_bytes
from ui.components.runs.accuracy_lines import Point, frame_lines, frames_of
from ui.components.runs.gain_panels import Bar, gain_panels
from ui.components.runs.matrix import matrix
from ui.components.runs.option_positions import heat_map
from ui.components.runs.overview import best_card
from ui.pages.runs import VIEWS
from ui.theme import DARK, LIGHT

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.workspace import Workspace
from ui.pages import runs
runs.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


def page(workspace: Workspace) -> AppTest:
    return AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=60)


@pytest.fixture
def study(workspace: Workspace, add_question: Callable[..., int]) -> Workspace:
    """The demo's questions with its simulated runs; two questions share each video."""
    for number, question in enumerate(questions()):
        add_question(question.uid, question.options, question.key, video=f"v{number // 2}")
    ensure_tasks(workspace)
    add_earlier_runs(workspace)
    return workspace


def headline(app: AppTest) -> str:
    return " ".join(one.proto.body for one in app.get("html"))


def test_an_empty_workspace_says_how_predictions_get_in(workspace: Workspace):
    app = page(workspace).run()
    assert not app.exception
    assert "No model has answered yet" in app.info[0].value
    assert "rushes import predictions.json" in app.code[0].value


def test_the_leaderboard_shows_every_run_with_its_interval_and_what_was_not_read(study: Workspace):
    app = page(study).run()
    assert not app.exception
    table = app.dataframe[0].value
    lines = leaderboard(take(study))
    assert list(table["Model"])[:-2] == [line.entry.model for line in lines]
    assert next(iter(table["Accuracy %"])) == pytest.approx(
        100 * (lines[0].accuracy.value or 0), abs=0.05
    )
    assert "30 of 38" in set(table["Answered"])
    assert {"Low", "High", "Unread %", "Refused %", "Several %", "Empty %", "Failed"} <= set(table)
    assert list(table["Model"])[-2:] == ["Random guess", "Most frequent option"]
    assert "Replies without a choice" in headline(app)
    assert any("2 of 18 runs answered a part" in one.value for one in app.caption)
    assert "Cannot tell" in app.dataframe[1].value.columns


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_draws_and_drawing_again_makes_no_new_widgets(study: Workspace, view: str):
    app = page(study).run()
    app.segmented_control(key="runs view").set_value(view).run()
    assert not app.exception
    before = set(app.session_state)
    app.run()
    assert not app.exception
    assert set(app.session_state) == before


def test_option_positions_show_key_by_chosen_position_and_what_is_preferred(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    for number in range(12):
        add_question(f"count/{number}")  # every key at B
        model_says("always A", f"count/{number}", "A")
    app = page(workspace).run()
    app.segmented_control(key="runs view").set_value("Option positions").run()
    assert not app.exception
    assert "+100.0*" in headline(app)
    assert "100.0 − 0.0 %" in headline(app)
    table = app.dataframe[0].value
    assert list(table["Position"]) == ["A", "B", "C"]
    assert (list(table["Key"]), list(table["Chosen"])) == ([0, 12, 0], [12, 0, 0])
    assert any("12 answers that choose an option, to 12 questions" in one.value
               for one in app.caption)  # fmt: skip
    map_of_counts = heat_map(option_positions(take(workspace))[0], LIGHT)
    go.Figure(map_of_counts)  # plotly refuses what it does not know
    assert map_of_counts["data"][0]["text"][1] == ["12<br>100 %", "0", "0"]


def test_the_command_tells_option_positions(study: Workspace, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["metrics", "--workspace", str(study.root), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    for entry in report["option_positions"]:
        assert sum(map(sum, entry["key_by_chosen"])) == entry["answers"]
        lettered = [share for share in entry["positions"] if share["position"] != "last"]
        assert sum(share["chosen"] for share in lettered) == entry["answers"]
        assert sum(share["keys"] for share in lettered) == entry["answers"]
    assert len(report["option_positions"]) > 10
    assert cli.main(["metrics", "--workspace", str(study.root)]) == 0
    assert "chosen minus key at each position, in points" in capsys.readouterr().out


def test_filters_leave_the_questions_of_a_category_only(study: Workspace):
    app = page(study).run()
    app.multiselect(key="runs categories").set_value(["count"]).run()
    assert not app.exception
    assert "7 of 7" in set(app.dataframe[0].value["Answered"])
    assert any("Only 7 questions" in one.value for one in app.caption)


def test_two_runs_are_compared_and_a_run_with_itself_is_refused(study: Workspace):
    app = page(study).run()
    app.segmented_control(key="runs view").set_value("Two runs").run()
    assert "First minus second" in headline(app)
    first = app.selectbox(key="runs first").value
    app.selectbox(key="runs second").set_value(first).run()
    assert "two different runs" in app.info[0].value


def test_a_run_that_is_always_right_has_an_interval_in_the_tables(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    for number in range(4):
        add_question(f"turn/{number}")
        model_says("m", f"turn/{number}", "B", "16 frames")
    app = page(workspace).run()
    runs = app.dataframe[0].value
    assert next(iter(runs["Accuracy %"])) == 100.0
    assert next(iter(runs["Low"])) < 60


def test_of_hundreds_of_categories_a_chart_draws_the_largest(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    names = [f"kind {number}/1" for number in range(50)] + ["kind 49/2"]
    for name in names:
        add_question(name, video="one")
        model_says("m", name, "B", "16 frames")
        model_says("n", name, "A", "16 frames")
    app = page(workspace).run()
    for view in ("Groups", "Two runs"):
        app.segmented_control(key="runs view").set_value(view).run()
        assert not app.exception
        assert any("the 40 of 50 groups with most questions" in one.value for one in app.caption)
        [chart] = app.get("plotly_chart")
        labels = json.loads(chart.proto.spec)["layout"]["yaxis"]["ticktext"]
        assert (len(labels), labels[-1]) == (40, "kind 49")


def test_two_runs_lead_to_the_failures_that_only_one_of_them_has(study: Workspace):
    app = page(study).run()
    app.segmented_control(key="runs view").set_value("Two runs").run()
    [link] = [one.value for one in app.markdown if "/failures?" in one.value]
    address = re.search(r"\(/failures\?(.+)\)", link)
    assert address is not None
    asked = parse_qs(address[1])
    runs = tuple(int(number) for number in asked["run"])
    snapshot = take(study)
    wanted = FailureFilter(runs=runs, others=asked["others"][0], once=True)
    solved = re.search(r"(\d+) : (\d+)", headline(app))
    assert solved is not None
    listed = find(snapshot, all_tags(snapshot), wanted).rows
    assert len(listed) == int(solved[1]) + int(solved[2]) > 0


def test_without_a_second_condition_no_empty_chart_of_shortcut_metrics_is_drawn(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    add_question("turn/0")
    model_says("m", "turn/0", "A", "16 frames")
    app = page(workspace).run()
    app.segmented_control(key="runs view").set_value("Shortcut metrics").run()
    assert not app.exception
    assert "no answers with 1 random frame" in app.info[0].value
    assert not app.get("plotly_chart")


def test_charts_of_shortcut_metrics_have_no_row_of_a_model_without_any(
    workspace: Workspace, add_question: Callable[..., int], model_says: Callable[..., int]
):
    add_question("turn/0")
    for model, condition in (
        ("both", "16 frames"), ("both", "1 random frame"), ("single", "16 frames"),
    ):  # fmt: skip
        model_says(model, "turn/0", "B", condition)
    app = page(workspace).run()
    app.segmented_control(key="runs view").set_value("Shortcut metrics").run()
    assert not app.exception
    chart = json.loads(app.get("plotly_chart")[0].proto.spec)["layout"]
    assert chart["yaxis"]["ticktext"] == ["both"]
    assert "single" in set(app.dataframe[0].value["Model"])


def test_a_split_shows_runs_on_both_sets_of_questions(study: Workspace):
    text = [
        line.entry.key for line in leaderboard(take(study)) if line.entry.condition == "text only"
    ]
    store_split(study, "deaf-blind", plan_split(take(study), text, 2))
    app = page(study).run()
    app.segmented_control(key="runs view").set_value("Splits").run()
    assert not app.exception
    table = app.dataframe[0].value
    assert {"All %", "Kept %", "Kept − all"} <= set(table)
    app.selectbox(key="runs split condition").set_value("text only").run()
    assert list(app.dataframe[0].value["Made the split"]) == ["yes", "yes", "yes"]
    app.selectbox(key="runs split").set_value(1).run()
    assert any("kept by deaf" in one.value for one in app.caption)


def test_numbers_follow_what_is_stored_meanwhile(study: Workspace):
    app = page(study).run()
    before = headline(app)
    with study.store.write() as database:
        database.conn.execute("UPDATE item SET status = 'withdrawn' WHERE question_id < 20")
    app.run()
    assert headline(app) != before


def test_the_table_of_models_escapes_names(study: Workspace):
    lines = leaderboard(take(study))
    with study.store.write() as database:
        database.conn.execute("UPDATE annotator SET name = '<b>x' WHERE name LIKE '%model A%'")
        database.conn.execute("UPDATE run SET facts = '{\"seen\": 1}'")
    shown = matrix(leaderboard(take(study)), baselines(take(study)), LIGHT)
    assert "&lt;b&gt;x" in shown
    assert "<b>x" not in shown
    assert len(lines) == len(leaderboard(take(study)))


def test_frames_stand_in_order_between_the_text_and_the_video():
    assert [frames_of(name) for name in ("text only", "1 random frame", "16 frames")] == [0, 1, 16]
    assert frames_of("full video") == float("inf")
    assert frames_of("16 shuffled frames") is None
    assert frames_of("objects only") is None


def test_charts_are_valid_figures_and_leave_out_what_is_undefined(study: Workspace):
    points = [Point(x.entry.model, x.entry.condition, x.accuracy) for x in leaderboard(take(study))]
    bars = [
        Bar(one.model, metric, one.estimate)
        for metric in METRICS
        for one in gains(take(study), metric, "16 frames")
    ]
    bars.append(Bar("<i>", next(iter(METRICS)), Estimate(None, reason="<no answers>")))
    for palette in (LIGHT, DARK):
        lines = go.Figure(frame_lines(points, 0.2, palette)).to_plotly_json()["data"]
        assert sum(trace.get("name") == "Random guess" for trace in lines) == 1
        figure = gain_panels(bars, palette)
        traces = go.Figure(figure).to_plotly_json()["data"]
        assert sum(len(one["x"]) for one in traces if one["mode"] == "markers") == 12
        assert "<i>" not in json.dumps(figure)
        assert "<no" not in json.dumps(figure)


def test_a_table_as_json_has_an_object_a_row_and_null_for_what_is_undefined():
    data = json.loads(json_bytes({"Model": ["a", "b"], "Accuracy %": [1.5, None]}))
    assert data == [{"Model": "a", "Accuracy %": 1.5}, {"Model": "b", "Accuracy %": None}]


def test_the_command_prints_the_runs(study: Workspace, capsys: pytest.CaptureFixture[str]):
    assert cli.main(["metrics", "--workspace", str(study.root), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    lines = leaderboard(take(study))
    assert [(one["model"], one["condition"]) for one in found["runs"]] == [
        (line.entry.model, line.entry.condition) for line in lines
    ]
    assert found["runs"][0]["value"] == lines[0].accuracy.value
    assert found["runs"][0]["answered"] == 38
    assert {one["metric"] for one in found["shortcut_metrics"]} == set(METRICS)
    assert cli.main(["metrics", "--workspace", str(study.root)]) == 0
    printed = capsys.readouterr().out
    assert "simulated model B" in printed
    assert "37 of 38" in printed
    assert "frame order sensitivity" in printed
    assert not re.search(r"-0\.0(?!\d)", printed)  # an agreement may be -0.043


def test_free_form_answers_are_scored_by_similarity_at_a_threshold_one_moves(
    workspace: Workspace, add_question: Callable[..., int], tmp_path: Path
):
    for uid in ("1", "2"):
        add_question(uid)  # the key is B
    rows = [
        {"idx": uid, "question": "Which way?", "options": ["A. left", "B. right", "C. up"],
         "response": "to the right", "answer": "to the right", "cosine_similarities": near}
        for uid, near in (
            ("1", {"A": 0.4, "B": 0.83, "C": 0.2}), ("2", {"A": 0.2, "B": 0.45, "C": 0.1})
        )
    ]  # fmt: skip
    path = tmp_path / "sim_talker.json"
    path.write_text(json.dumps({"individual_results": rows, "total_count": 2}), encoding="utf-8")
    choices = PredictionChoices(model="talker", condition="full video")
    plan = plan_predictions(workspace, [path], choices)
    write_predictions(workspace, plan)
    app = page(workspace).run()
    app.session_state["runs view"] = "Free-form"
    app.run()
    assert not app.exception
    assert "50.0 %" in " ".join(one.value for one in app.markdown)
    assert "No judge scored this run." in [one.value for one in app.caption]
    app.slider(key="runs similarity threshold").set_value(0.4).run()
    assert "100.0 %" in " ".join(one.value for one in app.markdown)


def test_answers_in_words_of_one_s_own_are_a_table_of_their_own(
    workspace: Workspace, tmp_path: Path
):
    questions, replies = tmp_path / "q.csv", tmp_path / "r.csv"
    questions.write_text("id,video,question,answer\n1,v,What is held?,a rope\n2,v,Who?,Ann\n")
    carry_out(workspace, plan_import(workspace, questions))
    replies.write_text("id,model,response\n1,talker,The rope\n2,talker,Ben\n")
    choices = PredictionChoices(condition="text only")
    write_predictions(workspace, plan_predictions(workspace, [replies], choices))
    app = page(workspace).run()
    app.session_state["runs view"] = "Free-form"
    app.run()
    assert not app.exception
    table = app.dataframe[0].value
    assert table["Who"].tolist() == ["talker"]
    assert table["Word for word %"].tolist() == [50.0]


def test_a_run_on_two_questions_is_not_the_best_run(study: Workspace):
    [whole, tiny] = [
        Line(
            Entry(f"run {n}", model, "16 frames", n), Estimate(value, n=answered),
            Counts(100, answered, (answered, 0, 0, 0, 0), (), 0, ()), answered,
        )
        for n, (model, value, answered) in enumerate([("whole", 0.5, 100), ("tiny", 1.0, 2)])
    ]  # fmt: skip
    card = best_card([whole, tiny])
    assert "50.0 %" in card
    assert "100.0 %" not in card
    assert "1 run on fewer questions not ranked" in card


def test_keys_that_people_check_say_how_often_each_run_is_right(study: Workspace, add_person):
    app = page(study).run()
    app.segmented_control(key="runs view").set_value("Checked keys").run()
    assert not app.exception
    assert "No stored key is checked yet" in app.info[0].value
    app.text_input(key="checked keys name").set_value("Keys to check")
    app.number_input(key="checked keys count").set_value(20)
    app.button(key="checked keys go").click().run()
    assert not app.exception
    assert "The task “Keys to check” is open" in app.success[0].value
    ann = add_person("Ann")
    items = study.store.rows(
        "SELECT i.id, q.key FROM item i JOIN task t ON t.id = i.task_id"
        " JOIN current_question q ON q.question_id = i.question_id WHERE t.name = 'Keys to check'"
    )
    with study.store.write() as database:
        for row in items:
            make_answer(database, row["id"], ann.id, {"choice": row["key"]})
    app.run()
    assert not app.exception
    table = app.dataframe[0].value
    assert set(table["Checks"]) <= set(range(len(items) + 1))
    # Every checked key is confirmed, so nothing is moved by much.
    close = (table["By stored keys %"] - table["If all were checked %"]).abs().dropna()
    assert len(close)
    assert (close < 12).all()
    words = " ".join(one.value for one in app.caption)
    assert f"Confirmed keys, of those checked: {len(items)} of {len(items)} (100.0 %" in words
    assert f": {len(items)} answers of 1 person to {len(items)} questions" in words


def test_the_page_says_whose_answers_people_stands_for(study: Workspace, add_person):
    ann = add_person("Ann")
    [item, *_] = study.store.rows(
        "SELECT i.id, q.key FROM item i JOIN task t ON t.id = i.task_id"
        " JOIN current_question q ON q.question_id = i.question_id"
        " WHERE t.name = 'Human evaluation: full video'"
    )
    with study.store.write() as database:
        shown = {"condition": "full video", "option_order": [0, 1, 2, 3]}
        make_answer(database, item["id"], ann.id, {"choice": item["key"]}, shown=shown)
    app = page(study).run()
    assert not app.exception
    words = " ".join(one.value for one in app.caption)
    assert "People who could not know the keys" in words
    assert ": 1 answer of 1 person to 1 question about 1 video" in words
