"""Edited videos in a workspace: they know their parents, and belong together everywhere."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from building import make_clip, make_question

from annotations.edit.edit_store import edits_of, origin_of, plan_edit, stored_edit, stored_edits
from annotations.edit.make_edits import make_edit, make_waiting
from annotations.edit.question_copies import TASK, copy_questions
from annotations.edit.work_rows import is_alive
from annotations.importing.import_plan import carry_out, plan_import
from annotations.people import Person
from annotations.review.apply_review import results
from annotations.scoring.snapshot import take
from annotations.video.duplicates import similar_videos
from annotations.video.families import cluster_of, clusters
from annotations.workspace import Workspace
from core.editing.recipe import make_recipe
from core.video.encode import write_video
from core.video.probe import probe
from core.video.sample import sample_frames
from ui.cli import main

QUESTIONS = [
    {"id": "q1", "video": "clip.mp4", "question": "Which way?", "options": ["Left", "Right", "Up"],
     "answer": "A"},
    {"id": "q2", "video": "clip.mp4", "start": 0.5, "end": 0.8, "question": "Then?",
     "options": ["Left", "Right"], "answer": "B"},
    {"id": "q3", "video": "other.mp4", "question": "And here?", "options": ["Left", "Right"],
     "answer": "B"},
]  # fmt: skip


def film(path: Path, seed: int, frames: int = 30) -> None:
    """Noise that is another for each seed, with a bright bar at a place that tells the frame."""
    ground = np.random.default_rng(seed).integers(40, 120, (12, 16, 3), dtype=np.uint8)
    ground = np.repeat(np.repeat(ground, 16, 0), 16, 1)

    def pictures():
        for index in range(frames):
            picture = ground.copy()
            picture[60:120, 8 * index : 8 * index + 12] = 250
            yield picture

    write_video(path, pictures(), Fraction(25), crf=10)


@pytest.fixture
def filled(workspace: Workspace, tmp_path: Path) -> Workspace:
    """Two clips of 1.2 s, with two questions on the one and one on the other."""
    folder = tmp_path / "data"
    folder.mkdir()
    film(folder / "clip.mp4", 1)
    film(folder / "other.mp4", 2)
    lines = "\n".join(json.dumps(row) for row in QUESTIONS)
    (folder / "questions.jsonl").write_text(lines, encoding="utf-8")
    carry_out(workspace, plan_import(workspace, folder))
    return workspace


def bar_at(picture: np.ndarray) -> int:
    """The frame that the bar tells."""
    columns = np.flatnonzero(picture[90].mean(axis=1) > 200)
    return round((columns.mean() - 5.5) / 8)


def sha_of(workspace: Workspace, name: str) -> str:
    [row] = workspace.store.rows("SELECT sha256 FROM video WHERE name = ?", [name])
    return str(row["sha256"])


def reverse(workspace: Workspace, video: str = "clip.mp4") -> int:
    return plan_edit(workspace, [video], make_recipe([("reverse", {})]))


def test_an_edit_is_a_video_that_knows_its_parent(filled: Workspace):
    parent = sha_of(filled, "clip.mp4")
    edit = make_edit(filled, reverse(filled))
    assert (edit.name, edit.status, edit.parents) == ("clip~reverse.mp4", "made", (parent,))
    assert edit.words == "reverse of clip.mp4"
    assert origin_of(filled, edit.sha256) == edit
    assert origin_of(filled, parent) is None
    assert edits_of(filled, parent) == [edit]
    path = filled.media.find_original(edit.sha256)
    assert path is not None
    frames = sample_frames(path, range(30))
    assert [bar_at(frame.image) for frame in frames] == list(range(29, -1, -1))  # type: ignore[arg-type]
    assert filled.media.frame_table(edit.sha256).n == 30
    assert not list((filled.root / "edits").iterdir()), "nothing is left beside it"


def test_the_same_edit_asked_twice_is_one_video(filled: Workspace):
    first = make_edit(filled, reverse(filled))
    assert reverse(filled, sha_of(filled, "clip.mp4")) == first.id
    assert make_edit(filled, first.id) == first
    assert len(stored_edits(filled)) == 1


def test_parents_and_children_are_one_family_whatever_the_order(filled: Workspace):
    clip, other = sha_of(filled, "clip.mp4"), sha_of(filled, "other.mp4")
    assert clusters(filled) == {}
    assert cluster_of(filled, clip) == clip
    child = make_edit(filled, reverse(filled)).sha256
    grandchild = make_edit(filled, plan_edit(filled, [child], make_recipe([("mirror", {})]))).sha256
    assert len({cluster_of(filled, one) for one in (clip, child, grandchild)}) == 1
    assert cluster_of(filled, other) == other
    # A join makes relatives of both sides.
    joined = make_edit(
        filled, plan_edit(filled, [grandchild, "other.mp4"], make_recipe([("join", {})]))
    ).sha256
    assert len({cluster_of(filled, one) for one in (clip, child, other, joined)}) == 1


def test_intervals_draw_a_video_and_its_edits_as_one(filled: Workspace):
    assert len({question.video for question in take(filled).people.questions}) == 2
    edit = make_edit(filled, reverse(filled))
    with filled.store.write() as database:
        make_question(database, "c", make_clip(database, edit.video_id), options="ab", key=0)
    questions = take(filled).people.questions
    assert len(questions) == 4
    assert len({question.video for question in questions}) == 2, "three videos, two clusters"


def test_an_edit_is_no_near_duplicate_of_its_parent(filled: Workspace, tmp_path: Path):
    film(tmp_path / "copy.mp4", 1, frames=29)
    carry_out(filled, plan_import(filled, tmp_path / "copy.mp4"))
    make_edit(filled, plan_edit(filled, ["clip.mp4"], make_recipe([("speed", {"factor": 2})])))
    by_id = {row["id"]: row["name"] for row in filled.store.rows("SELECT id, name FROM video")}
    near = {
        by_id[video]: {match.name for match in matches}
        for video, matches in similar_videos(filled).items()
    }
    assert near["clip.mp4"] == {"copy.mp4"}, "the copy is warned of, the edit is not"


def test_a_copied_question_is_a_draft_without_a_key(filled: Workspace):
    edit_id = reverse(filled)
    with pytest.raises(ValueError, match="not made yet"):
        copy_questions(filled, edit_id)
    edit = make_edit(filled, edit_id)
    copies = copy_questions(filled, edit_id)
    assert (copies.new, copies.existing, copies.lost) == (2, 0, 0)
    assert copies.words == f"2 drafts without a key in the task “{TASK}”."
    again = copy_questions(filled, edit_id)
    assert (again.new, again.existing) == (0, 2)
    rows = filled.store.rows("SELECT i.uid, i.payload FROM item i JOIN task t ON t.id = i.task_id"
                             " WHERE t.name = ? ORDER BY i.id", [TASK])  # fmt: skip
    first, second = (json.loads(row["payload"]) for row in rows)
    assert first["key"] is None
    assert first["struck"] == "Left"
    assert first["clip"] == {"video": edit.sha256, "start": 0.0, "end": None}
    assert first["tags"]["edit"] == "reverse"
    # 0.5 s is on screen in frame 12 (0.48 to 0.52 s) and 0.8 s ends frame 19: of 1.2 s backwards.
    assert second["clip"]["start"] == pytest.approx(1.2 - 0.8)
    assert second["clip"]["end"] == pytest.approx(1.2 - 0.48)
    assert filled.store.rows("SELECT count(*) AS n FROM question")[0]["n"] == 3, "no question yet"


def test_reviewed_copies_become_questions_with_the_edit_as_a_tag(
    filled: Workspace, add_person: Callable[..., Person]
):
    from annotations import task as tasks
    from annotations.answering import answer_store, queue
    from annotations.answering.answer_store import Answer
    from annotations.review.apply_review import carry_over

    edit = make_edit(filled, reverse(filled))
    copy_questions(filled, edit.id)
    [task] = filled.store.rows("SELECT * FROM task WHERE name = ?", [TASK])
    person = add_person("Ada", "author")
    [item, _] = filled.store.rows("SELECT * FROM item WHERE task_id = ? ORDER BY id", [task["id"]])
    handed = queue.hand(filled, task["id"], person, item["id"])
    kind = tasks.kind("question_review")
    shown = kind.show(filled, handed.item, json.loads(task["settings"]), "seed")
    content = kind.content(filled, handed.item, shown)
    assert "it no longer counts, decide anew" in content.values["about"]
    assert [option["text"] for option in content.values["options"] if option.get("struck")]
    assert not any(option["key"] for option in content.values["options"])
    options = json.loads(item["payload"])["options"]
    wrong = [str(i) for i in range(1, len(options))]
    response = {"verdict": "keep", "question": "Which way?", "flags": [],
                "options": {"key": "0", "kept": wrong, "texts": {}}}  # fmt: skip
    answer = Answer("answer-1", item["id"], handed.lease.id, response, None, 4.0, time.time())
    answer_store.store(filled, task["id"], person, [answer])
    assert len([one for one in results(filled, task["id"]) if one.state == "ready"]) == 1
    assert carry_over(filled, task["id"], person).created == 1
    [question] = filled.store.rows("SELECT * FROM current_question WHERE uid LIKE '%~reverse'")
    assert json.loads(question["tags"])["edit"] == "reverse"
    assert json.loads(question["tags"])["edit_of"] == question["uid"].removesuffix("~reverse")


def test_edits_that_wait_are_made_and_one_that_fails_costs_itself(filled: Workspace):
    good = reverse(filled)
    bad = plan_edit(filled, ["other.mp4"], make_recipe([("mirror", {})]))
    original = filled.media.find_original(sha_of(filled, "other.mp4"))
    assert original is not None
    original.unlink()
    said: list[str] = []
    assert make_waiting(filled, say=said.append) == 1
    assert stored_edit(filled, good).status == "made"
    failed = stored_edit(filled, bad)
    assert failed.status == "failed"
    assert "not here any more" in failed.reason
    assert len(said) == 2


def test_an_edit_that_was_killed_is_made_by_the_next_who_tries(filled: Workspace, tmp_path: Path):
    folder = tmp_path / "long"
    folder.mkdir()
    film(folder / "long.mp4", 3, frames=30)
    edit_id = reverse(filled)
    slow = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from annotations.edit.make_edits import make_edit\n"
        "from annotations.workspace import Workspace\n"
        "def tell(done, wanted):\n"
        "    print(done, flush=True)\n"
        "    if done: time.sleep(60)\n"
        "make_edit(Workspace.open(Path(sys.argv[1])), int(sys.argv[2]), tell)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", slow, str(filled.root), str(edit_id)], stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert [process.stdout.readline().strip() for _ in range(2)] == ["0", "8"]
    assert stored_edit(filled, edit_id).status == "running"
    with pytest.raises(ValueError, match="being made by another process"):
        make_edit(filled, edit_id)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert stored_edit(filled, edit_id).status == "waiting"
    assert not stored_edit(filled, edit_id).sha256
    edit = make_edit(filled, edit_id)
    assert edit.status == "made"
    assert not list((filled.root / "edits").glob("*")), "what the killed one left is gone"


def test_the_command_prints_the_new_video_and_its_parent(
    filled: Workspace, capsys: pytest.CaptureFixture[str]
):
    root = str(filled.root)
    where = ["--workspace", root]
    assert main(["edit", "clip.mp4", *where, "--reverse", "--mirror", "--speed", "2"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "clip~reverse+mirror+speed2.mp4",
        "  parent: clip.mp4",
        "  edit: reverse+mirror+speed2",
    ]
    assert main(["edit", "clip.mp4", *where, "--join", "other.mp4", "--trim", "0.2-1.5",
                 "--json"]) == 0  # fmt: skip
    made = json.loads(capsys.readouterr().out)
    assert made["video"] == "clip~join+trim0.2-1.5.mp4"
    assert made["parents"] == ["clip.mp4", "other.mp4"]
    facts = probe(filled.media.find_original(made["sha256"]) or "")[0]
    assert facts.duration_s == pytest.approx(1.3, abs=1e-6)
    assert main(["edit", "clip.mp4", *where, "--rotate", "90", "--crop", "0,0,64,64",
                 "--questions"]) == 0  # fmt: skip
    assert "2 drafts without a key" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["clip.mp4"], "No edit is named"),
        (["nobody.mp4", "--reverse"], "there is no such video (got 'nobody.mp4')"),
        (["clip.mp4", "--trim", "5-6"], "but the video ends at 1.200 s"),
        (["clip.mp4", "--speed", "9"], "Speed is 9; allowed are 1/4 to 4"),
        (["clip.mp4", "--join", "nobody"], "there is no such video"),
    ],
)
def test_the_command_says_what_is_wrong(
    filled: Workspace, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
):
    assert main(["edit", *arguments, "--workspace", str(filled.root)]) == 1
    assert words in capsys.readouterr().err


def test_a_process_that_says_nothing_is_taken_for_dead():
    progress = {"pid": os.getpid(), "host": "elsewhere", "beat": time.time()}
    assert is_alive(progress)
    assert not is_alive({**progress, "beat": time.time() - 61})
