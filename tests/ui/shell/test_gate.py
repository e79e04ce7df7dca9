"""Who may speak to which address, and from where: the gate before all that is served."""

import gzip

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from annotations.access import end_access
from annotations.people import invite
from ui.routes.sessions import session_routes
from ui.shell.gate import Gate, is_known, is_same_origin, known_hosts, roles_for

SCRIPT = "const words = 'as Streamlit sends them';\n" * 2000
URL = "http://localhost:8501"
SOCKET = "ws://localhost:8501/_stcore/stream"
# Streamlit's endpoints, and who has business there.
FOR_AUTHORS = (
    ("GET", "/_stcore/metrics"), ("PUT", "/_stcore/upload_file/session/file"),
    ("DELETE", "/_stcore/upload_file/session/file"), ("GET", "/media/abc.zip"),
)  # fmt: skip
FOR_EVERYBODY_HERE = (
    ("GET", "/"), ("GET", "/annotate"), ("GET", "/runs"), ("GET", "/_stcore/host-config"),
    ("GET", "/_stcore/script-health-check"), ("GET", "/component/x/y.js"),
    ("GET", "/anything/that/nobody/wrote/yet"),
)  # fmt: skip


@pytest.fixture
def behind(workspace):
    """Everything answers 'let in', as Streamlit would to everybody."""

    async def answer(request):
        return PlainTextResponse("let in")

    async def script(request):
        return Response(SCRIPT, media_type="text/javascript", headers={"ETag": '"1"'})

    async def talk(socket):
        await socket.accept()
        await socket.send_text("let in")
        await socket.close()

    methods = ["GET", "POST", "PUT", "DELETE"]
    return Gate(
        Starlette(
            routes=[
                *session_routes(workspace),
                Route("/static/index.js", script),
                WebSocketRoute("/_stcore/stream", talk),
                Route("/{path:path}", answer, methods=methods),
            ]
        ),
        workspace,
    )


@pytest.fixture
def browser(behind, workspace):
    def opened(name: str = "", role: str = "annotator") -> TestClient:
        client = TestClient(behind, base_url=URL)
        if name:
            client.get(f"/join/{invite(workspace, name, role)}", follow_redirects=False)
        return client

    return opened


@pytest.mark.parametrize(("method", "path"), [*FOR_AUTHORS, *FOR_EVERYBODY_HERE])
def test_nobody_gets_through_without_a_session(browser, method, path):
    reply = browser().request(method, path)
    assert reply.status_code == 401
    assert "let in" not in reply.text


@pytest.mark.parametrize(("method", "path"), FOR_AUTHORS)
def test_uploads_kept_files_and_measurements_are_for_authors(browser, method, path):
    assert browser("Ada").request(method, path).status_code == 403
    assert browser("Eva", "author").request(method, path).text == "let in"


@pytest.mark.parametrize(("method", "path"), FOR_EVERYBODY_HERE)
def test_people_who_are_signed_in_get_pages(browser, method, path):
    reply = browser("Ada").request(method, path)
    # Pages are Streamlit's first page, which is answered before what stands behind here.
    assert reply.text == "let in" or '<div id="root">' in reply.text


def test_the_door_stands_where_somebody_is_not_signed_in(browser, workspace):
    reply = browser().get("/runs?view=leaderboard")
    assert reply.headers["content-type"].startswith("text/html")
    assert "Open the invite link" in reply.text


def test_a_websocket_needs_a_session_and_a_page_of_ours(browser, add_person, workspace):
    def opens(client: TestClient, **headers: str) -> bool:
        try:
            with client.websocket_connect(SOCKET, headers=headers) as socket:
                return socket.receive_text() == "let in"
        except WebSocketDisconnect:
            return False

    ada = browser("Ada")
    assert not opens(browser())
    assert opens(ada)
    assert opens(ada, origin=URL)
    for origin in ("http://localhost:8624", "http://evil.example:8501", "null"):
        assert not opens(ada, origin=origin)
    end_access(workspace, add_person("Root", "admin"), "Ada")
    assert not opens(ada, origin=URL)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site"},
        {"origin": "http://localhost:8624"},
        {"origin": "null"},
        {"origin": "http://localhost:8501", "sec-fetch-site": "same-site"},
    ],
)
def test_what_another_site_sends_changes_nothing(browser, method, headers):
    eva = browser("Eva", "author")
    assert eva.request(method, "/desk/failures/key", headers=headers).status_code == 403
    same = {"origin": URL, "sec-fetch-site": "same-origin"}
    assert eva.request(method, "/desk/failures/key", headers=same).text == "let in"


