"""What an author's page needs: a question being written, its checks, negatives, and the review."""

from dataclasses import dataclass
from uuid import uuid4

from annotations.generation.generator import Subject, Unfit, generator
from annotations.generation.question_checks import FlaggedQuestion, check_questions
from annotations.people import Person
from annotations.planning.task_plan import PlannedItem
from annotations.planning.task_store import add_items, create_task
from annotations.prompts import prompt
from annotations.task import ItemDraft
from annotations.workspace import Workspace
from core.check import CheckedQuestion
from core.model import ItemError, LoadOptions, Request
from core.model_loading import load_model
from core.question.words import same_key
from core.refusal import Forbidden, Refusal

TASK = "Questions from the studio"
KIND = "question_review"
LONGEST_TEXT = 500
TRIES = 3


@dataclass(frozen=True)
class StudioQuestion:
    """A question as it is being written on a clip.

    Attributes:
        video_id: row of the video; `sha256` its content.
        start_s: of the clip, s; `end_s` None: the end of the video.
        answer: the right option; `wrong` the others.
    """

    video_id: int
    sha256: str
    start_s: float
    end_s: float | None
    text: str
    answer: str
    wrong: tuple[str, ...]
    category: str = ""

    def lacking(self) -> list[str]:
        """What is to be done before it can be sent to review, in words; none if it can."""
        options = [self.answer, *self.wrong]
        keys = [same_key(option) for option in options if option]
        long = [option for option in (self.text, *options) if len(option) > LONGEST_TEXT]
        return [
            *([] if self.text else ["Write the question."]),
            *([] if self.answer else ["Write the right answer."]),
            *([] if self.wrong else ["Write one or more wrong answers, one on each line."]),
            *(["Two options say the same. Change one."] if len(set(keys)) < len(keys) else []),
            *([f"A text has more than {LONGEST_TEXT} characters. Shorten it."] if long else []),
        ]

    def flags(self) -> tuple[FlaggedQuestion, ...]:
        """What the machine's checks find; option 1 is the right answer."""
        if not self.text or not self.answer or not self.wrong:
            return ()
        question = CheckedQuestion("draft", self.text, (self.answer, *self.wrong), 0)
        return check_questions([question]).flags


def send_to_review(workspace: Workspace, author: Person, question: StudioQuestion) -> str:
    """The name of the review task to which a question was added; it is no question before that.

    Raises:
        Forbidden: for somebody who is no author.
        Refusal: if something is lacking; says what.
    """
    if not author.is_author:
        raise Forbidden(f"{author.name} is no author; only authors write here.")
    lacking = question.lacking()
    if lacking:
        raise Refusal(" ".join(lacking))
    settings = {"mode": "review", "keep": list(range(1, 26)), "show_key": True}
    task_id = create_task(workspace, TASK, KIND, settings, 1, rows=[])
    number = uuid4().hex[:12]
    clip = {"video": question.sha256, "start": question.start_s, "end": question.end_s}
    draft = ItemDraft(
        f"studio:{number}",
        video_id=question.video_id,
        payload={
            "id": f"studio-{number}",
            "text": question.text,
            "options": [question.answer, *question.wrong],
            "key": 0,
            "category": question.category,
            "tags": {"written_by": author.name},
            "clip": clip,
        },
    )
    add_items(workspace, task_id, [PlannedItem(draft)])
    return TASK


def ask_negatives(
    workspace: Workspace, model: str, answer: str, category: str, key_variable: str = ""
) -> list[str]:
    """Nine wrong answers by a model, read strictly; asked again with what was wrong, three times.

    `key_variable` names the environment variable with the key of a server; '' sends none.

    Raises:
        Refusal: without an answer, or if the model's replies could not be taken.
        ModelError: if the model cannot be had.
    """
    if not answer:
        raise Refusal("Write the right answer first: wrong ones are to look like it.")
    step = next(step for step in generator("actionatlas").STEPS if step.name == "negatives")
    subject = Subject("studio", "", 0, "", facts={"action": answer, "domain": category or "video"})
    system, text = prompt(step.prompt, step.fields, workspace.root).fill(step.fill(subject, {}, {}))
    loaded = load_model("text", model, LoadOptions(api_key_env=key_variable))
    if loaded.is_stand_in:
        names: list[str] = step.read(step.stand_in(subject, {}), subject, {}, {})
        return names
    problem = ""
    for _ in range(TRIES):
        asked = f"{text}\n\nYour last reply cannot be taken: {problem}" if problem else text
        [reply] = loaded.generate([Request(asked, None, system)], step.most_tokens)
        if isinstance(reply, ItemError):
            problem = str(reply)
            continue
        try:
            taken: list[str] = step.read(reply.text, subject, {}, {})
        except Unfit as unfit:
            problem = str(unfit)
            continue
        return taken
    raise Refusal(f"{model} wrote nothing that can be taken: {problem}")


def waiting_for_review(workspace: Workspace) -> int:
    """How many questions from the studio nobody has reviewed yet."""
    [row] = workspace.store.rows(
        "SELECT count(*) AS n FROM item i JOIN task t ON t.id = i.task_id WHERE t.name = ?"
        " AND i.answers = 0 AND i.status = 'open'",
        [TASK],
    )
    return int(row["n"])
