"""Preparation of a reply: thinking is split off and markup becomes plain text."""

import re
import unicodedata
from dataclasses import dataclass

from core.reply.thought import split_thought

LATIN = "A-Za-z0-9_\u00c0-\u024f"

LONGEST = 20_000  # characters; of longer replies, which loop, both ends are read

_CONTROL = re.compile(
    r"<\|(?!begin_of_box|end_of_box)[A-Za-z_\u2581]{2,30}\|>|</?s>|\[/?INST\]|<0x0A>"
    r"|<(?:pad|eos|bos|unk|image|video|end_of_turn)>|<start_of_turn>(?:\s*model\b)?"
)
# A label in the brackets of a template, 'Answer: <B>'; '<B>' before '</B>' is bold.
_ANGLED = re.compile(r"<([A-Z])>(?!.*</\1>)", re.DOTALL)
# Where a reply runs on into a turn of the person who asked, or into a question of its own.
_NEXT_TURN = re.compile(
    r"(?:^|\n)[ \t>#*]*(?:(?:next\s+)?question|user|human|instruction|prompt|q|问题|問題|質問)"
    r"[ \t]*(?:no\.?\s*)?\d{0,3}[ \t*]*[:\uff1a]"
    r"|(?:^|\n)[ \t]*(?:user|human)[ \t]*\n|[.!?\n][ \t]*Question(?:[ \t]+\d{1,3})?:"
    r"|(?:<\|(?:im_start|start_header_id)\|>|<start_of_turn>)\s*user|(?:^|\n)\s*\[INST\]",
    re.IGNORECASE,
)
_OWN_TURN = re.compile(r"(?:^|\n)[ \t]*(?:assistant|gpt)[ \t]*(?::|\n)|\[/INST\]", re.IGNORECASE)
# In lower case: a text in ASCII without any of these, and without a line that begins with 'q', has
# no other turn. Looking for words costs a tenth of what the patterns do, and most replies have one.
_TURN_WORDS = ("question", "user", "human", "instruction", "prompt", "assistant", "gpt", "inst]")
_MANY_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")
_TAGS = re.compile(
    r"<(answer|ans|final_answer|final|choice|option|output|response|conclusion|solution)\s*>"
    r"(.*?)(?:</\1\s*>|$)"
    r"|\[(ANSWER|ANS)\](.*?)(?:\[/\3\]|$)"
    r"|<\|begin_of_box\|>(.*?)(?:<\|end_of_box\|>|$)",
    re.IGNORECASE | re.DOTALL,
)
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{[^{}]{0,400}\}){0,2000})\}")
_JOINED_BOXES = re.compile(r"[\s$]{0,9}(?:or|and|,|/|&|oder|或|和)[\s$]{0,9}", re.IGNORECASE)
_LATEX = re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathit|textit|bf|rm)\s*\{([^{}]*)\}")
_ANSWER_TAG = re.compile(r"</?(?:answer|ans|final_answer|final)\s*>", re.IGNORECASE)
_HTML = re.compile(r"</?(?:b|strong|i|em|u|p|span|div|br|h\d|code|mark)\b[^<>]*>")
_TURNS = re.compile(r"\b(?:counter|anti)[- ]?clockwise\b", re.IGNORECASE)
# A single space is left alone: it would be put in its own place.
_BLANKS = re.compile(r"[^\S\n ][^\S\n]*| [^\S\n]+")
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
        unclosed: whether a thought under a heading may go on to the end of the text.
    """

    text: str
    source: str
    boxes: tuple[str, ...] = ()
    cut: str = ""
    unclosed: bool = False


def prepare(response: str) -> Reply:
    """The reply behind a raw response."""
    split = split_thought(response)
    response = split.answer if len(split.answer) <= LONGEST else _both_ends(split.answer)
    text = response if response.isascii() else _in_plain_letters(response)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    answer = _first_turn(text)
    if "<" in answer or "[" in answer:
        answer = _ANGLED.sub(r"(\1)", _CONTROL.sub(" ", answer))
    answer = _MANY_LINES.sub("\n\n", answer)
    boxes = tuple(plain_markup(box) for box in _boxes(answer))
    return Reply(plain_markup(answer), answer, boxes, split.cut, split.unclosed)


def _first_turn(text: str) -> str:
    """The model's own first turn, without the prompt before it or questions of its own after it."""
    if not _may_turn(text):
        return text
    turn, own = _NEXT_TURN.search(text), _OWN_TURN.search(text)
    echoed = turn is not None and not text[: turn.start()].strip()
    if own and (turn is None or echoed or own.start() <= turn.start()):
        text = text[own.end() :]
        turn = _NEXT_TURN.search(text)
    elif turn and echoed:
        turn = _NEXT_TURN.search(text, turn.end())
    if turn is None:
        return text
    return text[: turn.start() + (text[turn.start()] in ".!?")]


