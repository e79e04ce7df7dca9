"""Folders with which lmms-eval and VLMEvalKit run a published data set."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotations.publishing.published_rows import file_path
from core.spreadsheet import write_rows

Row = dict[str, Any]

_YAML = """\
# lmms-eval --include_path {folder} --tasks {task}
task: {task}
dataset_path: json
dataset_kwargs:
  data_files:
    test: questions.jsonl
test_split: test
output_type: generate_until
doc_to_visual: !function utils.doc_to_visual
doc_to_text: !function utils.doc_to_text
doc_to_target: !function utils.doc_to_target
process_results: !function utils.process_results
generation_kwargs:
  max_new_tokens: 64
  temperature: 0
  do_sample: false
metric_list:
  - metric: rushes_score
    aggregation: !function utils.accuracy
    higher_is_better: true
cluster_key: video
metadata:
  version: "{version}"
"""

_UTILS = '''\
"""Functions of the task: which video, which prompt, and what a reply chooses.

A reply that states no option alone is wrong and stays unread; no letter is ever guessed.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ALONE = re.compile(r"\\W*([A-Z])\\W*")
_LEADS = re.compile(r"\\s*[(\\[]?([A-Z])[)\\].:]")
_DECLARED = re.compile(r"(?i:answer|option)\\s*(?i:is)?\\s*:?\\s*[(\\[]?([A-Z])(?![A-Za-z])")


def doc_to_visual(doc):
    return [str(ROOT / doc["path"])]


def doc_to_text(doc, lmms_eval_specific_kwargs=None):
    lines = [f"{LETTERS[i]}. {option}" for i, option in enumerate(doc["options"])]
    last = "Answer with the letter of the right option."
    return "\\n".join([doc["question"], *lines, last])


def doc_to_target(doc):
    return doc["answer_letter"]


def read(reply, options):
    """The position that a reply chooses, or None."""
    reply = re.sub(r"(?s)^.*</think>", "", reply).strip()
    letters = LETTERS[: len(options)]
    for pattern in (_ALONE, _LEADS):
        match = pattern.fullmatch(reply) if pattern is _ALONE else pattern.match(reply)
        if match and match[1] in letters:
            return letters.index(match[1])
    found = [m[1].upper() for m in _DECLARED.finditer(reply) if m[1].upper() in letters]
    if found:
        return letters.index(found[-1])
    same = [i for i, o in enumerate(options) if o.strip(" .").lower() == reply.strip(" .").lower()]
    return same[0] if len(same) == 1 else None


def process_results(doc, results):
    choice = read(results[0], doc["options"])
    return {
        "rushes_score": {
            "question_id": doc["question_id"],
            "question": doc["question"],
            "options": doc["options"],
            "video": doc["video"],
            "category": doc["category"],
            "answer": doc["answer_letter"],
            "pred_answer": "" if choice is None else LETTERS[choice],
            "score": float(choice == doc["answer"]),
        }
    }


def accuracy(results):
    scores = [result["score"] for result in results]
    return 100 * sum(scores) / len(scores) if scores else 0.0
'''

_KIT = '''\
"""Registers the data set with VLMEvalKit: python rushes_dataset.py --data {name} --model MODEL.

A table alone would be taken for a set of questions without pictures: the video would never be
shown. This class claims the table's name, finds the videos beside it and shows their frames, 16
where nothing else is said. It runs the run.py of the checkout from which VLMEvalKit is installed
(pip install -e).
"""

import runpy
from pathlib import Path

import pandas as pd
import vlmeval
from vlmeval import dataset as datasets
from vlmeval.dataset.video_base import VideoBaseDataset
from vlmeval.smp import dump, load

