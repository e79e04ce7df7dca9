"""What went wrong, over all tags: share of each class by run and category, and do taggers agree."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotations.failure.failure_tags import Tags, all_tags, tagging_tasks
from annotations.part_votes import jaccard_distance, named_by_most
from annotations.scoring.people_columns import Ints
from annotations.scoring.prediction_columns import Predictions, predictions
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
    table, labels = predictions(workspace), _labels(workspace, task_id)
    given = _by_prediction(all_tags(workspace), task_id)
    place_of = dict(zip(table.annotation_id.tolist(), range(len(table.run)), strict=True))
    is_wrong = table.scored & ~table.right
    places = np.array(
        sorted(place_of[one] for one in given if one in place_of and is_wrong[place_of[one]]),
        dtype=np.int64,
    )
    tagged = [given[int(table.annotation_id[place])] for place in places]
    named = np.array(
        [
            [named_by_most(sum(one in tag for tag in tags), len(tags)) for one in labels]
            for tags in (list(one.values()) for one in tagged)
        ],
        dtype=np.bool_,
    ).reshape(len(places), len(labels))
    groups = _groups(table, places, by)
    shares = [
        share
        for name, rows in ((EVERYTHING, np.arange(len(places))), *groups)
        for share in _shares(name, labels, named[rows], table.video[places[rows]])
    ]
    return Report(
        failures=len(places),
        answers=sum(map(len, tagged)),
        wrong=int(is_wrong.sum()),
        gone=len(given) - len(places),
        shares=tuple(shares),
        agreement=_agreement(labels, tagged, table.video[places]),
    )


def _labels(workspace: Workspace, task_id: int | None) -> dict[str, str]:
    """Labels of the classes by id, in the order of the tasks' lists."""
    return {
        one["id"]: one["label"]
        for task in tagging_tasks(workspace)
        if task_id in (None, task["id"])
        for one in task["classes"]
    }


def _by_prediction(tags: Tags, task_id: int | None) -> dict[int, dict[int, frozenset[str]]]:
    """What each person named last, by prediction."""
    found: dict[int, dict[int, frozenset[str]]] = {}
    for prediction, given in tags.by.items():
        for tag in given:
            if task_id in (None, tag.task_id):
                found.setdefault(prediction, {})[tag.person_id] = frozenset(tag.classes)
    return found


def _groups(table: Predictions, places: Ints, by: str) -> list[tuple[str, Ints]]:
    """Names of groups in order, and which of the places belong to each."""
    names: list[str] = []
    for place in places.tolist():
        run = table.runs[int(table.run[place])]
        names.append(
            {
                "run": run.name,
                "model": run.model,
                "condition": run.condition or run.task,
                "category": table.questions[int(table.question[place])].category,
            }[by]
        )
    order = [run.name for run in table.runs] if by == "run" else sorted(set(names))
    there = Counter(names)
    return [(name, np.flatnonzero([one == name for one in names])) for name in order if there[name]]


def _shares(group: str, labels: dict[str, str], named: np.ndarray, video: Ints) -> list[Share]:
    """The share of each class in one group."""
    rows = np.stack([named.astype(np.float64), np.ones(named.shape)], axis=2)
    found = bootstrap.estimate_many(accuracy, rows, video)
    return [
        Share(group, one, label, int(named[:, i].sum()), _without_words(estimate))
        for i, ((one, label), estimate) in enumerate(zip(labels.items(), found, strict=True))
    ]


def _without_words(estimate: Estimate) -> Estimate:
    """The estimate; where every failure is of a class or none, with the bounds that hold then."""
    if estimate.value not in (0.0, 1.0):
        return estimate
    bound = accuracy.with_bound(estimate).exact
    words = "none" if estimate.value == 0 else "all"
    return replace(estimate, exact=bound, reason=f"{words} of {estimate.n}")


def _agreement(
    labels: dict[str, str], tagged: Sequence[dict[int, frozenset[str]]], video: Ints
) -> tuple[Agreement, ...]:
    people = sorted({one for tags in tagged for one in tags})
    item = [i for i, tags in enumerate(tagged) for _ in tags]
    rater = [people.index(one) for tags in tagged for one in tags]
    said = [classes for tags in tagged for classes in tags.values()]
    sets = list(dict.fromkeys(said))
    whole = _ratings(item, rater, [sets.index(one) for one in said], sets)
    apart = called(lambda a, b: jaccard_distance(sorted(a), sorted(b)), sets)
    clusters = video if len(video) else None
    found = [
        Agreement(
            ALL_CLASSES,
            agreement.estimate("percent", whole, clusters=clusters, cluster_word="video"),
            agreement.estimate(
                "krippendorff", whole, apart, clusters=clusters, cluster_word="video"
            ),
        )
    ]
    for one, label in labels.items():
        table = _ratings(item, rater, [int(one in classes) for classes in said], [False, True])
        found.append(
            Agreement(
                label,
                *(
                    agreement.estimate(name, table, clusters=clusters, cluster_word="video")
                    for name in ("percent", "krippendorff")
                ),
            )
        )
    return tuple(found)


def _ratings(
    item: Sequence[int], rater: Sequence[int], value: Sequence[int], labels: Sequence[object]
) -> Ratings:
    items, raters, values = (np.array(column, dtype=np.int64) for column in (item, rater, value))
    return Ratings.from_arrays(items, raters, values, labels)
