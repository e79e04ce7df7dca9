"""The demo workspace: our own clips and questions, brought in by the ordinary import."""

import random
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from annotations.answering import answer_store, queue
from annotations.answering.answer_store import Answer
from annotations.demo.clips import write_clips, write_questions
from annotations.demo.descriptions import add_descriptions
from annotations.demo.earlier import earlier_answers
from annotations.demo.earlier_filter import add_earlier_filter
from annotations.demo.earlier_runs import add_earlier_runs
from annotations.demo.failures import add_failure_task
from annotations.demo.footage_pipeline import add_demo_pipeline
from annotations.demo.tasks import add_demo_tasks
from annotations.demo.tasks_b import add_demo_tasks_b
from annotations.importing.import_plan import carry_out, plan_import
from annotations.people import Person, add_annotator
from annotations.planning import task_store
from annotations.settings_file import SETTINGS_FILE
from annotations.workspace import Workspace

# Two people answered before; two more can answer every question.
OVERLAP = 4
DAY_S = 24 * 3600


def make_demo(root: Path, say: Callable[[str], None]) -> Workspace:
    """A demo workspace at a place where there is none yet.

    It is made beside the place and moved there when it is whole, so that a killed attempt leaves
    nothing half done.

    Args:
        say: is told what is being done, in words for a person.
    """
    root = root.expanduser().resolve()
    root.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root.parent, prefix=f".{root.name}-") as scratch:
        source, folder = Path(scratch) / "footage", Path(scratch) / "workspace"
        say("Drawing the clips")
        write_clips(source)
        write_questions(source)
        workspace = Workspace.create(folder, name="Rushes demo", demo=True)
        settings = folder / SETTINGS_FILE
        text = settings.read_text(encoding="utf-8").replace("overlap = 2 ", f"overlap = {OVERLAP} ")
        settings.write_text(text, encoding="utf-8")
        workspace.close()
        workspace = Workspace.open(folder)
        say("Importing clips and questions")
        carry_out(workspace, plan_import(workspace, source))
        task_store.ensure_tasks(workspace)
        add_demo_tasks(workspace)
        add_demo_tasks_b(workspace)
        say("Adding two earlier annotators")
        add_earlier_answers(workspace)
        say("Adding runs of three simulated models and a simulated filter")
        add_earlier_runs(workspace)
        add_failure_task(workspace)
        add_earlier_filter(workspace)
        add_descriptions(workspace, source)
        say("Running a pipeline from titles to clips, with stub models")
        add_demo_pipeline(workspace, source)
        workspace.close()
        if root.exists():
            root.rmdir()
        shutil.move(folder, root)
    return Workspace.open(root)


def add_earlier_answers(workspace: Workspace) -> None:
    """Store what the two earlier annotators answered, yesterday, by the ordinary way."""
    moment = random.Random("earlier")
    people: dict[str, Person] = {}
    conditions = {
        task.settings.get("condition"): task.id for task in task_store.all_tasks(workspace)
    }
    by_condition = {condition: conditions[condition] for condition in workspace.settings.conditions}
    clock = time.time() - DAY_S
    for number, earlier in enumerate(earlier_answers()):
        if earlier.annotator not in people:
            with workspace.store.write() as database:
                added = add_annotator(database.conn, earlier.annotator, "person")
            people[earlier.annotator] = Person(added, earlier.annotator, "annotator")
        person, task_id = people[earlier.annotator], by_condition[earlier.condition]
        [item] = workspace.store.rows(
            "SELECT id FROM item WHERE task_id = ? AND uid = ?",
            [task_id, f"question:{earlier.question_uid}"],
        )
        handed = queue.hand(workspace, task_id, person, item["id"], at=clock)
        clock += earlier.active_s + moment.uniform(0.5, 2.0)
        answer_store.store(
            workspace,
            task_id,
            person,
            [
                Answer(
                    f"earlier-{number:04}",
                    item["id"],
                    handed.lease.id,
                    {"choice": earlier.choice},
                    None,
                    earlier.active_s,
                    clock,
                )
            ],
        )
