"""The steps of a pipeline that decide about whole videos: search, find, title filter, download."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotations.annotator import Ask, ModelInput, Setup, annotator
from annotations.engine.engine import Where
from annotations.footage import download_queue, search_queue
from annotations.footage.download_choice import choose
from annotations.footage.pipeline_file import DeclaredStep, Pipeline
from annotations.footage.step_results import StepResult, results_of, store_results, units_as_ids
from annotations.footage.title_search import find_titles
from annotations.prompts import prompt
from annotations.record.task import Task
from annotations.run.run_plan import fitting_kind
from annotations.task import Shown
from annotations.video.duplicates import similar_videos
from annotations.workspace import Workspace
from core.footage.lookup import Pace
from core.lot import drawn_by_lot
from core.model import ItemError
from core.model_loading import load_model
from db.connection import Store

# Metadata has no items yet; a filter of titles wants to know only that no reasons are listed.
SCREENING = Task(
    id=0, name="titles", kind="screening", settings={"reasons": []}, overlap=1, instructions="",
    status="closed", created_at="", adaptive=False, skip_limit=3, rate=None, source="rows",
    signatures=None, order_seed=None,
)  # fmt: skip


class Paused(Exception):  # noqa: N818 - it reads as what happened
    """A step cannot go on now, or somebody asked to stop; what is stored stays."""


@dataclass
class Context:
    """What a step works with.

    Attributes:
        actions: names with descriptions.
        sample: so many videos of those that are found; None for all.
        stop: whether somebody asked to stop.
        say: is told what is being done, how much of it, and of how much.
    """

    workspace: Workspace
    store: Store
    pipeline: Pipeline
    actions: dict[str, str]
    sample: int | None
    stop: Callable[[], bool]
    say: Callable[[str, int, int], None]
    where: Where = field(default_factory=Where)

    def kept_before(self, step: DeclaredStep) -> list[StepResult]:
        """What the step before this one has kept."""
        earlier = [step for step in self.pipeline.steps if step.do != "search"]
        at = [step.key for step in earlier].index(step.key)
        return results_of(self.store, self.pipeline.name, earlier[at - 1].key, kept=True)

    def keep(self, step: DeclaredStep, results: Sequence[StepResult]) -> None:
        """Store what a step decided."""
        store_results(self.store, self.pipeline.name, step.key, results)

    def check(self) -> None:
        """Stop here if somebody asked for it.

        Raises:
            Paused: if somebody did.
        """
        if self.stop():
            raise Paused("stopped as asked")


def search(context: Context, step: DeclaredStep) -> None:
    """Search for each action with its domain; results are stored as they come."""
    options = step.own
    for action in context.actions:
        queries = f"{action} {context.pipeline.domain}".strip()
        search_queue.add_query(
            context.store, search_queue.SEARCH, queries, int(options["results"]), action
        )
    result = search_queue.run_queries(
        context.store, pace=Pace(float(options["pause_s"]), int(options["an_hour"])),
        key=options["source"],
        stop=context.stop, say=lambda text: context.say(text, 0, 0),
    )  # fmt: skip
    if result.pause:
        raise Paused(result.pause)


def find(context: Context, step: DeclaredStep) -> None:
    """The videos whose titles fit an action; one that fits several is one with all of them."""
    by_video: dict[int, tuple[str, list[str]]] = {}
    name = context.pipeline.name
    for number, action in enumerate(context.actions, start=1):
        context.check()
        hits = find_titles(
            context.store, action, min_views=int(step.own["min_views"]),
            limit=int(step.own["limit"]),
        )  # fmt: skip
        with context.store.write() as database:
            database.conn.executemany(
                "INSERT INTO title_match (video_id, action, kind, rank, pipeline)"
                " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [
                    [hit.id, action, "exact" if hit.kind == "exact" else "near", hit.rank, name]
                    for hit in hits.hits
                ],
            )
        for hit in hits.hits:
            by_video.setdefault(hit.id, (hit.title, []))[1].append(f"{action} ({hit.kind})")
        context.say("finding titles", number, len(context.actions))
    context.keep(
        step,
        [
            StepResult(str(number), True, None, "; ".join(by_video[number][1]), by_video[number][0])
            for number in drawn_by_lot(by_video, context.sample, "sample ")
        ],
    )


def actions_of(context: Context) -> dict[int, list[str]]:
    """The actions that each video's title fits, best rank first."""
    by_video: dict[int, list[str]] = {}
    for row in context.store.rows(
        "SELECT video_id, action FROM title_match WHERE pipeline = ? ORDER BY kind, rank",
        [context.pipeline.name],
    ):
        if row["action"] in context.actions:
            by_video.setdefault(row["video_id"], []).append(row["action"])
    return by_video


