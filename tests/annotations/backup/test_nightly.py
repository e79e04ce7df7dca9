from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from annotations.backup.backup import backup
from annotations.backup.nightly import (
    Nightly,
    backup_folder,
    is_due,
    make_nightly,
    nightly_backups,
)
from annotations.backup.restore import restore
from annotations.settings_file import SETTINGS_FILE, read_settings
from annotations.workspace import Workspace

NIGHT = datetime(2026, 3, 2, 3, 0)


@pytest.mark.parametrize(
    ("moment", "newest", "due"),
    [
        (NIGHT, None, True),
        (NIGHT - timedelta(minutes=1), NIGHT - timedelta(days=1), False),
        (NIGHT, NIGHT - timedelta(days=1), True),
        (NIGHT + timedelta(minutes=5), NIGHT + timedelta(minutes=1), False),
        # The server was off for two nights: made up for when it comes back, in the afternoon.
        (NIGHT + timedelta(hours=12), NIGHT - timedelta(days=2), True),
    ],
)
def test_a_backup_is_due_once_after_its_time_of_day(
    moment: datetime, newest: datetime | None, due: bool
):
    assert is_due(moment, newest, "03:00") is due


def ask_for(workspace: Workspace, keep: int) -> Path:
    path = workspace.root / SETTINGS_FILE
    text = path.read_text(encoding="utf-8").replace('nightly = ""', 'nightly = "03:00"')
    path.write_text(text.replace("keep = 7", f"keep = {keep}"), encoding="utf-8")
    return backup_folder(workspace.root, read_settings(path))


def test_the_newest_few_are_kept_with_the_videos_that_they_need(
    workspace: Workspace, tmp_path: Path, add_video: Callable[[str], Path]
):
    folder = ask_for(workspace, keep=2)
    first = add_video("first.mp4")
    made = [make_nightly(workspace.root, NIGHT)]
    by_hand = backup(workspace.root, folder / "before the cleanup", "beside")
    with workspace.store.write() as database:
        database.conn.execute("UPDATE video SET sha256 = '' WHERE name = 'first.mp4'")
    made += [make_nightly(workspace.root, NIGHT + timedelta(days=day)) for day in (1, 2)]
    assert [path for _, path in nightly_backups(folder)] == [one.path for one in made[1:]]
    # The backup made by hand still needs the first video, so it stays.
    restore(by_hand.path, tmp_path / "by hand")
    by_hand.path.unlink()
    make_nightly(workspace.root, NIGHT + timedelta(days=3))
    assert not (folder / "media" / first.parent.name).exists()


def test_the_watch_makes_one_backup_a_night_and_none_unasked(workspace: Workspace):
    folder = ask_for(workspace, keep=7)
    watch = Nightly(workspace.root, read_settings(workspace.root / SETTINGS_FILE))
    moment = datetime.now()
    assert watch.look(moment) is True
    assert watch.look(moment + timedelta(minutes=1)) is False
    assert len(nightly_backups(folder)) == 1


def test_settings_that_make_no_sense_are_named(workspace: Workspace):
    path = workspace.root / SETTINGS_FILE
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('nightly = ""', 'nightly = "at 3"'), encoding="utf-8")
    with pytest.raises(ValueError, match='a time of day such as "03:00"'):
        read_settings(path)
    path.write_text(text.replace("keep = 7", "keep = 0"), encoding="utf-8")
    with pytest.raises(ValueError, match="at least 1 is kept"):
        read_settings(path)
