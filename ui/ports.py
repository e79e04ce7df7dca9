"""Ports of this computer."""

import socket

from core.refusal import Refusal


def is_free(host: str, port: int) -> bool:
    """Whether a server can listen there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def check_free(host: str, port: int) -> None:
    """Refuse a port at which no server can listen.

    Raises:
        Refusal: with what to do about it.
    """
    if not 0 < port < 65536:
        raise Refusal(f"{port} is no port; allowed are 1 to 65535.")
    if not is_free(host, port):
        raise Refusal(f"Port {port} is taken. Stop what listens there, or add --port NUMBER.")
