"""Where a reply declares its answer: 'the answer is', 'Antwort:', 'B is correct', 'I choose'."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from core.reply.choices import Choices, lower_case
from core.reply.corrections import MOST, corrections, not_but
from core.reply.mentions import denied_after
from core.reply.statement import NOUN, Stated, after_label, list_end, stated_at

_ANSWER = (
    r"(?:answers?|ans\.?|solution|prediction|verdict|conclusion|decision|selection|guess|response"
    r"|antwort|lösung|respuesta|réponse|reponse|risposta|resposta|antwoord|svar(?:et)?|vastaus"
    r"|odpowiedź|odpověď|odpoveď|ответ|відповідь|jawaban(?:nya)?|jawapan|cevap|yanıt|válasz|răspuns"
    r"|đáp án|câu trả lời|คำตอบ|απάντηση|תשובה|התשובה|الإجابة|الجواب|उत\u094dतर)(?![A-Za-z])"
    r"|答案|答え|回答|正解|解答|答复|正确选项|正確選項|정답|답변|답"
)
_GOOD = (
    r"(?:correct|right|best|better|final|chosen|selected|true|accurate|matching|likely|suitable"
    r"|appropriate|plausible|probable|fitting|closest|most|my|only|richtige|korrekte|correcta|bonne"
    r"|正确的?|正確な|最佳)"
)
_THING = (
    r"(?:options?|choices?|ones?|captions?|sentences?|descriptions?|match|letters?|statements?"
    r"|candidates?|alternatives?|action|event|order|sequence|direction|term|word|fit|opción|option"
    r"|选项|選項|选择|選択肢)(?![A-Za-z])"
)
_CHINESE_BEST = r"最(?:有可能|可能|合适|恰当|佳|符合|接近|好)的?(?:答案|选项|選項|是)"
# In lower case, for text in lower case: these look at every character of a reply.
_CUE = re.compile(
    rf"(?:\b{_ANSWER}|\b(?:opci[oó]n|opção|alternativa|opzione|option)\s+(?:corr?ecta|correta|corretta"
    rf"|correcte|certa)\b|(?:\b{_GOOD}\s+){{1,3}}(?:possible\s+)?{_THING}"
    rf"|{_CHINESE_BEST}"
    r"|(?:^|\n)\s*(?:option|choice|letter|final|correct|result|assistant|model)\s*(?=[:=]))",
)
_VERB = re.compile(
    r"\b(?:i(?:'d| would| will|'ll| must)?\s+(?:\w+ly\s+)?(?:choose|pick|select|say|answer"
    r"|go with|opt for|vote for|chose|guess|prefer)"
    r"|(?:choose|pick|select|selecting|choosing|go with|going with|opt for|settle on"
    r"|i'm choosing|my pick is|my choice is))\b"
    r"|我选|我选择|应选|故选|选择|選擇|(?<![\u4e00-\u9fff])[选選](?=\s*[(\uff08]?[a-z])"
    r"|\bmeine wahl (?:fällt auf|ist)\b|\bcreo que (?:es|la)\b|\bje (?:choisis|dirais)\b"
    r"|\bich (?:wähle|nehme|würde sagen)\b|\belijo\b",
)
_WEAK = re.compile(
    r"(?:\bi\s+(?:think|believe|am confident|am sure|suspect)(?:\s+(?:that|it|this|the answer))*"
    r"|\b(?:it|this|that)(?:'s| is| must be| should be| has to be)"
    r"|\b(?:so|therefore|thus|hence|consequently|final)\b[,:]?(?:\s+(?:it|this|that)(?:'s| is"
    r"| must be))?"
    r"|\b(?:that|this|which)(?: only)? leaves\b(?: us| only| just| with)*"
    r"|\bc'est\b(?: la réponse\b)?|\brichtig ist\b(?:\s+(?:daher|also|somit|deshalb|demnach))?"
    r"|=>|->|\u2192|\u21d2|所以|因此|故)",
)
_COPULA = re.compile(
    r"\b(?:is|are|was|would be|should be|must be|will be|to be|be|ist|est|es|è|é"
    r"|adalah|ialah)\b\s*:?|[:=]"
    r"|\s(?:هي|هو)\s"
    r"|(?<!不)是|为|為|は|은|는",
    re.IGNORECASE,
)
_BAD_BEFORE = re.compile(
    r"(?:\bnot|n't|\bnever|\bincorrect|\bwrong|\bno|\bpossible|\bif|\bwhether|\bfalse|\bneither"
    r"|\banother)"
    r"(?:\s+(?:the|a|an|be|my|one of the|among the|of the))*\s*$",
    re.IGNORECASE,
)
# Each word that `_BAD_BEFORE` looks for has one of these in it.
_BAD_WORDS = ("no", "n't", "never", "incorrect", "wrong", "possible", "if", "whether", "false",
              "neither")  # fmt: skip
_MAYBE = re.compile(
    r"^\s*(?:could|might|may|can|cannot|can't)\b(?!\s+(?:only|simply|just))", re.IGNORECASE
)
_IS_RIGHT = re.compile(
    r"[)\]\"'.]*\s*(?:(?:is|are|was|seems|appears|looks|must be|should be"
    r"|would be)\s+(?:to be\s+)?(?P<no>not\s+|n't\s+)?"
    r"(?:clearly\s+|definitely\s+|indeed\s+|also\s+|therefore\s+|thus\s+|likely\s+|probably\s+)*"
    rf"(?:(?:the|my)\s+)?(?:(?:{_GOOD}\s*)+(?:answer|option|choice|one|match|response"
    rf"|description|caption|sentence)?|answer)\b"
    r"|\s*it is(?=\W*$|[.!\n])"
    r"|(?:best\s+)?(?:fits|matches)\b(?:\s+best)?"
    r"|best\s+describes\b|describes\b[^.!?\n]{0,40}\b(?:best|most accurately)\b"
    r"|(?:都|才)?(?:是|才是)?(?:正确|正確|对的|對的|对(?!于|比|面|手)|正解)"
    r"|(?:最)?(?:符合|合适|恰当)"
    r"|(?:が|は)?\s*(?:正しい|正解|最も適切|適切)|(?:이|가|은|는)?\s*(?:맞|정답|옳))",
    re.IGNORECASE,
)
_ALL_BUT = re.compile(
    rf"\b(?:all|every|each|any)\s+(?:other\s+)?{NOUN}\s+(?:except|but|other than|apart from)"
    rf"\s+(?:for\s+)?(?:{NOUN}\s+)?"
    r"[(\[\"']?(?P<label>[A-Za-z]|\d{1,2})\b[)\]\"']*[^.!?,\n]{0,12}\b(?:wrong|incorrect|false|excluded"
    r"|eliminated|discarded|ruled out|dismissed|rejected)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(
    rf"(?:\b[A-Z][)\]]?\s*(?:and|or|,|/|&|和|与|與|跟|及|と|や|も|、|와|과)|\b(?:neither|nor|if|whether))\s*(?:{NOUN}\s+)?[(\[]?$",
    re.IGNORECASE,
)
_NOT = re.compile(r"\s*(?:it(?:'s| is)\s+)?(?=(?:not|nicht|pas|no\s+es)\s)", re.IGNORECASE)
_ONLY_IF = re.compile(r"[)\]\"']*\s+(?:only\s+)?(?:if|unless|over)\b", re.IGNORECASE)
_QUESTION_ENDS = re.compile(r"[)\]\"'.]*\s*\?")
_QUESTION_BEGINS = re.compile(
    r"(?:^|[.!?\n])\s*(?:should|shall|do|does|could|would|can|may|is|are|which|what)\b[^.!?\n]*$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n\u3002]*")
_GAP = re.compile(r"[)\]\"'.:]*\s*")
_WOULD = re.compile(r"\bwould\b|'d\b", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"(?:^|[.!?\n])\s*(?:(?:but|so|and)\s+)?if\b(?!\s+(?:(?:I|we|one)\s+(?:had|have|has|must|were"
    r"|was)\s+to|forced|pressed|you ask)\b)[^,.!?\n]*\b(?:had|were|was|could|did|would|\w+ed)\b"
    r"[^.!?\n]*,\s*(?:then\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)
# 'To find the answer, let's look at each option:' is followed by a list, not by an answer.
_ANALYSIS = re.compile(
    r"\b(?:let's|let us|let me|we (?:need|must|have|should|can|will)|I (?:need|will|must|have)|I'll"
    r"|analy[sz]|consider|examin|evaluat|compar|check|review|look at|go (?:through|over)|break down"
    r"|(?:each|every|all|these|the (?:given|following|four|available)) (?:of the )?options"
    r"|options are|step by step|eliminat|depend|var(?:y|ies)\b)",
    re.IGNORECASE,
)
_ARROWS = ("=>", "->", "\u2192", "\u21d2")
_REACH = 90


@dataclass(frozen=True, slots=True)
class Declaration:
    """One place where an answer is declared.

    Attributes:
        end: where the statement ends.
        stated: what.
        quotation: the reply's own words there.
    """

    end: int
    stated: Stated
    quotation: str


def declarations(choices: Choices, text: str) -> list[Declaration]:
    """All places where a reply declares its answer, in the order of the text."""
    option_spans, lowered = choices.words_in(text), lower_case(text)
    by_end: dict[int, Declaration] = {}
    for pattern, strong in ((_CUE, True), (_VERB, True), (_WEAK, False)):
        for cue in pattern.finditer(lowered):
            if _inside(option_spans, cue.start(), cue.end()):
                continue
            if _denied_before(text, lowered, cue.start()) or _in_chain(choices, text, cue):
                continue
            stated = _after(choices, text, cue, strong=strong, reach=pattern is _CUE)
            if stated is None or (stated.by_words and not strong):
                continue
            if denied_after(text, list_end(choices, text, stated.end, by_words=True)):
                continue
            if _ONLY_IF.match(text, stated.end) or _is_asked(text, cue.start(), stated.end):
                continue
            if _is_supposed(text, cue.start(), stated.end):
                continue
            if _heads_a_list(choices, text, cue.end(), stated):
                continue
            if stated.end not in by_end:
                quotation = _quoted(text, cue.start(), stated.end)
                by_end[stated.end] = Declaration(stated.end, stated, quotation)
    for end, declaration in (*_called_right(choices, text), *_corrected(choices, text)):
        by_end.setdefault(end, declaration)
    return [by_end[end] for end in sorted(by_end)]


def _denied_before(text: str, lowered: str, start: int) -> bool:
    """Whether words such as 'not' or 'if' stand right before a cue."""
    begin = max(0, start - 40)
    if text.isascii():
        before = lowered[begin:start]
        if not any(word in before for word in _BAD_WORDS):
            return False
    return _BAD_BEFORE.search(text, begin, start) is not None


def _in_chain(choices: Choices, text: str, cue: re.Match[str]) -> bool:
    """Whether an arrow leads from one label to another: 'A \u2192 B \u2192 C' is an order."""
    if cue[0] not in _ARROWS:
        return False
    preceding = text[max(0, cue.start() - 6) : cue.start()].rstrip(" )]")
    labels = list(choices.label_here.finditer(preceding))
    return bool(labels) and labels[-1].end() == len(preceding)


def _heads_a_list(choices: Choices, text: str, start: int, stated: Stated) -> bool:
    """Whether what follows a cue on a new line is the first of the options, and all follow."""
    if stated.indices != (0,) or "\n" not in text[start : stated.end]:
        return False
    label = choices.label_here.search(text, stated.end, stated.end + 80)
    if label is None or "\n" not in text[stated.end : label.start()]:
        return False
    if choices.by_label.get(label[1].upper()) != 1:
        return False
    return after_label(choices, text, label.end(), 1)[0] > label.end()


def _is_asked(text: str, start: int, end: int) -> bool:
    """Whether a declaration stands in a question: 'Should I choose B?'."""
    if not _QUESTION_ENDS.match(text, end):
        return False
    return _QUESTION_BEGINS.search(text, max(0, start - 60), start) is not None


def _is_supposed(text: str, start: int, end: int) -> bool:
    """Whether a declaration is said of what is not so: 'If he had a ball, I would choose B'."""
    if _WOULD.search(text, start, end) is None:
        return False
    return _SUPPOSED.search(text, max(0, start - 120), start) is not None


def _inside(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a stretch lies in one of some spans, which are in order and do not overlap."""
    at = bisect_right(spans, (start, end + 1)) - 1
    near = spans[max(0, at) : at + 2]
    return any(begins <= start and end <= ends for begins, ends in near)