def _in_plain_letters(response: str) -> str:
    """A reply with compatibility forms, brackets and quotes as ASCII has them."""
    text = unicodedata.normalize("NFKC", response.translate(_DARK))
    if not text.isascii():
        text = "".join(c for c in text if not _unseen(c))
    if len(text) > LONGEST:  # one character may stand for eighteen
        text = _both_ends(text)
    return text.translate(_BRACKETS)


def _may_turn(text: str) -> bool:
    """Whether a text may hold another turn; False only where it surely holds none."""
    if not text.isascii():
        return True
    lowered = text.lower()
    if any(word in lowered for word in _TURN_WORDS):
        return True
    return "q" in lowered and any(
        line.lstrip(" \t>#*").startswith("q") for line in lowered.split("\n")
    )


def _both_ends(text: str) -> str:
    """The beginning and the end of a long text, cut between words."""
    half = LONGEST // 2 - 4
    beginning, ending = text[:half].rsplit(None, 1)[0], text[-half:].split(None, 1)[-1]
    return f"{beginning}\n...\n{ending}"


def _unseen(character: str) -> bool:
    """Whether a character shows nothing of its own: joiners, selectors, keycaps, lone halves."""
    kind = unicodedata.category(character)
    return kind in ("Cf", "Cs", "Me") or 0xFE00 <= ord(character) <= 0xFE0F


def _boxes(text: str) -> list[str]:
    contents = [(*m.span(), next((g for g in (m[2], m[4], m[5]) if g is not None), ""))
             for m in _TAGS.finditer(text)]  # fmt: skip
    contents += [(*m.span(), m[1]) for m in _BOXED.finditer(text)]
    boxes: list[str] = []
    ended = -1
    for start, end, content in sorted(contents):
        if not content.strip():
            continue
        if boxes and 0 <= ended <= start and _JOINED_BOXES.fullmatch(text, ended, start):
            content = f"{boxes.pop()} or {content}"
        boxes.append(content)
        ended = end
    return boxes


def plain_markup(text: str) -> str:
    """Text without Markdown, LaTeX and HTML marks, blanks around it or tags of answers."""
    # Each pattern needs the character that is asked for before it, and most replies have none.
    if "\\" in text:
        text = _BOXED.sub(r"\1", text)
        for _ in range(2):
            text = _LATEX.sub(r"\1", text)
    if "<" in text:
        text = _HTML.sub(" ", _ANSWER_TAG.sub(" ", text))
    if "~~" in text:
        text = _STRUCK.sub(" ", text)
    text = text.replace("&nbsp;", " ")
    if any(mark in text for mark in "-*+\u2022\u2013>#"):
        text = _LINE_MARKS.sub("", text)
    if any(mark in text for mark in "*_`"):
        text = _EMPHASIS.sub("", text)
    text = text.replace("$", "").replace("\\(", "").replace("\\)", "")
    return same_turns(_BLANKS.sub(" ", text)).strip()


def same_turns(text: str) -> str:
    """Text in which the spellings of 'counterclockwise' are one."""
    if text.isascii() and "clockwise" not in text.lower():
        return text
    return _TURNS.sub("counterclockwise", text)


def plain_words(text: str) -> str:
    """Text for comparing with an option: case, blanks and punctuation around it do not count."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_BRACKETS)
    text = " ".join(same_turns(text.casefold()).split())
    return text.strip(" .,;:!?\"'`()[]\u3002\u3001") or text.strip()
