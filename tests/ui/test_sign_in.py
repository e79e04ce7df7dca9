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
from annotations.organisation.sign_in_people import SESSION_S, follow_settings, let_in
from annotations.people import Person, signed_in
from annotations.reading.sign_in_settings import Claims, SignIn, claims_of, read_sign_in, role_of
from annotations.workspace import Workspace, read_settings
from core.refusal import Forbidden, Refusal

# The provider itself uses what Authlib calls old.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

SIGN_IN = SignIn(
    "secrets.toml", "Uni", "email",
    (("ada@uni.example", "author"), ("group:lab", "author"), ("@uni.example", "annotator")),
)  # fmt: skip


def told(email="ben@uni.example", **more):
    return {
        "iss": "https://idp", "sub": email, "aud": "rushes", "email": email,
        "email_verified": True, **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("value", "groups", "role"),
    [
        ("ada@uni.example", (), "author"),
        ("ADA@Uni.Example", (), "author"),
        ("ben@uni.example", (), "annotator"),
        ("ben@uni.example", ("lab",), "author"),
        ("cy@elsewhere.example", ("lab",), "author"),
        ("cy@elsewhere.example", ("labs",), None),
        ("ada@uni.example.evil", (), None),
        ('"x@uni.example"@evil.example', (), None),
        ("uni.example", (), None),
        ("", (), None),
    ],
)
def test_a_role_comes_from_ones_own_name_then_a_group_then_the_domain(value, groups, role):
    assert role_of(SIGN_IN, Claims(value, groups)) == role


def test_an_address_that_nobody_verified_names_nobody():
    for verified in (False, None, "true"):
        with pytest.raises(Refusal, match="verified"):
            claims_of(SIGN_IN, told(email_verified=verified))
    with pytest.raises(Refusal, match="did not say your email"):
        claims_of(SIGN_IN, told(email=""))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[sign_in]\nname='U'", "secrets is None"),
        ("[sign_in]\nsecrets='s'", "says nobody"),
        ("[sign_in]\nsecrets='s'\n[sign_in.roles]\n'@u' = 'boss'", "'boss'. Allowed: annotator"),
        ("[sign_in]\nsecrets='s'\n[sign_in.roles]\n'@' = 'author'", "names nobody"),
        ("[sign_in]\nsecrets='s'\nclient='x'", "has client. Allowed"),
        ("sign_in = 3", "has to be a table"),
    ],
)
def test_settings_that_cannot_work_are_said(tmp_path, text, words):
    (tmp_path / "rushes.toml").write_text(text)
    with pytest.raises(Refusal, match=words):
        read_settings(tmp_path / "rushes.toml")


def test_it_is_off_by_default(workspace):
    assert workspace.settings.sign_in is None
    assert read_sign_in(None, "x") is None


def test_people_are_known_by_the_providers_id_alone(workspace, add_person):
    add_person("Ada", "admin")
    person, session = let_in(workspace, SIGN_IN, told("ada@uni.example", name="Ada"), "rushes")
    assert (person.name, person.role) == ("Ada 2", "author")
    assert signed_in(workspace, session) == person
    again, _ = let_in(workspace, SIGN_IN, told("ada@uni.example", name="Another"), "rushes")
    assert again == person


def test_a_token_for_another_service_signs_nobody_in(workspace):
    for audience in ("other", ["other"], None):
        with pytest.raises(Forbidden, match="another service"):
            let_in(workspace, SIGN_IN, told(aud=audience), "rushes")
    assert let_in(workspace, SIGN_IN, told(aud=["other", "rushes"]), "rushes")


def test_a_session_ends_after_twelve_hours(workspace, monkeypatch):
    import time

    _, session = let_in(workspace, SIGN_IN, told(), "rushes")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + SESSION_S - 5)
    assert signed_in(workspace, session) is not None
    monkeypatch.setattr(time, "time", lambda: now + SESSION_S + 5)
    assert signed_in(workspace, session) is None


def test_who_is_taken_out_of_the_settings_is_signed_out_and_can_be_put_back(workspace):
    person, session = let_in(workspace, SIGN_IN, told(), "rushes")
    nobody = SignIn("s", "Uni", "email", (("ada@uni.example", "author"),))
    assert follow_settings(workspace, nobody) == 1
    assert signed_in(workspace, session) is None
    with pytest.raises(Forbidden, match="nobody has given you access"):
        let_in(workspace, nobody, told(), "rushes")
    assert follow_settings(workspace, nobody) == 0
    back, later = let_in(workspace, SIGN_IN, told(), "rushes")
    assert back == person
    assert signed_in(workspace, later) == person
    assert signed_in(workspace, session) is None
    assert follow_settings(workspace, None) == 1


def test_whose_access_an_author_has_ended_is_not_let_in_by_the_provider(workspace):
    person, session = let_in(workspace, SIGN_IN, told(), "rushes")
    end_access(workspace, Person(0, "Clara", "author"), person.name)
    assert signed_in(workspace, session) is None
    for _ in range(2):
        with pytest.raises(Forbidden, match="has ended"):
            let_in(workspace, SIGN_IN, told(), "rushes")
        follow_settings(workspace, SIGN_IN)


def test_another_role_in_the_settings_holds_from_the_start_on(workspace):
    _, session = let_in(workspace, SIGN_IN, told(), "rushes")
    changed = SignIn("s", "Uni", "email", (("ben@uni.example", "author"),))
    assert follow_settings(workspace, changed) == 0
    person = signed_in(workspace, session)
    assert person is not None
    assert person.role == "author"


# From here on: the whole way, with `rushes serve`, Streamlit's own sign-in and a provider.


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
