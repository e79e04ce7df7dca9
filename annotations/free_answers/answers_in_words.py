"""How answers in words of one's own score: word for word, by similarity, and by judges.

An answer that is an accepted one but for case, articles and punctuation is right; that another one
is wrong does not follow, so the share is a lower bound. Where answers or scoring points are held
against nothing here, they are said to be unscored.
"""

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotations.free_answers.free_population import free_population
from annotations.scoring.snapshot import Snapshot
from core.metrics import accuracy, judge_score
from core.reply.reply import plain_words
from core.reply.similarity import THRESHOLD
from core.statistics import bootstrap
from core.statistics.metric import Estimate

PEOPLE = "People"
_ANSWERS = """
  SELECT a.id, p.name, p.kind, json_extract(t.settings, '$.condition') AS condition,
    json_extract(a.response, '$.text') AS text, q.options, q.key, q.reference, c.video_id,
    y.confidence, (SELECT json_group_array(json(j.scores)) FROM judgement j
      WHERE j.annotation_id = a.id) AS judged
  FROM current_annotation a JOIN annotator p ON p.id = a.annotator_id
  JOIN item i ON i.id = a.item_id JOIN task t ON t.id = i.task_id
  JOIN current_question q ON q.question_id = i.question_id JOIN clip c ON c.id = q.clip_id
  LEFT JOIN prediction y ON y.annotation_id = a.id
  WHERE t.kind = 'human_evaluation' AND json_type(a.response, '$.text') = 'text'
    AND i.role = 'work' AND (p.kind = 'person' OR i.status = 'open')
  ORDER BY a.id
"""
_ARTICLES = re.compile(r"\b(?:an?|the)\b", re.IGNORECASE)
_NO_WORD = re.compile(r"[^\w\s]+")


@dataclass(frozen=True)
class FreeAnswers:
    """What one model, or people together, answered freely under one condition.

    Attributes:
        answers: how many.
        equal: share that is an accepted answer word for word; None where nothing is accepted.
        similar: share whose similarity with an accepted answer is above 0.5, or with the key if
            there are options, and then higher than with any other; None without any.
        judged: mean of each judge's score by name, 0 to 10.
        unscored: answers of which none of these says anything.
    """

    who: str
    condition: str
    answers: int
    equal: Estimate | None
    similar: Estimate | None
    judged: dict[str, Estimate]
    unscored: int


@dataclass
class _Group:
    """The answers of one line: pairs of what an answer scores and its video."""

    equal: list[tuple[bool, int]] = field(default_factory=list[tuple[bool, int]])
    similar: list[tuple[bool, int]] = field(default_factory=list[tuple[bool, int]])
    judged: dict[str, list[tuple[float, int]]] = field(
        default_factory=lambda: defaultdict[str, list[tuple[float, int]]](list)
    )
    answers: int = 0
    unscored: int = 0


def free_answers(snapshot: Snapshot) -> list[FreeAnswers]:
    """A line for each model and condition, and for people; none where nobody answered freely.

    People's answers are those of `free_population`.
    """
    groups: dict[tuple[str, str], _Group] = defaultdict(_Group)
    scored = free_population(snapshot).scored
    for row in snapshot.rows(_ANSWERS):
        if row["kind"] == "person" and row["id"] not in scored:
            continue
        who = row["name"] if row["kind"] == "model" else PEOPLE
        _add(groups[who, str(row["condition"] or "")], row)
    ordered = sorted(groups, key=lambda name: (name[0] != PEOPLE, name))
    return [_line(name, groups[name]) for name in ordered]


def same_words(answer: str, accepted: Sequence[str]) -> bool:
    """Whether an answer is one of those accepted, but for case, articles and punctuation."""
    return _words(answer) in {_words(text) for text in accepted}


def _words(text: str) -> str:
    bare = _ARTICLES.sub(" ", _NO_WORD.sub(" ", plain_words(text)))
    return " ".join(bare.split()) or plain_words(text)


def _add(group: _Group, row: dict[str, Any]) -> None:
    accepted: list[str] = json.loads(row["reference"]).get("answers", [])
    if row["key"] is not None:
        accepted = [json.loads(row["options"])[row["key"]]]
    told: dict[str, float] = json.loads(row["confidence"]) if row["confidence"] else {}
    similarities = {int(index): cosine for index, cosine in told.items() if index.isdigit()}
    judgements: list[dict[str, float]] = json.loads(row["judged"])
    group.answers += 1
    if accepted:
        group.equal.append((same_words(row["text"], accepted), row["video_id"]))
    if similarities:
        group.similar.append((_is_similar(similarities, row["key"]), row["video_id"]))
    for scores in judgements:
        for name, score in scores.items():
            group.judged[name].append((score, row["video_id"]))
    group.unscored += not (accepted or similarities or judgements)


def _is_similar(similarities: dict[int, float], key: int | None) -> bool:
    """Whether an answer is like an accepted one, or, of options, like the key and no other so much.

    K9-Bench, section 4: the key's similarity is above 0.5 and the highest.
    """
    if key is None:
        return max(similarities.values()) > THRESHOLD
    others = [cosine for index, cosine in similarities.items() if index != key]
    return similarities.get(key, -1.0) > max([THRESHOLD, *others])


def _line(name: tuple[str, str], group: _Group) -> FreeAnswers:
    return FreeAnswers(
        *name,
        answers=group.answers,
        equal=_share(group.equal),
        similar=_share(group.similar),
        judged={score: _mean(pairs) for score, pairs in group.judged.items()},
        unscored=group.unscored,
    )


def _share(pairs: Sequence[tuple[bool, int]]) -> Estimate | None:
    if not pairs:
        return None
    right = [one for one, _ in pairs]
    estimate = bootstrap.estimate(accuracy, accuracy.rows(right), [video for _, video in pairs])
    return accuracy.with_bound(estimate)


def _mean(pairs: Sequence[tuple[float, int]]) -> Estimate:
    rows = judge_score.rows([score for score, _ in pairs])
    return bootstrap.estimate(judge_score, rows, [video for _, video in pairs])
