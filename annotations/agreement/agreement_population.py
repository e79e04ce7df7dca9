"""Which answers an agreement stands on, and which others the task has."""

import numpy as np

from annotations.agreement.groups import (
    WITH_RUNS,
    Among,
    annotators,
    chosen_among,
    item_facts,
)
from annotations.agreement.votes import task_votes
from annotations.people import STORED_KEYS
from annotations.scoring.population import Population
from annotations.scoring.snapshot import Snapshot

PURPOSE: dict[Among, str] = {
    "everybody": "Whoever decides",
    "people": "People",
    "models": "Models in their runs",
    "people and models": "People, and models in their runs",
}
NOT_ASKED: dict[Among, str] = {"people": "of models", "models": "of people"}
OF_AUTHORS = "of authors, who may see the keys"
OF_KEYS = "the stored keys themselves"


def agreement_population(
    snapshot: Snapshot, task_id: int, among: Among = "everybody"
) -> Population:
    """The answers that the coefficients of a task stand on, and the others with their reasons.

    Agreement takes whoever decides, so answers of authors and the stored keys of a cross-check are
    in it; they are counted apart.

    Raises:
        LookupError: if there is no such task.
    """
    votes = task_votes(snapshot, task_id, runs=among in WITH_RUNS)
    ratings = votes.ratings
    chosen = chosen_among(snapshot, votes, among)
    item, raters = ratings.item[chosen], ratings.rater[chosen]
    known = annotators(snapshot, votes)
    videos = item_facts(snapshot, votes, "video")[1][item]
    others = int((~chosen).sum())
    apart = [
        (whose, int(np.isin(raters, codes).sum()))
        for whose, codes in (
            (OF_AUTHORS, [i for i, rater in enumerate(known)
                          if rater.kind == "person" and rater.role != "annotator"]),
            (OF_KEYS, [i for i, rater in enumerate(known) if rater.name == STORED_KEYS]),
        )
    ]  # fmt: skip
    return Population(
        purpose=PURPOSE[among],
        stands_on=len(item),
        people=len(np.unique(raters)),
        questions=len(np.unique(item)),
        videos=len(np.unique(videos)),
        tasks=(votes.name,),
        answers=(*votes.excluded, *(((NOT_ASKED[among], others),) if others else ())),
        among=tuple((whose, count) for whose, count in apart if count),
        who=("annotator", "annotators"),
        about=("item", "items"),
    )
