from collections.abc import Iterator
from pathlib import Path

import pytest

from annotations.footage.store import open_store
from annotations.workspace import Workspace
from db.connection import Store


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.create(tmp_path / "workspace")
    yield workspace
    workspace.close()


@pytest.fixture
def store(workspace: Workspace) -> Iterator[Store]:
    store = open_store(workspace)
    yield store
    store.close()
