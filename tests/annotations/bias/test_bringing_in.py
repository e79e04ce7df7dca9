"""Labels, captions, descriptions and vectors on their way into the workspace."""

import json
from pathlib import Path

import numpy as np
import pytest

from annotations.bias.labels import import_labels
from annotations.bias.scores import import_scores
from annotations.bias.vectors import VectorStore
from annotations.description.concepts import OBJECTS
from annotations.description.import_published import import_published
from annotations.description.stored import texts_of, the_set
from annotations.workspace import Workspace
from core.refusal import Refusal


def stored(workspace: Workspace) -> dict[str, tuple[str, str]]:
    rows = workspace.store.rows(
        "SELECT v.name, l.label, l.part FROM video_label l JOIN video v ON v.id = l.video_id"
    )
    return {row["name"]: (row["label"], row["part"]) for row in rows}


def test_ucf101s_own_lists_name_classes_and_parts(workspace: Workspace, shared: Path):
    test = import_labels(workspace, shared / "data" / "ucf101" / "testlist01.txt")
    train = import_labels(workspace, shared / "data" / "ucf101" / "trainlist01.txt")
    assert (test.videos, train.videos) == (3783, 9537)
    assert (test.parts, train.parts) == ({"test": 3783}, {"train": 9537})
    labels = stored(workspace)
    assert labels["v_ApplyEyeMakeup_g01_c01"] == ("ApplyEyeMakeup", "test")
    assert len({label for label, _ in labels.values()}) == 101


def test_the_published_example_comes_in_and_is_not_doubled(workspace: Workspace, shared: Path):
    path = shared / "data" / "utd" / "descriptions_example.json"
    first = import_published(workspace, path)
    again = import_published(workspace, path)
    assert (first.videos, first.new, first.incomplete) == (1, 5, 1)
    assert again.new == 0
    described = the_set(workspace)
    [texts] = texts_of(workspace, described, OBJECTS).values()
    assert texts.texts[0].split(", ")[:2] == ["person", "makeup brush"]
    assert texts.texts[1:] == ("",) * 7
    assert texts.missing == 7
    assert texts.sequence().startswith("Frame 1: person, makeup brush")


def test_a_table_says_label_part_and_captions_and_is_repeatable(workspace: Workspace, tmp_path):
    path = tmp_path / "set.jsonl"
    rows = [
        {"video_id": "a.mp4", "class": "Archery", "split": "training"},
        {"video_id": "b.mp4", "class": "Bowling", "split": "val", "captions": ["one", "two"]},
        {"class": "lost"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    for _ in range(2):
        done = import_labels(workspace, path)
        assert (done.videos, done.labels, done.captions, len(done.problems)) == (2, 2, 2, 1)
    assert stored(workspace) == {"a.mp4": ("Archery", "train"), "b.mp4": ("Bowling", "test")}
    captions = workspace.store.rows("SELECT text FROM video_caption ORDER BY position")
    assert [row["text"] for row in captions] == ["one", "two"]


def test_a_table_without_a_video_or_a_label_says_which_columns_it_has(workspace, tmp_path):
    path = tmp_path / "set.csv"
    path.write_text("video,length\na,3\n")
    with pytest.raises(Refusal, match=r"has the columns video, length\. Wanted"):
        import_labels(workspace, path)
    with pytest.raises(Refusal, match="Allowed: train, test"):
        import_labels(workspace, path, "validation")
    with pytest.raises(Refusal, match="Wanted: video_id"):
        import_scores(workspace, path)


def test_a_rank_is_right_where_it_is_the_first_alone(workspace: Workspace, tmp_path: Path):
    (tmp_path / "labels.csv").write_text("video,caption\na,x\nb,y\nc,z\n")
    import_labels(workspace, tmp_path / "labels.csv")
    (tmp_path / "model.csv").write_text("video_id,rank\na,0\nb,0.5\nc,7\n")
    done = import_scores(workspace, tmp_path / "model.csv")
    assert (done.job, done.videos) == ("retrieval", 3)
    rows = workspace.store.rows("SELECT right FROM video_score ORDER BY video_id")
    assert [row["right"] for row in rows] == [1, 0, 0]


def embed(texts: list[str]) -> np.ndarray:
    return np.array([[len(text), 1.0] for text in texts], np.float32)


def test_no_text_is_embedded_twice_whoever_asks(tmp_path: Path):
    asked: list[str] = []

    def counted(texts):
        asked.extend(texts)
        return embed(texts)

    whole = [lambda texts: [0] * len(texts)][0]
    first = VectorStore.open(tmp_path, "model")
    assert first.add(["dog", "a cat", "dog"], counted, whole) == 2
    # Another process that was opened before sees what has been stored since.
    other = VectorStore.open(tmp_path, "model")
    assert other.add(["dog", "bird", "a cat"], counted, whole) == 1
    assert sorted(asked) == ["a cat", "bird", "dog"]
    found = other.vectors(["dog", "", "bird"])
    assert np.allclose(np.linalg.norm(found, axis=1), [1, 0, 1], atol=1e-3)
    assert len(VectorStore.open(tmp_path, "another model")) == 0
    with pytest.raises(KeyError, match="'fish' was not embedded"):
        other.vectors(["fish"])


def test_what_a_killed_process_left_half_written_is_written_over(tmp_path: Path):
    store = VectorStore.open(tmp_path, "model")
    store.add(["dog"], embed, lambda texts: [1] * len(texts))
    # Killed after the vectors and before the keys: bytes of a text that nobody knows.
    with (store.folder / "vectors.f16").open("ab") as file:
        file.write(b"\xff" * 3)
    later = VectorStore.open(tmp_path, "model")
    later.add(["a cat"], embed, lambda texts: [-1] * len(texts))
    assert np.allclose(later.vectors(["a cat"]), [[5 / 26**0.5, 1 / 26**0.5]], atol=1e-3)
    assert np.allclose(later.vectors(["dog"]), [[3 / 10**0.5, 1 / 10**0.5]], atol=1e-3)
    # One text was cut; of the other nobody knows.
    assert later.count_cut(["dog"]) == 1
    assert later.count_cut(["dog", "a cat"]) is None


@pytest.mark.parametrize(
    ("second", "words"),
    [("a.mp4,Bowling,", "two classes"), ("a.mp4,,train", "two parts")],
)
def test_a_video_of_two_classes_or_parts_is_told_and_not_taken(
    workspace: Workspace, tmp_path: Path, second: str, words: str
):
    path = tmp_path / "l.csv"
    path.write_text(f"video,label,part\na.mp4,Archery,test\n{second}\nb.mp4,Archery,train\n")
    done = import_labels(workspace, path)
    assert (done.videos, done.labels, done.parts) == (1, 1, {"train": 1})
    assert stored(workspace) == {"b.mp4": ("Archery", "train")}
    [problem] = done.problems
    assert words in problem.text
