"""Small footage, and small models whose answers are known."""

import hashlib
import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from building import make_video

from annotations.engine import engine_worker
from annotations.planning.task_store import create_task
from annotations.run import run_plan
from annotations.workspace import Workspace
from core.model import Heard, ItemError, Line, Reply, Request
from core.video.encode import write_video
from core.video.table import read_table


def gradient(shade: int, frames: int = 12) -> list[np.ndarray]:
    """Frames of a clip: all of one shade of red, with a stripe that moves."""
    made = []
    for number in range(frames):
        image = np.zeros((48, 64, 3), np.uint8)
        image[..., 0] = shade
        image[:, number * 4 : number * 4 + 4] = 255
        made.append(image)
    return made


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clip") / "clip.mp4"
    write_video(path, iter(gradient(120)), Fraction(4))
    return path


@pytest.fixture(scope="session")
def speaking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same pictures with a sound that is no speech: 3 s of a tone."""
    path = tmp_path_factory.mktemp("clip") / "speaking.mp4"
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=4)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        sound = container.add_stream("aac", rate=16000)
        for image in gradient(90):
            frame = av.VideoFrame.from_ndarray(image, format="rgb24")
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        tone = np.sin(np.arange(48000) * 0.1).astype(np.float32)[None] * 0.2
        for at in range(0, 48000 - 1024, 1024):
            block = av.AudioFrame.from_ndarray(tone[:, at : at + 1024], "fltp", "mono")
            block.sample_rate, block.pts = 16000, at
            container.mux(sound.encode(block))
        container.mux(sound.encode(None))
    return path


AddClip = Callable[..., int]


def add_clip_to(workspace: Workspace, name: str, path: Path) -> int:
    """A usable video of that name; the file is stored once however many names it has."""
    content = path.read_bytes()
    sha256 = hashlib.sha256(content).hexdigest()
    media = workspace.media
    if not media.table(sha256).exists():
        media.folder(sha256).mkdir(parents=True, exist_ok=True)
        media.original(sha256, path.suffix).write_bytes(content)
        try:
            table = read_table(path).to_json()
        except ValueError:
            table = next(workspace.root.glob("media/*/*/frames.json")).read_text()
        media.table(sha256).write_text(table)
    with workspace.store.write() as database:
        return make_video(database, name, sha256=sha256)


@pytest.fixture
def add_clip(workspace: Workspace, clip: Path) -> AddClip:
    def add(name: str, path: Path = clip) -> int:
        return add_clip_to(workspace, name, path)

    return add


Footage = Callable[..., int]


@pytest.fixture
def footage(workspace: Workspace, add_clip: AddClip) -> Footage:
    """A screening task with so many clips, all of the same file."""

    def make(count: int, **settings: Any) -> int:
        for number in range(count):
            add_clip(f"clip-{number:03}.mp4")
        return create_task(
            workspace,
            "Footage",
            "screening",
            {"duplicates": False, **settings},
            1,
            order="as imported",
        )

    from annotations.planning.task_store import grow

    def made(count: int, **settings: Any) -> int:
        task_id = make(count, **settings)
        grow(workspace, task_id)
        return task_id

    return made


class Scripted:
    """A model of every kind that answers as it is told, and keeps what it was asked."""

    name, device, is_stand_in, stand_in_words = "scripted", "nowhere", False, ""
    sees = scores = True

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.batches: list[int] = []
        self.replies: list[str | ItemError] = ["A"]
        self.probabilities: Callable[[Request, Sequence[str]], Any] = lambda _, choices: tuple(
            0.5 if at == 0 else 0.5 / (len(choices) - 1) for at in range(len(choices))
        )
        self.most = 10_000
        self.error: Exception = MemoryError()
        self.heard: tuple[Heard, ...] = ()
        self.lines: list[tuple[Line, ...]] = [()]
        self.vectors: dict[str, tuple[float, float, float]] = {}

    def _room(self, count: int) -> None:
        self.batches.append(count)
        if count > self.most:
            raise self.error

    def embed_images(self, frames: Any) -> np.ndarray:
        self._room(len(frames))
        means = np.concatenate([one.reshape(len(one), -1, 3).mean(1) for one in frames])
        return (means / np.linalg.norm(means, axis=1, keepdims=True)).astype(np.float32)

    def embed_texts(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([self.vectors.get(one, (1.0, 0.0, 0.0)) for one in texts], np.float32)

    embed = embed_texts

    def score(self, requests: Sequence[Request], choices: Sequence[Sequence[str]]) -> list[Any]:
        self._room(len(requests))
        self.requests += requests
        return [self.probabilities(*pair) for pair in zip(requests, choices, strict=True)]

    def generate(self, requests: Sequence[Request], max_tokens: int) -> list[Any]:
        self._room(len(requests))
        found = []
        for request in requests:
            reply = self.replies[len(self.requests) % len(self.replies)]
            self.requests.append(request)
            found.append(reply if isinstance(reply, ItemError) else Reply(reply))
        return found

    def transcribe(self, samples: np.ndarray) -> tuple[Heard, ...]:
        return self.heard

    def read(self, image: np.ndarray) -> tuple[Line, ...]:
        self.lines = [*self.lines[1:], self.lines[0]]
        return self.lines[-1]


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """The model that every run of the test loads."""
    model = Scripted()
    monkeypatch.setattr(engine_worker, "load_model", lambda *given: model)
    monkeypatch.setattr(run_plan, "fitting_kind", lambda module, name: module.MODEL_KINDS[0])
    return model


def answers_of(workspace: Workspace, run_id: int) -> list[dict[str, Any]]:
    """What a run answered, in the order of the items."""
    rows = workspace.store.rows(
        "SELECT i.uid, a.revision, a.response, a.shown, p.* FROM prediction p"
        " JOIN annotation a ON a.id = p.annotation_id JOIN item i ON i.id = a.item_id"
        " WHERE p.run_id = ? ORDER BY i.position",
        [run_id],
    )
    parts = ("response", "shown", "confidence")
    return [
        {**row, **{part: json.loads(row[part]) if row[part] else None for part in parts}}
        for row in rows
    ]


def errors_of(workspace: Workspace, run_id: int) -> dict[str, str]:
    """Why items of a run gave no answer, by item."""
    rows = workspace.store.rows(
        "SELECT i.uid, e.reason FROM run_error e JOIN item i ON i.id = e.item_id"
        " WHERE e.run_id = ? ORDER BY i.position",
        [run_id],
    )
    return {row["uid"]: row["reason"] for row in rows}


@pytest.fixture
def results(workspace: Workspace) -> Callable[[int], list[dict[str, Any]]]:
    return lambda run_id: answers_of(workspace, run_id)


@pytest.fixture
def failures(workspace: Workspace) -> Callable[[int], dict[str, str]]:
    return lambda run_id: errors_of(workspace, run_id)


@pytest.fixture
def add_asked(workspace: Workspace, add_clip: Callable[..., int], add_question: Callable[..., int]):
    """A question on a clip that can be decoded."""

    def add(uid: str, options: Sequence[str] = ("left", "right", "up"), **more: Any) -> int:
        question = add_question(uid, tuple(options), **more)
        video = add_clip(f"of {uid}.mp4")
        with workspace.store.write() as database:
            database.conn.execute(
                "UPDATE clip SET video_id = ? WHERE id = (SELECT clip_id FROM question_revision"
                " WHERE question_id = ?)",
                [video, question],
            )
        return question

    return add
