"""Items that a task has for models alone, about questions that it cannot show to people.

Models answered elsewhere, with videos that are not here. Such an item asks for no person's answer;
once its video is here, the task grows and asks people too.
"""

from collections.abc import Iterable

from annotations.question.stored_questions import StoredQuestion
from annotations.workspace import Workspace

NOBODY = 0  # an item's overlap: so many people are asked


def question_items(
    workspace: Workspace, task_id: int, questions: Iterable[StoredQuestion]
) -> dict[int, int]:
    """The item of each question in a task, by question id; made for models where there is none."""
    with workspace.store.write() as database:
        position = database.conn.execute(
            "SELECT coalesce(max(position), -1) + 1 FROM item WHERE task_id = ?", [task_id]
        ).fetchone()[0]
        database.conn.executemany(
            "INSERT INTO item (task_id, uid, question_id, video_id, position, overlap)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (task_id, uid) DO NOTHING",
            [
                [
                    task_id, f"question:{question.uid}", question.question_id, question.video_id,
                    position + i, NOBODY,
                ]
                for i, question in enumerate(questions)
            ],
        )  # fmt: skip
        rows = database.conn.execute(
            "SELECT i.question_id, i.id FROM item i JOIN question q ON q.id = i.question_id"
            " WHERE i.task_id = ? AND i.uid = 'question:' || q.uid",
            [task_id],
        )
        return {row[0]: row[1] for row in rows}
