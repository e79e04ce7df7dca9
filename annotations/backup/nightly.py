"""Backups that the server makes by itself each night, of which the newest few are kept."""

import logging
import subprocess
import sys
import threading
import zipfile
from datetime import datetime, timedelta
from pathlib import Path

from annotations.backup.backup import MEDIA_FOLDER, Backup, backup
from annotations.backup.manifest import MEDIA_BESIDE, BackupError
from annotations.backup.restore import read_manifest
from annotations.settings_file import SETTINGS_FILE, Settings, read_settings

SUFFIX = ".backup"
LOOK_EVERY_S = 60.0
RETRY_AFTER = timedelta(hours=1)

_log = logging.getLogger(__name__)


def is_due(moment: datetime, newest: datetime | None, at: str) -> bool:
    """Whether a nightly backup is owed: none was made since the time of day last went by.

    A night on which no server ran is made up for at the next start.

    Args:
        moment: now.
        newest: when the newest backup was made; None without one.
        at: time of day such as '03:00'.
    """
    hour, minute = map(int, at.split(":"))
    scheduled = moment.replace(hour=hour, minute=minute, second=0, microsecond=0)
    if scheduled > moment:
        scheduled -= timedelta(days=1)
    return newest is None or newest < scheduled


def backup_folder(root: Path, settings: Settings) -> Path:
    """Where nightly backups of a workspace go."""
    if settings.backup_folder:
        return (root / Path(settings.backup_folder).expanduser()).resolve()
    return root.with_name(f"{root.name}-backups")


def nightly_backups(folder: Path) -> list[tuple[datetime, Path]]:
    """Backups of a folder that nights made, oldest first, by the time in their names."""
    backups: list[tuple[datetime, Path]] = []
    for path in folder.glob(f"*{SUFFIX}"):
        try:
            taken_at = datetime.strptime(path.stem[-17:], "%Y-%m-%d-%H%M%S")
        except ValueError:
            continue  # somebody else's file
        backups.append((taken_at, path))
    return sorted(backups)


def make_nightly(root: Path, moment: datetime) -> Backup:
    """Make tonight's backup, then take away those beyond the newest few.

    Videos lie beside the archives, each once for all of them.

    Raises:
        BackupError, OSError: as `annotations.backup.backup.backup`; older backups are untouched.
    """
    settings = read_settings(root / SETTINGS_FILE)
    folder = backup_folder(root, settings)
    name = f"{root.name}-{moment:%Y-%m-%d-%H%M%S}{SUFFIX}"
    report = backup(root, folder / name, MEDIA_BESIDE)
    for _, old in nightly_backups(folder)[: -settings.backup_keep]:
        old.unlink()
    _drop_unused_media(folder)
    return report


def _drop_unused_media(folder: Path) -> None:
    """Take away videos that no backup of the folder names any more, whoever made it."""
    used: set[str] = set()
    for path in (path for path in folder.iterdir() if path.is_file()):
        if path.suffix != SUFFIX and not zipfile.is_zipfile(path):
            continue
        try:
            used |= {file.sha256 for file in read_manifest(path).files}
        except BackupError:
            return  # what a damaged backup needs cannot be known
    for path in (folder / MEDIA_FOLDER).glob("*"):
        if path.name not in used and not path.name.startswith("."):
            path.unlink()


class Nightly:
    """Watches the clock in a thread and makes each backup in a process of its own."""

    def __init__(self, root: Path, settings: Settings):
        self._root, self._settings = root, settings
        self._stop = threading.Event()
        self._tried: datetime | None = None
        self._thread = threading.Thread(target=self._watch, name="nightly backup", daemon=True)

    def start(self) -> None:
        """Begin to watch, if the settings ask for backups."""
        if self._settings.backup_at:
            self._thread.start()

    def stop(self) -> None:
        """End the watch; a backup that is under way goes on in its process."""
        self._stop.set()

    def _watch(self) -> None:
        while not self._stop.is_set():
            try:
                self.look(datetime.now())
            except OSError:
                _log.exception("The nightly backup could not be started")
            self._stop.wait(LOOK_EVERY_S)

    def look(self, moment: datetime) -> bool:
        """Make a backup if one is owed; whether one was tried."""
        if self._tried is not None and moment - self._tried < RETRY_AFTER:
            return False
        backups = nightly_backups(backup_folder(self._root, self._settings))
        newest = backups[-1][0] if backups else None
        if not is_due(moment, newest, self._settings.backup_at):
            return False
        self._tried = moment
        process = subprocess.run(
            [sys.executable, "-m", "annotations.backup.nightly", str(self._root)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if process.returncode:
            _log.error("The nightly backup failed: %s", process.stderr.strip()[-2000:])
        else:
            _log.info("Nightly backup: %s", process.stdout.strip())
        return True


def main() -> int:
    """Make a backup of the workspace named on the command line; the exit status."""
    try:
        report = make_nightly(Path(sys.argv[1]), datetime.now())
    except (BackupError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join([str(report.path), *report.warnings]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
