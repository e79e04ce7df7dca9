"""kill -9 of everything that writes: nothing acknowledged is lost, and nothing is doubled.

Run by hand: `python tests/benchmarks/kills.py`. A server is killed five times while 20 people give
1,000 answers; an import, a run, an export, an update of an old database and a backup are killed
five times each and then done to the end. It ends with status 1 if anything is not as it should be.
"""

import argparse
import csv
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from served import Server, Worker, say

from annotations.backup.backup import backup
from annotations.backup.check import check
from annotations.backup.restore import restore
from annotations.demo.setup import make_demo
from annotations.workspace import Workspace
from db.connection import open_connection
from db.migrations import MIGRATIONS, SCHEMAS, steps_in

RUSHES = Path(sys.executable).parent / "rushes"
CONDITION = "16 frames"
chance = random.Random(7)


def main() -> None:
    """Print what was found; exit status 1 if anything was lost, doubled or left broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=5, help="of each thing")
    parser.add_argument("--answers", type=int, default=1_000)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--rows", type=int, default=20_000, help="that are imported and updated")
    arguments = parser.parse_args()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_demo(folder / "demo", lambda words: None).close()
        faults += server_killed(folder, arguments)
        root = folder / "workspace"
        faults += import_killed(root, folder, arguments.kills, arguments.rows)
        faults += run_killed(root, arguments.kills)
        faults += export_killed(root, folder, arguments.kills)
        faults += backup_killed(root, folder, arguments.kills)
        faults += update_killed(folder, arguments.kills, arguments.rows)
    say("\n".join(faults) if faults else "Nothing was lost, doubled or left broken.")
    sys.exit(1 if faults else 0)


def server_killed(folder: Path, arguments: argparse.Namespace) -> list[str]:
    """The server, while people answer; each start has to say what it found."""
    console = folder / "console.txt"
    server = Server(folder / "demo", folder, copies=10, overlap=4, console=console)
    task = server.task(CONDITION)
    each = arguments.answers // arguments.people
    workers = [
        Worker(server, f"p{n}", task, 0.3, each, patience_s=120.0) for n in range(arguments.people)
    ]
    for worker in workers:
        worker.start()
    back: list[float] = []
    for number in range(arguments.kills):
        goal = (number + 1) * each * arguments.people // (arguments.kills + 1)
        while sum(len(worker.acknowledged) for worker in workers) < goal:
            time.sleep(0.02)
        time.sleep(chance.random() * 0.3)
        server.stop()
        begin = time.monotonic()
        server.start()
        back.append(time.monotonic() - begin)
    for worker in workers:
        worker.join()
    server.stop()
    acknowledged = [uid for worker in workers for uid in worker.acknowledged]
    again = sum(worker.statuses["again"] for worker in workers)
    say(f"server: {arguments.kills} kills, {len(acknowledged)} acknowledged, {again} of them at a"
        f" second try; back after {min(back):.1f} to {max(back):.1f} s")  # fmt: skip
    faults = [words for worker in workers for words in worker.failures]
    faults += answers_faults(server.workspace, acknowledged, task)
    console_text = console.read_text(encoding="utf-8")
    for wanted in ("was not stopped: it was killed", "The database is whole"):
        if console_text.count(wanted) != arguments.kills:
            faults.append(f"{console_text.count(wanted)} starts said {wanted!r}")
    return faults + checked(server.root)


def answers_faults(workspace: Workspace, acknowledged: list[str], task: int) -> list[str]:
    """What is wrong with stored answers: lost, doubled, beyond an overlap, or counted wrongly."""
    rows = workspace.store.rows("SELECT uid FROM annotation")
    stored = [row["uid"] for row in rows]
    faults = [f"acknowledged and not stored: {uid}" for uid in set(acknowledged) - set(stored)]
    faults += [f"stored twice: {uid}" for uid in set(stored) if stored.count(uid) > 1]
    if len(set(acknowledged)) != len(acknowledged):
        faults.append("an answer was acknowledged twice")
    wrong = workspace.store.rows(
        "SELECT i.uid FROM item i JOIN task t ON t.id = i.task_id WHERE t.id = ? AND (i.answers >"
        " coalesce(i.overlap, t.overlap) OR i.answers <> (SELECT count(*) FROM current_annotation a"
        " WHERE a.item_id = i.id AND a.counted = 1 AND a.skip_reason IS NULL))",
        [task],
    )
    return faults + [f"{row['uid']}: beyond its overlap, or counted wrongly" for row in wrong]


def checked(root: Path) -> list[str]:
    """What `rushes check` finds."""
    return [fault.line for fault in check(root, media=False)]


def killed(line: Sequence[object], began: Callable[[], bool], most_s: float) -> int:
    """Kill a command at a chance moment after it began to write; its exit status."""
    process = started(line)
    while process.poll() is None and not began():
        time.sleep(0.01)
    time.sleep(chance.random() * most_s)
    process.kill()
    return process.wait()


def started(line: Sequence[object]) -> subprocess.Popen[bytes]:
    """A `rushes` command at work."""
    words = [str(RUSHES), *map(str, line)]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def finished(line: Sequence[object], what: str) -> list[str]:
    """Do a command to the end; a fault if it does not say that it did."""
    status = started(line).wait()
    return [] if status == 0 else [f"{what} ended with {status} after the kills"]


def count_of(root: Path, query: str) -> int:
    """The number that a query gives."""
    with closing(sqlite3.connect(root / "rushes.db")) as connection:
        return int(connection.execute(query).fetchone()[0])


def grew(root: Path, query: str, earlier: int) -> bool:
    """Whether a query gives more than it did."""
    return count_of(root, query) > earlier


def unequal(what: str, found: object, wanted: object) -> list[str]:
    """A fault if something is not what it has to be."""
    return [] if found == wanted else [f"{what}: {found}, and not {wanted}"]


def told(what: str, statuses: list[int], more: str) -> None:
    """Say how often something was killed in its work."""
    say(f"{what}: {statuses.count(-9)} of {len(statuses)} kills came in time; {more}")


def import_killed(root: Path, folder: Path, kills: int, rows: int) -> list[str]:
    """An import of many questions over the videos that are there."""
    with closing(sqlite3.connect(root / "rushes.db")) as connection:
        videos = [row[0] for row in connection.execute(
            "SELECT name FROM video WHERE status = 'usable' ORDER BY id")]  # fmt: skip
    path = folder / "questions.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "video", "question", "option_a", "option_b", "answer"])
        for number in range(rows):
            video = videos[number % len(videos)]
            writer.writerow([f"kills/{number}", video, f"What is {number}?", "a", "b", "A"])
    line = ["import", path, "--yes", "--workspace", root]
    query = "SELECT count(*) FROM question WHERE uid LIKE 'kills/%'"
    reached: list[int] = []
    statuses: list[int] = []
    for _ in range(kills):
        earlier = count_of(root, query)
        began = partial(grew, root, query, earlier)
        statuses.append(killed(line, began, 1.0))
        reached.append(count_of(root, query))
    faults = finished(line, "the import")
    told("import", statuses, f"questions there after each: {reached}")
    faults += unequal("questions imported", count_of(root, query), rows)
    faults += unequal(
        "questions with one revision",
        count_of(root, "SELECT count(*) FROM (SELECT 1 FROM question_revision r JOIN question q"
                 " ON q.id = r.question_id WHERE q.uid LIKE 'kills/%' GROUP BY q.id"
                 " HAVING count(*) = 1)"),
        rows,
    )  # fmt: skip
    return faults + checked(root)


def run_killed(root: Path, kills: int) -> list[str]:
    """A run of a model that sees no video, over all questions: what was imported is not decoded."""
    line = ["run", "text_only", "--model", "stub:fair", "--workspace", root]
    query = (
        "SELECT count(*) FROM prediction p JOIN run r ON r.id = p.run_id WHERE"
        " r.id = (SELECT max(id) FROM run)"
    )
    before = count_of(root, "SELECT count(*) FROM run")
    reached: list[int] = []
    statuses: list[int] = []
    for _ in range(kills):
        is_there = count_of(root, "SELECT count(*) FROM run") > before
        earlier = count_of(root, query) if is_there else 0
        whole = f"SELECT CASE WHEN (SELECT count(*) FROM run) > {before} THEN ({query}) ELSE 0 END"
        statuses.append(killed(line, partial(grew, root, whole, earlier), 1.0))
        reached.append(count_of(root, whole))
    faults = finished(line, "the run")
    told("run", statuses, f"predictions there after each: {reached}")
    predictions = count_of(root, query)
    items = count_of(
        root,
        "SELECT count(DISTINCT a.item_id) FROM prediction p JOIN annotation a"
        " ON a.id = p.annotation_id WHERE p.run_id = (SELECT max(id) FROM run)",
    )
    faults += unequal("items that the run answered", items, predictions)
    of_the_run = "what = 'answered' AND id = (SELECT max(id) FROM run)"
    counted = count_of(root, f"SELECT coalesce(sum(count), 0) FROM tally WHERE {of_the_run}")
    faults += unequal("items that the database counts for the run", counted, predictions)
    return faults + checked(root)


def export_killed(root: Path, folder: Path, kills: int) -> list[str]:
    """An export; files have their names only when they are whole."""
    out = folder / "out"
    line = ["export", out, "--workspace", root]
    statuses = [killed(line, lambda: any(out.rglob("*.part")), 1.0) for _ in range(kills)]
    left = len(list(out.rglob("*.part"))) if out.exists() else 0
    faults = finished(line, "the export")
    told("export", statuses, f"{left} half-made files were left, and taken away by the next")
    faults += [f"left over: {path}" for path in out.rglob("*.part")]
    votes = [json.loads(one) for one in (out / "votes.jsonl").open(encoding="utf-8")]
    wanted = count_of(root, "SELECT count(*) FROM annotation")
    return faults + unequal("votes exported", len({vote["uid"] for vote in votes}), wanted)


def backup_killed(root: Path, folder: Path, kills: int) -> list[str]:
    """A backup; the last is restored and compared row by row."""
    target = folder / "kept" / "x.backup"
    statuses: list[int] = []
    faults: list[str] = []
    for _ in range(kills):
        status = killed(
            ["backup", root, target], lambda: any(target.parent.glob(".rushes-backup-*")), 0.3
        )
        statuses.append(status)
        if status == -9 and target.exists():
            restore(target, folder / "whole after all")  # raises if it is not whole
        elif status == 0:
            target.unlink()
    target.unlink(missing_ok=True)
    archive = backup(root, target)
    told("backup", statuses, f"the last one has {archive.size / 1e6:.0f} MB")
    faults += [f"left over: {path}" for path in target.parent.glob(".rushes-backup-*")]
    copy = folder / "another path with Ümlaut"
    restore(target, copy)
    return faults + unequal("rows restored", everything(copy), everything(root)) + checked(copy)


def everything(root: Path) -> dict[str, int]:
    """For each table how many rows it has and a hash of them all, as they are stored."""
    with closing(sqlite3.connect(root / "rushes.db")) as connection:
        tables = [row[0] for row in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]  # fmt: skip
        return {
            table: hash(tuple(sorted(connection.execute(f'SELECT * FROM "{table}"'), key=repr)))
            for table in tables
        }


def update_killed(folder: Path, kills: int, rows: int) -> list[str]:
    """A workspace of the first version, opened by today's program."""
    root = folder / "old"
    Workspace.create(root).close()
    path = root / "rushes.db"
    path.unlink()
    fill_first_version(path, rows)
    every_step = len(steps_in(SCHEMAS / "workspace"))
    line = ["status", "--workspace", root]
    began: Callable[[], bool] = lambda: any(root.glob("rushes.db.before-*"))  # noqa: E731
    statuses: list[int] = []
    faults: list[str] = []
    for _ in range(kills):
        process = started(line)
        while process.poll() is None and not began():
            time.sleep(0.001)
        time.sleep(chance.random() * 0.5)
        process.kill()
        statuses.append(process.wait())
        with closing(sqlite3.connect(path)) as connection:
            [whole] = connection.execute("PRAGMA quick_check").fetchone()
            [steps] = connection.execute("SELECT count(*) FROM _sqlite_migrations").fetchone()
        if whole != "ok" or steps not in (1, every_step):
            faults.append(f"after a killed update: {whole}, {steps} of {every_step} steps")
        faults += unequal("answers kept", count_of(root, "SELECT count(*) FROM annotation"), rows)
    faults += finished(line, "the update")
    told("update", statuses, f"{rows:,} answers, {every_step} steps")
    return faults + unequal("items that ask", count_of(root, "SELECT sum(asks) FROM item"), rows)


