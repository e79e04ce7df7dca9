"""What a page says when the database or the disk fails under it: in words that say what to do."""

import logging
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

import streamlit as st

from annotations.backup.database_errors import disk_words, error_words

LOG = logging.getLogger(__name__)


@contextmanager
def database_trouble_told() -> Generator[None]:
    """Draw what a failing database or disk means for a person, in place of the rest of the page.

    Streamlit itself would say that something went wrong, and nothing of what to do. An error that
    is a bug of ours goes on: its words would help nobody.
    """
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, sqlite3.Error):
            words = error_words(error)
        else:
            words = f"{error}. {disk_words(error)}" if disk_words(error) else ""
        if not words:
            raise
        LOG.error("the database or the disk failed under a page: %s", error)
        st.error(f"{words} Then reload this page.", icon=":material/database_off:")
