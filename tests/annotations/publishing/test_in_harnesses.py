"""A published folder is run by the harnesses themselves, and what they write comes back.

Neither can stand beside our packages: lmms-eval needs av below 16, and VLMEvalKit is on no index. A
Python of another environment that has one is named in LMMS_EVAL_PYTHON or VLMEVALKIT_PYTHON;
without it, the test says so and is left out.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from annotations.importing.import_plan import carry_out, plan_import
from annotations.importing.prediction_import import plan_predictions, write_predictions
from annotations.prediction_format import PredictionChoices
from annotations.publishing.publication import publish
from annotations.workspace import Workspace

KIT = """
import json, runpy, sys
from vlmeval.dataset import build_dataset
runpy.run_path(sys.argv[1])
seen = {}
for kind, settings in (("usual", {}), ("four", {"nframe": 4}), ("by time", {"fps": 2})):
    dataset = build_dataset(sys.argv[2], **settings)
    for video_llm in (False, True):
        parts = [part["type"] for part in dataset.build_prompt(1, video_llm)]
        seen[f"{kind} {video_llm}"] = [parts.count(name) for name in ("image", "video", "text")]
table = dataset.data.assign(prediction=["A", "The answer is C", "C."])
table.to_csv(sys.argv[3], sep="\\t", index=False)
shares = dataset.evaluate(sys.argv[3])["accuracy"]
print(json.dumps({"class": type(dataset).__name__, "seen": seen, "all": shares["all"]}))
"""


def python_with(variable: str, package: str) -> str:
    """The Python of another environment that has a harness; skips the test where none is named."""
    path = os.environ.get(variable, "")
    if not path:
        pytest.skip(f"{package} stands in an environment of its own: name its Python in {variable}")
    return path


def run(command: list[str], folder: Path, **variables: str) -> str:
    """What a command prints, run without a network in an empty folder within this one.

    A folder that bears a task's name would be taken for the task.
    """
    folder = folder / "run"
    folder.mkdir()
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = {**kept, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf"), **variables}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def clip(path: Path, shade: int) -> None:
    """Two seconds of grey, ten frames each."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(20):
            picture = np.full((48, 64, 3), shade + number, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))


@pytest.fixture
def published(workspace: Workspace, tmp_path: Path) -> Path:
    """A published folder of three questions with options that hold commas, of keys A, B and C."""
    source = tmp_path / "source"
    source.mkdir()
    rows: list[dict[str, Any]] = []
    for number, key in enumerate("ABC"):
        clip(source / f"v{number}.mp4", 40 * number)
        rows.append({"id": f"q{number}", "video": f"v{number}.mp4", "question": f"=1+1 ({number})?",
                     "options": ["left", "right, up", "down"], "answer": key,
                     "category": "c"})  # fmt: skip
    (source / "q.json").write_text(json.dumps(rows))
    carry_out(workspace, plan_import(workspace, source / "q.json"))
    assert publish(workspace, tmp_path / "out")["in_harnesses"] == 3
    return tmp_path / "out"


def test_lmms_eval_loads_the_folder_by_its_include_path_and_its_log_comes_back(
    published: Path, workspace: Workspace, tmp_path: Path
):
    python = python_with("LMMS_EVAL_PYTHON", "lmms-eval")
    [task] = [file.stem for file in (published / "lmms_eval").glob("*.yaml")]
    run(
        [python, "-m", "lmms_eval", "--model", "dummy", "--model_args",
         "response=The answer is (B).", "--include_path", str(published / "lmms_eval"),
         "--tasks", task, "--log_samples", "--output_path", str(tmp_path / "logs")],
        tmp_path,
    )  # fmt: skip
    [results] = (tmp_path / "logs").rglob("*results.json")
    scores = json.loads(results.read_text())["results"][task]
    assert scores["rushes_score,none"] == pytest.approx(100 / 3)
    [log] = (tmp_path / "logs").rglob(f"*samples_{task}.jsonl")
    choices = PredictionChoices(model="dummy", condition="full video")
    plan = plan_predictions(workspace, [log], choices)
    assert (plan.matched, plan.unmatched) == (3, 0)
    assert [answer.choice for answer in plan.runs[0].answers.values()] == [1, 1, 1]
    write_predictions(workspace, plan)


def test_vlmevalkit_shows_the_videos_of_the_class_that_registers_itself(
    published: Path, workspace: Workspace, tmp_path: Path
):
    python = python_with("VLMEVALKIT_PYTHON", "VLMEvalKit")
    [table] = (published / "vlmevalkit").glob("*.tsv")
    script, answers = tmp_path / "kit.py", tmp_path / f"m_{table.stem}.tsv"
    script.write_text(KIT)
    code = str(published / "vlmevalkit" / "rushes_dataset.py")
    printed = run(
        [python, str(script), code, table.stem, str(answers)], tmp_path,
        LMUData=str(tmp_path / "kit"),
    )  # fmt: skip
    told = json.loads(printed.strip().splitlines()[-1])
    assert told["class"] == "RushesDataset"
    assert told["seen"] == {
        "usual False": [16, 0, 1], "usual True": [0, 1, 1], "four False": [4, 0, 1],
        "four True": [0, 1, 1], "by time False": [4, 0, 1], "by time True": [0, 1, 1],
    }  # fmt: skip
    assert told["all"] == pytest.approx(2 / 3)  # "The answer is C" begins with no letter alone
    choices = PredictionChoices(model="m", condition="full video")
    plan = plan_predictions(workspace, [answers], choices)
    assert (plan.matched, plan.unmatched) == (3, 0)
    assert [answer.choice for answer in plan.runs[0].answers.values()] == [0, 2, 2]
