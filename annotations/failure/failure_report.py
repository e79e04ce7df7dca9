"""What went wrong, over all tags: share of each class by run and category, and do taggers agree."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotations.failure.failure_tags import Tags, all_tags, tagging_tasks
from annotations.part_votes import jaccard_distance, named_by_most
from annotations.scoring.people_columns import Ints
from annotations.scoring.prediction_columns import Predictions
from annotations.scoring.snapshot import take
from annotations.workspace import Workspace
from core.metrics import accuracy
from core.refusal import Refusal
from core.statistics import agreement, bootstrap
from core.statistics.distance import called
from core.statistics.metric import Estimate
from core.statistics.ratings import Ratings

EVERYTHING = "all"
ALL_CLASSES = "all classes together"


@dataclass(frozen=True)
class Share:
    """How many of a group's tagged failures are of one class.

    Attributes:
        group: a run, a category, or 'all'.
        label: of the class, `class_id` its id.
        count: failures that more than half of their taggers gave this class.
        estimate: the share of the group's tagged failures, resampled by video.
    """

    group: str
    class_id: str
    label: str
    count: int
    estimate: Estimate


@dataclass(frozen=True)
class Agreement:
    """How far taggers agree on one class, or on all together.

    Attributes:
        label: of the class.
        percent: share of pairs of taggers of one failure who say the same.
        alpha: Krippendorff's; for all classes together over the share of classes that only one of
            two named.
    """

    label: str
    percent: Estimate
    alpha: Estimate


@dataclass(frozen=True)
class Report:
    """What was said of failures.

    Attributes:
        failures: tagged failures that are wrong predictions now.
        answers: tags of people on them.
        wrong: all wrong predictions.
        gone: tagged predictions that are not wrong any more, or not current.
        shares: of every group and class, groups in order.
        agreement: over all classes, then class by class.
    """

    failures: int
    answers: int
    wrong: int
    gone: int
    shares: tuple[Share, ...]
    agreement: tuple[Agreement, ...]


def failure_report(workspace: Workspace, by: str = "run", task_id: int | None = None) -> Report:
    """Shares of classes and agreement of taggers.

    A failure has the classes that more than half of its taggers named; one that has none of them
    still counts among the tagged. A failure may have several classes, so shares need not sum to 1.

    Args:
        workspace: whose failures.
        by: 'run', 'model', 'condition' or 'category'; every group is there beside 'all'.
        task_id: only tags of this task; None takes those of every task together.

    Raises:
        ValueError: for another `by`.
    """
    if by not in ("run", "model", "condition", "category"):
        raise Refusal(f"by is {by!r}. Allowed: run, model, condition, category.")
    labels = _labels(workspace, task_id)
    with take(workspace) as snapshot:
        table, tags_of = snapshot.predictions, _by_prediction(all_tags(snapshot), task_id)
    place_of = dict(zip(table.annotation_id.tolist(), range(len(table.run)), strict=True))
    is_wrong = table.scored & ~table.right
    indices = np.array(
        sorted(
            place_of[annotation_id]
            for annotation_id in tags_of
            if annotation_id in place_of and is_wrong[place_of[annotation_id]]
        ),
        dtype=np.int64,
    )
    tagged = [tags_of[int(table.annotation_id[index])] for index in indices]
    named = np.array(
        [
            [named_by_most(sum(label in tag for tag in tags), len(tags)) for label in labels]
            for tags in (list(tags_by.values()) for tags_by in tagged)
        ],
        dtype=np.bool_,
    ).reshape(len(indices), len(labels))
    groups = _groups(table, indices, by)
    shares = [
        share
        for name, rows in ((EVERYTHING, np.arange(len(indices))), *groups)
        for share in _shares(name, labels, named[rows], table.video[indices[rows]])
    ]
    return Report(
        failures=len(indices),
        answers=sum(map(len, tagged)),
        wrong=int(is_wrong.sum()),
        gone=len(tags_of) - len(indices),
        shares=tuple(shares),
        agreement=_agreement(labels, tagged, table.video[indices]),
    )


def _labels(workspace: Workspace, task_id: int | None) -> dict[str, str]:
    """Labels of the classes by id, in the order of the tasks' lists."""
    return {
        choice["id"]: choice["label"]
        for task in tagging_tasks(workspace)
        if task_id in (None, task.id)
        for choice in task.classes
    }


