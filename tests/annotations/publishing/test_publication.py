"""A published folder is read by what others use: mlcroissant, datasets, and a harness's loader."""

import csv
import importlib.util
import json
import os
from pathlib import Path

import pytest
from building import insert

from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.planning.task_store import create_task, grow
from annotations.prediction_format import PredictionChoices
from annotations.publishing.html_report import Bar, Section, html_report
from annotations.publishing.publication import publish
from core.refusal import Refusal
from ui import cli

TEXT = "=1+1, \u202e right\nto left \U0001f415 <script>alert(1)</script>"


@pytest.fixture
def benchmark(workspace, add_question, add_run):
    """Three questions, one without a file of its video, and replies of a model."""
    add_question("q/1", options=("left", "right", "up"))
    add_question("q/2", options=("left", "right", "up"))
    add_question("q/3", options=("left", "right"))
    grow(workspace, create_task(workspace, "t", "human_evaluation", {"condition": "full video"}, 2))
    with workspace.store.write() as database:
        database.conn.execute("UPDATE question_revision SET text = ? WHERE id = 1", [TEXT])
    for row in workspace.store.rows("SELECT id, name, sha256 FROM video ORDER BY id")[:2]:
        file = workspace.media.original(row["sha256"], ".mp4")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(f"content of {row['name']}".encode())
    add_run("m", "full video", "rw")
    return workspace


def read_croissant(folder):
    import mlcroissant

    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    return {
        record_set.uuid: list(dataset.records(record_set.uuid))
        for record_set in dataset.metadata.record_sets
    }


def test_mlcroissant_reads_every_record_set_to_its_end(benchmark, tmp_path):
    counts = publish(benchmark, tmp_path / "out")
    assert (counts["questions"], counts["votes"], counts["missing_videos"]) == (3, 2, 1)
    records = read_croissant(tmp_path / "out")
    assert {name: len(rows) for name, rows in records.items()} == {
        "questions": 3, "votes": 2, "videos": 3,
    }  # fmt: skip
    first = records["questions"][0]
    assert first["questions/question"].decode() == TEXT
    assert [option.decode() for option in first["questions/options"]] == ["left", "right", "up"]


def test_who_publishes_to_a_folder_that_somebody_publishes_to_is_told_so(benchmark, tmp_path):
    told: list[str] = []

    def meanwhile(*_: object) -> None:
        with pytest.raises(Refusal) as refused:
            publish(benchmark, tmp_path / "out")
        told.append(str(refused.value))

    publish(benchmark, tmp_path / "out", progress=meanwhile)
    assert told
    assert "Somebody else is publishing to" in told[0]
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == ["out"]
    assert publish(benchmark, tmp_path / "out")["version"] == "1.0.1"