def title_filter(context: Context, step: DeclaredStep) -> None:
    """Keep videos whose title and description a language or embedding model takes for fitting.

    The text they are held against may name {actions} and {domain}.
    """
    known = {r.unit for r in results_of(context.store, context.pipeline.name, step.key)}
    waiting = [r for r in context.kept_before(step) if r.unit not in known]
    if not waiting:
        return
    module = annotator("title_filter")
    kind = fitting_kind(module, step.own["model"])
    model = load_model(kind, step.own["model"])
    template = str(step.settings.get("text") or "{actions} in {domain}")
    actions = actions_of(context)
    by_text: dict[str, list[StepResult]] = {}
    for result in waiting:
        named = " or ".join(actions.get(int(result.unit), []))
        text = template.replace("{actions}", named).replace("{domain}", context.pipeline.domain)
        by_text.setdefault(text, []).append(result)
    finished = 0
    for text, group in by_text.items():
        settings = module.check_settings({**step.settings, "text": text}, SCREENING, kind)
        prompts = {
            purpose: prompt(str(settings.get(purpose) or usual), module.FIELDS,
                            context.workspace.root)
            for purpose, usual in module.PROMPTS.items()
        }  # fmt: skip
        setup = Setup("title_filter", step.own["model"], kind, settings, prompts)
        ready = module.prepare(model, setup)
        for begin in range(0, len(group), module.BATCH):
            context.check()
            part = group[begin : begin + module.BATCH]
            context.keep(step, _judged(context, module, ready, part))
            finished += len(part)
            context.say("reading titles", finished, len(waiting))


def _judged(context: Context, module: Any, ready: Any, part: list[StepResult]) -> list[StepResult]:
    marks = ", ".join("?" * len(part))
    about = {
        row["id"]: row
        for row in context.store.rows(
            f"SELECT id, title, description FROM video WHERE id IN ({marks})",
            [int(result.unit) for result in part],
        )
    }
    batch = [
        ModelInput(Ask(int(r.unit), Shown({}), {
            "title": about[int(r.unit)]["title"],
            "description": about[int(r.unit)]["description"][:2000],
        }))
        for r in part
    ]  # fmt: skip
    outcomes = module.annotate(ready, batch)
    return [_result(r.unit, r.label, outcome) for r, outcome in zip(part, outcomes, strict=True)]


def _result(unit: str, label: str, outcome: Any) -> StepResult:
    if isinstance(outcome, ItemError):
        return StepResult(unit, False, None, f"failed: {outcome}", label)
    accepted = bool(outcome.response and outcome.response["verdict"] == "accept")
    return StepResult(unit, accepted, outcome.score, outcome.reading.reason, label)


def download(context: Context, step: DeclaredStep) -> None:
    """Download what is left; of videos with the same pictures the first is kept."""
    options, earlier = step.own, context.kept_before(step)
    labels = {int(result.unit): result.label for result in earlier}
    ids = units_as_ids(earlier)
    choose(context.store, ids)
    limits = download_queue.Limits(
        int(options["max_mb"] * 10**6), options["max_minutes"] * 60,
        int(options["budget_gb"] * 10**9),
        pause_s=float(options["pause_s"]),
    )  # fmt: skip
    result = download_queue.run_downloads(
        context.workspace,
        context.store,
        limits=limits,
        only=ids,
        stop=context.stop,
        say=lambda progress: context.say("downloading", progress.done + progress.failed, len(ids)),
    )
    rows = _downloads(context, ids)
    same = {} if options["duplicates"] else _same_pictures(context, rows)
    results: list[StepResult] = []
    for row in rows:
        number, label = row["video_id"], labels.get(row["video_id"], "")
        if row["state"] == "done" and number in same:
            results.append(StepResult(str(number), False, None, same[number], label))
        elif row["state"] == "done":
            results.append(StepResult(str(number), True, None, row["name"], label))
        elif row["state"] == "failed":
            why = f"{row['failure']}: {row['message']}"
            results.append(StepResult(str(number), False, None, why, label))
    context.keep(step, results)
    if result.pause or context.stop():
        raise Paused(result.pause or "stopped as asked")


def _downloads(context: Context, ids: Sequence[int]) -> list[dict[str, Any]]:
    wanted = set(ids)
    rows = context.store.rows("SELECT * FROM download WHERE end_s = 0 ORDER BY video_id")
    return [row for row in rows if row["video_id"] in wanted]


def _same_pictures(context: Context, rows: list[dict[str, Any]]) -> dict[int, str]:
    """Videos with the content or nearly the pictures of an earlier one, with the words for it."""
    contents = {
        row["id"]: row["sha256"]
        for row in context.workspace.store.rows("SELECT id, sha256 FROM video")
    }
    near: dict[str, set[str]] = {}
    for number, similar in similar_videos(context.workspace).items():
        near.setdefault(contents[number], set()).update(candidate.sha256 for candidate in similar)
    kept: dict[str, int] = {}
    doubles: dict[int, str] = {}
    for row in rows:
        if row["state"] != "done":
            continue
        alike = {row["sha256"], *near.get(row["sha256"], ())}
        twin = next((sha256 for sha256 in sorted(alike) if sha256 in kept), None)
        if twin is None:
            kept[row["sha256"]] = row["video_id"]
        else:
            doubles[row["video_id"]] = f"the same pictures as video {kept[twin]}"
    return doubles
