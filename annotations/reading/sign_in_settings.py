"""An organisation's sign-in, as rushes.toml declares it: who gets in, and as what."""

from dataclasses import dataclass
from typing import Any, cast

from core.refusal import Refusal

ROLE_NAMES = ("annotator", "author", "admin")
GROUP = "group:"
FIELDS = ("secrets", "name", "claim", "roles", "unverified_email")
NO_CLAIM = (
    "{name} did not say your {claim}, by which people are known here. Ask whoever runs this server."
)
UNVERIFIED = (
    "{name} does not call your e-mail address verified. Verify it there, or ask whoever runs this "
    "server."
)


@dataclass(frozen=True)
class SignIn:
    """What `[sign_in]` says.

    Attributes:
        secrets: Streamlit's secrets file with its section [auth].
        name: of the organisation, as the door says it.
        claim: what of a person's claims the roles name, such as 'email'.
        roles: pairs of whom and role, in order: a value of the claim, '@domain' for e-mail
            addresses, or 'group:NAME'.
        unverified_email: whether addresses count that the provider does not call verified.
    """

    secrets: str
    name: str
    claim: str
    roles: tuple[tuple[str, str], ...]
    unverified_email: bool = False


@dataclass(frozen=True)
class Claims:
    """What a provider says of a person, as far as roles are given by it."""

    value: str
    groups: tuple[str, ...]


def read_sign_in(table: object, where: str) -> SignIn | None:
    """Return what the section [sign_in] says; None if there is none, which is the default.

    Raises:
        Refusal: for a field that is absent, unknown or of the wrong kind; says which.
    """
    if table is None:
        return None
    section = f"{where}: [sign_in]"
    if not isinstance(table, dict):
        raise Refusal(f"{section} is {table!r}; it has to be a table.")
    values = cast("dict[str, Any]", table)
    unknown = sorted(values.keys() - set(FIELDS))
    if unknown:
        raise Refusal(f"{section} has {', '.join(unknown)}. Allowed: {', '.join(FIELDS)}.")
    texts = {"name": "your organisation", "claim": "email"} | {
        field: values[field] for field in ("secrets", "name", "claim") if field in values
    }
    for field in ("secrets", "name", "claim"):
        if not isinstance(texts.get(field), str) or not texts[field]:
            raise Refusal(f"{section} {field} is {texts.get(field)!r}; it has to be a text.")
    unverified = values.get("unverified_email", False)
    if not isinstance(unverified, bool):
        raise Refusal(f"{section} unverified_email is {unverified!r}; it has to be true or false.")
    roles = _roles(values.get("roles"), f"{section[:-1]}.roles]")
    return SignIn(texts["secrets"], texts["name"], texts["claim"], roles, unverified)


def _roles(table: object, section: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(table, dict) or not table:
        raise Refusal(
            f'{section} says nobody. Write who gets in, such as "ada@example.org" = "author" or '
            '"@example.org" = "annotator".'
        )
    roles = tuple((str(who), role) for who, role in cast("dict[str, object]", table).items())
    for who, role in roles:
        if role not in ROLE_NAMES:
            raise Refusal(f"{section} {who} is {role!r}. Allowed: {', '.join(ROLE_NAMES)}.")
        if who in ("", "@", GROUP):
            raise Refusal(f"{section} {who!r} names nobody.")
    return cast("tuple[tuple[str, str], ...]", roles)


def role_of(sign_in: SignIn, claims: Claims) -> str | None:
    """Return the role of a person: by their own value, else by a group, else by their domain.

    None if the settings name them in no way. Of several groups the first in the settings counts.
    """
    value = claims.value.casefold()
    for who, role in sign_in.roles:
        if not who.startswith(("@", GROUP)) and who.casefold() == value:
            return role
    for who, role in sign_in.roles:
        if who.startswith(GROUP) and who.removeprefix(GROUP) in claims.groups:
            return role
    for who, role in sign_in.roles:
        # Behind the last @: "a@example.org"@evil.example is of evil.example.
        if who.startswith("@") and "@" in value and who[1:].casefold() == value.rpartition("@")[2]:
            return role
    return None


def claims_of(sign_in: SignIn, told: dict[str, Any]) -> Claims:
    """Return what roles are given by, of all that a provider tells of a person.

    Raises:
        Refusal: if the claim is absent, or is an address that the provider does not call verified.
    """
    value = told.get(sign_in.claim)
    if not isinstance(value, str) or not value.strip():
        raise Refusal(NO_CLAIM, name=sign_in.name, claim=sign_in.claim)
    must_be_verified = sign_in.claim == "email" and not sign_in.unverified_email
    if must_be_verified and told.get("email_verified") is not True:
        raise Refusal(UNVERIFIED, name=sign_in.name)
    groups = told.get("groups")
    named = cast("list[object]", groups) if isinstance(groups, list) else []
    return Claims(value.strip(), tuple(name for name in named if isinstance(name, str)))
