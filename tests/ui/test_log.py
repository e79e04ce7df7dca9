import logging

import pytest
from streamlit import config
from streamlit.error_util import handle_uncaught_app_exception

from ui.log import LOG_FILE, start_log, stop_log
from ui.shell.serve import OPTIONS

LOG = logging.getLogger("ui.anything")


@pytest.fixture
def written(workspace, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "sk-hunter2-hunter2")
    handler = start_log(workspace.root, workspace.secret, "info")
    yield lambda: (workspace.root / LOG_FILE).read_text()
    stop_log(handler)


def test_a_bug_is_written_with_its_traceback(written):
    try:
        raise KeyError("a server bug")
    except KeyError:
        LOG.exception("storing broke")
    assert "ERROR ui.anything: storing broke" in written()
    assert "Traceback" in written()
    assert "KeyError: 'a server bug'" in written()
    assert "test_log.py" in written()


def test_below_the_level_nothing_is_written(written):
    LOG.debug("too fine")
    LOG.info("good to know")
    assert "too fine" not in written()
    assert "good to know" in written()


def test_loggers_that_keep_to_themselves_are_heard(written):
    logging.getLogger("streamlit.error_util").error("Uncaught app execution")
    assert "Uncaught app execution" in written()


def test_the_exception_of_a_page_is_written_with_its_traceback(written):
    # Streamlit would hand it to `rich` where that is installed, which prints past every log.
    asked = "logger.enableRich"
    before = config.get_option(asked)
    config.set_option(asked, OPTIONS[asked])
    try:
        raise KeyError("a page's bug")
    except KeyError as error:
        handle_uncaught_app_exception(error)
    finally:
        config.set_option(asked, before)
    assert 'KeyError: "a page\'s bug"' in written()
    assert "test_log.py" in written()


def test_no_key_link_session_or_ticket_is_written(written, workspace):
    LOG.error(
        "%s; Authorization: Bearer abc.def; /join/WzEsIng.sig?to=x; rushes_0123abcd=cookie.value;"
        " /desk/media/1790000-AbC_d/aa/player; sk-hunter2-hunter2",
        workspace.secret,
    )
    text = written()
    for secret in (
        workspace.secret, "abc.def", "WzEsIng.sig", "cookie.value", "AbC_d", "hunter2"
    ):  # fmt: skip
        assert secret not in text
    assert "/desk/media/…/aa/player" in text


def test_a_log_on_a_full_disk_is_said_once_and_not_for_each_record(workspace, capsys):
    handler = start_log(workspace.root, workspace.secret, "info")
    handler.stream.close()
    handler.stream = open("/dev/full", "w", encoding="utf-8")  # noqa: SIM115 (the handler's)
    for number in range(20):
        LOG.warning("answer %s could not be stored", number)
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "the log cannot be written: " in told
    assert "No space left on device" in told
    handler.stream = open(workspace.root / LOG_FILE, "a", encoding="utf-8")  # noqa: SIM115
    LOG.warning("there is room again")
    stop_log(handler)
    assert "there is room again" in (workspace.root / LOG_FILE).read_text()
