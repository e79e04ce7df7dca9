"""Tables of the papers come out of one command each, from answers that have their printed counts.

The questions are TOMATO's own. What models replied to them is not published, so who is right on
which question is drawn here, as often as the papers print.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from building import make_annotator, make_answer, make_clip, make_question, make_video

from annotations.planning.task_store import set_status
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import condition_task, ensure_run
from annotations.scoring.snapshot import take
from annotations.scoring.solved_table import solved_table
from annotations.shortcut.splits import plan_split
from annotations.workspace import Workspace
from core.reply.result import Reading
from ui import cli

FRAMES, RANDOM, PICKED, SHUFFLED = (
    "16 frames", "1 random frame", "1 handpicked frame", "16 shuffled frames",
)  # fmt: skip
# TOMATO, Table 5, in percent; the order of the columns is that of the paper.
COLUMNS = ("rotation", "direction", "velocity&frequency", "shape&trend", "visual_cues", "count")
TABLE_5 = {
    "GPT-4o": (24.5, 45.2, 31.9, 42.6, 58.6, 36.0, 37.7),
    "Qwen2-VL-72B": (26.9, 38.2, 43.8, 36.3, 48.6, 42.8, 37.9),
    "People": (60.9, 93.9, 85.3, 91.7, 60.0, 70.2, 79.7),
}
MODELS = ("GPT-4o", "Qwen2-VL-72B")


def store(workspace: Workspace, model: str, condition: str, right: dict[int, bool]) -> None:
    """A run that is right on these questions, by id, and else says another option."""
    task = condition_task(workspace, condition)
    run = ensure_run(workspace, model, task)
    items = workspace.store.rows(
        "SELECT i.id, i.question_id, q.id AS revision, q.key, json_array_length(q.options) AS n"
        " FROM item i JOIN current_question q ON q.question_id = i.question_id"
        " WHERE i.task_id = ?",
        [task],
    )
    answers: list[ModelAnswer] = []
    for row in items:
        if row["question_id"] in right:
            choice = row["key"] if right[row["question_id"]] else (row["key"] + 1) % row["n"]
            shown = {"condition": condition, "option_order": list(range(row["n"]))}
            reading = Reading(choice, "read", "label alone", "")
            answers.append(
                ModelAnswer(row["id"], row["revision"], {"choice": choice}, shown, reading, "")
            )
    store_answers(workspace, run, answers)


def drawn(ids: Iterable[int], count: int, seed: int) -> dict[int, bool]:
    """So many of the questions as right, the others as wrong."""
    listed = list(ids)
    chosen = set(np.random.default_rng(seed).permutation(len(listed))[:count].tolist())
    return {number: place in chosen for place, number in enumerate(listed)}


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main([*arguments]) == 0
    return capsys.readouterr().out


def cells(text: str, name: str) -> list[str]:
    """The cells of one row of a table in Markdown."""
    [line] = [line for line in text.splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


@pytest.fixture(scope="module")
def tomato(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Path:
    """TOMATO's 1,484 questions with two models and people, right as often as its tables say."""
    root = tmp_path_factory.mktemp("tomato") / "study"
    workspace = Workspace.create(root)
    by_category: dict[str, list[int]] = {}
    with workspace.store.write() as database:
        for category in COLUMNS:
            records = json.loads((shared / f"data/tomato/{category}.json").read_text())
            for number, record in records.items():
                video = f"{record['demonstration_type']}/{record['key']}"
                row = database.conn.execute(
                    "SELECT c.id FROM clip c JOIN video v ON v.id = c.video_id WHERE v.name = ?",
                    [video],
                ).fetchone()
                clip = row[0] if row else make_clip(database, make_video(database, video))
                flags = {name: bool(flag) for name, flag in record["variation"].items()}
                question = make_question(
                    database, f"{category}/{number}", clip, text=record["question"],
                    options=record["options"], key=record["answer"], category=category, tags=flags,
                )  # fmt: skip
                by_category.setdefault(category, []).append(question)
    full: dict[str, dict[int, bool]] = {}
    for seed, (name, row) in enumerate(TABLE_5.items()):
        full[name] = {}
        for category, percent in zip(COLUMNS, row, strict=False):
            ids = by_category[category]
            full[name] |= drawn(ids, round(percent * len(ids) / 100), seed)
    for model in MODELS:
        store(workspace, model, FRAMES, full[model])
    _people(workspace, full["People"])
    part = _two_hundred(full)
    # Tables 1 and 3 on all questions, 2 and 4 on the 200 that people picked frames of.
    for model, random, shuffled, picked, random_of_200 in (
        ("GPT-4o", 21.2, 25.8, 21.5, 20.5), ("Qwen2-VL-72B", 20.6, 31.1, 24.0, 23.0),
    ):  # fmt: skip
        others = [number for number in full[model] if number not in part]
        inside = round(2 * random_of_200)
        store(workspace, model, SHUFFLED, drawn(full[model], round(14.84 * shuffled), 7))
        store(
            workspace, model, RANDOM,
            drawn(part, inside, 8) | drawn(others, round(14.84 * random) - inside, 9),
        )  # fmt: skip
        store(workspace, model, PICKED, drawn(part, round(2 * picked), 10))
    workspace.close()
    return root


