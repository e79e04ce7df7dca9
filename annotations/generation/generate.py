"""A generator at work: it asks step by step, stores every reply, and goes on where it stopped."""

import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from annotations.generation.generator import Results, Step, Subject, Unfit, generator
from annotations.planning.task_plan import PlannedItem
from annotations.planning.task_store import add_items, create_task
from annotations.prompts import Prompt
from annotations.task import ItemDraft
from annotations.workspace import Workspace
from core.lot import drawn_by_lot
from core.model import ItemError, LoadOptions, Reply, Request
from core.model_loading import load_model
from core.refusal import Missing
from core.video.plans import uniform
from core.video.sample import sample_frames

TRIES = 3
LONGEST_SIDE = 448
KIND = "question_review"
AGAIN = """{text}

Your last reply cannot be taken: {problem}
Your last reply was:
{reply}

Reply again, with this mended."""

Say = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Generated:
    """What a generator has done.

    Attributes:
        task: name of the review task that holds the drafts.
        subjects: that were wanted, and `done` those whose steps are all done.
        drafts: in the task, `new` of them made now.
        refused: why subjects failed, with how many each.
        requests: asked of the model now; what is stored is not asked again.
        stand_in: what has to be said of the model; '' for a real one.
    """

    task: str
    subjects: int
    done: int
    drafts: int
    new: int
    refused: dict[str, int] = field(default_factory=dict[str, int])
    requests: int = 0
    stand_in: str = ""


def generate(
    workspace: Workspace,
    generation_id: int,
    *,
    sample: int | None = None,
    retry: bool = False,
    options: LoadOptions | None = None,
    say: Say | None = None,
) -> Generated:
    """Ask what is not stored yet, and put the drafts into their review task.

    Every reply is stored before the next is asked, so that a killed process loses one reply at
    most. A reply that does not fit is asked again with the reason, three times in all.

    Args:
        workspace: where it was planned.
        generation_id: from `plan_generation`.
        sample: only so many subjects, the same ones each time; None for all.
        retry: whether subjects that failed before are asked again.
        options: how the model is loaded.
        say: called with (subjects through, subjects in all, name of the next).

    Raises:
        Missing: if there is no such generation.
        Refusal: where there is nothing to write questions on.
        ModelError: if the model cannot be had.
    """
    rows = workspace.store.rows("SELECT * FROM generation WHERE id = ?", [generation_id])
    if not rows:
        raise Missing(f"There is no generation {generation_id}.")
    work = _Work(workspace, rows[0], options or LoadOptions(), retry)
    subjects = work.module.subjects(workspace, work.settings)
    wanted = sampled(subjects, sample)
    drafts = new = completed = 0
    refused: Counter[str] = Counter()
    for number, subject in enumerate(wanted):
        if say is not None:
            say(number, len(wanted), subject.name)
        try:
            results = work.results(subject)
        except Unfit as problem:
            refused[str(problem)] += 1
            continue
        subject_drafts, added = work.store_drafts(subject, results)
        completed, drafts, new = completed + 1, drafts + subject_drafts, new + added
    if say is not None:
        say(len(wanted), len(wanted), "")
    return Generated(
        work.task_name, len(wanted), completed, drafts, new, dict(refused.most_common()),
        work.requests, work.stand_in,
    )  # fmt: skip


def sampled(subjects: list[Subject], count: int | None) -> list[Subject]:
    """So many of the subjects, drawn by their ids alone: a larger sample holds the smaller one."""
    if count is None or count >= len(subjects):
        return subjects
    chosen = {subject.id for subject in drawn_by_lot(subjects, count, "", lambda s: s.id)}
    return [subject for subject in subjects if subject.id in chosen]


