"""Split what a model thinks from what it answers, for every reader of replies.

Models mark their thinking in many ways, and new ones keep coming: tags are recognised by how they
are built and by the kind of their name, not by a list of names. What stands in a thought is never
an answer, also where the thought was cut off before it ended.
"""

import re
from dataclasses import dataclass

NOTHING_FOLLOWS = "nothing follows the thinking"
CUT_OFF = "cut off in the middle of thinking"

_NAME = re.compile(
    r"think|thought|(?<!un)reason(?!s$|able)|analy[sz]|scratch|monolog|reflect|deliberat|rationale"
    r"|ponder|思考|思路|推理|chain_?of|(?<![a-z])cot(?![a-z])|(?<![a-z])(?:inner|internal|plan|planning|unused94"
    r"|unused95)(?![a-z])",
)
_BEGIN = r"(?:<|&lt;|&\#60;|\\<|\\u003[cC]|\uff1c|\u25c1|\u27e8|\u3008|\[|\u3010|\\\[)"
_END = r"(?:>|&gt;|&\#62;|\\>|\\u003[eE]|\uff1e|\u25b7|\u27e9|\u3009|\]|\u3011|\\\])"
_TAG = re.compile(
    rf"{_BEGIN}\s*(?P<slash>\\?/)?\s*\|?\s*(?P<slash_inside>/)?\s*"
    r"(?P<name>[A-Za-z][\w:.\- ]{2,40}?|[\u4e00-\u9fff]{2,6})"
    r"(?:\s+[\w:\-]+\s*=\s*(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s<>\]]{1,200})){0,6}"
    rf"\s*\|?\s*/?{_END}",
)
# What some models write in tags before they answer; a thought only where it ends and more follows.
_BEFORE_ANSWER = re.compile(
    r"observ|assess|evaluat|summar|caption|descri|evidence|context|explan|justif|verif|examin"
    r"|perception|grounding|understand"
)
_PLAIN_TAG = re.compile(r"<(?P<slash>/)?(?P<name>[A-Za-z_]{3,30})\s*>")
# Gemma's channels have no message mark: `<|channel>thought ... <channel|>`.
_ONE_SIDED = re.compile(r"<\|channel>\s*(?:thought|thinking|analysis)|(?P<close><channel\|>)", re.I)
_CHANNEL = re.compile(r"<\|?(?:channel|start_channel)\|?>")
_MESSAGE = re.compile(r"<\|?message\|?>")
_MESSAGE_END = re.compile(r"<\|?(?:end|return|call|start|channel)\|?>")
_STRIPPED = re.compile(r"\s*(?:assistant)?analysis(?=[A-Z\"'(\u2018\u201c\n:]|<\|message)")
_FINAL = re.compile(r"(?:assistant|<\|start\|>assistant)\s*final(?:<\|message\|>)?\s*:?")
_FENCE = re.compile(
    r"```[ \t]*(?:thinking|think|thoughts?|reasoning|scratchpad)[ \t]*\n"
    r".*?(?:\n```[ \t]*(?=\n|\Z)|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_FOLDED = re.compile(r"<details\b[^<>]*>(?P<inside>.*?)(?:</details\s*>|\Z)", re.DOTALL | re.I)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MARKS = r"[ \t>#*_\-=\d.)\U0001f4ad\U0001f914]*"
_HEADING = re.compile(
    rf"\s*{_MARKS}(?:(?:here(?:'s| is)|this is|start of|begin)\s+)?"
    r"(?:(?:my|the|a|an|step-by-step)\s+)?"
    r"(?P<name>thinking(?:[ _]process)?|thoughts?(?:[ _]process)?|chain[- _]of[- _]thoughts?"
    r"|(?:internal|inner)[ _](?:monologue|thoughts?|reasoning)|scratch[- ]?pad"
    r"|reasoning(?:[ _]process)?"
    r"|analysis|deliberation|rationale|思考(?:过程|過程)?|思路|推理(?:过程|過程)?)"
    r"[ \t]*[*_]*[ \t]*(?P<after>[:\uff1a]|\.\.\.|\u2026|(?=\n))[ \t*_]*",
    re.IGNORECASE,
)
# A heading of these kinds begins a thought even where no heading of an answer ends it.
_SURELY = re.compile(r"think|thought|chain|internal|inner|scratch|思考", re.IGNORECASE)
_ANSWER_HEADING = re.compile(
    rf"^{_MARKS}(?:(?:here(?:'s| is)|so)[ \t]+)?(?:(?:my|the)[ \t]+)?"
    r"(?:(?:final|best|correct|short|actual)[ \t]+)?"
    r"(?:answer|response|output|result|conclusion|reply|verdict|decision|final|solution"
    r"|(?:最终|最終)?(?:答案|回答|结论|結論|回复))[ \t]*[*_]*[ \t]*(?:[:\uff1a]|(?=\n|\Z))"
    r"|^[ \t.*\u2026]*(?:done thinking|end of (?:thinking|thoughts?|reasoning))\b[. \t*]*$",
    re.IGNORECASE | re.MULTILINE,
)
_TAGGED_ANSWER = re.compile(
    r"<(answer|ans|final_answer|final|choice|option|output|response|conclusion)\s*>"
    r"[^<>]{0,400}</\1\s*>\s*\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Split:
    """A reply taken apart.

    Attributes:
        answer: what stands outside of thoughts, as written.
        thought: whether there was a thought.
        cut: why there is no answer, such as a thought that never ends; '' if there may be one.
        unclosed: whether `answer` still holds a thought under a heading that no heading of an
            answer ends: then only what stands at its very end can be the answer.
    """

    answer: str
    thought: bool = False
    cut: str = ""
    unclosed: bool = False


def split_thought(response: str) -> Split:
    """The answer of a raw reply, apart from its thinking; in linear time.

    Understood are channels (`<|channel|>analysis<|message|>`, also with their special tokens
    stripped: 'analysis...assistantfinal...'), tags in any brackets with prefix, blanks or
    attributes (`<seed:think>`, `[THINK]`, `<thinking effort="high">`, `&lt;think&gt;`), fenced or
    folded blocks, and plain headings ('Thinking:' ... 'Answer:').
    """
    for reader in (_by_channels, _by_stripped_channels, _by_tags, _by_parts):
        split = reader(response)
        if split is not None:
            return split
    return _by_heading(response)


def _ended(answer: str) -> Split:
    """What follows a thought."""
    return Split(answer, True, "" if answer.strip() else NOTHING_FOLLOWS)


def _by_channels(text: str) -> Split | None:
    if not _CHANNEL.search(text) or not _MESSAGE.search(text):
        return None
    before, *parts = _CHANNEL.split(text)
    finals: list[str] = []
    for part in parts:
        name, message = part.lstrip()[:40], _MESSAGE.search(part)
        if name.lower().startswith("final"):
            content = part[message.end() :] if message else ""
            finals.append(_MESSAGE_END.split(content, maxsplit=1)[0])
    if finals:
        return _ended(finals[-1])
    plain = re.sub(r"<\|[^|<>]{1,40}\|>\s*(?:assistant)?", "", before)
    return Split(plain, True, "" if plain.strip() else CUT_OFF)


def _by_stripped_channels(text: str) -> Split | None:
    begins = _STRIPPED.match(text)
    if begins is None:
        return None
    final = _last(_FINAL, text)
    if final:
        return _ended(text[final.end() :])
    # 'Analysis' as a heading of its own may be that of a written answer.
    glued = text[begins.end() : begins.end() + 1] not in ("\n", ":")
    return Split("", True, CUT_OFF) if glued else None


def _by_tags(text: str) -> Split | None:
    kept: list[str] = []
    open_names: list[str] = []
    position, seen, inside = 0, False, 0
    for start, end, name, closes in _thought_marks(text):
        seen = True
        if not closes:
            if not open_names:
                kept.append(text[position:start])
                inside = end
            if name not in open_names:
                open_names.append(name)
            continue
        if open_names:
            del open_names[open_names.index(name) if name in open_names else -1 :]
        else:
            kept.clear()  # the beginning of the thought stood in the prompt
        position = end
    if not seen:
        return None
    if not open_names:
        return _ended("".join([*kept, text[position:]]))
    outside = "".join(kept)
    if outside.strip():
        return Split(outside, True)
    tagged = _TAGGED_ANSWER.search(text, max(inside, len(text) - 1000))
    return Split(tagged[0], True) if tagged else Split("", True, CUT_OFF)


def _by_parts(text: str) -> Split | None:
    """What stands behind parts in tags such as `<observation>`; None where nothing does."""
    kept: list[str] = []
    name, position = "", 0
    for tag in _PLAIN_TAG.finditer(text):
        tag_name = tag["name"].lower()
        if not name and not tag["slash"] and _BEFORE_ANSWER.search(tag_name):
            kept.append(text[position : tag.start()])
            name, position = tag_name, tag.start()
        elif name and tag["slash"] and tag_name == name:
            name, position = "", tag.end()
    kept.append(text[position:])
    if name or len(kept) == 1 or not kept[-1].strip():
        return None
    return Split("".join(kept), True)


def _thought_marks(text: str) -> list[tuple[int, int, str, bool]]:
    """Start, end, name of each mark of a thought, and whether it closes one."""
    marks: list[tuple[int, int, str, bool]] = []
    for tag in _TAG.finditer(text):
        name = re.sub(r"[\s\-]+", "_", tag["name"].strip().lower())
        if not _NAME.search(name) or (tag[0][0] == "[" and not _bracketed(text, tag, name)):
            continue
        plain = re.sub(r"^(?:start|begin|end)_(?:of_)?|_?(?:start|begin|end)$", "", name)
        closes = bool(tag["slash"] or tag["slash_inside"] or name == "unused95")
        closes = closes or name.startswith("end") or name.endswith(("_end", "end_of"))
        marks.append((tag.start(), tag.end(), plain.removesuffix("95").removesuffix("94"), closes))
    for mark in _ONE_SIDED.finditer(text):
        marks.append((mark.start(), mark.end(), "channel", bool(mark["close"])))
    for pattern in (_FENCE, _FOLDED, _COMMENT):
        for block in pattern.finditer(text):
            if pattern is _FENCE or _NAME.search(block[0][:200].lower()):
                marks.append((block.start(), block.start(), "block", False))
                if block[0].rstrip().lower().endswith(("\n```", "</details>", "-->")):
                    marks.append((block.end(), block.end(), "block", True))
    return sorted(marks)


def _bracketed(text: str, tag: re.Match[str], name: str) -> bool:
    """Whether a word in square brackets is a mark: it begins the text, is in capitals or closes."""
    if tag["slash"] or tag["slash_inside"] or tag["name"].isupper():
        return True
    return not text[: tag.start()].strip() and len(name) < 20


def _by_heading(text: str) -> Split:
    heading = _HEADING.match(text)
    if heading is None:
        return Split(text)
    answer = _last(_ANSWER_HEADING, text, heading.end())
    if answer is not None:
        kept = text[answer.end() if "done" in answer[0].lower() else answer.start() :]
        return _ended(kept) if kept.strip() else Split("", True, NOTHING_FOLLOWS)
    if _SURELY.search(heading["name"]):
        return Split(text[heading.end() :], True, unclosed=True)
    return Split(text)


def _last(pattern: re.Pattern[str], text: str, start: int = 0) -> re.Match[str] | None:
    last_match: re.Match[str] | None = None
    for match in pattern.finditer(text, start):
        last_match = match
    return last_match
