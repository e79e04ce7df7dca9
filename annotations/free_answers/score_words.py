"""Models score answers in words of one's own: by similarity, and as judges (K9-Bench, section 4).

What answers are held against is stored with the question as it was asked: the options, the accepted
answers, or the points of a good answer. Scores are kept beside the answer, which stays as it is;
what is stored is not asked again, so a run that was stopped goes on where it was.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np

from annotations.prompts import prompt
from annotations.run.judge_scores import Judgement, judgements, store_judgements
from annotations.run.run_answers import ModelAnswer, store_answers
from annotations.run.runs import ensure_run, the_run
from annotations.video.library import Progress, no_progress
from annotations.workspace import Workspace
from core.model import Chat, Embedding, ItemError, Request
from core.refusal import Refusal
from core.reply import llm_json
from core.reply.result import Reading
from core.reply.similarity import RULE

PROMPT = "judge"
FIELDS = ("question", "right", "reply")
SCORES = ("logic", "factuality", "accuracy", "conciseness", "overall")
LOWEST, HIGHEST = 1, 10  # K9-Bench's prompt for judges
MAX_TOKENS = 256
LONGEST_REPLY = 6000  # characters; of longer ones the end, where answers stand
BATCH = 64

T = TypeVar("T")

_ANSWERS = """
  SELECT a.id, a.item_id, a.question_revision_id, a.response, a.shown, a.active_s,
    json_extract(a.response, '$.text') AS answer, p.reply, p.rule, p.confidence, p.score, p.theirs,
    p.theirs_name, p.theirs_read, r.text, r.options, r.key, r.reference
  FROM prediction p JOIN current_annotation a ON a.id = p.annotation_id
  JOIN question_revision r ON r.id = a.question_revision_id
  WHERE p.run_id = ? AND trim(coalesce(json_extract(a.response, '$.text'), '')) <> ''
  ORDER BY a.id
"""


@dataclass(frozen=True)
class Scored:
    """What became of a run's answers in words.

    Attributes:
        answers: how many the run has.
        scored: of them those that were scored now.
        before: of them those that had been scored so already.
        unscored: of them those whose question says nothing to hold them against.
        failed: of them those that the model gave no score for.
    """

    answers: int
    scored: int
    before: int
    unscored: int
    failed: int = 0


def runs_in_words(workspace: Workspace) -> set[int]:
    """Ids of the runs that have answers in words of their model's own."""
    rows = workspace.store.rows(
        "SELECT DISTINCT p.run_id FROM prediction p JOIN annotation a ON a.id = p.annotation_id"
        " WHERE json_type(a.response, '$.text') = 'text'"
    )
    return {row["run_id"] for row in rows}


def score_by_similarity(
    workspace: Workspace, run_id: int, encoder: Embedding, *, progress: Progress = no_progress
) -> Scored:
    """Store how similar each answer is to each option, or to each accepted answer.

    Another encoder than before scores everything anew.

    Raises:
        LookupError: if there is no such run.
        ValueError: if it has no answers in words.
    """
    rows, run = _rows(workspace, run_id), the_run(workspace, run_id)
    same = run.facts.get("similarity") == encoder.name
    held = [row for row in rows if _texts(row)]
    missing = [row for row in held if not (same and row["rule"] == RULE and row["confidence"])]
    if not same:
        ensure_run(workspace, run.model, run.task_id, facts={"similarity": encoder.name})
    for part in _parts(missing, progress, "Similarities"):
        cosines = _cosines(encoder, [(row["answer"], _texts(row)) for row in part])
        with workspace.store.read() as database:
            judged = judgements(database, run_id)
        store_answers(
            workspace, run_id,
            [_answer(row, values, encoder.name) for row, values in zip(part, cosines, strict=True)],
        )  # fmt: skip
        # The answer with its similarities is a revision of its own: what judges said stays with it.
        kept = [(row["item_id"], said) for row in part for said in judged.get(row["id"], ())]
        store_judgements(workspace, run_id, kept)
    return Scored(len(rows), len(missing), len(held) - len(missing), len(rows) - len(held))


