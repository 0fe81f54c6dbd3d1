"""Copilots: assistants of somebody else in a frame of the product's page, which use tools of the user.

That is the inverted architecture: the page around the frame is the MCP server, with the host behind it on the socket,
and the page in the frame is the client. Here is what a product declares; `copilot_page.py` is what speaks with one.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cloche.errors import ConfigurationError, LocalProtocolError, shorten
from cloche.host.offered_tools import checked_patterns
from cloche.host.tickets import CopilotTicket
from cloche.host.tool_names import checked_server_name
from cloche.host.upstreams.frame_urls import checked_frame_url

if TYPE_CHECKING:
    from cloche.host.session import HostSession


class Copilot:
    """An assistant that is a web page, and what it may use: `Host(copilots={"helper": Copilot(url, tools=[…])})`.

    Only a page of the URL's own origin is spoken with. `tools` names what the copilot sees and may call, as
    `"server.tool"` with `*` for anything; everything else does not exist for it. Where all of them are one server's,
    they have that server's own names; else those of `session.tools()`. `title` is what people are told that asks;
    without one it is the name in `copilots`.
    """

    def __init__(self, url: str, *, tools: Sequence[str], title: str | None = None) -> None:
        self.url, self.origin = checked_frame_url(url, "Copilot")
        if not tools:
            raise ConfigurationError("Copilot(tools=[…]) names the tools that it may use, such as ['dashboard.*']")
        self.tools = tools if isinstance(tools, str) else tuple(tools)
        self.title = title

    @property
    def has_own_names(self) -> bool:
        """Whether all its tools are one server's."""
        servers = {pattern.partition(".")[0] for pattern in self.tools}
        return len(servers) == 1 and "*" not in "".join(servers)

    def __repr__(self) -> str:
        return f"Copilot({self.url!r}, tools={list(self.tools)!r})"


def checked_copilots(given: Mapping[str, Copilot] | None, servers: Sequence[str]) -> dict[str, Copilot]:
    """The copilots of a host with these servers; raises `ConfigurationError`."""
    found = dict(given or {})
    for name, copilot in found.items():
        checked_server_name(name, "A copilot", "copilots={'helper': …}")
        if not isinstance(copilot, Copilot):
            raise ConfigurationError(f"copilots[{name!r}] is a Copilot(url, tools=[…]), not {type(copilot).__name__}")
        checked_patterns(copilot.tools, servers, f"copilots[{name!r}].tools")
    return found


def copilot_element(session: HostSession, name: str) -> str:
    """The element that has a copilot in a frame, as HTML."""
    host = session.host
    if name not in host.copilots:
        known = ", ".join(map(repr, host.copilots)) or "none"
        raise LocalProtocolError(
            f"There is no copilot {shorten(str(name))!r}, there is {known}: declare it in "
            "Host(copilots={'name': Copilot(url, tools=['server.*'])})"
        )
    if session.is_anonymous:
        raise LocalProtocolError("A visitor without a name has no copilot: get a session with host.session(user)")
    born = host.tickets.moment()
    expires = host.tickets.expiry(host.limits.ticket_seconds, born)
    ticket = host.tickets.make(CopilotTicket(user=session.user, server="", copilot=name, born=born, expires=expires))
    return f'<mcp-copilot ticket="{html.escape(ticket)}"></mcp-copilot>'
