"""Where this workspace is reached."""

from annotations.workspace import Workspace

ADDRESS_FILE = "served-at"
DEFAULT_ADDRESS = "http://localhost:8501"


def link_to(workspace: Workspace, token: str) -> str:
    """The invite link of a token: from the settings' address, else where it was last served."""
    return f"{address(workspace)}/join/{token}"


def address(workspace: Workspace) -> str:
    """The address people use, without a slash at its end."""
    path = workspace.root / ADDRESS_FILE
    served = path.read_text(encoding="utf-8").strip() if path.exists() else ""
    return (workspace.settings.url or served or DEFAULT_ADDRESS).rstrip("/")


def note_address(workspace: Workspace, port: int) -> None:
    """Remember where the workspace is being served."""
    (workspace.root / ADDRESS_FILE).write_text(f"http://localhost:{port}", encoding="utf-8")
