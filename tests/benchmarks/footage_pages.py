"""Pages over 50,000 videos of metadata: how long each takes to draw, and whether counts are right.

    python tests/benchmarks/footage_pages.py --videos 50000 --visits 8

A workspace is made in half a minute: metadata and index of so many titles, a pipeline of five steps
that has judged them, downloads that came, wait and failed, titles that people were asked about, and
as many videos in the workspace. *Footage* (each of its tabs), *Pipeline*, *Videos* and *Start* are
drawn in this process, once to warm up and then so often; printed are wall and CPU times. Each count
of the funnel is held against one made here, by going through all rows one by one.
"""

import argparse
import os
import resource
import sqlite3
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

import numpy as np
from footage_titles import Titles
from streamlit.testing.v1 import AppTest

from annotations.footage.pipeline_file import read_pipeline
from annotations.footage.step_results import StepResult, add_time, declare, funnel, store_results
from annotations.footage.store import add_candidates, open_store
from annotations.footage.title_people import ask_people
from annotations.people import Person, add_annotator, now_text
from annotations.workspace import Workspace
from core.footage.candidate import Candidate
from ui import access, serving

PIPELINE = """
name = "moves"
domain = "football"
actions = ["rabona"]
[cost]
per_hour = 2.5
[[step]]
do = "find"
[[step]]
do = "title_filter"
model = "stub:fair"
[[step]]
do = "download"
[[step]]
do = "segment_finder"
model = "stub:fair"
[[step]]
do = "vlm_screening"
model = "stub:fair"
"""
KEPT = {"1 find": 1.0, "2 title_filter": 0.4, "3 download": 0.9, "4 segment_finder": 0.5,
        "5 vlm_screening": 0.3}  # fmt: skip
PAGE = """
from ui.serving import workspace
from annotations.people import Person
from ui.pages import {page}
{page}.render(workspace(), Person(1, "Eva", "author"))
"""
WITHIN_MS = 300


