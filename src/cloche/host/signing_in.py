"""Signing users in at servers that want it: who is asked, and where the answer comes back.

The product's own hook comes first (`on_sign_in`); without one the question appears in a view that the user has open.
The answer arrives in the browser at `{at}/oauth/callback`, which hands it to a page of the product in the same browser;
that page sends it over its socket as an event of one of its views, and so it is known whose it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cloche.errors import ConfigurationError, McpError, shorten
from cloche.host.policy import Request
from cloche.host.upstreams.oauth import Authorization, SignIns, TokenStore

if TYPE_CHECKING:
    from cloche.host.host import Host

CALLBACK = "/oauth/callback"
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Doorman:
    """Asks a user to sign in, for the connections of a host."""

    def __init__(self, host: Host, url: str | None, tokens: TokenStore | None) -> None:
        self._host = host
        self._url = None if url is None else _checked(url)
        self.sign_ins = SignIns(self.authorize, tokens=tokens, client_name=host.name)

    def mounted(self, at: str) -> None:
        """The host answers below this path."""
        if self._url is not None:
            self.sign_ins.callback_url = f"{self._url}{at}{CALLBACK}"

    def seen_at(self, address: str) -> None:
        """A page reached the host at this address: on this machine that is where answers come back. Elsewhere a Host
        header is not believed so much: `Host(url=…)` says it.
        """
        parts = urlsplit(address)
        if self.sign_ins.callback_url is None and parts.hostname in LOOPBACK:
            self.sign_ins.callback_url = f"{parts.scheme}://{parts.netloc}{self._host.at}{CALLBACK}"

    async def authorize(self, wanted: Authorization) -> bool:
        """Ask the user, and open the address when they agree; False when they do not, or nobody is there to ask."""
        session = self._host.session_of(wanted.user)
        if session.find("sign_in") is not None:
            return bool(await session.call("sign_in", session, wanted))
        for view in session.views.values():
            if view.attached:
                break
        else:
            session.timeline.note(
                action="sign-in", server=wanted.server, decision="denied", decision_by="policy",
                problem="Nobody could be asked: open a view first, or use @host.on_sign_in",
            )  # fmt: skip
            return False
        details = {"site": wanted.site}
        try:
            await view.consent.obtain(Request("sign-in", wanted.user, wanted.server, view.tool, view.id, details))
        except McpError:
            return False
        view.send({"do": "open-link", "url": wanted.url})
        return True


def _checked(url: str) -> str:
    parts = urlsplit(url)
    known = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    if not known or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ConfigurationError(f"Host(url={shorten(url)!r}) is the product's address, such as 'https://app.example'")
    return url.rstrip("/")
