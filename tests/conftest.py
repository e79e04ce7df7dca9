import json
import math
import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import av
import fast_lane
import longest_first
import pytest
from building import content_hash, keep_frame_table, known, make_clip, make_question, make_video
from fast_lane import pytest_ignore_collect
from once import made_once

from annotations.demo.clips import write_clips, write_questions
from annotations.people import Person, add_annotator
from annotations.record.item import Item, items_of_task
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import condition_task, ensure_run
from annotations.task import ItemDraft
from annotations.workspace import Workspace
from core.process.processes import Workers, lend
from core.reply.reading import read

__all__ = ["pytest_ignore_collect"]

SHARED = Path(__file__).resolve().parents[2] / "shared"


def pytest_configure(config: pytest.Config) -> None:
    """Let each of several processes compute with one thread, also in what it starts.

    They share the cores: threads of one would spin while those of another compute.
    """
    if getattr(config.option, "numprocesses", None):
        os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the fast lane; begin with what takes long where several processes share the tests."""
    if config.getoption("markexpr"):  # reading what every file imports takes two seconds
        fast_lane.mark(items)
    longest_first.sort(config, items)


def pytest_xdist_auto_num_workers() -> int:
    """Half as many processes again as cores for `-n auto`: tests of pages wait half of the time."""
    return math.ceil(1.5 * (os.cpu_count() or 1))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real clips and annotation files beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("real clips and files are not here: no folder 'shared' beside the checkout")
    return SHARED


@pytest.fixture(scope="session")
def lose_frames() -> Callable[[Path, Path, tuple[int, ...]], Path]:
    """Copies a video in which every frame is a keyframe, the packets of some filled with zeros."""

    def lose(source: Path, target: Path, lost: tuple[int, ...]) -> Path:
        with av.open(str(source)) as container:
            places = [(one.pos, one.size) for one in container.demux(video=0) if one.size]
        content = bytearray(source.read_bytes())
        for index in lost:
            start, size = places[index]
            assert start is not None
            content[start : start + size] = bytes(size)
        target.write_bytes(content)
        return target

    return lose


@pytest.fixture(scope="session", autouse=True)
def decoders() -> Generator[None]:
    """Processes that decode videos, shared by all imports of a session and started by the first.

    They are the real ones: an import alone starts its own and ends them, some seconds each time.
    """
    with Workers(2) as workers, lend(workers):
        yield


@pytest.fixture(scope="session")
def demo_footage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's data set, drawn and written once for all processes of the tests."""

    def draw(folder: Path) -> None:
        write_clips(folder)
        write_questions(folder)

    return made_once(tmp_path_factory, "footage of all", draw)


@pytest.fixture(autouse=True)
def scheduled_as_usual() -> Generator[None]:
    """Fails a test that leaves this process real-time: what starts later would inherit it."""
    policy = getattr(os, "sched_getscheduler", lambda _: None)
    before = policy(0)
    yield
    assert policy(0) == before


@pytest.fixture(scope="session")
def new_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace as it was made, to copy: its schema is made in many steps, each on the disk."""
    root = tmp_path_factory.mktemp("new") / "workspace"
    Workspace.create(root).close()
    return root


@pytest.fixture
def workspace(new_workspace: Path, tmp_path: Path) -> Generator[Workspace]:
    shutil.copytree(new_workspace, tmp_path / "workspace")
    opened = Workspace.open(tmp_path / "workspace")
    yield opened
    opened.close()


AddQuestion = Callable[..., int]
AddPerson = Callable[..., Person]


@pytest.fixture
def add_question(workspace: Workspace) -> AddQuestion:
    """Puts a question with a usable video of 60 frames at 30 fps into the database."""

    def add(
        uid: str,
        options: tuple[str, ...] = ("left", "right", "up"),
        key: int | None = 1,
        *,
        video: str = "",
        frames: int = 60,
    ) -> int:
        name = video or f"video of {uid}"
        sha256 = content_hash(name)
        if not workspace.media.table(sha256).exists():
            keep_frame_table(workspace, sha256, frames)
        with workspace.store.write() as database:
            video_id = known(database, "video", name=name) or make_video(
                database, name, sha256=sha256
            )
            clip_id = known(database, "clip", video_id=video_id) or make_clip(database, video_id)
            category = uid.split("/")[0]
            return make_question(
                database, uid, clip_id, options=options, key=key, category=category
            )

    return add


@pytest.fixture
def items_of(workspace: Workspace) -> Callable[[int], list[Item]]:
    """Reads the items of a task, in the order of import."""

    def read_items(task: int) -> list[Item]:
        with workspace.store.read() as database:
            return items_of_task(database, task)

    return read_items


@pytest.fixture
def make_item() -> Callable[[ItemDraft], Item]:
    """Makes an item of a draft, stored nowhere."""

    def make(draft: ItemDraft) -> Item:
        return Item(
            id=1, task_id=1, uid=draft.uid, question_id=draft.question_id,
            video_id=draft.video_id, payload=draft.payload,
        )  # fmt: skip

    return make


@pytest.fixture
def add_person(workspace: Workspace) -> AddPerson:
    def add(name: str, role: str = "annotator") -> Person:
        with workspace.store.write() as database:
            return Person(add_annotator(database.conn, name, "person", role), name, role)

    return add


@pytest.fixture
def model_says(workspace: Workspace) -> Callable[..., int]:
    """Stores a model's reply to a question, read by the rules; the prediction's id comes back."""

    def say(
        model: str,
        uid: str,
        reply: str,
        condition: str = "16 frames",
        *,
        frames: tuple[int, ...] = (0, 30, 59),
        order: tuple[int, ...] = (),
        **more: str,
    ) -> int:
        task_id = condition_task(workspace, condition)
        run_id = ensure_run(workspace, model, task_id)
        [row] = workspace.store.rows(
            "SELECT i.id, q.id AS revision, q.options FROM item i JOIN current_question q"
            " ON q.question_id = i.question_id WHERE i.task_id = ? AND q.uid = ?",
            [task_id, uid],
        )
        options = json.loads(row["options"])
        shown_order = list(order or range(len(options)))
        reading = read(reply, [options[i] for i in shown_order])
        choice = None if reading.choice is None else shown_order[reading.choice]
        shown = {"condition": condition, "option_order": shown_order, **more}
        if frames:
            shown |= {"frames": list(frames), "times": [round(one / 30, 6) for one in frames]}
        answer = ModelAnswer(
            row["id"], row["revision"], {"choice": choice}, shown, reading, reply=reply
        )
        store_answers(workspace, run_id, [answer])
        [made] = workspace.store.rows(
            "SELECT max(annotation_id) AS id FROM prediction WHERE run_id = ?", [run_id]
        )
        return int(made["id"])

    return say