def test_another_site_signs_nobody_out(browser):
    eva = browser("Eva", "author")
    eva.get("/leave", headers={"sec-fetch-site": "same-site"}, follow_redirects=False)
    assert eva.get("/runs").status_code == 200
    cookies = dict(eva.cookies)
    eva.get("/leave", headers={"sec-fetch-site": "same-origin"}, follow_redirects=False)
    copied = browser()
    copied.cookies.update(cookies)
    assert copied.get("/runs").status_code == 401  # the session has ended, not only the cookie


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8501", "", "localhost.evil.example"]
)
def test_a_name_that_somebody_turned_to_this_computer_is_refused(browser, host):
    for path in ("/", "/join/anything", "/desk/failures", "/_stcore/health"):
        assert browser("Eva", "author").get(path, headers={"host": host}).status_code == 421


def test_numbers_this_computer_and_the_configured_name_are_known():
    names = known_hosts("https://rushes.lab.example:8443/")
    for host in ("127.0.0.1:8501", "[::1]:8501", "192.168.1.4", "localhost", "rushes.lab.example"):
        assert is_known(host, names)
    for host in ("lab.example", "rushes.lab.example.evil", "[", "127.0.0.1.evil.example"):
        assert not is_known(host, names)


def test_a_request_without_a_page_is_of_the_same_origin():
    assert is_same_origin({}, "localhost:1")  # a script on the command line
    assert is_same_origin({"sec-fetch-site": "none"}, "localhost:1")  # typed by hand


def test_an_invite_link_leads_to_pages_of_ours_only(browser, workspace):
    token = invite(workspace, "Ada", "annotator")
    for to, place in (
        ("annotate", "/annotate"), ("/evil.com", "/"), ("//evil.com", "/"),
        ("http://evil.com", "/"),
        ("\\evil.com", "/"), ("%2fevil.com", "/"), ("", "/"),
    ):  # fmt: skip
        reply = browser().get(f"/join/{token}", params={"to": to}, follow_redirects=False)
        assert (reply.status_code, reply.headers["location"]) == (303, place)


@pytest.mark.parametrize("path", ["/", "/static/index.js", "/join/x", "/media/x", "/desk/x"])
@pytest.mark.parametrize("name", ["", "Ada"])
def test_every_answer_says_what_a_browser_may_not_do_with_it(browser, path, name):
    headers = browser(name).get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "img-src 'self' data: blob:" in headers["content-security-policy"]


def test_what_streamlit_keeps_for_a_download_is_stored_by_no_browser(browser):
    assert browser("Eva", "author").get("/media/abc.zip").headers["cache-control"] == "no-store"


def test_the_cookie_is_secure_where_the_configured_address_is(workspace, behind):
    token = invite(workspace, "Ada", "annotator")
    client = TestClient(behind, base_url=URL)
    cookie = client.get(f"/join/{token}", follow_redirects=False).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    object.__setattr__(workspace.settings, "url", "https://rushes.lab.example")
    cookie = client.get(f"/join/{token}", follow_redirects=False).headers["set-cookie"]
    assert "Secure" in cookie


def test_scripts_come_compressed_and_whole(browser):
    client = browser("Ada")
    for _ in range(2):  # made, then kept
        reply = client.get("/static/index.js")
        assert reply.headers["content-encoding"] == "gzip"
        assert int(reply.headers["content-length"]) < len(SCRIPT) / 20
        assert reply.text == SCRIPT
    plain = client.get("/static/index.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == SCRIPT
    assert len(gzip.compress(SCRIPT.encode())) < len(SCRIPT)


def test_an_address_below_a_page_is_streamlits_all_the_same():
    assert roles_for("/runs/_stcore/upload_file/a/b") == roles_for("/_stcore/upload_file/a/b")
    assert "annotator" not in roles_for("/runs/_stcore/metrics")


def test_a_person_of_one_workspace_is_nobody_in_another(behind, workspace, tmp_path):
    from annotations.workspace import Workspace

    other = Workspace.create(tmp_path / "other")
    client = TestClient(behind, base_url=URL)
    client.get(f"/join/{invite(other, 'Eva', 'admin')}", follow_redirects=False)
    assert client.get("/runs").status_code == 401