def _people(workspace: Workspace, right: dict[int, bool]) -> None:
    task = condition_task(workspace, FRAMES)
    set_status(workspace, f"Human evaluation: {FRAMES}", "open")
    items = workspace.store.rows(
        "SELECT i.id, q.question_id, q.key, json_array_length(q.options) AS n FROM item i"
        " JOIN current_question q ON q.question_id = i.question_id WHERE i.task_id = ?",
        [task],
    )
    with workspace.store.write() as database:
        person = make_annotator(database, "Ann")
        for row in items:
            choice = row["key"] if right[row["question_id"]] else (row["key"] + 1) % row["n"]
            shown = {"condition": FRAMES, "option_order": list(range(row["n"]))}
            make_answer(database, row["id"], person, {"choice": choice}, shown=shown)


def _two_hundred(full: dict[str, dict[int, bool]]) -> list[int]:
    """200 questions of which GPT-4o is right on 74 and Qwen2-VL-72B on 77 from 16 frames."""
    # 30 of both, 44 and 47 of one alone, 79 of neither.
    wanted = {(True, True): 30, (True, False): 44, (False, True): 47, (False, False): 79}
    part: list[int] = []
    for number in full["GPT-4o"]:
        kind = (full["GPT-4o"][number], full["Qwen2-VL-72B"][number])
        if wanted[kind]:
            wanted[kind] -= 1
            part.append(number)
    return part


def test_tomato_5_is_models_and_people_by_reasoning_type(
    tomato: Path, capsys: pytest.CaptureFixture[str]
):
    text = printed(
        capsys, "metrics", "--workspace", str(tomato), "--table", "category", "--condition", FRAMES
    )
    order = cells(text, "Model")
    assert order == [*COLUMNS, "All", "Rank"]
    for name, row in TABLE_5.items():
        values = [float(cell.split(" ")[0]) for cell in cells(text, name)[:7]]
        # A share of whole answers; printed with one decimal, and people had other numbers of them.
        assert values == pytest.approx(row, abs=0.75 if name == "People" else 0.2)
        assert all("±" in cell for cell in cells(text, name)[:7])
    average = [float(cell.split(" ")[0]) for cell in cells(text, "Average of models")[:7]]
    for place, value in enumerate(average):
        each = [float(cells(text, model)[place].split(" ")[0]) for model in MODELS]
        assert value == pytest.approx(sum(each) / 2, abs=0.11)
    # Baselines of the same questions; the paper draws its random choice in another way.
    assert cells(text, "Random guess")[6] == "19.9"
    assert len(cells(text, "Random choice, seed 42")) == 8
    assert "1,484 answers of 1 person to 1,484 questions" in text


def test_tomato_1_to_4_are_the_shortcut_metrics_with_the_mean_over_models(
    tomato: Path, shared: Path, capsys: pytest.CaptureFixture[str]
):
    tables: dict[str, Any] = json.loads((shared / "reference/tomato_shortcuts.json").read_text())
    report = json.loads(printed(capsys, "metrics", "--workspace", str(tomato), "--json"))
    found = {(row["metric"], row["model"]): row for row in report["shortcut_metrics"]}
    metrics = {
        "multi-frame gain": tables["multi_frame_gain_random"]["TOMATO"],
        "multi-frame gain, handpicked": tables["multi_frame_gain_handpicked"]["TOMATO (200)"],
        "frame order sensitivity": tables["frame_order_sensitivity"]["TOMATO"],
        "frame information disparity": tables["frame_information_disparity"]["TOMATO (200)"],
    }
    for metric, table in metrics.items():
        for model in MODELS:
            row = found[metric, model]
            assert 100 * row["value"] == pytest.approx(table[model][2], abs=0.75)
            assert row["low"] < row["value"] < row["high"]
            assert row["n"] == (200 if "TOMATO (200)" in str(table) or "handp" in metric
                                or "information" in metric else 1484)  # fmt: skip
        mean = found[metric, "Average of 2 models"]["value"]
        assert 100 * mean == pytest.approx(table["average"][2], abs=0.75)
        assert mean == pytest.approx(
            sum(found[metric, model]["value"] for model in MODELS) / 2, abs=1e-9
        )


