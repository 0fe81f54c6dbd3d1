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
from cloche.host.upstreams.oauth import LOOPBACK, Authorization, SignIns, TokenStore
from cloche.wire.apps.origins import host_name

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView
    from cloche.host.host import Host
    from cloche.host.session import HostSession

CALLBACK = "/oauth/callback"


class SignInPrompt:
    """Asks a user to sign in at a server, in the product's hook or in an open view."""

    def __init__(self, host: Host, url: str | None, tokens: TokenStore | None) -> None:
        self._host = host
        self._url = None if url is None else _checked(url)
        self._is_sure = url is not None
        """Whether the address is the product's own word, or that of a page which a browser shows."""
        self.sign_ins = SignIns(self.authorize, consent=self.consent, tokens=tokens, client_name=host.name)

    def mounted(self, at: str) -> None:
        """The host answers below this path."""
        if self._url is not None:
            self.sign_ins.callback_url = f"{self._url}{at}{CALLBACK}"

    def seen_at(self, address: str, *, by_page: bool = True) -> None:
        """The product, or with `by_page` a page of it, was reached at this address: on this machine that is where
        answers come back. Elsewhere a Host header is not trusted for this: the product gives `Host(url=…)`.
        """
        if self._is_sure or (self.sign_ins.callback_url is not None and not by_page):
            return
        scheme, _, place = address.partition("://")
        if scheme in ("http", "https") and host_name(place).strip("[]") in LOOPBACK:
            self.sign_ins.callback_url = f"{scheme}://{place}{self._host.at}{CALLBACK}"
            self._is_sure = by_page

    async def consent(self, user: str, server: str, site: str) -> bool:
        """Ask the user whether they would sign in at this site. A hook of the product asks later, with the address."""
        session = self._host.session_of(user)
        return session.find("sign_in") is not None or await self._asked(session, server, site) is not None

    async def authorize(self, wanted: Authorization) -> bool:
        """Ask the user, and open the address when they agree; False when they do not, or nobody is there to ask."""
        session = self._host.session_of(wanted.user)
        if session.find("sign_in") is not None:
            return bool(await session.call("sign_in", session, wanted))
        if wanted.agreed:
            view = _view_of(session)
        else:
            view = await self._asked(session, wanted.server, wanted.site)
        if view is None:
            return False
        view.send({"do": "open-link", "url": wanted.url})
        return True

    async def _asked(self, session: HostSession, server: str, site: str) -> MountedView | None:
        """The view in which the user said yes."""
        view = _view_of(session)
        if view is None:
            session.timeline.note(
                action="sign-in", server=server, decision="denied", decision_by="policy",
                problem="Nobody could be asked: open a view first, or use @host.on_sign_in",
            )  # fmt: skip
            return None
        try:
            await view.consent.obtain(Request("sign-in", session.user, server, view.tool, view.id, {"site": site}))
        except McpError:
            return None
        return view


def _view_of(session: HostSession) -> MountedView | None:
    """A view that the user has on a page."""
    return next((view for view in session.views.values() if view.attached), None)


def _checked(url: str) -> str:
    parts = urlsplit(url)
    known = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    if not known or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ConfigurationError(f"Host(url={shorten(url)!r}) is the product's address, such as 'https://app.example'")
    return url.rstrip("/")
