"""Replies that decline to answer, told apart by kind."""

import re

from core import spreadsheet

BLOCKED = "blocked for safety"

# In this order: what blocks a model, then what it lacks, then what it does not know.
KINDS: dict[str, re.Pattern[str]] = {
    BLOCKED: re.compile(
        r"\bSAFETY\b|\bPROHIBITED_CONTENT\b|\bRECITATION\b|content[_ ](?:policy|filter)"
        r"|blocked by|safety (?:policy|policies|guidelines|filters?)"
        r"|(?:can't|cannot|can not|won't|unable to|not able to) (?:assist|help|comply|fulfil+"
        r"|engage|provide (?:that|this|assistance))"
        r"|against my (?:guidelines|programming)|(?:无法|不能)(?:协助|提供帮助)"
    ),
    "will not identify people": re.compile(
        r"(?:can't|cannot|can not|won't|unable to|not able to|don't)[^.!?\n]{0,30}(?:identify"
        r"|recognize|recognise|name|reveal)[^.!?\n]{0,30}"
        r"(?:people|persons?|individuals?|someone|anyone|faces?|identity|identities|who)",
        re.IGNORECASE,
    ),
    "cannot see the video": re.compile(
        r"(?:can't|cannot|can not|unable to|not able to|don't have the (?:ability"
        r"|capability) to|couldn't|could not)\s+(?:\w+ly\s+)?"
        r"(?:view|see|watch|access|open|play|process|analy[sz]e|load|directly (?:view|see"
        r"|watch))[^.!?\n]{0,40}(?:videos?|images?|frames?|clips?|files?|content|attachments?"
        r"|visual)"
        r"|(?:no|any) (?:video|image|frames?|clip)s?[^.!?\n]{0,20}(?:provided|attached"
        r"|available|included|uploaded|given)"
        r"|(?:video|image|clip|frames?)s?[^.!?\n]{0,20}(?:(?:was|were|is|are) not|wasn't"
        r"|weren't|isn't|aren't|hasn't been|not been)[^.!?\n]{0,10}(?:provided|attached"
        r"|available|included|uploaded|visible|given)"
        r"|(?:text-based|language) (?:ai|model)[^.!?\n]{0,60}(?:can't|cannot|unable)|(?:provide"
        r"|upload|share|attach) (?:the|a|your) (?:video|image|frames?|clip)"
        r"|(?:don't|do not) (?:see|have) (?:a|any|the|access to)[^.!?\n]{0,20}(?:video|image"
        r"|frames?|clip)"
        r"|(?:无法|不能|看不到)[^。]{0,6}(?:视频|图像|图片)",
        re.IGNORECASE,
    ),
    "none of the options": re.compile(
        r"none of (?:the |these |those )?(?:above|options?|choices|answers?|captions?"
        r"|descriptions?|given|provided|listed|them|these)"
        r"|neither (?:of the )?(?:options?|captions?|sentences?|descriptions?)"
        r"|no(?:ne)? (?:correct|right|valid|suitable|matching) (?:option|answer|choice)"
        r"|^none\b[.!]?$|以上都不|都不对|没有正确",
        re.IGNORECASE,
    ),
    "cannot tell": re.compile(
        r"(?:impossible|not possible|difficult|hard|unable|insufficient|not able"
        r"|unclear how)[^.!?\n]{0,30}\bto\b[^.!?\n]{0,30}(?:tell|determine|say|know|answer"
        r"|infer|judge|decide|ascertain|conclude|identify|discern)"
        r"|(?:can't|cannot|can not|couldn't|could not|unable to)[^.!?\n]{0,20}(?:tell|determine"
        r"|be (?:sure|certain|determined|decided|answered|inferred|told)|say|decide|judge"
        r"|answer|infer|identify|conclude)"
        r"|(?:not|isn't|insufficient|lack of|lacks|without)[^.!?\n]{0,12}(?:enough|sufficient"
        r"|adequate|the necessary)?\s*(?:information|context|evidence|detail)\b"
        r"|(?:question|video|answer|image)s? (?:is|are) (?:too )?(?:unclear|ambiguous|not clear"
        r"|blurry)"
        r"|(?:does|do) not (?:provide|contain|show|give) (?:enough|sufficient"
        r"|any) (?:information|context|detail)"
        r"|无法(?:确定|判断|回答)|不能确定|ne peut pas|nicht (?:bestimmen|sagen)"
        r"|no se puede determinar",
        re.IGNORECASE,
    ),
    "does not know": re.compile(
        r"\b(?:I|we)(?: really)? (?:don't|do not) know\b|\b(?:I'm|I am|am) (?:not sure|unsure"
        r"|uncertain)|\bno idea\b|^(?:unknown|unsure|not sure|idk)\b[.!]?$"
        r"|不知道|weiß (?:ich )?(?:es )?nicht|je ne sais pas|no lo sé",
        re.IGNORECASE,
    ),
    "gives no answer": re.compile(
        r"^(?:n/?a|not applicable|no (?:answer|response|output|reply)|none|null|nil|nan"
        r"|skip(?:ped)?|unanswerable|-+)[.!]?$"
        r"|^(?:I'm |I am )?(?:sorry|apologi[sz]e)\b[^a-z]*$|^(?:i'm |i am )?sorry\b|I apologi[sz]e",
        re.IGNORECASE,
    ),
}  # fmt: skip

# Behind a word that would else be an answer: 'No, I don't know'.
NOT_KNOWN = re.compile(
    r"\W*(?:(?:I|we)(?: really)? (?:don't|do not|can't|cannot) (?:know|tell|say|see)"
    r"|(?:I'm|I am) not sure|not sure|no idea)\W*",
    re.IGNORECASE,
)

# What harnesses write where no reply came: there is nothing to read in it.
_FAILED = re.compile(
    r"^(?:failed to (?:obtain|generate|get|call|fetch)\b|(?:api|rate ?limit|timeout|http"
    r"|internal server|connection|openai|value|runtime|key)?_?\s?error\b|traceback \(most"
    r"|exception\b|timed? ?out\b|request (?:failed|timed out)|-1$|cuda out of memory|\[?error\]?:)",
    re.IGNORECASE,
)


def refusal(text: str) -> str:
    """The kind of refusal that a plain reply holds; '' if it holds none."""
    return next((kind for kind, pattern in KINDS.items() if pattern.search(text.strip())), "")


def failed_call(response: str) -> bool:
    """Whether a stored response says that no reply came or was kept, such as '-1' and '#NAME?'."""
    text = response.strip()
    return text in spreadsheet.ERRORS or _FAILED.match(text) is not None