def fill_first_version(path: Path, rows: int) -> None:
    """Make a database of the first version, in which one person gave so many answers."""
    database = open_connection(path)
    MIGRATIONS.apply(database, stop_before="second_schema")
    execute = database.conn.execute
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows})"
    execute("BEGIN")
    execute("INSERT INTO video (name, status, created_at) VALUES ('a.mp4', 'missing', '')")
    execute("INSERT INTO task (name, kind, overlap, created_at)"
            " VALUES ('t', 'human_evaluation', 2, '')")  # fmt: skip
    execute("INSERT INTO annotator (name, kind, role, invite, facts, created_at)"
            " VALUES ('Ada', 'person', 'annotator', 'x', '{}', '')")  # fmt: skip
    execute("INSERT INTO item (id, task_id, uid, video_id, position, answers)"
            f" {numbers} SELECT i, 1, 'item:' || i, 1, i, 1 FROM n")  # fmt: skip
    execute("INSERT INTO annotation (uid, item_id, annotator_id, revision, task_kind,"
            " schema_version, response, shown, counted, active_s, answered_at, stored_at)"
            f" {numbers} SELECT 'a' || i, i, 1, 1, 'human_evaluation', 1, '{{}}', '{{}}', 1, 1.0,"
            " 0.0, 0.0 FROM n")  # fmt: skip
    execute("COMMIT")
    database.close()


if __name__ == "__main__":
    main()