def test_a_publication_whose_replacing_was_cut_short_is_the_earlier_one_of_the_next(
    benchmark, tmp_path, monkeypatch
):
    publish(benchmark, tmp_path / "out", version="3.0")
    rename = Path.rename

    def cut_short(path: Path, target: Path) -> Path:
        if Path(target) == tmp_path / "out":
            raise KeyboardInterrupt
        return rename(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", cut_short)
        with pytest.raises(KeyboardInterrupt):
            publish(benchmark, tmp_path / "out")
    assert publish(benchmark, tmp_path / "out")["version"] == "3.1"
    assert "3.0" in (tmp_path / "out" / "CHANGES.md").read_text()
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == ["out"]


def test_datasets_loads_each_table_offline(benchmark, tmp_path, monkeypatch):
    publish(benchmark, tmp_path / "out")
    monkeypatch.setitem(os.environ, "HF_HUB_OFFLINE", "1")
    from datasets import load_dataset

    questions = load_dataset(str(tmp_path / "out"), split="test", cache_dir=str(tmp_path / "cache"))
    assert questions["question_id"] == ["q/1", "q/2", "q/3"]
    assert (questions[0]["question"], questions[0]["answer"]) == (TEXT, 1)
    assert questions[2]["options"] == ["left", "right"]
    votes = load_dataset(
        str(tmp_path / "out"), "votes", split="test", cache_dir=str(tmp_path / "cache")
    )
    assert votes["annotator"] == ["m", "m"]
    assert votes["choices"][0] == ["B"]


def test_videos_are_linked_copied_or_named_only(benchmark, tmp_path):
    publish(benchmark, tmp_path / "linked")
    publish(benchmark, tmp_path / "copied", videos="copy")
    publish(benchmark, tmp_path / "named", videos="none")
    [original, _] = sorted(benchmark.media.root.rglob("original.mp4"))[:2]
    linked = sorted((tmp_path / "linked" / "videos").rglob("*.mp4"))
    copied = sorted((tmp_path / "copied" / "videos").rglob("*.mp4"))
    assert len(linked) == len(copied) == 2
    assert original.stat().st_ino in {file.stat().st_ino for file in linked}
    assert original.stat().st_ino not in {file.stat().st_ino for file in copied}
    assert not (tmp_path / "named" / "videos").exists()
    for name in ("linked", "named"):
        [row, *_] = read_croissant(tmp_path / name)["videos"]
        assert len(row["videos/sha256"]) == 64


def test_another_folder_is_never_overwritten(benchmark, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("years of work")
    with pytest.raises(ValueError, match="holds other files"):
        publish(benchmark, tmp_path / "out")
    assert (tmp_path / "out" / "thesis.txt").read_text() == "years of work"
    assert not list(tmp_path.glob(".out*"))


def test_versions_say_what_changed_and_withdrawn_videos_stay_out(benchmark, tmp_path):
    folder = tmp_path / "out"
    assert publish(benchmark, folder, version="1.0")["version"] == "1.0"
    with benchmark.store.write() as database:
        database.conn.execute("UPDATE question_revision SET key = 0 WHERE question_id = 2")
    [video] = benchmark.store.rows(
        "SELECT v.name FROM video v JOIN clip c ON c.video_id = v.id JOIN question_revision r"
        " ON r.clip_id = c.id WHERE r.question_id = 1"
    )
    second = publish(benchmark, folder, withdraw=[video["name"]])
    assert (second["version"], second["questions"], second["withdrawn"]) == ("1.1", 2, 1)
    third = publish(benchmark, folder)
    assert (third["version"], third["questions"]) == ("1.2", 2)
    changes = (folder / "CHANGES.md").read_text()
    assert "1 questions taken out, since their video was withdrawn: q/1" in changes
    assert "1 questions with another key: q/2" in changes
    assert changes.index("# Version 1.2") < changes.index("# Version 1.1")
    assert changes.count("# Version") == 3
    with pytest.raises(ValueError, match="no video 'nothing' to withdraw"):
        publish(benchmark, folder, withdraw=["nothing"])


def test_the_datasheet_shows_stored_numbers_and_asks_the_authors_the_rest(benchmark, tmp_path):
    publish(benchmark, tmp_path / "out")
    sheet = (tmp_path / "out" / "README.md").read_text()
    assert "- 3 questions about 3 videos." in sheet
    assert "Options: 1 questions with 2, 2 questions with 3." in sheet
    assert sheet.count("To be written by the authors") == 12
    answers = benchmark.root / "publication.toml"
    text = answers.read_text().replace('licence = ""', 'licence = "CC BY 4.0"')
    answers.write_text(text.replace('funding = ""', 'funding = "Nobody <b>at all</b>"'))
    publish(benchmark, tmp_path / "out")
    sheet = (tmp_path / "out" / "README.md").read_text()
    assert "CC BY 4.0" in sheet
    assert "<b>" not in sheet
    assert json.loads((tmp_path / "out" / "croissant.json").read_text())["license"] == "CC BY 4.0"


def test_an_answer_to_no_question_of_the_datasheet_is_refused_and_kept(benchmark, tmp_path):
    answers = benchmark.root / "publication.toml"
    answers.write_text('lisence = "CC BY 4.0"\n')
    with pytest.raises(ValueError, match=r"'lisence' is not known. Did you mean licence"):
        publish(benchmark, tmp_path / "out")
    assert answers.read_text() == 'lisence = "CC BY 4.0"\n'
    answers.write_text('creators = ["Ada", "Ben"]\n')
    publish(benchmark, tmp_path / "out")
    assert "Ada; Ben" in (tmp_path / "out" / "README.md").read_text()


def load_task(folder):
    """The YAML of a task as lmms-eval loads it: `!function` names a function of a file beside it.

    lmms-eval itself needs an older av than ours; its `load_yaml_config` does no more than this.
    """
    import yaml

    class Loader(yaml.SafeLoader):
        pass

    def function(loader, node):
        module_name, name = loader.construct_scalar(node).split(".")
        spec = importlib.util.spec_from_file_location(module_name, folder / f"{module_name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return getattr(module, name)

    Loader.add_constructor("!function", function)
    [file] = folder.glob("*.yaml")
    return yaml.load(file.read_text(), Loader=Loader)


def test_a_harness_asks_the_questions_and_its_log_comes_back(benchmark, tmp_path):
    publish(benchmark, tmp_path / "out")
    folder = tmp_path / "out" / "lmms_eval"
    task = load_task(folder)
    data = folder / task["dataset_kwargs"]["data_files"]["test"]
    docs = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()]
    assert len(docs) == 3
    [video] = task["doc_to_visual"](docs[0])
    assert Path(video).read_bytes().startswith(b"content of")
    assert task["doc_to_text"](docs[0]).endswith(
        "A. left\nB. right\nC. up\nAnswer with the letter of the right option."
    )
    log = tmp_path / "org__model" / "20260101_000000_samples_w.jsonl"
    log.parent.mkdir()
    replies = ["<think>A?</think>B", "The answer is (C).", "A dog, perhaps"]
    scores = []
    with log.open("w") as file:
        for number, (doc, reply) in enumerate(zip(docs, replies, strict=True)):
            result = task["process_results"](doc, [reply])
            scores.append(result["rushes_score"])
            row = {"doc_id": number, "target": task["doc_to_target"](doc), "filtered_resps": reply}
            file.write(json.dumps({**row, **result}) + "\n")
    # The keys are B; the last reply states no letter, and none is guessed.
    assert [score["score"] for score in scores] == [1.0, 0.0, 0.0]
    assert scores[2]["pred_answer"] == ""
    assert task["metric_list"][0]["aggregation"](scores) == pytest.approx(100 / 3)
    plan = plan_predictions(benchmark, [log], PredictionChoices(condition="full video"))
    assert (plan.matched, plan.unmatched) == (3, 0)
    assert [answer.choice for answer in plan.runs[0].answers.values()] == [1, 2, None]
    write_predictions(benchmark, plan)


def test_the_table_of_vlmevalkit_holds_every_option_and_names_its_class(benchmark, tmp_path):
    publish(benchmark, tmp_path / "out")
    folder = tmp_path / "out" / "vlmevalkit"
    [table] = folder.glob("*.tsv")
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert rows[0]["question"] == TEXT
    assert [(row["A"], row["B"], row["C"], row["answer"]) for row in rows][2] == (
        "left", "right", "", "B",
    )  # fmt: skip
    code = (folder / "rushes_dataset.py").read_text()
    compile(code, "rushes_dataset.py", "exec")
    assert f'NAME = "{table.stem}"' in code


def test_the_commands_write_a_folder_and_a_report_in_which_hostile_texts_are_inert(
    benchmark, tmp_path, capsys
):
    with benchmark.store.write() as database:
        database.conn.execute(
            "UPDATE question_revision SET category = '<img src=x onerror=alert(1)>'"
        )
    root = str(benchmark.root)
    assert cli.main(["publish", str(tmp_path / "out"), "--workspace", root]) == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {
        "README.md", "croissant.json", "data", "lmms_eval", "vlmevalkit", "CHANGES.md",
    }  # fmt: skip
    report = tmp_path / "report.html"
    assert cli.main(["report", str(report), "--workspace", root]) == 0
    page = report.read_text(encoding="utf-8")
    assert "<script" not in page
    assert "<img" not in page
    assert "default-src 'none'" in page
    for title in ("Funnel", "Runs", "Shortcuts", "Agreement", "What is left out"):
        assert f"<h2>{title}" in page
    assert '<td>Questions that stand</td><td class="n">3</td>' in page
    assert "http://" not in page
    # Whose answers each figure stands on is said, and who had met a clip can be left out.
    assert "People who could not know the keys" in page
    assert cli.main(["report", str(report), "--workspace", root, "--leave-out-seen"]) == 0
    assert "People who could not know the keys" in report.read_text(encoding="utf-8")
    capsys.readouterr()


def test_a_report_draws_shares_and_takes_no_markup():
    page = html_report(
        "A & B", ["x < y"],
        [Section("S\u202e<b>", ["<i>"], ("h<1>",), [("<td>", 12.345)], [Bar("n<", 0.5, 0.4)])],
    )  # fmt: skip
    assert "A &amp; B" in page
    assert "<h2>S&lt;b&gt;</h2>" in page
    assert "h&lt;1&gt;" in page
    assert "12.3" in page
    assert "50.0 %" in page


def test_debiased_splits_of_videos_are_lists_of_ids_without_withdrawn_ones(benchmark, tmp_path):
    with benchmark.store.write() as database:
        rule = json.dumps({"rule": "balanced", "job": "classification"})
        number = insert(database, "video_split", name="fair/1", rule=rule, created_at="")
        for video, kept in ((1, 1), (2, 0), (3, 1)):
            insert(
                database, "video_split_member", split_id=number, video_id=video, solved=0, kept=kept
            )
    counts = publish(benchmark, tmp_path / "out", withdraw=["video of q/3"])
    assert counts["splits"] == 1
    [file] = (tmp_path / "out" / "splits").iterdir()
    assert json.loads(file.read_text("utf-8")) == {
        "name": "fair/1", "rule": {"rule": "balanced", "job": "classification"},
        "full": ["video of q/1", "video of q/2"], "video_ids": ["video of q/1"],
        "question_ids": ["q/1"],
    }  # fmt: skip
