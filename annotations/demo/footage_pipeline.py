"""The demo's pipeline: ten actions, a catalogue of drawn clips with metadata, offline.

It stands for a search: the catalogue is a folder of files as yt-dlp leaves them, and the models are
stubs, which the page says. What it shows is the chain, and the task that people can do at once.
"""

import json
from pathlib import Path

from annotations.demo.clips import CLIPS
from annotations.footage.metadata_import import import_metadata
from annotations.footage.pipeline_run import run_pipeline
from annotations.footage.store import open_store
from annotations.workspace import Workspace

FOLDER = "catalogue"
# Ten things that the drawn clips show; the titles of the catalogue are the names of the clips.
ACTIONS = 10
PIPELINE = """\
# Ten actions of the demo, from titles to clips that people verify. The models are stubs.
name = "demo moves"
domain = "drawings"
criteria = ["It is a drawing in which something moves."]
actions = {actions}

[cost]
per_hour = 2.5

[[step]]
do = "find"
min_views = 100
limit = 5

[[step]]
do = "title_filter"
model = "stub:fair"
threshold = 0.4

[[step]]
do = "download"

[[step]]
do = "transcript"

[[step]]
do = "segment_finder"
model = "stub:fair"

[[step]]
do = "clip_similarity"
model = "stub:fair"
threshold = -0.2
frames = 4

[[step]]
do = "vlm_screening"
model = "stub:fair"
answer = "score"
threshold = 0.42
frames_per_s = 0.5
most_frames = 8

[[step]]
do = "people"
overlap = 2
"""


def add_demo_pipeline(workspace: Workspace, source: Path) -> None:
    """Write the catalogue's metadata beside the drawn clips, and run the pipeline over them.

    Args:
        workspace: of the demo.
        source: folder of the drawn clips.
    """
    for number, clip in enumerate(CLIPS):
        entry = {
            "id": clip.key, "extractor_key": "Demo",
            "title": f"{clip.name.capitalize()} ({clip.key})",
            "description": f"A drawing of {clip.seconds:.0f} seconds.", "channel": "Rushes demo",
            "duration": clip.seconds, "view_count": 90 + 37 * number, "license": "CC0",
        }  # fmt: skip
        path = (source / clip.file).with_suffix(".info.json")
        path.write_text(json.dumps(entry), encoding="utf-8")
    names = [clip.name for clip in CLIPS if len(clip.name.split()) < 4]
    wanted = list(dict.fromkeys(names))[-ACTIONS:]
    store = open_store(workspace)
    try:
        import_metadata(store, source)
        run_pipeline(workspace, store, PIPELINE.replace("{actions}", json.dumps(wanted)))
    finally:
        store.close()
