"""Where a reply takes an answer back and gives another: 'B... no wait, C', 'not A but D'."""

import re
from functools import cache

from core.reply.choices import Choices, lower_case

# In lower case, for text in lower case.
_ALWAYS = (
    r"(?:wait|hold on|scratch that|strike that|correction|my mistake|my bad|i meant?"
    r"|i take that back|edit(?=\s*[:,])|erratum"
    r"|let me correct(?: myself| that)?|on second (?:thought|look)s?|make that"
    r"|or rather|sorry|oops|actually"
    r"|moment mal|nein,? moment|verzeihung|entschuldigung"
    r"|korrektur|besser gesagt|vielmehr|ich meine"
    r"|attends|attendez|pardon|désolée?|en fait|ou plutôt|je veux dire"
    r"|je me corrige"
    r"|espera|perd[óo]na?|corrección|en realidad|mejor dicho|quiero decir|más bien"
    r"|aspetta|scusa(?:te)?|correzione|anzi|volevo dire|desculpe?|correção|na verdade|aliás"
    r"|quero dizer"
    r"|wacht|correctie|eigenlijk|подожди(?:те)?|стоп|извините|простите|поправка|точнее|вернее"
    r"|на самом деле|czekaj|przepraszam|poprawka|właściwie|düzeltme|pardon|aslında|bekle"
    r"|khoan|xin lỗi|tunggu|maaf|ralat|sebenarnya)(?![A-Za-z\u00c0-\u024f])"
    r"|等等|等一下|不对|不對|更正|纠正|糾正|抱歉|对不起|對不起|说错了|說錯了|改为|改為|我改成"
    r"|待って|ちょっと待|すみません|ごめん|訂正|間違え(?:ました"
    r"|た)|違(?:う|います|いました)|やっぱり|やはり|正しくは"
    r"|잠깐만?|잠시만|죄송(?:합니다|해요)?|정정(?:합니다)?|수정(?:합니다)?"
    r"|아니다|عفوا|آسف|انتظر|تصحيح|रुको|माफ़? ?कीजिए|रुकिए"
)
# Words that deny something else more often than they take an answer back.
_SOMETIMES = (
    r"(?:no|nope|nein|non|não|nee|нет|hayır|nie|không|tidak)(?![A-Za-z\u00c0-\u024f'])"
    r"|不(?=[，,。.\s])|不是(?=[，,。.\s])|いや|いえ|いいえ|아니(?:요|야)?|아뇨|لا(?![\u0600-\u06ff])|नहीं"
)
_GAP = r"[\s.,;!?\u2026\u2013\u2014\u3001\u3002\uff0c~-]*"
_CORRECTION = re.compile(rf"(?<![A-Za-z\u00c0-\u024f])(?:(?P<sure>{_ALWAYS})|{_SOMETIMES}){_GAP}")
# That something is taken back, wherever in the reply.
RETRACTED = re.compile(
    r"\bwait(?:[,.!]|$)|\bactually,|\bcorrection:|\bon second (?:thought|look)|\bscratch that"
    r"|\bsorry[,.!]|\bhold on\b|\boops\b|等等|等一下|说错|說錯|待って|訂正|間違え|잠깐|정정"
    r"|\bnein,? Moment\b"
    r"|\bKorrektur\b|\battend(?:s|ez)[,!]|\besper[ae][,!]|\baspetta[,!]|подожди|стоп[,!]",
    re.IGNORECASE,
)
MOST = 200
_BEFORE = 160  # characters in which the answer that is taken back stands
_SENTENCE_ENDS = (*".,;!?\u2026\u2013\u2014-\n\u3002\u3001\uff0c)",)
_AFTER = re.compile(r"[)\]\"']*\s*[:=\uff1a]")


def corrections(choices: Choices, text: str) -> list[int]:
    """Where the new answer may begin, behind each place that takes an earlier one back.

    Of a reply that takes back hundreds of answers the last ones are looked at.
    """
    yes_or_no = {"yes", "no"} <= set(choices.plain)
    starts: list[int] = []
    runs: int | None = None
    for match in list(_CORRECTION.finditer(lower_case(text)))[-MOST:]:
        if not match["sure"] and yes_or_no:
            continue
        begin = max(0, match.start() - _BEFORE)
        # Several in a row, such as 'no, sorry, wait', take back what stands before the first.
        start = begin if runs != match.start() else max(0, begin - _BEFORE)
        runs = match.end()
        before = choices.label_here.search(text, start, match.start())
        if before is None and not choices.words_in(text[start : match.start()]):
            continue
        preceding = text[begin : match.start()].rstrip(" ")[-1:]
        listed = "\n" in text[match.start() : match.end()] and preceding in ("-", ".", "\n", ")")
        if not match["sure"] and (preceding not in _SENTENCE_ENDS or listed):
            continue  # 'there is no B'; 'A: no, B: yes' judges options one by one
        label = choices.label_here.match(text, match.end())
        if label and _AFTER.match(text, label.end()):
            continue
        starts.append(match.end())
    return starts


@cache
def not_but(letters: bool) -> re.Pattern[str]:
    """'not A but' where the other option follows, in Chinese, Japanese and Korean."""
    label = r"[(\[]?[A-Za-z][)\]]?" if letters else r"[(\[]?\d{1,2}[)\]]?"
    return re.compile(
        rf"(?:不是|并非|並非|并不是|並不是)\s*(?:选项|選項)?\s*{label}\s*[,\uff0c\u3001]?\s*"
        r"(?:而是|而|应该是|應該是|应是|是)\s*"
        rf"|{label}\s*(?:ではな(?:くて?|い)|でな(?:くて?|い)|じゃな(?:くて?|い))(?:です)?\s*[,\uff0c\u3001\u3002.]?\s*"
        rf"|{label}\s*(?:가|이)?\s*아니(?:라|고)\s*[,\uff0c\u3001]?\s*"
    )
