"""Options that speak of others, and orders in which options are shown."""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.lot import drawn_by_lot
from core.question.words import folded

_LETTER = r"\(?[a-h]\)?"
_PLACE = r"\(?(?:[a-h]|\d)\)?"
_AND = r"\s*(?:,|and|or|nor|&)\s*"
_OTHERS = re.compile(
    r"\b(?:all|none|neither|any|both|either|two|some)\s+(?:of\s+)?(?:the|these|those)?\s*"
    r"(?:above|below|others?|options?|answers?|choices?|previous)\b"
    rf"|\b(?:both|neither|either|only|options?|answers?|choices?)\s*{_PLACE}{_AND}{_PLACE}(?!\w)"
    r"|\ball of (?:these|them|the above)\b|\bnone of (?:these|them|the above)\b"
    rf"|\b{_LETTER}\s*(?:and|&)\s*{_LETTER}$"
    rf"|^{_LETTER}\s*(?:or|\+|/)\s*{_LETTER}$"
    rf"|^(?:only|just|options?|answers?|choices?|same as)\s*{_LETTER}(?:\s+only)?$"
    rf"|^{_LETTER} only$"
    r"|^(?:both|neither|either|any) of (?:them|these|those)$"
    r"|^(?:all|both|none|neither) (?:\w+ )?(?:is|are) (?:\w+ )?"
    r"(?:correct|right|true|wrong|false|incorrect|possible)$"
    r"|^(?:none|all|both|neither|either)$"
)
# Options in other languages that mean others: Chinese, Japanese and Korean, then the rest.
_ELSEWHERE = re.compile(
    r"^(?:以上|上述|上記|下記|위의?\s|보기\s)"
    r"|^(?:全部|都|皆|均|全)(?:不|不是|是|对|對|不对|正确|正確|错误)$"
    r"|^(?:两者|兩者|二者|両方|両者|どちら[もで]|どれも|いずれ|すべて正|全て正)"
    r"|^(?:모두|둘 다|해당 없음|정답 없음)"
    r"|[a-h]\s*(?:和|与|與|及|跟|、|と|와|과)\s*[a-h]"
    r"|\b(?:keine[rs]?|alle[s]?|beide[s]?) (?:de[rs] |die )?"
    r"(?:oben\w*|obigen|vorherigen|vorstehenden|genannten|antworten)\b"
    r"|\b(?:ningun[oa]?|tod[oa]s?|ambas?) (?:de )?(?:l[oa]s )?"
    r"(?:anteriores|opciones|respuestas|mencionad[oa]s)\b"
    r"|\b(?:nenhum[a]?|tod[oa]s) (?:d?[oa]s )?(?:anteriores|opcoes|opções|alternativas|respostas)\b"
    r"|\b(?:aucune?|toute?s) (?:de ces |des |les )"
    r"(?:reponses|réponses|propositions|options|choix)\b"
    r"|\b(?:nessun[ao]?|tutt[ei]) (?:dell?e |le )(?:precedenti|risposte|opzioni)\b"
    r"|^(?:ничего|ни один|ни одно|все) (?:из )?(?:выше)?(?:перечисленн|указанн|вариант)"
)


@lru_cache(maxsize=16_384)
def names_others(option: str) -> bool:
    """Whether an option speaks of others: 'Both A and B', 'None of the above'.

    Where it stands among the options is then part of what it says.
    """
    text = folded(option).strip(" .。")
    return bool(_OTHERS.search(text) or _ELSEWHERE.search(text))


def drawn_order(options: Sequence[str], seed: str) -> tuple[int, ...]:
    """An order of the options drawn by the seed, all orders alike likely, the original included.

    Options of which one names others stay as they are: 'Both A and B' means the places. Equal on
    every machine and Python.
    """
    if any(names_others(option) for option in options):
        return tuple(range(len(options)))
    return tuple(drawn_by_lot(range(len(options)), None, f"option order/{seed}/"))
