"""Words of questions: folded, taken to their stems, and those that carry the meaning."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any

ENGLISH = "english"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_APOSTROPHES = str.maketrans("’‘ʼ＇`´", "''''''")
# Scripts that put no spaces between words: a letter is counted as half a word.
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
DENSE_LETTERS_A_WORD = 2

_STOP_WORDS = """
  a an the this that these those it its he she him her his hers they them their theirs i you we
  us our your my me who whom whose which what when where why how is are was were be been being
  am do does did done doing has have had having will would can could shall should may might must
  not no nor and or but if then than so as at by for from in into of on onto off out over under
  up down to toward towards with without within about after before during while again once here
  there all any both each few more most other some such only own same too very just also one two
  first second front back top bottom side around through between against along across near next
  away person people man woman men women boy girl child kid someone something video clip scene
  camera question option following best correct right wrong
"""
_STOP = frozenset(_STOP_WORDS.split())
# Forms that no stemmer takes back to their verb; without those that are mostly other words, such
# as left, ground and rose.
_IRREGULAR = {
    form: verb
    for verb, forms in {
        "arise": "arose arisen", "bear": "borne", "beat": "beaten", "become": "became",
        "begin": "began begun", "bend": "bent", "bind": "bound", "bite": "bit bitten",
        "bleed": "bled", "blow": "blew blown", "break": "broke broken", "bring": "brought",
        "build": "built", "buy": "bought", "catch": "caught", "choose": "chose chosen",
        "cling": "clung", "come": "came", "creep": "crept", "deal": "dealt",
        "dig": "dug", "draw": "drew drawn", "drink": "drank drunk", "drive": "drove driven",
        "eat": "ate eaten", "fall": "fell fallen", "feed": "fed", "feel": "felt",
        "fight": "fought", "find": "found", "flee": "fled", "fling": "flung", "fly": "flew flown",
        "freeze": "froze frozen", "get": "got gotten", "give": "gave given", "go": "went gone",
        "grow": "grew grown", "hang": "hung", "hear": "heard",
        "hide": "hid hidden", "hold": "held", "keep": "kept", "kneel": "knelt",
        "know": "knew known", "lay": "laid", "lead": "led", "leap": "leapt", "lend": "lent",
        "lie": "lain", "light": "lit", "lose": "lost", "make": "made", "meet": "met",
        "pay": "paid", "ride": "rode ridden", "ring": "rang rung", "rise": "risen",
        "run": "ran", "say": "said", "see": "saw seen", "seek": "sought", "sell": "sold",
        "send": "sent", "shake": "shook shaken", "shine": "shone", "shoot": "shot",
        "shrink": "shrank shrunk", "sing": "sang sung", "sink": "sank sunk", "sit": "sat",
        "sleep": "slept", "slide": "slid", "sling": "slung", "speak": "spoke spoken",
        "spend": "spent", "spin": "spun", "spring": "sprang sprung", "stand": "stood",
        "steal": "stole stolen", "stick": "stuck", "sting": "stung", "strike": "struck stricken",
        "swear": "swore sworn", "sweep": "swept", "swim": "swam swum", "swing": "swung",
        "take": "took taken", "teach": "taught", "tear": "tore torn", "tell": "told",
        "think": "thought", "throw": "threw thrown", "wake": "woke woken", "wear": "wore worn",
        "weave": "wove woven", "win": "won", "wring": "wrung",
        "write": "wrote written",
    }.items()
    for form in forms.split()
}  # fmt: skip


_STEMMING = Lock()  # a stemmer keeps the word it works on, so two threads would mix theirs


@dataclass(frozen=True)
class Word:
    """One word of a text.

    Attributes:
        text: as it stands there.
        start: place of its first letter in the text; `end` after its last.
        stem: the word without its ending; equal for 'throws', 'threw' and 'throwing'.
        content: whether it carries meaning; 'the' and 'after' do not.
    """

    text: str
    start: int
    end: int
    stem: str
    content: bool


def folded(text: str) -> str:
    """A text without what makes no difference: case, width of letters, form of apostrophes."""
    return unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).casefold()


def words(text: str, language: str = ENGLISH) -> tuple[Word, ...]:
    """The words of a text in order.

    Args:
        text: in any script; a hyphen parts words.
        language: name of a Snowball stemmer; for any other the words are only folded.
    """
    return tuple(_words(text, language))


def _words(text: str, language: str) -> Iterator[Word]:
    for match in _WORD.finditer(text):
        plain = folded(match[0]).removesuffix("'s")
        content = plain not in _STOP if language == ENGLISH else len(plain) > 1
        yield Word(match[0], match.start(), match.end(), stem(plain, language), content)


@cache
def _stemmer(language: str) -> Any:
    """The stemmer of a language; None where there is none."""
    library: Any = import_module("snowballstemmer")  # it has no types
    return library.stemmer(language) if language in library.algorithms() else None


@cache
def stem(word: str, language: str = ENGLISH) -> str:
    """The stem of a folded word; of an irregular English form that of its verb."""
    stemmer = _stemmer(language)
    if stemmer is None:
        return word
    with _STEMMING:
        plain = str(stemmer.stemWord(word))
        if language != ENGLISH:
            return plain
        verb = _IRREGULAR.get(word) or _IRREGULAR.get(plain)
        return plain if verb is None else str(stemmer.stemWord(verb))


def content_stems(text: str, language: str = ENGLISH) -> frozenset[str]:
    """Stems of the words that carry meaning; of all words where none does."""
    text_words = words(text, language)
    return frozenset(word.stem for word in text_words if word.content) or frozenset(
        word.stem for word in text_words
    )


def same_key(text: str, language: str = ENGLISH) -> str:
    """What two texts have in common that say the same: 'back hand', 'backhand', 'back-hands'."""
    return "".join(word.stem for word in words(text, language))


def length_in_words(text: str) -> int:
    """How many words a text has; where a script puts no spaces, two signs count as one."""
    dense = len(_DENSE.findall(text))
    sparse = len(_DENSE.sub(" ", text).split())
    return sparse + -(-dense // DENSE_LETTERS_A_WORD)
