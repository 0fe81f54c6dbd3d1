"""Views that a page gets ready for before their tools are called.

A browser takes longest for what it has not begun: a process for the server's site, another for the view, the view's
page, the connection to the host. None of it needs the call. `session.preload("weather.forecast")` gives an element that
has the page begin; the view of the call is then shown as soon as `call.embed()` is on the page.
"""

from __future__ import annotations

import hashlib
import html
import secrets
from typing import TYPE_CHECKING

from cloche.host.tickets import PreloadTicket
from cloche.host.view_handshake import capabilities, host_greeting
from cloche.host.view_resource import ViewSource, declared_csp
from cloche.wire.apps.csp import allow_attribute, frame_sandbox
from cloche.wire.json import encode
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.session import HostSession

GREETING_BYTES = 64 * 1024
"""The largest greetings that a page is given beforehand."""


def preload_element(session: HostSession, server: str, uri: str) -> str:
    """The element that gets a page ready for a view, as HTML."""
    tickets, limits = session.host.tickets, session.host.limits
    born = tickets.moment()
    expires = tickets.expiry(limits.ticket_seconds, born)
    ticket = PreloadTicket(user=session.user, server=server, uri=uri, born=born, expires=expires)
    return f'<mcp-app-preload ticket="{html.escape(tickets.make(ticket))}"></mcp-app-preload>'


def view_name(server: str, uri: str) -> str:
    """What an element says of its view, so that the page knows for which it is ready. It opens nothing."""
    return hashlib.sha256(f"{server} {uri}".encode()).hexdigest()[:16]


class PreloadedView:
    """A view that a page is ready for, and that nobody shows yet: there is no call, and nothing is said or heard."""

    granted: tuple[str, ...] = ()
    """One that wants permissions is shown on an origin of its own, which is made for it."""

    def __init__(self, session: HostSession, server: str, source: ViewSource, tools: list[Json]) -> None:
        self.id = secrets.token_urlsafe(12)
        self.key = secrets.token_urlsafe(18)
        self.session, self.server, self.source = session, server, source
        self.user, self.profile = session.user, session.profile
        self._tools = tools
        """Those that have this view."""

    @property
    def csp(self) -> Json:
        """The origins that the page declares, as for the view that is shown later."""
        return declared_csp(self.source, self.profile)

    @property
    def html(self) -> str:
        """The page itself."""
        return self.source.html

    @property
    def greetings(self) -> Json:
        """What the view will be answered when it says hello, by the tool that was called, without the call's id: so the
        page can answer while the host still looks at the ticket. Empty where that is too much to send beforehand.
        """
        host = self.session.host
        offered = self.profile.offered(capabilities(self.session, host.policy, self.csp, {}))
        found = {
            tool["name"]: host_greeting(host, self.profile, offered, {"id": "", "tool": tool}, context={})
            for tool in self._tools
        }
        return found if len(encode(found)) <= GREETING_BYTES else {}

    def packet(self) -> Json:
        """What the page needs to begin; the web side adds the addresses."""
        profile = self.profile.for_page()
        return {
            "id": self.id,
            "key": self.key,
            "view": view_name(self.server, self.source.uri),
            "frame": {"sandbox": frame_sandbox(()), "allow": allow_attribute(())},
            "limits": self.session.host.limits.for_page(),
            "greetings": self.greetings,
            **({} if profile is None else {"profile": profile}),
        }
