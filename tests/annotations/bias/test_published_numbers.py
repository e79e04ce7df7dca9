"""What UTD published, as far as its data allow: texts of its appendix, Table 4, Table 5."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotations.bias.labels import import_labels
from annotations.bias.result import Result
from annotations.bias.scores import import_scores, on_splits
from annotations.bias.splits import published_lists
from annotations.description.cleaning import cleaned, entries
from annotations.description.concepts import ACTIVITIES, OBJECTS, VERBS, TextKind
from annotations.description.stored import VideoTexts
from annotations.workspace import Workspace

PAPER = "papers/002_1c934c2748230e71.txt"
KINDS = {"Objects": OBJECTS, "Activities": ACTIVITIES, "Verbs": VERBS}


@pytest.fixture(scope="module")
def reference(shared: Path) -> dict[str, Any]:
    return json.loads((shared / "reference" / "utd_bias.json").read_text(encoding="utf-8"))


def examples(paper: str) -> list[tuple[TextKind, list[str]]]:
    """The whole lists of eight frames of Figures F.2 to F.4."""
    found: list[tuple[TextKind, list[str]]] = []
    for title, block in re.findall(r"^(Objects|Activities|Verbs):\n\n((?:-? ?Frame .*\n)+)", paper,
                                   re.MULTILINE):  # fmt: skip
        frames = re.findall(r"^-? ?Frame (\d): ?(.*)$", block, re.MULTILINE)
        if [number for number, _ in frames] == list("12345678"):
            found.append((KINDS[title], [text.strip() for _, text in frames]))
    return found


def test_published_texts_become_the_sequence_that_the_paper_prints(shared: Path):
    # 3.3.1: "Frame 1: x1 Frame 2: x2 ..."; frames in which nothing happens keep their number.
    lists = examples((shared / PAPER).read_text(encoding="utf-8"))
    assert Counter(kind.kind for kind, _ in lists) == {"objects": 5, "activities": 5, "verbs": 5}
    nothing = 0
    for kind, frames in lists:
        texts = VideoTexts(tuple(cleaned(text, kind) for text in frames))
        nothing += texts.empty
        if kind is OBJECTS:
            # Each object once, in its order; full stops at the end are no part of it.
            assert all(entries(text) for text in frames)
            continue
        printed = " ".join(f"Frame {n}: {text}".strip() for n, text in enumerate(frames, start=1))
        assert texts.sequence() == (printed if any(frames) else "")
        assert texts.empty == frames.count("")
    # Counted in the paper's text: activities and verbs of 8 frames each that are left empty.
    assert nothing == sum(frames.count("") for _, frames in lists) > 20
    kitchen = next(
        frames for kind, frames in lists if "cutting board, broccoli, knife" in frames[6]
    )
    assert entries(kitchen[6]) == ["cutting board", "broccoli", "knife", "countertop"]


@pytest.fixture
def ucf(workspace: Workspace, shared: Path, reference: dict[str, Any]) -> tuple[Workspace, Result]:
    """UCF101's own test videos, of which nine models solve the share that Table 4 prints."""
    import_labels(workspace, shared / "data" / "ucf101" / "testlist01.txt")
    rows = workspace.store.rows(
        "SELECT v.id, l.label FROM video v JOIN video_label l ON l.video_id = v.id ORDER BY v.id"
    )
    classes = sorted({row["label"] for row in rows})
    truth = np.array([classes.index(row["label"]) for row in rows])
    random = np.random.default_rng(1)
    solved = np.zeros(len(rows), np.bool_)
    share = reference["splits"]["UCF"]["object_biased_pct"] / 100
    solved[random.permutation(len(rows))[: round(share * len(rows))]] = True
    right = np.tile(solved, (9, 1))
    right[0, ~solved] = False
    right[1:, ~solved] = random.random((8, int((~solved).sum()))) < 0.3
    return workspace, Result(
        {"classes": classes, "classification": {"nine": {}}, "retrieval": {"reason": "none"}},
        {
            "video_id": np.array([row["id"] for row in rows]), "truth": truth,
            "family": np.arange(len(rows)), "classification/video": np.arange(len(rows)),
            "classification/nine/right": right,
            "classification/nine/confidence": random.random(len(rows)),
        },
    )  # fmt: skip


def test_ucfs_splits_have_the_shares_of_table_4(ucf, reference: dict[str, Any]):
    workspace, result = ucf
    names = {row["id"]: row["name"] for row in workspace.store.rows("SELECT id, name FROM video")}
    lists = published_lists(result, names, "classification")
    assert (len(lists["full"]), len(result.figures["classes"])) == (3783, 101)
    printed = reference["splits"]["UCF"]
    for name in ("debiased", "debiased-balanced"):
        assert round(100 * len(lists[name]) / 3783) == printed["kept_pct"]
    for one in reference["splits"].values():
        assert one["object_biased_pct"] + one["kept_pct"] == 100
    # Balanced: of each class the same share stays, as nearly as whole videos allow.
    sizes = Counter(name.split("_")[1] for name in lists["full"])
    stay = Counter(name.split("_")[1] for name in lists["debiased-balanced"])
    share = len(lists["debiased-balanced"]) / 3783
    assert all(abs(stay[label] - share * size) < 1 for label, size in sizes.items())


def test_drops_on_the_split_are_those_of_table_5(ucf, reference: dict[str, Any], tmp_path: Path):
    workspace, result = ucf
    solved = result.arrays["classification/nine/right"].all(axis=0)
    names = [row["name"] for row in workspace.store.rows("SELECT name FROM video ORDER BY id")]
    printed = reference["drops_on_split_pct_points"]["UCF"]
    for model, (full, split, _) in printed.items():
        # As many right on what is left, and in all, as the two printed shares say.
        kept, removed = np.flatnonzero(~solved), np.flatnonzero(solved)
        on_kept = round(split / 100 * len(kept))
        on_removed = round(full / 100 * len(solved)) - on_kept
        assert 0 <= on_removed <= len(removed), "the printed shares can hold together"
        right = set(kept[:on_kept].tolist()) | set(removed[:on_removed].tolist())
        lines = [f"{name},{int(n in right)}" for n, name in enumerate(names)]
        path = tmp_path / f"{model.replace('+', '_')}.csv"
        path.write_text("\n".join(["video_id,acc_top1", *lines]))
        import_scores(workspace, path, model)
    found = {one.model: one for one in on_splits(workspace, result, "classification")}
    for model, (full, split, difference) in printed.items():
        one = found[model]
        values = (one.full.value, one.debiased.value, one.debiased_difference.value)
        for value, wanted in zip(values, (full, split, difference), strict=True):
            # Printed with one digit: shares of 3,783 and of 1,021 videos lie within half of it.
            assert 100 * (value or 0) == pytest.approx(wanted, abs=0.1)
        assert one.debiased_difference.high is not None
        assert one.debiased_difference.high < 0
        assert one.asked == 3783
