"""A server that runs in the visitor's tab, as an upstream of its visitor and of nobody else.

The page offers it with a ticket (`session.offer`), and its messages travel over the page's one socket. Of several tabs
that offer the same server, the one that the visitor looked at last answers; when it goes, the one before takes over.
What is under way stays with its tab.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cloche.errors import RemoteProtocolError, TransportClosedError, UpstreamError
from cloche.host.upstreams.base import ProgressHandler, Upstream
from cloche.host.upstreams.in_process import as_parameters
from cloche.host.upstreams.questions import Origin
from cloche.host.upstreams.remote import InBrowser
from cloche.host.upstreams.tab import Send, Tab
from cloche.wire.types import Json, LogLevel

if TYPE_CHECKING:
    from cloche.host.session import HostSession


class TabUpstream(Upstream):
    """What one user's tabs offer under one name."""

    _list_limit = "tab_list_bytes"

    def __init__(self, name: str, spec: InBrowser) -> None:
        super().__init__(name)
        self.spec = spec
        self._tabs: list[Tab] = []
        """The one that was looked at last comes last."""
        self._tab: Tab | None = None
        """The one that answers."""

    # Which tab

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """The tabs that offer the server, the one that answers last."""
        return tuple(self._tabs)

    @property
    def is_watched(self) -> bool:
        """What a tab offers is not forgotten while the tab is there."""
        return bool(self._tabs) or super().is_watched

    async def opened(self, session: HostSession, *, page_origin: str, send: Send) -> Tab:
        """A page that offers the server with a ticket of its user."""
        return Tab(session, self, page_origin=page_origin, send=send)

    def make_room(self, most: int) -> None:
        """Let go of the tab that was looked at longest ago when there are too many."""
        if len(self._tabs) >= most:
            self._tabs[0].end(f"{most} other pages offer the same server", "limit")

    def add(self, tab: Tab, *, visible: bool) -> None:
        """A page offers the server."""
        self._tabs.insert(len(self._tabs) if visible else 0, tab)
        self.settle()

    def seen(self, tab: Tab) -> None:
        """The visitor looks at this tab."""
        if tab in self._tabs:
            self._tabs.remove(tab)
            self._tabs.append(tab)
            self.settle()

    def remove(self, tab: Tab) -> None:
        """The tab is gone."""
        if tab in self._tabs:
            self._tabs.remove(tab)
            self.settle()

    def settle(self) -> None:
        """Find out which tab answers from now on: one that is connected at the moment, if there is one."""
        candidates = [tab for tab in self._tabs if tab.attached] or self._tabs
        now = candidates[-1] if candidates else None
        if now is not self._tab and self.status != "closed":
            self._tab, self.server_info = now, None
            self.become("idle" if now is None else "ready")
            self.everything_changed()

    # Asking it

    async def _ask(
        self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None, by: Origin | None
    ) -> Json:
        tool = await self._tool(params.get("name")) if method == "tools/call" else None
        tab = self._present()
        try:
            client = await tab.connected()
            if tool is not None:
                await tab.allowed(tool, params.get("arguments"), self.spec)
            progress = None if on_progress is None else as_parameters(on_progress)
            answer: Any = await client.request(method, params, timeout=timeout, progress=progress)
        except TransportClosedError:
            raise UpstreamError(
                f"The page that offered {self.name!r} was closed before it answered; nobody knows how far it got"
            ) from None
        if not isinstance(answer, dict):
            raise RemoteProtocolError(f"The page's answer to {method} is not an object")
        return answer

    def _present(self) -> Tab:
        if self._tab is None:
            raise self._missing()
        return self._tab

    def _missing(self) -> UpstreamError:
        return UpstreamError(
            f"No page of this user offers {self.name!r} at the moment: it has to be open, and to call offerServer"
        )

    async def _tool(self, name: object) -> Json:
        """What the tab says of a tool; of one that it does not list, the name."""
        return next((tool for tool in await self.tools() if tool.get("name") == name), {"name": name})

    async def _subscribe(self, uri: str) -> None:
        await (await self._present().connected()).subscribe_resource(uri)

    async def _unsubscribe(self, uri: str) -> None:
        if self._tab is not None:
            await (await self._tab.connected()).unsubscribe_resource(uri)

    async def _set_log_level(self, level: LogLevel) -> None:
        if self._tab is not None:
            await (await self._tab.connected()).set_log_level(level)

    async def rest(self) -> None:
        """A tab is not let go because nobody asks it: it could not be greeted a second time."""

    async def _disconnect(self) -> None:
        for tab in self.tabs:
            tab.end("The host is closing")
            await tab.close("The host is closing")
