"""Damage is told at import and on the page Videos, whatever still can be shown."""

import json
import shutil

import av
import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from annotations.importing.import_plan import carry_out, plan_import
from annotations.importing.import_reports import Problems
from annotations.publishing.published_rows import published_rows
from annotations.reading.records import Problem
from annotations.video.video_health import weaknesses
from core.video.probe import probe
from ui import cli

SHELL = """
from pathlib import Path
from annotations.people import Person
from annotations.workspace import Workspace
from ui.pages import videos
videos.render(Workspace.open(Path({root!r})), Person(1, "Ann", "author"))
"""


@pytest.fixture
def folder(shared, tmp_path):
    """A sound video, one cut at a byte, half a Matroska file, and a single frame."""
    target = tmp_path / "videos"
    target.mkdir()
    clips = shared / "clips"
    shutil.copy(clips / "asl_again.mkv", target / "sound.mkv")
    shutil.copy(clips / "derived" / "truncated_faststart.mp4", target / "cut.mp4")
    shutil.copy(clips / "derived" / "one_frame.mp4", target / "one.mp4")
    content = (clips / "asl_walk.mkv").read_bytes()
    (target / "half.mkv").write_bytes(content[: len(content) // 2])
    return target


def test_half_a_matroska_file_is_known_to_be_cut_short(folder):
    facts, table = probe(folder / "half.mkv")
    assert "cut short" in table.flags
    assert facts.decodable == "part"
    whole, _ = probe(folder / "sound.mkv")
    assert (whole.decodable, whole.notes) == ("all", ())


def test_damage_is_said_at_import_and_on_the_page(workspace, folder):
    plan = plan_import(workspace, folder)
    said = {problem.file: problem.what for problem in plan.problems.listed}
    assert said.keys() == {"cut.mp4", "half.mkv", "one.mp4"}
    # 150 frames are promised, and 88 or some more are there.
    assert said["cut.mp4"].startswith("the video is used, but cut short: ")
    assert " of 150 frames" in said["cut.mp4"]
    assert "cut short: it ends at" in said["half.mkv"]
    assert said["one.mp4"] == "the video is used, but a single frame"
    assert {problem.level for problem in plan.problems.listed} == {"warning"}
    carry_out(workspace, plan)
    assert plan_import(workspace, folder).problems.listed == []
    lines = {row["name"]: line(workspace, row["id"]) for row in workspace.store.rows(
        "SELECT id, name FROM video"
    )}  # fmt: skip
    assert "of 150 frames" in lines["cut.mp4"]
    assert lines["one.mp4"].endswith("a single frame")
    assert "cut short" not in lines["sound.mkv"]


def line(workspace, video_id):
    """What the page Videos says of one video, below its name."""
    app = AppTest.from_string(SHELL.format(root=str(workspace.root)), default_timeout=30)
    app.query_params["video"] = str(video_id)
    app.run()
    assert not app.exception
    return app.caption[0].value.replace("\\", "")


def test_the_same_damage_of_many_videos_is_one_line_with_its_count():
    problems = Problems()
    for number in range(8000):
        what = f"the video is used, but only {number / 16000:.2f} s long"
        problems.add(Problem("warning", what, f"{number}.mp4"))
    [line] = problems.grouped
    assert line.text == ("0.mp4 and others: the video is used, but only 0.00 s long. 8,000 times.")


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, []),
        ({"n_frames": 90, "duration_s": 3.0, "notes": [], "decodable": "all"}, []),
        ({"n_frames": 5, "duration_s": 0.2, "notes": []}, ["only 0.20 s long"]),
        (
            {"n_frames": 90, "duration_s": 3.0, "notes": [], "decodable": "part"},
            ["its first frame cannot be decoded"],
        ),
    ],
)
def test_weaknesses_follow_from_the_stored_facts(facts, words):
    assert weaknesses(facts) == words


def test_a_licence_comes_with_a_table_or_a_sidecar_and_is_published(workspace, folder, tmp_path):
    (folder / "one.info.json").write_text(
        json.dumps({"title": "One", "license": "CC BY 3.0", "view_count": 12.0}), encoding="utf-8"
    )
    path = tmp_path / "questions.csv"
    path.write_text(
        "id,video,question,A,B,answer,license\n"
        "1,sound.mkv,What?,x,y,A,CC0\n2,one.mp4,What?,x,y,A,\n",
        encoding="utf-8",
    )
    plan = plan_import(workspace, path, videos=folder)
    carry_out(workspace, plan)
    with workspace.store.read() as database:
        videos = published_rows(database, (), "").videos
    assert {row["video"]: row["licence"] for row in videos} == {
        "one.mp4": "CC BY 3.0", "sound.mkv": "CC0",
    }  # fmt: skip


def test_an_empty_file_and_half_a_download_cost_themselves_from_import_to_accuracy(
    workspace, tmp_path, capsys
):
    folder = tmp_path / "set"
    folder.mkdir()
    make_clip(folder / "ok.mp4")
    content = (folder / "ok.mp4").read_bytes()
    (folder / "zero.mp4").touch()
    (folder / "trunc.mp4").write_bytes(content[: len(content) // 2])  # its index stands at the end
    rows = [{"id": name, "video": name, "question": "Which?", "options": ["a", "b"], "answer": "A"}
            for name in ("ok.mp4", "zero.mp4", "trunc.mp4")]  # fmt: skip
    (folder / "q.json").write_text(json.dumps(rows))
    root = str(workspace.root)
    assert cli.main(["import", str(folder / "q.json"), "--workspace", root, "--yes"]) == 0
    printed = capsys.readouterr().out
    assert "1 usable" in printed
    assert "2 broken" in printed
    stored = workspace.store.rows("SELECT name, status, reason FROM video ORDER BY id")
    assert {row["name"]: (row["status"], row["reason"]) for row in stored} == {
        "ok.mp4": ("usable", ""),
        "zero.mp4": ("broken", "empty file"),
        "trunc.mp4": ("broken", "incomplete file (index missing)"),
    }
    assert cli.main(["metrics", "--workspace", root]) == 0
    assert "2 videos left out, and with them 2 questions: " in capsys.readouterr().out


def make_clip(path):
    """Four seconds at 25 frames a second, H.264."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        noise = np.random.default_rng(7)
        for _ in range(100):
            picture = noise.integers(0, 255, (240, 320, 3), np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))