class _Work:
    """One go at a generation."""

    def __init__(
        self, workspace: Workspace, row: dict[str, Any], options: LoadOptions, retry: bool
    ):
        self.workspace, self.id, self.retry = workspace, int(row["id"]), retry
        self.name, self.model_name, self.options = row["generator"], row["model"], options
        self.module = generator(self.name)
        self.settings: dict[str, Any] = json.loads(row["settings"])
        stored = json.loads(row["prompts"])
        self.prompts = {
            step: Prompt(template["name"], template["text"]) for step, template in stored.items()
        }
        self.task_name = f"{self.module.TITLE}: {self.model_name}"
        self.task_id: int | None = None
        self.requests = 0
        self.stand_in = str(row["stand_in"])
        self._model: Any = None

    @property
    def model(self) -> Any:
        """The model, loaded when something has to be asked."""
        if self._model is None:
            sees = any(step.frames for step in self.module.STEPS)
            self._model = load_model("chat" if sees else "text", self.model_name, self.options)
            self.stand_in = self._model.stand_in_words if self._model.is_stand_in else ""
            with self.workspace.store.write() as database:
                database.conn.execute(
                    "UPDATE generation SET stand_in = ? WHERE id = ?", [self.stand_in, self.id]
                )
        return self._model

    def results(self, subject: Subject) -> dict[str, Any]:
        """The results of all steps of a subject.

        Raises:
            Unfit: if a step was refused each time.
        """
        results: dict[str, Any] = {}
        for step in self.module.STEPS:
            results[step.name] = self._result(subject, step, results)
        return results

    def _result(self, subject: Subject, step: Step, results: Results) -> Any:
        stored = self.workspace.store.rows(
            "SELECT attempt, reply, problem, value FROM generation_reply"
            " WHERE generation_id = ? AND subject = ? AND step = ? ORDER BY attempt",
            [self.id, subject.id, step.name],
        )
        taken = [row for row in stored if row["value"] is not None]
        if taken:
            return json.loads(taken[-1]["value"])
        latest = stored[-1] if stored else None
        next_attempt = len(stored) + 1
        tries = TRIES if self.retry else TRIES - len(stored)
        problem = str(latest["problem"]) if latest else ""
        reply = str(latest["reply"]) if latest else ""
        for attempt in range(next_attempt, next_attempt + tries):
            reply, problem, value = self._asked(subject, step, results, reply, problem)
            self._store(subject, step, attempt, reply, problem, value)
            if not problem:
                return value
        raise Unfit(f"{step.name}: {problem}")

    def _asked(
        self, subject: Subject, step: Step, results: Results, reply: str, problem: str
    ) -> tuple[str, str, Any]:
        """The reply, what is wrong with it, and what was read of it."""
        values = step.fill(subject, results, self.settings)
        system, text = self.prompts[step.name].fill(values)
        if problem:
            text = AGAIN.format(text=text, problem=problem, reply=reply[:2000])
        answer = self._reply(subject, step, results, Request(text, None, system))
        self.requests += 1
        if isinstance(answer, ItemError):
            return "", f"the model failed: {answer}", None
        if not answer.finished:
            return answer.text, "The reply was cut off; write less.", None
        try:
            value = step.read(answer.text, subject, results, self.settings)
        except Unfit as unfit:
            return answer.text, str(unfit), None
        return answer.text, "", value

    def _reply(
        self, subject: Subject, step: Step, results: Results, request: Request
    ) -> Reply | ItemError:
        if self.model.is_stand_in and getattr(self.model, "manner", "") != "broken":
            return Reply(step.stand_in(subject, results))
        frames, times = self._frames(subject, step.frames)
        asked = Request(request.text, frames, request.system, times)
        [reply] = self.model.generate([asked], step.most_tokens)
        return reply

    def _frames(
        self, subject: Subject, count: int
    ) -> tuple[np.ndarray[Any, np.dtype[np.uint8]] | None, tuple[float, ...]]:
        """Frames spread over the clip with their times, as the model sees them."""
        if not count:
            return None, ()
        media = self.workspace.media
        path, table = media.find_original(subject.sha256), media.frame_table(subject.sha256)
        if path is None:
            raise Unfit(f"the file of {subject.name} is not here")
        inside = media.frames_between(subject.sha256, subject.start_s, subject.end_s)
        chosen = [inside[position] for position in uniform(len(inside), count)]
        frames = sample_frames(path, chosen, longest_side=LONGEST_SIDE, table=table)
        seen = [frame for frame in frames if frame.image is not None]
        if not seen:
            raise Unfit(f"no frame of {subject.name} decodes")
        pictures = np.stack([frame.image for frame in seen if frame.image is not None])
        return pictures, tuple(frame.time_s for frame in seen)

    def _store(
        self, subject: Subject, step: Step, attempt: int, reply: str, problem: str, value: Any
    ) -> None:
        with self.workspace.store.write() as database:
            database.conn.execute(
                "INSERT INTO generation_reply (generation_id, subject, step, attempt, reply,"
                " problem, value, stored_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    self.id, subject.id, step.name, attempt, reply, problem,
                    None if problem else json.dumps(value, ensure_ascii=False), time.time(),
                ],
            )  # fmt: skip

    def store_drafts(self, subject: Subject, results: Results) -> tuple[int, int]:
        """How many drafts a subject has, and how many of them are new in the review task."""
        drafts = self.module.drafts(subject, results)
        if not drafts:
            return 0, 0
        if self.task_id is None:
            settings = {"mode": "review", "keep": self.module.KEEP, "show_key": True}
            self.task_id = create_task(self.workspace, self.task_name, KIND, settings, 1, rows=[])
            with self.workspace.store.write() as database:
                database.conn.execute(
                    "UPDATE generation SET task_id = ? WHERE id = ?", [self.task_id, self.id]
                )
        clip = {"video": subject.sha256, "start": subject.start_s, "end": subject.end_s}
        items = [
            PlannedItem(
                ItemDraft(
                    f"generated:{self.id}/{draft.id}",
                    video_id=subject.video_id,
                    payload={
                        "id": f"{self.id}/{draft.id}", "clip": clip, "generation": self.id,
                        **draft.payload,
                    },
                )
            )
            for draft in drafts
        ]  # fmt: skip
        return len(drafts), add_items(self.workspace, self.task_id, items)
