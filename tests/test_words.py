"""Names are nouns of the field, and tests build rows with builders."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Names that say nothing of what they hold.
PRONOUNS = {
    "one", "found", "place", "places", "words", "given", "own", "other", "there", "told", "said",
    "made", "now", "before", "first", "last", "here", "left", "most", "all", "done", "next",
}  # fmt: skip
MOST = 0.01  # of all names bound
# The schema's own tests write rows of schemas that no builder knows any more, as does the test that
# kills a migration; that and benchmarks fill tables with very many rows at once.
WITH_STATEMENTS = (
    "tests/building.py", "tests/test_words.py", "tests/db/", "tests/benchmarks/",
    "tests/ui/commands/test_kills.py",
)  # fmt: skip


def bound_names(path: Path) -> list[str]:
    """Every name that a file binds: by assignment, in a loop, or as a parameter."""
    return [
        node.id if isinstance(node, ast.Name) else node.arg
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    ]


def test_names_say_what_they_hold():
    names = [
        name
        for floor in ("ui", "annotations", "core", "db")
        for path in sorted((ROOT / floor).rglob("*.py"))
        for name in bound_names(path)
    ]
    vague = [name for name in names if name in PRONOUNS]
    assert len(vague) <= MOST * len(names), sorted(set(vague))


def test_no_test_inserts_rows_by_hand():
    by_hand: list[str] = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        name = str(path.relative_to(ROOT))
        if name.startswith(WITH_STATEMENTS):
            continue
        text = path.read_text(encoding="utf-8")
        if re.search(r"\b(?:INSERT|REPLACE)\s+(?:OR\s+\w+\s+)?INTO\b", text):
            by_hand.append(name)
    assert by_hand == [], "tests/building.py has builders"


def test_a_share_is_written_for_people_in_one_way():
    """Python's own format sets no space: '95%' beside the '95 %' of all pages."""
    by_hand = [
        f"{path.relative_to(ROOT)}: {spec[0]}"
        for floor in ("ui", "annotations", "core", "db")
        for path in sorted((ROOT / floor).rglob("*.py"))
        for spec in re.finditer(r":[+,>\d]*(?:\.\d)?%\}", path.read_text(encoding="utf-8"))
    ]
    assert by_hand == [], "core/number_text.py writes shares"


NOUNS = {"task", "item", "lease", "annotation", "question", "clip", "video", "prediction", "run",
         "revision", "download", "query"}  # fmt: skip
NOUNS |= {"queries", *(f"{noun}s" for noun in NOUNS)}
# An item's payload and what a browser gets are JSON, whatever is in them.
OPEN_JSON = ("annotations/tasks/", "annotations/form/", "annotations/failure/failure_cards.py")


def public_rows(path: Path) -> list[str]:
    """Public parameters, attributes and results named for a noun and typed as dictionaries."""
    rows: list[str] = []

    def look(name: str, annotation: ast.expr | None) -> None:
        typed = ast.unparse(annotation) if annotation else ""
        if name.split("_")[-1] in NOUNS and re.search(r"\bdict\[str, (?:Any|object)\]", typed):
            rows.append(f"{path.relative_to(ROOT)}: {name}: {typed}")

    def visit(body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                look(node.target.id, node.annotation)
            elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                visit(node.body)
            elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                look(node.name, node.returns)
                for argument in (*node.args.args, *node.args.kwonlyargs):
                    look(argument.arg, argument.annotation)

    visit(ast.parse(path.read_text(encoding="utf-8")).body)
    return rows


def test_nouns_are_types_in_public_signatures():
    rows = [
        row
        for path in sorted((ROOT / "annotations").rglob("*.py"))
        if not str(path.relative_to(ROOT)).startswith(OPEN_JSON)
        for row in public_rows(path)
    ]
    assert rows == []


# What somebody new asks, and the file whose name answers it, with what is defined there.
QUESTIONS = {
    "where is accuracy computed": (
        ("core/metrics/accuracy.py", "def rows("),
        ("annotations/scoring/human_accuracy.py", "def accuracy_table("),
        ("annotations/scoring/leaderboard.py", "def leaderboard("),
    ),
    "where does an answer get stored": (
        ("annotations/answering/answer_store.py", "def store("),
        ("annotations/record/annotation.py", "def add_annotation("),
    ),
    "where is the grid of frames drawn": (
        ("core/video/frame_grid.py", "def frame_grid("),
        ("ui/components/desk/assets/shared/stage/grid.js", "export function"),
    ),
    "how do I add a metric": (
        ("core/metrics/accuracy.py", "NAME = "),
        ("core/statistics/metric.py", "class Statistic"),
        ("README.md", "`core/metrics/NAME.py`"),
    ),
}


def test_a_newcomer_finds_by_names_of_files():
    for question, files in QUESTIONS.items():
        for path, defined in files:
            assert defined in (ROOT / path).read_text(encoding="utf-8"), (question, path)


def test_annotations_are_written_in_one_place():
    writers = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "annotations").rglob("*.py"))
        if re.search(r"INSERT INTO annotation\b", path.read_text(encoding="utf-8"))
    ]
    assert writers in ([], ["annotations/record/annotation.py"])
