"""Nothing filters answers for a figure but the population, or says itself what it leaves out.

Each module that reads answers and looks at what makes one count is named here, with what it is for.
A new one has to ask the population, or to say in words and counts which answers it leaves out, or
to be no figure at all; then it is added here.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
READS = re.compile(r"\b(?:FROM|JOIN)\s+(?:current_)?annotation\b")
FILTERS = re.compile(
    r"\bcounted\b\s*(?:=\s*[01]\b|AND\b)|\ba\.counted\b|skip_reason\s+IS\b|aside_at\s+IS\b"
)

# The population itself, and what reads the columns of which it tells who counts.
POPULATION = {
    "annotations/scoring/population.py",
    "annotations/scoring/people_columns.py",
    "annotations/agreement/answer_columns.py",
    "annotations/free_answers/free_population.py",
}
# Figures that stand on decisions or on their own task: what is left out is counted beside each.
SAYS_ITSELF = {
    "annotations/adjudication/checked_keys.py": "has a Population of its own",
    "annotations/filter/filter_people.py": "filter_population.py says who is in it",
    "annotations/footage/title_people.py": "says how many titles have no yes or no yet",
    "annotations/funnel/stages.py": "says what a stage's count is of, and what waits",
}
# Work that is handed out, kept, listed, paid or carried out of here: no figure.
NO_FIGURE = {
    "annotations/adjudication/answers_side_by_side.py": "the answers to one item",
    "annotations/adjudication/history.py": "how one item was decided",
    "annotations/agreement/annotator_quality.py": "only their order in time; votes tell which",
    "annotations/answering/admission.py": "whether an answer may come in",
    "annotations/answering/attention.py": "whether an attention item is due",
    "annotations/answering/availability.py": "what may be handed out",
    "annotations/answering/early_stop.py": "whether an item is settled",
    "annotations/answering/exclusion.py": "puts work aside and takes it back",
    "annotations/answering/own_answers.py": "what a person answered, for that person",
    "annotations/answering/pace.py": "seconds a person takes",
    "annotations/answering/progress.py": "how far a person is",
    "annotations/answering/returns.py": "items that come back",
    "annotations/backup/check_rows.py": "whether stored counts are right",
    "annotations/engine/run_results.py": "seconds that people take",
    "annotations/exporting/export.py": "every answer goes out, with whether it counts",
    "annotations/failure/failure_cards.py": "the answers beside one failure, each with its mark",
    "annotations/failure/failure_tags.py": "what is said of failures; a skip takes it back",
    "annotations/material/answers.py": "the answers to one video or question, each with its mark",
    "annotations/material/question_list.py": "which questions to list",
    "annotations/people.py": "how much a person has done",
    "annotations/planning/item_list.py": "which items to list",
    "annotations/planning/task_store.py": "how far a task is",
    "annotations/publishing/published_rows.py": "every answer goes out, with whether it counts",
    "annotations/question/passed_clips.py": "which clips go on to the next task",
    "annotations/question/reasking.py": "which answers a change would let stay",
    "annotations/recruiting/submissions.py": "what a person is paid for",
    "annotations/review/review_results.py": "what reviewers concluded, for carrying it out",
    "annotations/scoring/question_replies.py": "the replies to one question",
    "annotations/tasks/frame_picking.py": "which frames go on to the next task",
}


def selecting() -> set[str]:
    """Modules that read annotations and look at what makes one count."""
    paths = [
        path for floor in ("annotations", "core", "ui") for path in (ROOT / floor).rglob("*.py")
    ]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}
    return {path for path, text in texts.items() if READS.search(text) and FILTERS.search(text)}


def test_every_module_that_selects_answers_is_the_population_or_says_what_it_is_for():
    named = POPULATION | SAYS_ITSELF.keys() | NO_FIGURE.keys()
    assert selecting() - named == set(), "ask annotations/scoring/population.py, or say it here"
    assert named - selecting() == set(), "named here, but it selects no answers any more"
    assert not SAYS_ITSELF.keys() & NO_FIGURE.keys()


def test_pages_and_core_select_no_answers():
    assert not [path for path in selecting() if not path.startswith("annotations/")]
