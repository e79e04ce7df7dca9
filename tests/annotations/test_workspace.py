import shutil

import pytest

from annotations.planning.task_store import status
from annotations.settings_file import SETTINGS_FILE
from annotations.workspace import DATABASE_FILE, KEY_FILE, SHORTEST_KEY, Workspace


def test_a_workspace_is_not_made_over_something_else(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="not an empty folder"):
        Workspace.create(tmp_path)
    Workspace.create(tmp_path / "w")
    with pytest.raises(ValueError, match="workspace already"):
        Workspace.create(tmp_path / "w")


def test_a_folder_that_is_none_says_how_to_make_one(tmp_path):
    with pytest.raises(ValueError, match="rushes init"):
        Workspace.open(tmp_path)


def test_an_emptied_database_is_told_and_not_taken_for_a_new_one(workspace):
    workspace.close()
    (workspace.root / DATABASE_FILE).write_bytes(b"")
    with pytest.raises(ValueError, match=r"empty .0 bytes.*rushes restore"):
        Workspace.open(workspace.root)
    assert (workspace.root / DATABASE_FILE).stat().st_size == 0


def test_copying_the_folder_moves_the_project(workspace, add_question, tmp_path):
    add_question("count/1")
    workspace.close()
    shutil.copytree(workspace.root, tmp_path / "copy")
    copy = Workspace.open(tmp_path / "copy")
    assert status(copy)["questions"] == 1
    assert copy.secret == workspace.secret


def test_the_signing_key_is_for_its_owner_alone(workspace):
    assert (workspace.root / "secret.key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("key", ["", "\n", "short"])
def test_an_empty_or_short_key_is_refused_since_links_could_be_forged(workspace, key):
    (workspace.root / KEY_FILE).write_text(key)
    with pytest.raises(ValueError, match=r"links could be forged. Copy it from a backup"):
        Workspace.open(workspace.root)


def test_a_lost_key_is_made_anew_and_said(workspace, caplog):
    (workspace.root / KEY_FILE).unlink()
    with caplog.at_level("WARNING"):
        again = Workspace.open(workspace.root)
    assert "earlier invite links and sessions have ended" in caplog.text
    assert again.secret != workspace.secret
    assert len(again.secret) >= SHORTEST_KEY
    assert (workspace.root / KEY_FILE).stat().st_mode & 0o077 == 0


def test_the_folder_is_for_its_owner_alone(workspace):
    """Keys, answers and the secrets of invitations lie in the database."""
    assert workspace.root.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[evaluation\n", "not valid TOML"),
        ("[evaluation]\noverlap = 'two'\n", "evaluation overlap is 'two'"),
        ("[evaluation]\noverlap = 0\n", "at least 1"),
        ("[pay]\nshow = 1\n", "pay show is 1"),
        ("[pay]\nrate = nan\n", "pay rate is nan; it has to be 0 or more"),
        ("[queue]\nlease_minutes = 0\n", "lease_minutes is 0; it has to be 0.1 or more"),
        ("evaluation = 2\n", r"evaluation is 2; it has to be the table \[evaluation\]"),
        (
            "[evaluation]\noverlapp = 3\n",
            r"'overlapp', .* mean overlap\?",
        ),
        ("overlap = 3\n", r"It belongs below \[evaluation\]"),
        ("[evaluations]\noverlap = 3\n", r"Did you mean evaluation\?"),
    ],
)
def test_a_setting_that_is_wrong_is_named(workspace, text, words):
    (workspace.root / SETTINGS_FILE).write_text(text)
    with pytest.raises(ValueError, match=words):
        Workspace.open(workspace.root)


def test_the_first_settings_are_all_known(workspace):
    text = (workspace.root / SETTINGS_FILE).read_text()
    for switched_off in ("[sign_in", "secrets", '"@example', "[[models", "model =", "key ="):
        text = text.replace(f"# {switched_off}", switched_off)
    (workspace.root / SETTINGS_FILE).write_text(text)
    settings = Workspace.open(workspace.root).settings
    assert settings.sign_in is not None
    assert settings.models[0].key == "HOST_API_KEY"


def test_whole_numbers_will_do_where_fractions_are_allowed(workspace):
    (workspace.root / SETTINGS_FILE).write_text("[pay]\nrate = 12\n[queue]\nlease_minutes = 5\n")
    settings = Workspace.open(workspace.root).settings
    assert (settings.rate, settings.lease_s) == (12.0, 300.0)