def score_by_judge(
    workspace: Workspace,
    run_id: int,
    chat: Chat,
    *,
    prompt_name: str = PROMPT,
    progress: Progress = no_progress,
) -> Scored:
    """Let a chat model give each answer five scores from 1 to 10.

    Args:
        prompt_name: a template, or a file, with the fields question, right and reply.

    Raises:
        LookupError: if there is no such run.
        ValueError: if it has no answers in words, or there is no such prompt.
    """
    template = prompt(prompt_name, FIELDS, workspace.root, files=True)
    rows = _rows(workspace, run_id)
    with workspace.store.read() as database:
        judged = judgements(database, run_id)
    held = [(row, right) for row in rows if (right := _right(row))]
    missing = [
        (row, right)
        for row, right in held
        if chat.name not in {judgement.judge for judgement in judged.get(row["id"], ())}
    ]
    failed = 0
    for part in _parts(missing, progress, "Judging"):
        requests: list[Request] = []
        for row, right in part:
            values = {
                "question": row["text"], "right": right, "reply": row["answer"][-LONGEST_REPLY:],
            }  # fmt: skip
            system, text = template.fill(values)
            requests.append(Request(text, system=system))
        scores = [scores_in(reply) for reply in _replies(chat, requests)]
        failed += sum(not found for found in scores)
        store_judgements(
            workspace, run_id,
            [
                (row["item_id"], Judgement(chat.name, found))
                for (row, _), found in zip(part, scores, strict=True)
                if found
            ],
        )  # fmt: skip
    return Scored(
        len(rows), len(missing) - failed, len(held) - len(missing), len(rows) - len(held), failed
    )


def scores_in(reply: str) -> dict[str, float]:
    """The five scores that a judge's reply gives; {} if one is lacking or not from 1 to 10."""
    value = llm_json.read_answer(reply).value
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    named = {name.strip().lower(): score for name, score in fields.items()}
    scores: dict[str, float] = {}
    for name in SCORES:
        score = named.get(name)
        if isinstance(score, bool) or not isinstance(score, int | float):
            return {}
        if not LOWEST <= score <= HIGHEST:
            return {}
        scores[name] = float(score)
    return scores


def _rows(workspace: Workspace, run_id: int) -> list[dict[str, Any]]:
    name = the_run(workspace, run_id).name
    rows = workspace.store.rows(_ANSWERS, [run_id])
    if not rows:
        raise Refusal(
            f"{name} has no answers in words of its model's own. Those that choose an option are "
            "read by rules, and by a model where no rule reads them: rushes reread."
        )
    return rows


def _texts(row: dict[str, Any]) -> list[str]:
    """What an answer is compared with: the options where one is the key, else accepted answers."""
    if row["key"] is not None:
        return json.loads(row["options"])
    return json.loads(row["reference"]).get("answers", [])


def _right(row: dict[str, Any]) -> str:
    """What is known to be right, in words for a judge; '' if nothing is."""
    reference: dict[str, list[str]] = json.loads(row["reference"])
    answers = reference.get("answers", [])
    if row["key"] is not None:
        answers = [json.loads(row["options"])[row["key"]]]
    points = reference.get("points", [])
    parts: list[str] = []
    if answers:
        several = len(answers) > 1
        parts.append(f"{'Right answers' if several else 'The right answer'}: {'; '.join(answers)}")
    if points:
        parts.append("\n".join(["Points of a good answer:", *(f"- {point}" for point in points)]))
    return "\n\n".join(parts)


def _parts(rows: Sequence[T], progress: Progress, what: str) -> Iterator[Sequence[T]]:
    for start in range(0, len(rows), BATCH):
        progress(what, start, len(rows))
        yield rows[start : start + BATCH]
    progress(what, len(rows), len(rows))


def _cosines(
    encoder: Embedding, answers: Sequence[tuple[str, Sequence[str]]]
) -> list[tuple[float, ...]]:
    """Cosine of each answer with each of its texts, in [-1, 1]."""
    texts = list(dict.fromkeys(text for answer, held in answers for text in (answer, *held)))
    vectors = np.asarray(encoder.embed(texts), dtype=np.float64)
    at = {text: vectors[position] for position, text in enumerate(texts)}
    return [
        tuple(round(float(np.clip(at[answer] @ at[text], -1, 1)), 6) for text in held)
        for answer, held in answers
    ]


def _answer(row: dict[str, Any], cosines: Sequence[float], encoder: str) -> ModelAnswer:
    held = "option" if row["key"] is not None else "accepted answer"
    reason = f"similarity {max(cosines):.3f} with the nearest {held}, by {encoder}"
    return ModelAnswer(
        item_id=row["item_id"],
        question_revision_id=row["question_revision_id"],
        response=json.loads(row["response"]),
        shown=json.loads(row["shown"]),
        reading=Reading(None, "read", RULE, reason),
        reply=row["reply"],
        confidence={str(index): cosine for index, cosine in enumerate(cosines)},
        score=row["score"],
        theirs=row["theirs"],
        theirs_name=row["theirs_name"],
        theirs_read=row["theirs_read"],
        active_s=row["active_s"],
    )


def _replies(chat: Chat, requests: Sequence[Request]) -> list[str]:
    """What a judge replies to each request; '' where it fails."""
    return [
        "" if isinstance(output, ItemError) else output.text
        for output in chat.generate(list(requests), MAX_TOKENS)
    ]
