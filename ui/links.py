"""Where this workspace is reached."""

from urllib.parse import urlsplit

from annotations.workspace import Workspace

ADDRESS_FILE = "served-at"
DEFAULT_ADDRESS = "http://localhost:8501"
THIS_COMPUTER = frozenset({"localhost", "127.0.0.1", "::1"})
ONLY_HERE = (
    "It opens on this computer only. For people elsewhere write the address at which they reach "
    "this server into rushes.toml, [server] url."
)


def link_to(workspace: Workspace, token: str) -> str:
    """The invite link of a token: from the settings' address, else where it was last served."""
    return f"{address(workspace)}/join/{token}"


def opens_only_here(workspace: Workspace) -> bool:
    """Whether the links lead to whatever computer they are opened on, and so to this one alone."""
    return urlsplit(address(workspace)).hostname in THIS_COMPUTER


def address(workspace: Workspace) -> str:
    """The address people use, without a slash at its end."""
    path = workspace.root / ADDRESS_FILE
    served = path.read_text(encoding="utf-8").strip() if path.exists() else ""
    return (workspace.settings.url or served or DEFAULT_ADDRESS).rstrip("/")


def note_address(workspace: Workspace, port: int) -> None:
    """Remember where the workspace is being served."""
    (workspace.root / ADDRESS_FILE).write_text(f"http://localhost:{port}", encoding="utf-8")
