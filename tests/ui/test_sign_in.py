"""Signing in through an organisation, with a real provider on this machine."""

import threading
from datetime import timedelta
from urllib.parse import urlsplit

import httpx
import oidc_provider_mock
import pytest
import werkzeug.serving
from oidc_provider_mock import _app as provider_app
from playwright.sync_api import Browser, Page, Response, expect

from annotations.access import end_access
from annotations.people import Person
from annotations.workspace import Workspace

# The provider itself uses what Authlib calls old.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def provider():
    """Starts providers; each is a server of its own with its own keys."""
    servers: list[werkzeug.serving.BaseWSGIServer] = []

    def start(**options):
        domains = {"ada": "uni.example", "ben": "uni.example", "eve": "evil.example"}
        users = [
            oidc_provider_mock.User(
                sub=sub, claims={"email": f"{sub}@{domain}", "email_verified": True, "name": sub}
            )
            for sub, domain in domains.items()
        ]
        app = oidc_provider_mock.app(user_claims=users, **options)
        server = werkzeug.serving.make_server("localhost", 0, app, threaded=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://localhost:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()


ROLES = '"ada@uni.example" = "author"\n"@uni.example" = "annotator"\n'


@pytest.fixture
def university(serve_workspace, tmp_path):
    """Serves a new workspace whose people sign in at a provider."""

    def start(address, roles=ROLES):
        root = tmp_path / "university"
        if not root.exists():
            Workspace.create(root).close()
        served = serve_workspace(root)
        declared = f"[sign_in]\nsecrets = 'secrets.toml'\nname = 'Uni'\n[sign_in.roles]\n{roles}"
        (root / "rushes.toml").write_text(declared)
        (root / "secrets.toml").write_text(
            "[auth]\n"
            f"redirect_uri = '{served.url}/oauth2callback'\n"
            "cookie_secret = 'a secret of thirty-two characters'\n"
            "client_id = 'rushes'\nclient_secret = 'anything'\n"
            f"server_metadata_url = '{address}/.well-known/openid-configuration'\n"
        )
        return served.start()

    return start


class Visitor:
    """A browser that signs in at the provider, step by step."""

    def __init__(self, served):
        self.url = served.url
        self.client = httpx.Client(base_url=served.url, timeout=60)

    def to_provider(self):
        """Return the provider's address to which the door leads."""
        begin = self.client.get("/sign-in")
        login = self.client.get(begin.headers["location"])
        return login.headers["location"]

    def callback(self, sub, address=None):
        """Sign in at the provider as somebody; return the address that it sends the browser to."""
        reply = self.client.post(address or self.to_provider(), data={"sub": sub})
        return reply.headers["location"]

    def come(self, sub):
        """Go the whole way and return the last reply."""
        return self.client.get(self.callback(sub), follow_redirects=True)

    def is_in(self):
        return self.client.get("/annotate").status_code == 200


@pytest.mark.parametrize(("sub", "role"), [("ada", "author"), ("ben", "annotator")])
def test_a_person_gets_the_role_that_the_settings_name(university, provider, sub, role):
    served = university(provider())
    visitor = Visitor(served)
    door = visitor.client.get("/")
    assert door.status_code == 401
    assert 'href="/sign-in"' in door.text
    assert "Sign in with Uni" in door.text
    visitor.come(sub)
    assert visitor.is_in()
    [row] = served.workspace().store.rows("SELECT name, role FROM annotator")
    assert row == {"name": sub, "role": role}
    assert not any(name.startswith("_streamlit_user") for name in visitor.client.cookies)
    visitor.client.get("/leave")
    assert not visitor.is_in()


def test_unknown_people_replays_and_other_services_are_told_apart_and_let_nobody_in(
    university, provider, monkeypatch
):
    served = university(provider())
    stranger = Visitor(served)
    reply = stranger.come("eve")
    assert reply.status_code == 403
    assert "eve@evil.example" in reply.text
    assert not stranger.is_in()

    # A reply that was used before, in the same browser and in another one.
    ada = Visitor(served)
    reply_of_provider = ada.callback("ada")
    ada.client.get(reply_of_provider, follow_redirects=True)
    ada.client.get("/leave")
    for visitor in (ada, Visitor(served)):
        reply = visitor.client.get(reply_of_provider, follow_redirects=True)
        assert reply.status_code == 401
        assert "opened twice" in reply.text
        assert not visitor.is_in()

    # Somebody else's reply: the state is of another browser.
    victim = Visitor(served)
    victim.to_provider()
    stolen = Visitor(served).callback("ben")
    assert victim.client.get(stolen, follow_redirects=True).status_code == 401
    assert not victim.is_in()

    # Cancelled there.
    cancelled = Visitor(served)
    reply = cancelled.client.post(cancelled.to_provider(), data={"action": "deny"})
    query = urlsplit(reply.headers["location"]).query
    reply = cancelled.client.get(f"/oauth2callback?{query}", follow_redirects=True)
    assert "cancelled" in reply.text

    # Meant for another service: signed by the same provider, with another audience.
    usual = provider_app.OpenIDCode.get_jwt_config
    for claims, status in (({}, 401), ({"azp": "rushes"}, 403)):
        changed = {"aud": ["other"], **claims}
        monkeypatch.setattr(
            provider_app.OpenIDCode,
            "get_jwt_config",
            lambda *arguments, changed=changed, **named: usual(*arguments, **named) | changed,
        )
        visitor = Visitor(served)
        reply = visitor.come("ada")
        assert reply.status_code == status
        assert "not meant for this server" in reply.text or "another service" in reply.text
        assert not visitor.is_in()


def test_a_token_that_has_expired_lets_nobody_in(university, provider):
    served = university(provider(access_token_max_age=timedelta(minutes=-10)))
    visitor = Visitor(served)
    reply = visitor.come("ada")
    assert reply.status_code == 401
    assert "came too late" in reply.text
    assert not visitor.is_in()


def test_a_person_taken_out_of_the_settings_is_out_from_the_next_start_on(university, provider):
    address = provider()
    served = university(address)
    ben = Visitor(served)
    ben.come("ben")
    assert ben.is_in()
    served.kill()
    (served.root / "rushes.toml").write_text(
        (served.root / "rushes.toml").read_text().replace('"@uni.example" = "annotator"\n', "")
    )
    served.start()
    assert not ben.is_in()
    assert ben.come("ben").status_code == 403


def test_without_the_section_there_is_no_sign_in(serve_workspace, tmp_path):
    Workspace.create(tmp_path / "plain").close()
    served = serve_workspace(tmp_path / "plain").start()
    client = httpx.Client(base_url=served.url, timeout=60)
    assert "/sign-in" not in client.get("/").text
    assert client.get("/sign-in").status_code == 404
    for path in ("/oauth2callback?state=x&code=y", "/sign-in/done", "/sign-in/failed"):
        assert client.get(path, follow_redirects=True).status_code in (401, 404)
    assert served.workspace().store.rows("SELECT * FROM annotator") == []


# And the same in Chromium: each end says on screen what happened.


class Somebody:
    """A browser at the door, in which nobody is signed in."""

    def __init__(self, chromium: Browser, served, **options):
        self.url = served.url
        self.context = chromium.new_context(**options)
        self.page: Page = self.context.new_page()
        self.replies: list[str] = []
        self.page.on("response", self._note)

    def _note(self, response: Response) -> None:
        if "/oauth2callback?" in response.url:
            self.replies.append(response.url)

    def to_provider(self, button="Sign in with Uni") -> None:
        self.page.goto(self.url)
        self.page.get_by_role("link", name=button).click()

    def come(self, sub: str) -> None:
        """From the door through the provider's page and back."""
        self.to_provider()
        self.allow(sub)

    def allow(self, sub: str) -> None:
        """Press somebody's button on the provider's page."""
        self.page.get_by_role("button", name=sub, exact=True).first.click()

    def is_told(self, words: str, heading: str) -> None:
        expect(self.page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        expect(self.page.get_by_text(words)).to_be_visible()

    def is_at_the_door(self) -> None:
        self.page.goto(self.url)
        expect(self.page.get_by_role("link", name="Sign in with Uni")).to_be_visible()


@pytest.mark.browser
def test_in_chromium_each_sign_in_ends_as_it_should_and_says_so(
    university, provider, chromium, monkeypatch
):
    served = university(provider())
    # The right role: an author finds the author's pages, an annotator does not.
    ada, ben = Somebody(chromium, served), Somebody(chromium, served)
    for somebody, sub, role in ((ada, "ada", "author"), (ben, "ben", "annotator")):
        somebody.come(sub)
        expect(somebody.page.get_by_text(f"{sub}, {role}")).to_be_visible(timeout=60_000)
        menu = somebody.page.get_by_role("button", name="Workspace")
        expect(menu).to_have_count(int(role == "author"))

    # A replayed state: the provider's reply opened again, in the same browser and in another.
    [reply] = ben.replies
    for somebody in (ben, Somebody(chromium, served)):
        somebody.page.goto(reply)
        somebody.is_told("The reply of Uni was opened twice", "Not signed in")

    # An unknown person, in German.
    eve = Somebody(chromium, served, locale="de-DE")
    eve.to_provider("Mit Uni anmelden")
    eve.allow("eve")
    eve.is_told("Sie sind bei Uni als eve@evil.example angemeldet", "Hier nicht")

    # A token for another service, and one that has expired.
    usual = provider_app.OpenIDCode.get_jwt_config
    for changed, words in (
        ({"aud": ["other"]}, "was not meant for this server"),
        ({"aud": ["other"], "azp": "rushes"}, "meant for another service"),
        ({"exp": -600}, "came too late"),
    ):
        monkeypatch.setattr(
            provider_app.OpenIDCode,
            "get_jwt_config",
            lambda *arguments, changed=changed, **named: usual(*arguments, **named) | changed,
        )
        somebody = Somebody(chromium, served)
        somebody.come("ada")
        expect(somebody.page.get_by_text(words)).to_be_visible()
        somebody.is_at_the_door()
    monkeypatch.setattr(provider_app.OpenIDCode, "get_jwt_config", usual)

    # Taken away by an author, then by the settings.
    end_access(served.workspace(), Person(0, "Clara", "author"), "ben")
    ben.is_at_the_door()
    ben.come("ben")
    ben.is_told("Your access here has ended", "Not here")
    served.kill()
    declared = served.root / "rushes.toml"
    declared.write_text(declared.read_text().replace('"ada@uni.example" = "author"\n', "")
                        .replace("@uni.example", "@other.example"))  # fmt: skip
    served.start()
    ada.is_at_the_door()
    ada.come("ada")
    ada.is_told("nobody has given you access here", "Not here")
