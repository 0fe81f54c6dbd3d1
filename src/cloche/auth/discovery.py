"""How a client learns where to get a token: RFC 9728 metadata and the challenge of RFC 6750."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cloche.errors import ConfigurationError, shorten
from cloche.wire.apps.origins import address_of

WELL_KNOWN = "/.well-known/oauth-protected-resource"

DESCRIPTION_LIMIT = 200

# RFC 6750, section 3: error, error_description and scope have no escapes; a quote or a backslash may not occur at all.
_not_quotable = re.compile(r"[^\x20\x21\x23-\x5b\x5d-\x7e]")
_not_url = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]")
_scope_token = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+").fullmatch


def metadata_path(mount_path: str) -> str:
    """Where the metadata of a resource at `mount_path` lives: the well-known prefix comes before the path."""
    path = mount_path.strip("/")
    return f"{WELL_KNOWN}/{path}" if path else WELL_KNOWN


def quotable(text: str) -> str:
    """`text` as it may stand between the quotes of a challenge."""
    return _not_quotable.sub("?", text.replace('"', "'"))


def challenge_header(
    realm: str, metadata_url: str, error: str | None, description: str | None, scopes: Sequence[str]
) -> str:
    """A `WWW-Authenticate` value.

    The description comes last: clients search the text for `scope=` and `error=` and must meet the real ones first.
    """
    parts = [f'realm="{quotable(realm)}"']
    if error is not None:
        parts.append(f'error="{quotable(error)}"')
    if scopes:
        parts.append(f'scope="{quotable(" ".join(scopes))}"')
    parts.append(f'resource_metadata="{_not_url.sub(_percent_encoded, metadata_url)}"')
    # RFC 6750, 3.1: who sent no credentials made no error, and is told none.
    if error is not None and description is not None:
        parts.append(f'error_description="{quotable(shorten(description, DESCRIPTION_LIMIT))}"')
    return "Bearer " + ", ".join(parts)


def _percent_encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode(errors="replace"))


def checked_scopes(scopes: Sequence[object]) -> tuple[str, ...]:
    """`scopes`, once it is certain that they can be sent."""
    if isinstance(scopes, str):
        raise ConfigurationError(f"scopes is one text: give a list, such as {shorten(scopes).split()!r}")
    checked = []
    for scope in scopes:
        if not isinstance(scope, str) or _scope_token(scope) is None:
            raise ConfigurationError(
                f"The scope {shorten(str(scope))!r} cannot be sent: use visible ASCII without quotes and backslashes"
            )
        checked.append(scope)
    return tuple(checked)


def checked_url(url: object, option: str) -> str:
    """`url` unchanged, once it is certain that following it is safe: https, or http to this machine.

    Unchanged, because issuers are compared as texts: one slash more at the end is another issuer.
    """
    from urllib.parse import urlsplit

    if not isinstance(url, str) or not url.isascii() or _not_url.search(url):
        raise ConfigurationError(f"{option} has a value that is not a URL: give one like https://auth.example.com")
    try:
        parts = urlsplit(url)
        host, user, _ = parts.hostname, parts.username, parts.port
    except ValueError:
        raise ConfigurationError(f"{option} has a value that is not a URL: {shorten(url)!r}") from None
    if not host or user is not None or "#" in url:
        raise ConfigurationError(f"{option} has a URL that needs a host name and no user name, password or fragment")
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(host)):
        raise ConfigurationError(
            f"{option} {shorten(url)!r} is not safe to use: give an https URL (http is for localhost only)"
        )
    return url


def is_loopback(host: str) -> bool:
    """Whether `host` names this machine, and no name server is asked where it is."""
    address = address_of(host)
    return host == "localhost" or (address is not None and address.is_loopback)
