"""Preparation of a reply: thinking is split off and markup becomes plain text."""

import re
import unicodedata
from dataclasses import dataclass

LATIN = "A-Za-z0-9_\u00c0-\u024f"

LONGEST = 20_000  # characters; of longer replies, which loop, both ends are read

_THINKING = r"think|thinking|thought|thoughts|reasoning|analysis|scratchpad"
_OPEN = re.compile(rf"(?:<|\u25c1)(?:{_THINKING})(?:>|\u25b7)", re.IGNORECASE)
_CLOSE = re.compile(rf"(?:</|\u25c1/)(?:{_THINKING})(?:>|\u25b7)", re.IGNORECASE)
_CONTROL = re.compile(
    r"<\|(?:im_end|im_start|eot_id|end|endoftext|eom_id)\|>|</?s>|<pad>|\[/?INST\]"
)
_ASSISTANT = re.compile(r"(?:^|\n)\s*(?:assistant|ASSISTANT|Assistant)\s*:?\s*\n")
_TAGS = re.compile(
    r"<(answer|ans|final_answer|final|choice|option|output|response)\s*>(.*?)(?:</\1\s*>|$)"
    r"|\[(ANSWER|ANS)\](.*?)(?:\[/\3\]|$)"
    r"|<\|begin_of_box\|>(.*?)(?:<\|end_of_box\|>|$)",
    re.IGNORECASE | re.DOTALL,
)
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_LATEX = re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathit|textit|bf|rm)\s*\{([^{}]*)\}")
_HTML = re.compile(r"</?(?:b|strong|i|em|u|p|span|div|br|h\d|code|mark)\b[^<>]*>")
_TURNS = re.compile(r"\b(?:counter|anti)[- ]?clockwise\b", re.IGNORECASE)
_BLANKS = re.compile(r"[^\S\n]+")
_STRUCK = re.compile(r"~~[^~\n]+~~")
_EMPHASIS = re.compile(
    r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<![A-Za-z0-9])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![A-Za-z0-9])|`+"
)
_LINE_MARKS = re.compile(r"^[ \t]*(?:[-*+\u2022\u2013>]+|#{1,6})[ \t]+", re.MULTILINE)
_BRACKETS = str.maketrans(
    "\u3010\u3011\u300c\u300d\u300e\u300f\u3014\u3015\u3008\u3009\u300a\u300b"
    "\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019ʼ\u2010\u2011\u2212",
    "[][][][][][]" + '"""""' + "'''---",
)
# Squared and circled letters on dark ground, which compatibility forms do not resolve.
_DARK = {
    code + i: chr(ord("A") + i) for code in (0x1F150, 0x1F170) for i in range(26)
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer part of a reply.

    Attributes:
        text: plain text; '' if nothing is left.
        source: the same with its marks.
        boxes: what stands in answer tags or boxes, in their order, each plain.
        cut: why nothing can be concluded from the text, such as thinking that never ends; or ''.
    """

    text: str
    source: str
    boxes: tuple[str, ...] = ()
    cut: str = ""


def prepare(response: str) -> Reply:
    """The reply behind a raw response."""
    if len(response) > LONGEST:
        response = _both_ends(response)
    text = unicodedata.normalize("NFKC", response.translate(_DARK))
    if not text.isascii():
        text = "".join(c for c in text if not _unseen(c))
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_BRACKETS)
    answer, cut = _after_thinking(text)
    answer = _ASSISTANT.split(_CONTROL.sub(" ", answer))[-1]
    boxes = tuple(plain_markup(box) for box in _boxes(answer))
    return Reply(plain_markup(answer), answer, boxes, "" if boxes else cut)


def _both_ends(text: str) -> str:
    """The beginning and the end of a long text, cut between words."""
    half = LONGEST // 2
    beginning, ending = text[:half].rsplit(None, 1)[0], text[-half:].split(None, 1)[-1]
    return f"{beginning}\n...\n{ending}"


def _unseen(character: str) -> bool:
    """Whether a character shows nothing of its own: joiners, selectors, keycaps, lone halves."""
    kind = unicodedata.category(character)
    return kind in ("Cf", "Cs", "Me") or 0xFE00 <= ord(character) <= 0xFE0F


def _after_thinking(text: str) -> tuple[str, str]:
    """What follows the thinking, and why there is nothing to conclude from if it never ends."""
    closings = list(_CLOSE.finditer(text))
    if closings:
        text = text[closings[-1].end() :]
        return text, "nothing follows the thinking" if not text.strip() else ""
    opening = _OPEN.search(text)
    if opening is None:
        return text, ""
    preceding, inside = text[: opening.start()], text[opening.end() :]
    if preceding.strip():
        return preceding, ""
    tagged = "".join(match[0] for match in _TAGS.finditer(inside))
    return tagged, "cut off in the middle of thinking"


def _boxes(text: str) -> list[str]:
    contents = [(m.start(), next((g for g in (m[2], m[4], m[5]) if g is not None), ""))
             for m in _TAGS.finditer(text)]  # fmt: skip
    contents += [(m.start(), m[1]) for m in _BOXED.finditer(text)]
    return [content for _, content in sorted(contents) if content.strip()]


def plain_markup(text: str) -> str:
    """Text without Markdown, LaTeX and HTML marks, blanks around it or tags of answers."""
    text = _BOXED.sub(r"\1", text)
    for _ in range(2):
        text = _LATEX.sub(r"\1", text)
    text = re.sub(r"</?(?:answer|ans|final_answer|final)\s*>", " ", text, flags=re.IGNORECASE)
    text = _STRUCK.sub(" ", _HTML.sub(" ", text))
    text = _LINE_MARKS.sub("", text)
    text = _EMPHASIS.sub("", text).replace("$", "").replace("\\(", "").replace("\\)", "")
    return same_turns(_BLANKS.sub(" ", text)).strip()


def same_turns(text: str) -> str:
    """Text in which the spellings of 'counterclockwise' are one."""
    return _TURNS.sub("counterclockwise", text)


def plain_words(text: str) -> str:
    """Text for comparing with an option: case, blanks and punctuation around it do not count."""
    text = unicodedata.normalize("NFKC", text).translate(_BRACKETS).casefold()
    text = " ".join(same_turns(text).split())
    return text.strip(" .,;:!?\"'`()[]\u3002\u3001") or text.strip()