def _by_prediction(tags: Tags, task_id: int | None) -> dict[int, dict[int, frozenset[str]]]:
    """What each person named last, by prediction."""
    tags_of: dict[int, dict[int, frozenset[str]]] = {}
    for prediction, tag_list in tags.by.items():
        for tag in tag_list:
            if task_id in (None, tag.task_id):
                tags_of.setdefault(prediction, {})[tag.person_id] = frozenset(tag.classes)
    return tags_of


def _groups(table: Predictions, indices: Ints, by: str) -> list[tuple[str, Ints]]:
    """Names of groups in order, and which of the places belong to each."""
    names: list[str] = []
    for index in indices.tolist():
        run = table.runs[int(table.run[index])]
        names.append(
            {
                "run": run.name,
                "model": run.model,
                "condition": run.condition or run.task,
                "category": table.questions[int(table.question[index])].category,
            }[by]
        )
    order = [run.name for run in table.runs] if by == "run" else sorted(set(names))
    counts = Counter(names)
    return [
        (name, np.flatnonzero([name_of == name for name_of in names]))
        for name in order
        if counts[name]
    ]


def _shares(group: str, labels: dict[str, str], named: np.ndarray, video: Ints) -> list[Share]:
    """The share of each class in one group."""
    rows = np.stack([named.astype(np.float64), np.ones(named.shape)], axis=2)
    estimates = bootstrap.estimate_many(accuracy, rows, video)
    return [
        Share(group, class_name, label, int(named[:, i].sum()), _without_words(estimate))
        for i, ((class_name, label), estimate) in enumerate(
            zip(labels.items(), estimates, strict=True)
        )
    ]


def _without_words(estimate: Estimate) -> Estimate:
    """The estimate; where every failure is of a class or none, with the bounds that hold then."""
    if estimate.value not in (0.0, 1.0):
        return estimate
    bound = accuracy.with_bound(estimate).exact
    extreme = "none" if estimate.value == 0 else "all"
    return replace(estimate, exact=bound, reason=f"{extreme} of {estimate.n}")


def _agreement(
    labels: dict[str, str], tagged: Sequence[dict[int, frozenset[str]]], video: Ints
) -> tuple[Agreement, ...]:
    people = sorted({tagger for tags in tagged for tagger in tags})
    item = [i for i, tags in enumerate(tagged) for _ in tags]
    rater = [people.index(tagger) for tags in tagged for tagger in tags]
    named = [classes for tags in tagged for classes in tags.values()]
    sets = list(dict.fromkeys(named))
    whole = _ratings(item, rater, [sets.index(classes) for classes in named], sets)
    apart = called(lambda a, b: jaccard_distance(sorted(a), sorted(b)), sets)
    clusters = video if len(video) else None
    agreements = [
        Agreement(
            ALL_CLASSES,
            agreement.estimate("percent", whole, clusters=clusters, cluster_word="video"),
            agreement.estimate(
                "krippendorff", whole, apart, clusters=clusters, cluster_word="video"
            ),
        )
    ]
    for code, label in labels.items():
        table = _ratings(item, rater, [int(code in classes) for classes in named], [False, True])
        agreements.append(
            Agreement(
                label,
                *(
                    agreement.estimate(name, table, clusters=clusters, cluster_word="video")
                    for name in ("percent", "krippendorff")
                ),
            )
        )
    return tuple(agreements)


def _ratings(
    item: Sequence[int], rater: Sequence[int], value: Sequence[int], labels: Sequence[object]
) -> Ratings:
    items, raters, values = (np.array(column, dtype=np.int64) for column in (item, rater, value))
    return Ratings.from_arrays(items, raters, values, labels)
