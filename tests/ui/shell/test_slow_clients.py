"""Connections that do not get on are cut off; all others are served as ever."""

import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from uvicorn import config
from waiting import wait_until
from websockets.sync.client import connect

from ui.shell import slow_clients
from ui.shell.slow_clients import Patient, bound_connections

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server with short waits, which sends back what it is sent."""
    monkeypatch.setitem(config.HTTP_PROTOCOLS, "auto", "replaced below")
    bound_connections()
    for name in ("HEAD_S", "BODY_S", "STALLED_S"):
        monkeypatch.setattr(slow_clients, name, 1.0)

    async def echo(request: Request) -> Response:
        return PlainTextResponse(await request.body() or b"x" * int(request.url.query or 2))

    async def socket_of(websocket: WebSocket) -> None:
        await websocket.accept()
        while True:
            await websocket.send_text(await websocket.receive_text())

    app = Starlette(
        routes=[Route("/", echo, methods=["GET", "POST"]), WebSocketRoute("/ws", socket_of)]
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    with socket.socket() as listener:  # made as Streamlit makes it
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        wait_until(lambda: server.started, "the server")
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


def opened(port: int, sent: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.settimeout(30)
    connection.sendall(sent)
    return connection


def is_cut_off(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET", HEAD, POST, POST + b"12345"])
def test_half_a_request_is_not_waited_for_without_end(port: int, sent: bytes):
    assert is_cut_off(opened(port, sent))


@pytest.mark.parametrize("begin", [HEAD + b"X: ", POST])
def test_a_request_that_comes_byte_by_byte_is_cut_off(port: int, begin: bytes):
    connection = opened(port, begin)
    connection.settimeout(0.2)
    with pytest.raises((BrokenPipeError, ConnectionResetError)):  # noqa: PT012
        for _ in range(100):  # a body of 10 bytes would be whole after 2 s
            try:
                if connection.recv(1) == b"":
                    raise ConnectionResetError
            except TimeoutError:
                connection.sendall(b"a")
        raise AssertionError("it was still open after 20 s")


@pytest.mark.parametrize(
    "begin",
    [
        HEAD + b"X: ",
        b"GET /",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"2\r\nab\r\n0\r\nX: ",  # what may follow a body that is sent in parts
    ],
)
def test_a_head_without_end_is_cut_off_before_its_time(
    port: int, monkeypatch: pytest.MonkeyPatch, begin: bytes
):
    monkeypatch.setattr(slow_clients, "HEAD_S", 600.0)
    monkeypatch.setattr(slow_clients, "BODY_S", 600.0)
    connection = opened(port, begin)
    with pytest.raises((BrokenPipeError, ConnectionResetError)):  # noqa: PT012
        for _ in range(100):
            connection.sendall(b"a" * 65_536)
        if connection.recv(1) == b"":
            raise ConnectionResetError
        raise AssertionError("6 MB of a head were taken")


def test_a_large_body_is_read_whole(port: int):
    body = b"b" * 1_000_000
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    parts = b"".join(b"1\r\n%c\r\n" % letter for letter in b"a" * 50_000)
    for sent, wanted in [
        (head + b"Content-Length: 1000000\r\n\r\n" + body, body),
        (head + b"Transfer-Encoding: chunked\r\n\r\n" + parts + b"0\r\n\r\n", b"a" * 50_000),
    ]:
        connection = opened(port, sent)
        answer = b""
        while part := connection.recv(1 << 20):
            answer += part
        assert answer.partition(b"\r\n\r\n")[2] == wanted


def test_a_body_does_not_wait_until_its_head_is_confirmed(port: int):
    connection = opened(port)
    wait_until(lambda: Patient.waiting, "the connection")
    [protocol] = Patient.waiting
    at_server: socket.socket = protocol.transport.get_extra_info("socket")
    assert at_server.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    connection.close()


def test_who_does_not_read_is_cut_off(port: int):
    connection = opened(port, b"GET /?50000000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    wait_until(lambda: not Patient.waiting, "the request")
    stalled = threading.Event()
    stalled.wait(3)
    received = 0
    try:
        while part := connection.recv(1 << 20):
            received += len(part)
    except ConnectionResetError:
        pass
    assert received < 50_000_000


def test_whole_requests_are_answered_one_after_the_other(port: int):
    connection = opened(port)
    for _ in range(3):
        connection.sendall(POST + b"1234567890")
        answer = b""
        while not answer.endswith(b"1234567890"):
            answer += connection.recv(4096)
        assert answer.startswith(b"HTTP/1.1 200")
    connection.sendall(HEAD + b"\r\n" + HEAD + b"\r\n")  # two at once
    answer = b""
    while answer.count(b"xx") < 2:
        answer += connection.recv(4096)
    assert answer.count(b"HTTP/1.1 200") == 2


def test_of_many_that_wait_the_oldest_makes_room(port: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(slow_clients, "HEAD_S", 60.0)
    monkeypatch.setattr(slow_clients, "MOST_WAITING", 3)
    connections = []
    for number in range(5):
        connections.append(opened(port, b"GET"))
        wait_until(lambda n=number: len(Patient.waiting) == min(n + 1, 3), "the connection")
    assert is_cut_off(connections[0])
    assert is_cut_off(connections[1])
    connections[2].sendall(b" / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert connections[2].recv(12) == b"HTTP/1.1 200"


def test_a_websocket_stays_open_though_it_is_silent(port: int):
    with connect(f"ws://127.0.0.1:{port}/ws") as websocket:
        assert not Patient.waiting
        threading.Event().wait(2.5)
        websocket.send("still here")
        assert websocket.recv() == "still here"
