"""A declared pipeline over real clips, with captions beside them and stub models."""

import json
import shutil
import time
from pathlib import Path

import pytest
from killing import Nursery

from annotations.footage.metadata_import import import_metadata
from annotations.footage.pipeline_file import read_pipeline
from annotations.footage.pipeline_run import pipeline_state, run_pipeline, stop_pipeline
from annotations.footage.step_results import funnel, results_of, thrown_sample
from annotations.footage.store import open_store
from annotations.workspace import Workspace
from core.refusal import Refusal
from db.connection import Store
from ui.cli import main

PIPELINE = """
name = "moves"
domain = "sports"
actions = {"bicycle kick" = "A kick overhead, with both feet in the air.", "rabona" = ""}

[cost]
per_hour = 3.6

[[step]]
do = "find"
min_views = 10

[[step]]
do = "title_filter"
model = "stub:fair"
threshold = 0.0

[[step]]
do = "download"

[[step]]
do = "transcript"

[[step]]
do = "segment_finder"
model = "stub:fair"
whole_below_s = 8.0

[[step]]
do = "clip_similarity"
model = "stub:fair"
threshold = -1.0
frames = 2

[[step]]
do = "people"
overlap = 1
"""
CLIPS = {
    "friday.mp4": ("Bicycle kick on friday", 50),
    "flower.mp4": ("Bicycle kick, then a rabona", 5000),
    "nasa_13013.mp4": ("Rabona lesson", 12),
    "asl_yes.mkv": ("A rabona nobody watched", 3),
}


@pytest.fixture
def catalogue(tmp_path: Path, shared: Path) -> Path:
    folder = tmp_path / "catalogue"
    folder.mkdir()
    for path, (title, views) in CLIPS.items():
        name = Path(path).name
        shutil.copy(shared / "clips" / path, folder / name)
        entry = {"id": name, "extractor_key": "Folder", "title": title, "view_count": views,
                 "webpage_url": f"https://example.org/{name}"}  # fmt: skip
        (folder / name).with_suffix(".info.json").write_text(json.dumps(entry))
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nhere is a kick\n\n00:50.000 --> 00:51.000\nlate\n"
    (folder / "friday.en.vtt").write_text(text)
    return folder


def counts(store: Store, text: str = PIPELINE) -> dict[str, tuple[int, int]]:
    steps = funnel(store, read_pipeline(text)).steps
    return {step.do: (step.kept, step.thrown) for step in steps}


def test_from_titles_to_clips_that_people_verify(
    workspace: Workspace, store: Store, catalogue: Path
):
    import_metadata(store, catalogue)
    end = run_pipeline(workspace, store, PIPELINE)
    assert (end.state, end.note) == ("finished", "all steps are done")
    found = counts(store)
    # Three titles have ten views or more; "Bicycle kick, then a rabona" fits two actions once.
    assert found["find"] == (3, 0)
    assert found["title_filter"] == (3, 0)
    assert found["download"][0] == 3
    assert found["transcript"][0] == 3
    assert found["segment_finder"][0] == found["clip_similarity"][0] > 0
    [task] = workspace.store.rows("SELECT * FROM task WHERE kind = 'verification'")
    assert (task["status"], task["overlap"]) == ("open", 1)
    items = workspace.store.rows("SELECT payload FROM item WHERE task_id = ?", [task["id"]])
    payloads = {json.loads(row["payload"])["action"]: json.loads(row["payload"]) for row in items}
    assert payloads["bicycle kick"]["description"].startswith("A kick overhead")
    clips = [clip for payload in payloads.values() for clip in payload["clips"]]
    assert {clip["title"] for clip in clips} <= {title for title, _ in CLIPS.values()}
    notes = store.rows("SELECT why FROM step_result WHERE step LIKE '%people'")
    assert "1 clip" in {row["why"] for row in notes}
    # 3.6 an hour is a thousandth a second.
    assert end.funnel.cost == pytest.approx(end.funnel.seconds / 1000)
    assert end.funnel.cost_a_clip == pytest.approx(end.funnel.cost / end.funnel.clips)


def test_captions_beside_a_video_are_its_transcript(
    workspace: Workspace, store: Store, catalogue: Path
):
    import_metadata(store, catalogue)
    run_pipeline(workspace, store, PIPELINE)
    rows = workspace.store.rows("SELECT lines FROM video_text WHERE kind = 'speech'")
    [lines] = [json.loads(row["lines"]) for row in rows]
    # The line at 50 s lies past the end of a clip of 6 s.
    assert [line["text"] for line in lines] == ["here is a kick"]


def test_running_again_does_nothing_twice(workspace: Workspace, store: Store, catalogue: Path):
    import_metadata(store, catalogue)
    run_pipeline(workspace, store, PIPELINE)
    before = (counts(store), rows_of(workspace))
    run_pipeline(workspace, store, PIPELINE)
    assert (counts(store), rows_of(workspace)) == before


def rows_of(workspace: Workspace) -> list[int]:
    tables = ("video", "item", "annotation", "prediction", "video_text", "task", "run")
    return [workspace.store.rows(f"SELECT count(*) AS n FROM {t}")[0]["n"] for t in tables]