def _corrected(choices: Choices, text: str) -> list[tuple[int, Declaration]]:
    """Answers that replace an earlier one: 'B... no wait, C', 'not A but D'."""
    starts = corrections(choices, text)
    if not text.isascii():  # each of these has a character of Chinese, Japanese or Korean
        starts += [match.end() for match in not_but(choices.letters).finditer(text)][-MOST:]
    starts += [match.end()] if (match := _NOT.match(text)) else []
    results: list[tuple[int, Declaration]] = []
    for start in starts:
        stated = stated_at(choices, text, start, strong=True)
        if stated and (stated.indices or stated.clash) and not denied_after(text, stated.end):
            quotation = _quoted(text, max(0, start - 20), stated.end)
            results.append((stated.end, Declaration(stated.end, stated, quotation)))
    return results


def _after(
    choices: Choices, text: str, cue: re.Match[str], *, strong: bool, reach: bool
) -> Stated | None:
    """What stands right behind a cue, or behind the next 'is' or colon of the same sentence."""
    if _MAYBE.match(text[cue.end() : cue.end() + 30]):
        return None
    stated = stated_at(choices, text, cue.end(), strong=strong)
    if stated or not reach:
        return stated
    sentence = _SENTENCE.match(text, cue.end(), cue.end() + _REACH)
    end = sentence.end() if sentence else cue.end()
    for copula in _COPULA.finditer(text, cue.end(), end):
        if _ANALYSIS.search(text, cue.end(), copula.end()):
            return None
        stated = stated_at(choices, text, copula.end(), strong=strong)
        if stated:
            return stated
    return None


