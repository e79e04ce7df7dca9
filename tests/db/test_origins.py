"""Which revisions of an older database count as made here."""

from pathlib import Path

from sqlite_utils import Database

from db.migrations import MIGRATIONS, apply_migrations

AT = "2024-05-31T12:00:{:02}+00:00"
NOON = 1717156800.0  # Unix time of 2024-05-31 12:00:00 UTC, s


def older(path: Path) -> Database:
    """A database as it was before revisions said where they come from."""
    database = Database(path)
    MIGRATIONS.apply(database, stop_before="fourteenth_schema")
    run = database.conn.execute
    run("INSERT INTO video (id, name, status, created_at) VALUES (1, 'v', 'missing', '')")
    run("INSERT INTO clip (id, video_id) VALUES (1, 1)")
    run(
        "INSERT INTO annotator (id, name, kind, invite, created_at)"
        " VALUES (1, 'Clara', 'person', '', '')"
    )
    run("INSERT INTO task (id, name, kind, overlap, created_at) VALUES (1, 't', 'x', 1, '')")
    for number, source in enumerate(("table", "table", "table", "review"), 1):
        run("INSERT INTO question VALUES (?, ?, ?, '', NULL)", [number, f"q{number}", source])
        run(
            "INSERT INTO item (id, task_id, uid, question_id, position) VALUES (?, 1, ?, ?, 0)",
            [number, f"q{number}", number],
        )
        for revision in (1, 2, 3):
            run(
                "INSERT INTO question_revision (question_id, revision, clip_id, text, options,"
                " created_at) VALUES (?, ?, 1, '', '[]', ?)",
                [number, revision, AT.format(10 * revision)],
            )
    return database


def origins(database: Database) -> list[str]:
    apply_migrations(database)
    found = database.conn.execute(
        "SELECT group_concat(origin, ' ') FROM"
        " (SELECT * FROM question_revision ORDER BY question_id, revision) GROUP BY question_id"
    )
    return [row[0] for row in found]


def test_signatures_fixes_and_resolutions_tell_what_was_made_here(tmp_path: Path) -> None:
    database = older(tmp_path / "rushes.db")
    run = database.conn.execute
    # The second revision of q1 was carried over from a review, that of q2 a key that was fixed, the
    # third of q3 came with the second signature under a resolution.
    run("INSERT INTO revision_signature SELECT id, 1 FROM question_revision WHERE id = 2")
    run(
        "INSERT INTO item_event (item_id, author_id, action, at) VALUES (2, 1, ?, ?)",
        ["key changed from “x” to “y”", NOON + 20.6],
    )
    run(
        "INSERT INTO item_event (item_id, author_id, action, at) VALUES (2, 1, 'opened again', ?)",
        [NOON + 30],
    )
    run(
        "INSERT INTO resolution (id, item_id, revision, outcome, answers, signatures, created_at)"
        " VALUES (1, 3, 1, 'fix_question', '[]', 2, ?)",
        [AT.format(5)],
    )
    run("INSERT INTO signature VALUES (1, 1, 1, ?)", [AT.format(30)])
    database.conn.commit()
    assert origins(database) == [
        "import here import",
        "import here import",
        "import import here",
        "here import import",  # made in a review; later ones came with files
    ]