def test_tomato_7_is_the_same_table_by_a_flag(
    tomato: Path, shared: Path, capsys: pytest.CaptureFixture[str]
):
    flags = [
        bool(record["variation"]["counterfactual"])
        for category in COLUMNS
        for record in json.loads((shared / f"data/tomato/{category}.json").read_text()).values()
    ]
    text = printed(
        capsys, "metrics", "--workspace", str(tomato), "--table", "counterfactual",
        "--condition", FRAMES,
    )  # fmt: skip
    assert cells(text, "Model") == ["no", "yes", "All", "Δ %", "Rank"]
    shares = [float(cell.split(" ")[0]) for cell in cells(text, "GPT-4o")[:3]]
    whole = ((len(flags) - sum(flags)) * shares[0] + sum(flags) * shares[1]) / len(flags)
    assert whole == pytest.approx(shares[2], abs=0.1)
    average = cells(text, "Average of models")
    assert len(average) == 5
    for model in MODELS:
        no, yes = (float(cell.split(" ")[0]) for cell in cells(text, model)[:2])
        change, width = cells(text, model)[3].split(" ± ")
        # As the paper has it: 38.5 and 24.0 is -37.7. Cells are rounded to a tenth of a point.
        assert change[0] in "+-"
        assert float(change) == pytest.approx(100 * (yes / no - 1), abs=0.4)
        assert float(width) > 0
    assert float(average[3].split(" ")[0]) == pytest.approx(
        sum(float(cells(text, model)[3].split(" ")[0]) for model in MODELS) / 2, abs=0.11
    )
    assert cells(text, "Random guess")[3] == ""


def test_actionatlas_1_to_4_have_half_widths_by_question(
    tmp_path: Path, shared: Path, capsys: pytest.CaptureFixture[str]
):
    table = json.loads((shared / "reference/actionatlas_accuracy.json").read_text())
    workspace = Workspace.create(tmp_path / "study")
    with workspace.store.write() as database:
        ids = [
            make_question(
                database, f"sport/{number}", make_clip(database, make_video(database, f"{number}")),
                options=["a", "b", "c", "d", "e"],
            )
            for number in range(table["questions"])
        ]  # fmt: skip
    rows = [row for row in table["rows"] if row["frames"] in (1, 2, 16)]
    names = {1: RANDOM, 2: "2 frames", 16: FRAMES}
    for seed, row in enumerate(rows):
        count = round(row["accuracy_pct"] * len(ids) / 100)
        store(workspace, row["model"], names[row["frames"]], drawn(ids, count, seed))
    workspace.close()
    for frames, condition in names.items():
        text = printed(
            capsys, "metrics", "--workspace", str(tmp_path / "study"), "--table", "category",
            "--condition", condition, "--resample", "question",
        )  # fmt: skip
        for row in rows:
            if row["frames"] == frames:
                value, width = cells(text, row["model"])[1].split(" ± ")
                assert float(value) == pytest.approx(row["accuracy_pct"], abs=0.11)
                assert float(width) == pytest.approx(row["half_width_pct"], abs=0.41)


def test_utd_4_is_kappa_and_split_of_nine_imported_runs(
    tmp_path: Path, shared: Path, capsys: pytest.CaptureFixture[str]
):
    wanted = json.loads((shared / "reference/utd_bias.json").read_text())["splits"]["UCF"]
    root, files = tmp_path / "study", tmp_path / "runs"
    workspace = Workspace.create(root)
    with workspace.store.write() as database:
        for number in range(1_000):
            clip = make_clip(database, make_video(database, f"{number}"))
            make_question(database, f"q{number}", clip, options=["left", "right"], key=1)
    workspace.close()
    # All nine are right on 730 of 1,000, all wrong on 182, and split 4 to 5 or 5 to 4 on 88.
    # 2 * 4 * 5 / 72 of their pairs differ on those: they agree on 1 - 88 * 0.5556 / 1000 = 0.9511
    # of all, and by chance on 0.774 ** 2 + 0.226 ** 2 = 0.6502: kappa 0.860.
    files.mkdir()
    for model in range(9):
        lines = ["id,prediction"]
        for number in range(1_000):
            split = 730 <= number < 818
            right = number < 730 or (split and (model + number) % 9 < 4 + number % 2)
            lines.append(f"q{number},{'B' if right else 'A'}")
        (files / f"{model}.csv").write_text("\n".join(lines))
        printed(
            capsys, "import", str(files / f"{model}.csv"), "--as", "predictions", "--yes",
            "--condition", "text only", "--model", f"model {model}", "--workspace", str(root),
        )  # fmt: skip
    report = json.loads(printed(capsys, "metrics", "--workspace", str(root), "--json"))
    [kappa] = [
        row
        for row in report["agreement"]
        if (row["among"], row["coefficient"]) == ("models", "fleiss")
    ]
    assert 100 * kappa["value"] == pytest.approx(wanted["fleiss_kappa_pct"], abs=0.15)
    assert kappa["low"] < kappa["value"] < kappa["high"]
    workspace = Workspace.open(root)
    with take(workspace) as snapshot:
        nine = [entry.key for entry in solved_table(snapshot).entries]
        split = plan_split(snapshot, nine, drop_when=9)
    workspace.close()
    assert split.words.startswith("Dropped when all 9 runs answer right")
    assert split.kept.mean() * 100 == wanted["kept_pct"]
    assert (~split.kept).mean() * 100 == wanted["object_biased_pct"]
