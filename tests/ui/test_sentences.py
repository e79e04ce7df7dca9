"""What the server says to an annotator in another language: refusals, practice, notes."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from annotations import task as tasks
from annotations.answering import answer_store
from annotations.answering.attention import judged
from ui import languages
from ui.routes import handled, sessions
from ui.sentences import reply_in, spoken

ROOT = Path(__file__).resolve().parents[2]
OTHERS = [code for code in languages.languages() if code != languages.ENGLISH]
VALUE = re.compile(r"\{\w*\}")
# Where what an annotator sends is checked, and the functions there that speak to authors instead.
CHECKED = (
    "annotations/reading/responses.py",
    "annotations/form/values.py",
    "annotations/review/review_response.py",
    "annotations/answering/answer_store.py",
    "ui/routes/desk.py",
    "ui/routes/preview.py",
)
RAISED = {"Refusal", "Missing", "Forbidden"}


def words_of(node: ast.AST) -> str:
    """The text that an expression makes, {} for every value in it."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(words_of(part) for part in parts)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return words_of(left) + words_of(right)
        case _:
            return "{}"


def said_in(tree: ast.AST) -> set[str]:
    """What refusals and receipts of some code say."""
    texts = set[str]()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
            continue
        if node.func.id in RAISED:
            texts.add(words_of(node.args[0]))
        elif node.func.id == "Receipt" and len(node.args) > 2:
            texts.add(words_of(node.args[2]))
    return {text for text in texts if re.search("[a-z]{3}", VALUE.sub("", text))}


def to_annotators() -> set[str]:
    texts = {answer_store.ELSEWHERE, answer_store.REVISED, answer_store.CLOSED, answer_store.BROKEN}
    texts |= {handled.BUSY, handled.TELL, handled.BROKEN, sessions.ENDED}
    for name in CHECKED:
        texts |= said_in(ast.parse((ROOT / name).read_text("utf-8")))
    for path in (ROOT / "annotations" / "tasks").glob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name in ("check_response", "_card"):
                texts |= said_in(node)
    return texts


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_every_sentence_that_an_annotator_may_hear(code: str):
    wanted = to_annotators()
    assert len(wanted) > 50
    known = languages.language_patterns(code, "sentences").keys()
    assert sorted(wanted - {VALUE.sub("{}", english) for english in known}) == []


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("section", ["sentences", "parts"])
def test_a_translated_sentence_keeps_its_values(code: str, section: str):
    for english, text in languages.language_patterns(code, section).items():
        assert sorted(VALUE.findall(english)) == sorted(VALUE.findall(text)), english


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            "Card 2, who does it: nothing is written. Write the question.",
            "Karte 2, wer es tut: Nichts ist geschrieben. Schreiben Sie die Frage.",
        ),
        (
            "Card 1: it ends at 1.000 s, which is not after its start at 2.500 s. Move one of "
            "them; they are never exchanged.",
            "Karte 1: Sie endet bei 1,000 s, nicht nach ihrem Anfang bei 2,500 s. Verschieben Sie "
            "eines davon; vertauscht werden sie nie.",
        ),
        (  # a refusal within another
            "Card 3: 2.500 s is 0.300 s beyond the video, which ends at 2.200 s.",
            "Karte 3: 2,500 s liegt 0,300 s hinter dem Ende des Videos bei 2,200 s.",
        ),
        (
            "The request was not understood: You have not answered this item.",
            "Die Anfrage wurde nicht verstanden: Diese Aufgabe haben Sie nicht beantwortet.",
        ),
        ("5 of 16 frames: the clip has no more.", "5 von 16 Bildern: Mehr hat der Clip nicht."),
        ("Nobody has written this one yet and so on.",) * 2,
    ],
)
def test_a_sentence_is_said_in_german_with_its_values(english: str, german: str):
    assert spoken("de", english) == german
    assert spoken("en", english) == english


WHY = "The left arm and the ball."  # an author's words, which stay as they are