HERE = Path(__file__).resolve().parent
NAME = "{name}"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class RushesDataset(VideoBaseDataset):
    TYPE = "Video-MCQ"
    MODALITY = "VIDEO"

    def __init__(self, dataset=NAME, pack=False, nframe=0, fps=-1):
        super().__init__(dataset, pack, nframe if nframe > 0 or fps > 0 else 16, fps)

    @classmethod
    def supported_datasets(cls):
        return [NAME]

    def prepare_dataset(self, dataset_name=NAME):
        return {{"data_file": str(HERE / f"{{NAME}}.tsv"), "root": str(HERE.parent)}}

    def build_prompt(self, line, video_llm):
        line = self.data.iloc[line] if isinstance(line, int) else line
        path = HERE.parent / line["video_path"]
        if video_llm:
            message = [{{"type": "video", "value": str(path)}}]
        else:
            message = [{{"type": "image", "value": frame}} for frame in self.save_frames(line)]
        options = [f"{{c}}. {{line[c]}}" for c in LETTERS if c in line and not pd.isna(line[c])]
        last = "Answer with the letter of the right option."
        text = "\\n".join([line["question"], *options, last])
        return [*message, {{"type": "text", "value": text}}]

    def save_frames(self, line):
        import decord
        from PIL import Image

        reader = decord.VideoReader(str(HERE.parent / line["video_path"]))
        video = line["video"].replace("/", "_")
        if self.fps > 0:
            count = max(1, int(len(reader) / reader.get_avg_fps() * self.fps))
            paths = self.frame_paths_fps(video, count)
        else:
            paths = self.frame_paths(video)
        step = len(reader) / (len(paths) + 1)
        for path, index in zip(paths, [int(step * (i + 1)) for i in range(len(paths))]):
            if not Path(path).exists():
                Image.fromarray(reader[index].asnumpy()).save(path)
        return paths

    @classmethod
    def evaluate(cls, eval_file, **judge_kwargs):
        data = load(eval_file)
        first = data["prediction"].astype(str).str.extract(r"^\\W*([A-Z])(?![A-Za-z])")[0]
        data["hit"] = (first == data["answer"]).astype(int)
        result = data.groupby("category")["hit"].mean().to_frame("accuracy")
        result.loc["all"] = data["hit"].mean()
        dump(result.reset_index(), eval_file.rsplit(".", 1)[0] + "_acc.csv")
        return result


datasets.DATASET_CLASSES.append(RushesDataset)

if __name__ == "__main__":
    runpy.run_path(str(Path(vlmeval.__file__).parents[1] / "run.py"), run_name="__main__")
'''


def write_harnesses(folder: Path, name: str, version: str, questions: Sequence[Row]) -> list[Row]:
    """Write `lmms_eval/` and `vlmevalkit/`, and return the questions that both ask.

    They show whole files: left out are questions about a part of a video, and those without a key
    or options. Where a video's file is not in the folder, its row says where to put it.
    """
    asked = [
        {**row, "path": row["path"] or file_path(row["video"], ".mp4")}
        for row in questions
        if row["answer"] is not None and row["options"]
        and not row["start_s"] and row["end_s"] is None
    ]  # fmt: skip
    task = re.sub(r"\W+", "_", name).strip("_").lower() or "rushes"
    lmms = folder / "lmms_eval"
    lmms.mkdir()
    (lmms / f"{task}.yaml").write_text(
        _YAML.format(task=task, version=version, folder="lmms_eval"), encoding="utf-8"
    )
    (lmms / "utils.py").write_text(_UTILS, encoding="utf-8")
    with (lmms / "questions.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in asked)
    kit = folder / "vlmevalkit"
    kit.mkdir()
    kit_name = "".join(part.capitalize() for part in task.split("_")) + "_Rushes"
    (kit / "rushes_dataset.py").write_text(_KIT.format(name=kit_name), encoding="utf-8")
    _write_tsv(kit / f"{kit_name}.tsv", asked)
    return asked


def _write_tsv(path: Path, rows: Sequence[Row]) -> None:
    most = max((len(row["options"]) for row in rows), default=2)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:most]
    with path.open("w", encoding="utf-8", newline="") as file:
        lines: list[list[object]] = [["index", "video", "video_path", "question", *letters,
                                      "answer", "category", "question_id"]]  # fmt: skip
        for index, row in enumerate(rows):
            options = [*row["options"], *[""] * (most - len(row["options"]))]
            facts = [row["answer_letter"], row["category"], row["question_id"]]
            lines.append([index, row["video"], row["path"], row["question"], *options, *facts])
        write_rows(file, lines, delimiter="\t")
