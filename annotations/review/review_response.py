"""Responses of question review: checked again, and stored in one form."""

from typing import Any, cast

from annotations.answering.response_words import letter
from annotations.reading.responses import one_of, text
from core.refusal import Refusal

REVIEW, WRITE = "review", "write"
KEEP, DISCARD = VERDICTS = ("keep", "discard")
FLAGS = ("answerable_from_text", "answer_on_screen", "wrong_segment", "wrong_key")
LONGEST_OPTION = 500


def check_review(response: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
    """The review of a question as shown; nothing but a remark is asked for one to be discarded.

    Raises:
        ValueError: for parts that are lacking, empty or equal.
    """
    verdict = one_of(response, "verdict", VERDICTS, "Verdict")
    note = text(response, "note", "Remarks")
    flags = _flags(response)
    if verdict == DISCARD:
        return {"verdict": DISCARD, "flags": flags, "note": note}
    return {
        "verdict": KEEP,
        "question": text(response, "question", "Question", needed="Write the question."),
        "options": _options(response.get("options"), facts["question"]["options"], facts["keep"]),
        "flags": flags,
        "note": note,
    }


def _flags(response: dict[str, Any]) -> list[str]:
    named_flags = response.get("flags")
    named = cast("list[Any]", named_flags) if isinstance(named_flags, list) else []
    unknown = [flag for flag in named if flag not in FLAGS]
    if unknown:
        raise Refusal(f"{unknown[0]!r} is no flag. Allowed: {', '.join(FLAGS)}.")
    return [flag for flag in FLAGS if flag in named]


def allowed_counts(keep: list[int], wrong: int) -> list[int]:
    """How many of some wrong options may be kept: all of them where there are fewer than wanted."""
    return [count for count in keep if count <= wrong] or [wrong]


def _options(value: object, shown: list[str], keep: list[int]) -> dict[str, Any]:
    """Key, kept wrong options in the question's order, and the words of both."""
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    ids = [str(i) for i in range(len(shown))]
    key = str(fields.get("key"))
    if key not in ids:
        raise Refusal("No option is marked as the key. Mark the one that is right.")
    named = {str(option) for option in cast("list[Any]", _of(fields, "kept", list))} - {key}
    if unknown := sorted(named - set(ids)):
        raise Refusal(f"Option {unknown[0]!r} was not shown. Reload the page.")
    counts = allowed_counts(keep, len(ids) - 1)
    if len(named) not in counts:
        raise Refusal(
            f"{len(named)} wrong options are kept. Keep {' or '.join(map(str, counts))}: the most"
            " plausible."
        )
    edited = {str(k): v for k, v in cast("dict[Any, Any]", _of(fields, "texts", dict)).items()}
    kept = [option for option in ids if option in named]
    texts: dict[str, str] = {}
    for option in sorted({key, *kept}, key=int):
        wording = text(
            {"text": edited.get(option, shown[int(option)])},
            "text",
            "Option",
            needed="Write it, or leave it out.",
        )
        texts[option] = _short(wording)
    _differ(list(texts.values()))
    return {"key": key, "kept": kept, "texts": texts}


def _of(fields: dict[str, Any], name: str, kind: type) -> object:
    value = fields.get(name)
    return value if isinstance(value, kind) else kind()


def _short(option: str) -> str:
    if len(option) > LONGEST_OPTION:
        raise Refusal(f"An option has {len(option)} characters; at most {LONGEST_OPTION}.")
    return option


def _differ(options: list[str]) -> None:
    folded = [" ".join(option.casefold().split()) for option in options]
    twice = next((option for i, option in enumerate(options) if folded[i] in folded[:i]), None)
    if twice is not None:
        raise Refusal(f"Two options are the same: {twice!r}. Change one, or leave it out.")


def check_written(response: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
    """A new question: category, text, right answer, wrong options (one a line).

    Raises:
        ValueError: for parts that are lacking, empty or equal.
    """
    category = one_of(response, "category", facts["categories"], "Category")
    question = text(response, "question", "Question", needed="Write the question.")
    answer = _short(text(response, "answer", "Right answer", needed="Write the right answer."))
    lines_or_list = response.get("wrong")
    joined = (
        "\n".join(map(str, cast("list[Any]", lines_or_list)))
        if isinstance(lines_or_list, list)
        else lines_or_list
    )
    lines = text({"wrong": joined}, "wrong", "Wrong answers", needed="Write one a line.")
    wrong = [_short(" ".join(line.split())) for line in lines.splitlines() if line.strip()]
    if len(wrong) not in facts["keep"]:
        counts = " or ".join(map(str, facts["keep"]))
        raise Refusal(f"{len(wrong)} wrong answers are given; {counts} are wanted, one a line.")
    _differ([answer, *wrong])
    return {
        "category": category,
        "question": question,
        "answer": answer,
        "wrong": wrong,
        "note": text(response, "note", "Remarks"),
    }


def describe(response: dict[str, Any], values: dict[str, Any]) -> str:
    """The verdict with the question that is kept, or the question that was written; the remark.

    Options have the letters of the question's own order, which `values` do not change.
    """
    del values
    parts = [response["verdict"]] if "verdict" in response else [f"{response['category']}:"]
    if "answer" in response:
        wrong = ", ".join(response["wrong"])
        parts = [f"{parts[0]} {response['question']}", f"key: {response['answer']}",
                 f"wrong answers: {wrong}"]  # fmt: skip
    elif "options" in response:
        options = response["options"]
        names = {id_: f"{letter(int(id_))}. {text}" for id_, text in options["texts"].items()}
        kept = ", ".join(names[id_] for id_ in options["kept"])
        parts = [f"{parts[0]}: {response['question']}", f"key {names[options['key']]}",
                 f"kept {kept}"]  # fmt: skip
    flags = ", ".join(flag.replace("_", " ") for flag in response.get("flags", ()))
    parts += [f"flagged {flags}"] if flags else []
    return "; ".join([*parts, *filter(None, [response.get("note")])])


def known_answer(settings: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any]:
    """What a known answer may hold, see `DeclaresKnown`."""
    if settings["mode"] == WRITE:
        return dict.fromkeys(("question", "answer", "category", "wrong", "note", "why"))
    ids = [*range(len(payload["options"])), *map(str, range(len(payload["options"])))]
    options = {"key": ids, "kept": ids, "texts": None}
    named = {"verdict": VERDICTS, "flags": FLAGS, "options": options}
    return {**named, **dict.fromkeys(("question", "note", "why"))}