def test_a_step_that_changes_is_done_anew_with_those_after_it(
    workspace: Workspace, store: Store, catalogue: Path
):
    import_metadata(store, catalogue)
    run_pipeline(workspace, store, PIPELINE)
    strict = PIPELINE.replace("threshold = -1.0", "threshold = 1.0")
    end = run_pipeline(workspace, store, strict)
    kept, thrown = counts(store, strict)["clip_similarity"]
    assert (kept, end.funnel.clips) == (0, 0)
    assert thrown == counts(store, strict)["segment_finder"][0] > 0
    samples = thrown_sample(store, "moves", "6 clip_similarity")
    assert len(samples) == thrown
    assert all("below 1" in one.why for one in samples)


def test_a_sample_is_a_part_of_the_whole(workspace: Workspace, store: Store, catalogue: Path):
    import_metadata(store, catalogue)
    run_pipeline(workspace, store, PIPELINE, sample=1)
    few = {result.unit for result in results_of(store, "moves", "1 find")}
    assert len(few) == 1
    run_pipeline(workspace, store, PIPELINE)
    assert few < {result.unit for result in results_of(store, "moves", "1 find")}


def test_counts_equal_a_recount(workspace: Workspace, store: Store, catalogue: Path):
    import_metadata(store, catalogue)
    run_pipeline(workspace, store, PIPELINE)
    for step in funnel(store, read_pipeline(PIPELINE)).steps:
        results = results_of(store, "moves", step.key)
        assert (step.units, step.kept) == (len(results), sum(r.kept for r in results))


STEPS = [step.do for step in read_pipeline(PIPELINE).steps]


# What a run reads while it works, so that each of the processes need not read it anew.
MODULES = (
    "ui.cli", "ui.commands.pipeline", "annotations.footage.pipeline_run",
    *(f"annotations.annotators.{name}" for name in ("title_filter", "segment_finder",
      "clip_similarity")), "core.models.stub",
)  # fmt: skip


def killed_when(nursery: Nursery, workspace: Workspace, file: Path, word: str) -> None:
    """Run the pipeline in a process of its own, killed as soon as it says a step's name."""
    says = file.with_suffix(".says")
    says.unlink(missing_ok=True)
    line = ["pipeline", str(file), "--workspace", str(workspace.root)]
    process = nursery.start("ui.cli", line, says)
    while process.is_alive() and not (says.exists() and word in says.read_text()):
        time.sleep(0.002)
    process.kill()


def test_killed_three_times_at_every_step_nothing_is_lost_or_doubled(
    workspace: Workspace, store: Store, catalogue: Path, tmp_path: Path
):
    import_metadata(store, catalogue)
    file = tmp_path / "pipeline.toml"
    file.write_text(PIPELINE)
    with Nursery(*MODULES) as nursery:
        for step in STEPS:
            for _ in range(3):
                killed_when(nursery, workspace, file, step)
                assert pipeline_state(store, "moves").state in ("stopped", "finished")
    assert run_pipeline(workspace, store, PIPELINE).state == "finished"
    once = (counts(store), rows_of(workspace))
    assert once[0]["download"][0] == 3
    run_pipeline(workspace, store, PIPELINE)
    assert (counts(store), rows_of(workspace)) == once


def test_it_stops_when_asked_and_goes_on(workspace: Workspace, store: Store, catalogue: Path):
    import_metadata(store, catalogue)
    other = open_store(workspace)

    def stop_at_download(words: str, done: int, total: int) -> None:
        if "download" in words:
            stop_pipeline(other, "moves")
            time.sleep(1.1)

    end = run_pipeline(workspace, store, PIPELINE, say=stop_at_download)
    assert end.state == "stopped"
    assert "stopped as asked" in end.note
    assert run_pipeline(workspace, store, PIPELINE).state == "finished"
    other.close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('do = "find"', 'do = "fnd"'), "Allowed: search, find"),
        (("min_views = 10", "min_view = 10"), "'min_view' is not known"),
        (("per_hour =", "per_hours ="), "Did you mean per_hour"),
        (("per_hour = 3.6", "per_hour = -3.6"), "0 or more"),
        (('name = "moves"', ""), "name: give"),
        (('model = "stub:fair"\nthreshold = 0.0', ""), "title_filter needs a model"),
        (('do = "download"', 'do = "transcript"'), "in this order"),
        (("overlap = 1", "overlap = 'x'"), "overlap: got 'x'"),
        (("name =", "name"), "no valid TOML"),
        (('actions = {"bicycle kick" = "A kick overhead, with both feet in the air.",'
          ' "rabona" = ""}', ""), "There are no actions"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(
    workspace: Workspace, store: Store, change: tuple[str, str], words: str
):
    with pytest.raises(Refusal, match=words):
        run_pipeline(workspace, store, PIPELINE.replace(*change, 1))


def test_the_command_prints_the_counts(
    workspace: Workspace, catalogue: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "pipeline.toml"
    file.write_text(PIPELINE)
    where = ["--workspace", str(workspace.root)]
    assert main(["footage", "add", str(catalogue), *where]) == 0
    capsys.readouterr()
    assert main(["pipeline", str(file), *where, "--sample", "2", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["state"] == "finished"
    assert facts["steps"][0]["do"] == "find"
    assert facts["steps"][0]["kept"] == 2
