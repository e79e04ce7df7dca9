from collections.abc import Iterator

import pytest

from annotations.footage.store import open_store
from annotations.workspace import Workspace
from db.connection import Store


@pytest.fixture
def store(workspace: Workspace) -> Iterator[Store]:
    store = open_store(workspace)
    yield store
    store.close()
