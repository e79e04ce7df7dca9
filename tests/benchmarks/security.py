"""What was tried against a served workspace, and what got through: nothing may.

Run by hand: `python tests/benchmarks/security.py`. It serves a copy of the demo without `demo =
true`, tries each line of the table over HTTP as nobody, an annotator, somebody put aside, somebody
whose access has ended, and as pages of other sites, and prints how many attempts each line took and
what got through. The exit status is 1 if anything did.
"""

import argparse
import http.client
import json
import math
import re
import shutil
import socket
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from served import Served

from annotations.access import end_access
from annotations.answering.exclusion import put_aside
from annotations.demo.setup import make_demo
from annotations.people import Person, invite
from annotations.settings_file import SETTINGS_FILE
from annotations.workspace import Workspace
from ui.shell.app_pages import PAGES

JSON = "application/json"
STREAMLIT = (
    ("GET", "/_stcore/metrics"), ("GET", "/_stcore/host-config"), ("GET", "/media/abc.zip"),
    ("PUT", "/_stcore/upload_file/session/file"), ("POST", "/_stcore/agent/interact"),
    ("POST", "/_stcore/agent/mcp"), ("GET", "/_stcore/stream"), ("GET", "/component/x/y.js"),
    ("GET", "/runs/_stcore/metrics"), ("GET", "/_stcore/bidi-components/x"),
)  # fmt: skip
FAILURES = (
    ("GET", ""), ("POST", "/page"), ("POST", "/tag"), ("POST", "/key"), ("POST", "/task"),
    ("GET", "/stages/1"), ("GET", "/replies/1"), ("GET", "/questions/1"),
)  # fmt: skip
WRONG = (
    "x", "\x00", "\ud800", "\u202e", -1, 2**63, 10**30, 1e308, math.nan, math.inf, True, None, [],
    {}, [[]], "'; DROP TABLE item; --", "p99", "p-1", "A" * 3000,
)  # fmt: skip


@dataclass
class Reply:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body as an object."""
        return json.loads(self.body)


class Browser:
    """Sends requests with the cookies of one person."""

    def __init__(self, server: Served, link: str = ""):
        self.server, self.cookie = server, ""
        if link:
            self.cookie = self.ask("GET", link).headers.get("set-cookie", "").partition(";")[0]

    def ask(
        self, method: str, path: str, body: object = None, *, raw: bytes | None = None,
        **headers: str,
    ) -> Reply:  # fmt: skip
        """One request; names of headers are written with underscores."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent.setdefault("Cookie", self.cookie)
        content = raw if raw is not None else None if body is None else json.dumps(body).encode()
        if content is not None:
            sent.setdefault("Content-Type", JSON)
        try:
            connection.request(method, path, content, sent)
            reply = connection.getresponse()
            names = {name.lower(): value for name, value in reply.getheaders()}
            return Reply(reply.status, names, reply.read())
        finally:
            connection.close()


@dataclass
class Line:
    """A line of the table: how often something was tried, and what got through."""

    area: str
    tried: int = 0
    through: list[str] = field(default_factory=list[str])

    def hold(self, what: str, holds: bool) -> None:
        """Note one attempt."""
        self.tried += 1
        if not holds:
            self.through.append(what)