def main() -> None:
    """Make the workspace, then print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=50_000)
    parser.add_argument("--visits", type=int, default=8)
    parser.add_argument("--workspace", type=Path, help="keep it here and use it again")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = arguments.workspace or Path(scratch) / "footage"
        if root.exists():
            workspace = Workspace.open(root)
        else:
            workspace = Workspace.create(root)
            began, used = time.perf_counter(), cpu()
            fill(workspace, arguments.videos)
            print(f"made in {time.perf_counter() - began:.0f} s, CPU {cpu() - used:.0f} s")
        recount(workspace)
        workspace.close()
        # Pages that are drawn in this process have no cookie: an author looks at them.
        access.person_here = lambda: Person(1, "Eva", "author")
        os.environ[serving.WORKSPACE_VARIABLE] = str(root)
        for tab in ("Pipelines", "Titles", "Downloads", "Actions"):
            figures(f"Footage, {tab}", tab_of(tab), arguments.visits)
        figures("Footage, a search", searching, arguments.visits)
        for page in ("pipeline", "videos", "start"):
            figures(page.capitalize(), app_of(page).run, arguments.visits)
        serving.workspace().close()


def fill(workspace: Workspace, count: int) -> None:
    """Metadata, results of each step, downloads, and videos of the workspace."""
    random = np.random.default_rng(5)
    titles = list(Titles(count))
    with workspace.store.write() as database:
        add_annotator(database.conn, "Eva", "person", "author")
    store = open_store(workspace)
    views = random.lognormal(7.5, 2.5, count).astype(int).tolist()
    add_candidates(store, (
        Candidate("Youtube", f"v{n}", f"https://example.org/{n}", title, "words about it " * 8,
                  f"channel {n % 900}", duration_s=float(20 + n % 400), views=views[n])
        for n, title in enumerate(titles)
    ))  # fmt: skip
    declare(store, read_pipeline(PIPELINE))
    units = [str(n + 1) for n in range(count)]
    for step, share in KEPT.items():
        score = random.random(len(units))
        kept = score >= 1 - share
        store_results(store, "moves", step, (
            StepResult(unit, bool(stays), float(at), "" if stays else "below the threshold",
                       titles[int(unit) - 1])
            for unit, stays, at in zip(units, kept, score, strict=True)
        ))  # fmt: skip
        add_time(store, "moves", step, len(units) / 50)
        units = [unit for unit, stays in zip(units, kept, strict=True) if stays]
    states = random.choice(["done", "waiting", "failed"], p=[0.6, 0.3, 0.1], size=count // 2)
    with store.write() as database:
        database.conn.executemany(
            "INSERT INTO download (video_id, state, failure, message, bytes, at)"
            " VALUES (?, ?, ?, 'as the library said it', 4000000, ?)",
            [[n + 1, str(state), "region" if state == "failed" else "", float(n)]
             for n, state in enumerate(states)],
        )  # fmt: skip
    ask_people(workspace, store, "moves", "2 title_filter", each=30)
    store.close()
    with workspace.store.write() as database:
        database.conn.executemany(
            "INSERT INTO video (name, sha256, status, source_url, facts, created_at)"
            " VALUES (?, ?, ?, ?, json_object('title', ?, 'duration_s', 12.5, 'n_frames', 300), ?)",
            [[f"Youtube_v{n}.mp4", f"{n:064x}", "usable" if n % 5 else "missing",
              f"https://example.org/{n}", title, now_text()] for n, title in enumerate(titles)],
        )  # fmt: skip


def recount(workspace: Workspace) -> None:
    """Hold the funnel against a count of all rows, one by one, with another reader."""
    store = open_store(workspace)
    counts = funnel(store, read_pipeline(PIPELINE))
    store.close()
    units, kept = Counter[str](), Counter[str]()
    connection = sqlite3.connect(workspace.root / "footage.db")
    for step, stays in connection.execute("SELECT step, kept FROM step_result"):
        units[step] += 1
        kept[step] += stays
    connection.close()
    for step in counts.steps:
        found = (step.units, step.kept, step.thrown)
        wanted = (units[step.key], kept[step.key], units[step.key] - kept[step.key])
        if found != wanted:
            raise SystemExit(f"{step.key}: the funnel says {found}, a recount {wanted}")
        print(f"{step.key}: {step.kept:,} of {step.units:,}, as a recount has it")


def app_of(page: str) -> AppTest:
    """A page that was drawn once."""
    app = AppTest.from_string(PAGE.format(page=page), default_timeout=120).run()
    if app.exception:
        raise SystemExit(f"{page}: {app.exception[0].value}")
    return app


def tab_of(tab: str):
    """A function that draws a tab of Footage again."""
    app = app_of("footage")
    app.button_group(key="footage-tab").set_value(tab).run()
    return app.run


def searching() -> AppTest:
    """The tab of titles with a search that fits many."""
    app = searching.app = getattr(searching, "app", None) or app_of("footage")
    app.button_group(key="footage-tab").set_value("Titles").run()
    return app.text_input(key="footage-words").input("ka lo").run()


def cpu() -> float:
    """CPU seconds of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def figures(name: str, draw, visits: int) -> None:
    """Print how long a page takes to draw."""
    draw()
    walls, cpus = [], []
    for _ in range(visits):
        began, used = time.perf_counter(), cpu()
        app = draw()
        walls.append(1000 * (time.perf_counter() - began))
        cpus.append(1000 * (cpu() - used))
        if app.exception:
            raise SystemExit(f"{name}: {app.exception[0].value}")
    verdict = "" if median(cpus) <= WITHIN_MS else f", MORE THAN {WITHIN_MS} ms"
    print(f"{name:<22} {median(walls):6.0f} ms, CPU {median(cpus):6.0f} ms{verdict}", flush=True)


if __name__ == "__main__":
    main()
