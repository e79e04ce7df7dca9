from collections.abc import Generator
from pathlib import Path

import pytest

from annotations.workspace import Workspace

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real clips and annotation files beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("real clips and files are not here: no folder 'shared' beside the checkout")
    return SHARED


@pytest.fixture
def workspace(tmp_path: Path) -> Generator[Workspace]:
    opened = Workspace.create(tmp_path / "workspace")
    yield opened
    opened.close()