class Attempts:
    """Everything that is tried, one method a line of the table."""

    def __init__(self, server: Served, workspace: Workspace):
        self.server, self.workspace = server, workspace
        self.nobody = Browser(server)
        self.ada = Browser(server, self.link("Ada", "annotator"))
        self.ben = Browser(server, self.link("Ben", "annotator"))
        self.aside = Browser(server, self.link("Cem", "annotator"))
        self.ended = Browser(server, self.link("Dee", "author"))
        self.author = Browser(server, self.link("Eva", "author"))
        self.link("Root", "admin")
        [root] = workspace.store.rows("SELECT id FROM annotator WHERE name = 'Root'")
        put_aside(workspace, "Cem")
        end_access(workspace, Person(root["id"], "Root", "admin"), "Dee")
        [task] = workspace.store.rows("SELECT id FROM task WHERE name LIKE '%16 frames'")
        self.task = f"/desk/tasks/{task['id']}"

    def link(self, name: str, role: str) -> str:
        """The path of an invite link."""
        return f"/join/{invite(self.workspace, name, role)}"

    def all(self) -> Iterator[Line]:
        """Every line, tried."""
        for name in sorted(vars(type(self))):
            if name.startswith("try_"):
                method: Callable[[Line], None] = getattr(self, name)
                line = Line((method.__doc__ or name).strip().rstrip("."))
                method(line)
                yield line

    def try_doors(self, line: Line) -> None:
        """Pages, routes and Streamlit's endpoints, as nobody and as somebody whose access ended."""
        desk = [("GET", ""), ("GET", "/items/1"), ("POST", "/lease"), ("POST", "/release"),
                ("POST", "/answers"), ("POST", "/draft")]  # fmt: skip
        paths = [("GET", f"/{name}") for name in PAGES]
        paths += [(method, self.task + path) for method, path in desk]
        paths += [(method, f"/desk/failures{path}") for method, path in FAILURES]
        for who in (self.nobody, self.ended):
            for method, path in (*paths, *STREAMLIT):
                status = who.ask(method, path, None if method == "GET" else {}).status
                line.hold(f"{method} {path}: {status}", status in (401, 403))

    def try_annotators_doors(self, line: Line) -> None:
        """Routes, previews and endpoints of authors, as an annotator and as one put aside."""
        preview = self.task.replace("/desk/", "/desk/preview/")
        paths = [(method, f"/desk/failures{path}") for method, path in FAILURES]
        paths += [("GET", preview), ("POST", f"{preview}/answers"), ("POST", f"{preview}/lease")]
        paths += [row for row in STREAMLIT if "upload" in row[1] or "metrics" in row[1]
                  or row[1].startswith(("/media", "/_stcore/agent"))]  # fmt: skip
        for who in (self.ada, self.aside):
            for method, path in paths:
                status = who.ask(method, path, None if method == "GET" else {}).status
                line.hold(f"{method} {path}: {status}", status in (401, 403))

    def try_aside(self, line: Line) -> None:
        """Work for somebody who is put aside, in every task."""
        for row in self.workspace.store.rows("SELECT id FROM task WHERE status = 'open'"):
            for reply in (
                self.aside.ask("GET", f"/desk/tasks/{row['id']}"),
                self.aside.ask("POST", f"/desk/tasks/{row['id']}/lease", {"have": []}),
            ):
                line.hold(f"task {row['id']}", reply.json["items"] == [])  # fmt: skip

    def try_keys(self, line: Line) -> None:
        """Keys in what an annotator is handed of questions that they may still be asked."""
        open_questions = {
            row["question_id"]
            for row in self.workspace.store.rows(
                "SELECT i.question_id FROM item i JOIN task t ON t.id = i.task_id"
                " WHERE t.kind = 'human_evaluation' AND t.status <> 'closed' AND i.asks = 1"
            )
        }
        for row in self.workspace.store.rows("SELECT id, kind FROM task WHERE status = 'open'"):
            opened = self.ben.ask("GET", f"/desk/tasks/{row['id']}")
            ids = [item["id"] for item in opened.json["items"]]
            marks = ",".join(map(str, ids)) or "NULL"
            asked = self.workspace.store.rows(f"SELECT question_id FROM item WHERE id IN ({marks})")
            shows = b'"key":true' in opened.body or b"Given key" in opened.body
            told = shows and any(one["question_id"] in open_questions for one in asked)
            line.hold(f"task {row['id']} ({row['kind']}) shows keys", not told)
            line.hold("places of the file", not re.search(rb'"value":\d+,"text"', opened.body))
            line.hold("expected answers", b'"expected"' not in opened.body)

    def try_attention(self, line: Line) -> None:
        """Made-up lists of held items, which should show no attention item."""
        for row in self.workspace.store.rows("SELECT id FROM task WHERE status = 'open'"):
            for count in (15, 16, 40):
                made_up = list(range(900_001, 900_001 + count))
                items = self.ben.ask(
                    "POST", f"/desk/tasks/{row['id']}/lease", {"have": made_up}
                ).json["items"]
                line.hold(f"{len(items)} items for {count}", len(items) <= 16)

    def try_media(self, line: Line) -> None:
        """Media addresses: another person's, cut, changed, other names, other videos."""
        found = self.ben.ask("GET", self.task).body.decode()
        addresses = sorted(
            set(re.findall(r"/desk/media/[^\"\\]+?\.jpg|/desk/media/[^\"\\]+?/player", found))
        )
        for address in addresses[:20]:
            line.hold("another person's", self.ada.ask("GET", address).status == 403)
            line.hold("nobody's", self.nobody.ask("GET", address).status == 401)
            *front, sha256, folder, name = address.split("/")
            ticket = front[-1]
            for other in ("player", "frames/0.jpg", "frames/99.jpg", "thumbs/1.jpg",
                          "../../rushes.db", "%2e%2e/%2e%2e/rushes.db"):  # fmt: skip
                if not address.endswith(other):
                    path = f"/desk/media/{ticket}/{sha256}/{other}"
                    line.hold(path, self.ben.ask("GET", path).status in (400, 403, 404))
            for forged in (
                ticket[:-1],
                f"9{ticket}",
                ticket.replace("-", "-0", 1),
                f"{ticket}-0-99",
            ):
                path = f"/desk/media/{forged}/{sha256}/{folder}/{name}"
                line.hold(path, self.ben.ask("GET", path).status == 403)

    def try_answers(self, line: Line) -> None:
        """Answers with other people's leases, wrong items, types, texts and numbers."""
        item, *_ = self.ada.ask("GET", self.task).json["items"]
        other, *_ = self.ben.ask("GET", self.task).json["items"]
        right = {
            "uid": "", "item": item["id"], "lease": item["lease"], "response": {"choice": "p0"},
            "skip": None, "active_s": 1.0, "answered_at": time.time(),
        }  # fmt: skip
        forged = [{"lease": other["lease"]}, {"item": other["id"], "lease": other["lease"]},
                  {"lease": 0}, {"item": 999_999}, {"lease": 10**30}]  # fmt: skip
        wrong = [*forged, *({name: value} for name in right for value in WRONG),
                 *({"response": {"choice": value}} for value in WRONG)]  # fmt: skip
        [before] = self.workspace.store.rows("SELECT max(id) AS id FROM annotation")
        for change in wrong:
            body = {"answers": [{**right, "uid": str(uuid.uuid4()), **change}]}
            reply = self.ada.ask("POST", f"{self.task}/answers", body)
            line.hold(f"{change}: {reply.status}", reply.status < 500)
        for row in self.workspace.store.rows(
            "SELECT a.response, a.active_s, a.answered_at, p.name, l.annotator_id = p.id AS own"
            " FROM annotation a JOIN annotator p ON p.id = a.annotator_id"
            " JOIN lease l ON l.id = a.lease_id WHERE a.id > ?",
            [before["id"]],
        ):
            choice = json.loads(row["response"]).get("choice", 0)
            clean = row["name"] == "Ada" and row["own"] and isinstance(choice, int)
            line.hold(f"stored {row}", clean and abs(row["answered_at"] - time.time()) < 31 * 86400)

    def try_pay(self, line: Line) -> None:
        """Pay beyond the clock: doubled clocks, a hundred revisions, a thousand answers at once."""
        began = time.time()
        item, *_ = self.ben.ask("GET", self.task).json["items"]

        def answers(count: int) -> dict[str, Any]:
            return {"answers": [
                {"uid": str(uuid.uuid4()), "item": item["id"], "lease": item["lease"],
                 "response": {"choice": "p0"}, "active_s": 1e9, "answered_at": time.time()}
                for _ in range(count)]}  # fmt: skip

        self.ben.ask("POST", f"{self.task}/answers", answers(100))
        reply = self.ben.ask("POST", f"{self.task}/answers", answers(1000))
        line.hold("a thousand answers in a request", reply.status == 400)
        [row] = self.workspace.store.rows(
            "SELECT sum(a.active_s) AS paid FROM annotation a JOIN annotator p"
            " ON p.id = a.annotator_id WHERE p.name = 'Ben'"
        )
        allowed = time.time() - began + 60  # what was handed out earlier in this run counts too
        line.hold(f"{row['paid']:.0f} s paid in {allowed:.0f} s", (row["paid"] or 0) <= allowed)

    def try_bodies(self, line: Line) -> None:
        """Bodies without a length, too long, too deep, of another type, no JSON."""
        path = f"{self.task}/lease"
        bodies = (
            b"[" * 100_000, b'{"a":' * 60 + b"1" + b"}" * 60, b"x" * 1_100_000, b"", b"[]",
            b'{"have": [' + b"1," * 60_000 + b"1]}", b'{"have": [1e999]}', b'{"a": "\\ud800"}',
        )  # fmt: skip
        for body in bodies:
            status = self.ada.ask("POST", path, raw=body).status
            line.hold(f"{body[:20]}: {status}", status in (400, 413))
        for kind in ("text/plain;json", "text/json", "multipart/form-data", ""):
            status = self.ada.ask("POST", path, raw=b'{"have": []}', Content_Type=kind).status
            line.hold(f"content type {kind!r}: {status}", status == 400)
        line.hold("chunked without end", self.chunked() in (400, 413))

    def chunked(self) -> int:
        """The status of a body of 20 MB that comes without its length; 413 if it is cut off."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        parts = (b'{"have": "' + b"x" * 1_000_000 for _ in range(20))
        headers = {"Cookie": self.ada.cookie, "Content-Type": JSON}
        try:
            connection.request("POST", f"{self.task}/lease", parts, headers, encode_chunked=True)
            return connection.getresponse().status
        except OSError:
            return 413
        finally:
            connection.close()

    def try_other_sites(self, line: Line) -> None:
        """Requests from another port, another site, another host name."""
        for headers in (
            {"Origin": "http://localhost:8624"},
            {"Origin": "null"},
            {"Sec_Fetch_Site": "cross-site"},
            {"Sec_Fetch_Site": "same-site"},
        ):
            for path in ("/desk/failures/key", f"{self.task}/lease"):
                status = self.author.ask("POST", path, {}, **headers).status
                line.hold(f"{headers} {path}: {status}", status == 403)
            line.hold("sign-out", self.author.ask("GET", "/leave", **headers).status == 403)
        for host in ("evil.example", "localhost.evil.example", ""):
            for path in ("/", self.task, "/_stcore/health"):
                status = self.author.ask("GET", path, Host=host).status
                line.hold(f"host {host!r}: {status}", status in (400, 421))
        for to in ("/evil.com", "//evil.com", "http://evil.com", "\\\\evil.com", "%0d%0aX:%20y"):
            reply = self.nobody.ask("GET", f"{self.link('Fay', 'annotator')}?to={to}")
            line.hold(f"to={to}", reply.headers.get("location") == "/")

    def try_sessions(self, line: Line) -> None:
        """Forged, cut, swapped and ended sessions and invitations."""
        name, value = self.ada.cookie.split("=", 1)
        token = self.link("Ada", "annotator").removeprefix("/join/")
        for forged in ("", value[:-1], f"{value}x", value.swapcase(), token, "null", "x.y.z"):
            status = self.nobody.ask("GET", self.task, Cookie=f"{name}={forged}").status
            line.hold(f"session {forged[:10]!r}: {status}", status == 401)
        for forged in (token[:-1], f"{token}x", value, "made-up"):
            status = self.nobody.ask("GET", f"/join/{forged}").status
            line.hold(f"invitation: {status}", status == 403)
        gus = Browser(self.server, self.link("Gus", "annotator"))
        gus.ask("GET", "/leave")
        line.hold("a copied cookie after sign-out", gus.ask("GET", self.task).status == 401)

    def try_half_open(self, line: Line) -> None:
        """Connections that send nothing, or half a head, still open after 20 s."""
        opened: list[socket.socket] = []
        for number in range(100):
            connection = socket.create_connection(("127.0.0.1", self.server.port))
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n"[: 34 * (number % 2)])
            connection.settimeout(0.01)
            opened.append(connection)
        line.hold("others wait", self.ada.ask("GET", self.task).status == 200)
        time.sleep(20)
        for connection in opened:
            try:
                line.hold("still open", connection.recv(1) == b"")
            except TimeoutError:
                line.hold("still open", False)
            except ConnectionResetError:
                line.hold("still open", True)
            connection.close()

    def try_headers(self, line: Line) -> None:
        """Answers without the headers that bind a browser."""
        for path in ("/", "/join/x", "/static/x", self.task, "/desk/assets/x"):
            headers = self.nobody.ask("GET", path).headers
            for name in ("content-security-policy", "x-content-type-options", "referrer-policy",
                         "x-frame-options"):  # fmt: skip
                line.hold(f"{path}: {name}", name in headers)


def main() -> None:
    """Print the table; exit status 1 if anything got through."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "demo"
        make_demo(root, lambda words: None).close()
        settings = root / SETTINGS_FILE
        settings.write_text(
            "\n".join(
                row for row in settings.read_text(encoding="utf-8").splitlines()
                if not row.startswith("demo")
            ), encoding="utf-8",
        )  # fmt: skip
        shutil.copytree(root, Path(scratch) / "workspace")
        workspace = Workspace.open(Path(scratch) / "workspace")
        with Served(workspace.root) as server:
            lines = list(Attempts(server, workspace).all())
            log = (workspace.root / "rushes.log").read_text(encoding="utf-8")
        workspace.close()
    crashes = Line("tracebacks in the server's log", 1)
    crashes.through += [part[:300] for part in log.split("Traceback")[1:]]
    lines.append(crashes)
    for line in lines:
        through = "nothing" if not line.through else f"{len(line.through)}: {line.through[:3]}"
        print(f"{line.tried:>6} tried  {line.area}: {through} got through")
    print(f"{sum(line.tried for line in lines):>6} tried in all, "
          f"{sum(len(line.through) for line in lines)} got through")  # fmt: skip
    sys.exit(1 if any(line.through for line in lines) else 0)


if __name__ == "__main__":
    main()