def _called_right(choices: Choices, text: str) -> list[tuple[int, Declaration]]:
    """Labels that the reply calls right: 'option B is correct', 'all but B are wrong'."""
    results: list[tuple[int, Declaration]] = []
    for match in _ALL_BUT.finditer(text):
        index = choices.by_label.get(match["label"].upper())
        if index is not None:
            stated = Stated((index,), match.end())
            quotation = _quoted(text, match.start(), match.end())
            results.append((match.end(), Declaration(match.end(), stated, quotation)))
    for label in choices.label_here.finditer(text):
        index = choices.by_label.get(label[1].upper())
        if index is None or (label[1].islower() and text[: label.start()][-1:] != "("):
            continue
        gap = _GAP.match(text, label.end())
        match = _IS_RIGHT.match(text, label.end())
        if match is None and gap:
            option = choices.words_at(text, gap.end())
            match = _IS_RIGHT.match(text, option[1]) if option else None
        if match is None or match["no"] or joined_before(text, label.start()):
            continue
        stated = Stated((index,), match.end())
        results.append(
            (
                match.end(),
                Declaration(match.end(), stated, _quoted(text, label.start(), match.end())),
            )
        )
    return results


def joined_before(text: str, start: int) -> bool:
    """Whether another label is joined to this one, or it is denied: 'A and B are right'."""
    return _JOINED.search(text[max(0, start - 30) : start]) is not None


def _quoted(text: str, start: int, end: int) -> str:
    quotation = " ".join(text[start:end].split())
    return quotation if len(quotation) <= 80 else "\u2026" + quotation[-79:]