ANSWERS: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("human_evaluation", {"choice": 1}, {"choice": 0}, "Eine andere Antwort ist richtig."),
    (
        "verification",
        {"clips": {"1": {"verdict": "maybe"}, "2": {"verdict": "definitely"}}},
        {"clips": {"1": {"verdict": "definitely"}, "2": {"verdict": ["maybe", "definitely not"]}}},
        "Clip 1: Sie sagten „scheint zu geschehen“, richtig ist „geschieht sicher“. Clip 2: Sie "
        "sagten „geschieht sicher“, richtig ist „scheint zu geschehen“ oder „geschieht sicher "
        "nicht“.",
    ),
    (
        "localization",
        {"happens": "happens", "cards": [{"start": 0.0, "end": 1.0}]},
        {"happens": "happens", "cards": [{"start": 0.5, "end": 2.5}]},
        # 0.5 s of 2.5 s are common
        "Nicht nah genug: Richtig ist 0,50 bis 2,50 s; Ihre und die richtige Zeit überlappen zu "
        "20 %.",
    ),
    (
        "localization",
        {"happens": "happens", "cards": []},
        {"happens": "does not happen"},
        "Sie sagten „sie geschieht“; richtig ist „sie geschieht nicht“.",
    ),
    (
        "frame_picking",
        {"frame": 3, "time": 0.5},
        {"time": 2.0, "near_s": 0.5},
        "Ihr Bild liegt bei 0,50 s; die entscheidenden reichen von 1,50 bis 2,50 s.",
    ),
    (
        "frame_picking",
        {"frame": 3, "time": 0.5},
        {"frame": 7},
        "Sie haben Bild 4 gewählt; das entscheidende ist 8.",
    ),
    (
        "screening",
        {"verdict": "accept", "reasons": []},
        {"verdict": "reject", "reasons": []},
        "Das richtige Urteil ist: ablehnen.",
    ),
    (
        "screening",
        {"verdict": "accept", "reasons": []},
        {"verdict": "reject", "reasons": ["nothing_happens", "poor_quality"]},
        "Das richtige Urteil ist: ablehnen (Nichts geschieht, Schlechtes Bild).",
    ),
    (
        "object_check",
        {"objects": {"ticked": ["cup"], "classes": {}}},
        {"objects": {"ticked": [], "classes": {}}},
        "„cup“ ist nicht zu sehen.",
    ),
    (
        "object_check",
        {"objects": {"ticked": [], "classes": {"cup": "hallucination"}}},
        {"objects": {"ticked": [], "classes": {"cup": "attribute_error"}}},
        "„cup“ ist nicht da, das stimmt; richtig ist: Eigenschaft falsch.",
    ),
    (
        "question_review",
        {"verdict": "keep"},
        {"verdict": "discard"},
        "Diese Frage ist zu verwerfen.",
    ),
    (
        "question_review",
        {"verdict": "keep", "flags": []},
        {"verdict": "keep", "flags": ["wrong_key", "wrong_segment"]},
        "Nicht angemerkt: falsche Lösung, falscher Abschnitt.",
    ),
    (
        "failure_tagging",
        {"classes": ["oversight"]},
        {"classes": ["tracking", "cue"]},
        "Auch, oder vielmehr: Verfolgungsfehler, Falsch gedeuteter Hinweis.",
    ),
    (
        "own_form",
        {"values": {"quality": 1}, "texts": {}},
        {"values": {"quality": 4}},
        "Eine andere Antwort ist richtig: “How well does the description fit?”.",
    ),
]


@pytest.mark.parametrize(("kind", "response", "expected", "german"), ANSWERS)
def test_what_is_said_about_practice_is_german_but_for_the_authors_words(
    kind: str, response: dict[str, Any], expected: dict[str, Any], german: str
):
    right, words = judged(
        kind, response, {**expected, "why": WHY}, tasks.kind(kind).check_settings({})
    )
    assert not right
    assert spoken("de", words) == f"{german} {WHY}"


def test_every_kind_says_something_about_practice_here():
    assert {kind for kind, *_ in ANSWERS} == set(tasks.kinds())


def test_in_a_reply_to_the_desk_only_what_rushes_says_is_translated():
    reply = {
        "results": [
            {"uid": "a", "status": "refused", "reason": "Write the question.", "feedback": None},
            {
                "uid": "b", "status": "stored", "reason": "",
                "feedback": {"right": False, "words": f"Another answer is right. {WHY}"},
            },
        ],
        "items": [
            {
                "label": "Another answer is right.",
                "stage": {"type": "grid", "note": "2 of 4 frames: the clip has no more."},
                "values": {
                    "question": "I cannot tell.",
                    "about": "Given key: Another option is right.; category: direction",
                    "options": [
                        {"value": "p0", "text": "I cannot tell."},  # an option of the question
                        {"value": "cannot_tell", "text": "I cannot tell."},
                    ],
                },
            }
        ],
    }  # fmt: skip
    german = reply_in("de", reply)
    assert [result["reason"] for result in german["results"]] == ["Schreiben Sie die Frage.", ""]
    words = german["results"][1]["feedback"]["words"]
    assert words == f"Eine andere Antwort ist richtig. {WHY}"
    [item] = german["items"]
    assert item["label"] == "Another answer is right."
    assert item["stage"]["note"] == "2 von 4 Bildern: Mehr hat der Clip nicht."
    assert item["values"]["question"] == "I cannot tell."
    assert item["values"]["about"].endswith("; Kategorie: direction")
    assert [option["text"] for option in item["values"]["options"]] == [
        "I cannot tell.",
        "Das kann ich nicht sagen.",
    ]
    assert reply_in("en", reply) is reply
