"""Which upstream a user has for a server: made on first use, one user's never another's, let go when idle."""

from __future__ import annotations

import asyncio
import inspect
import logging
import weakref
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from cloche.errors import BudgetError, ConfigurationError, UnknownNameError, UpstreamError, shorten
from cloche.host.limits import HostLimits
from cloche.host.traffic import Traffic
from cloche.host.upstreams.base import DEFAULT_LOG_LEVEL, LogHandler, Upstream
from cloche.host.upstreams.questions import Respondent
from cloche.host.upstreams.remote import Command, InBrowser, InFrame, Remote
from cloche.host.upstreams.supervised import Supervised
from cloche.server import Server
from cloche.transports.tasks import Tasks
from cloche.wire.types import LogLevel

if TYPE_CHECKING:
    from cloche.host.upstreams.oauth import SignIns

Spec: TypeAlias = Any
"""A `cloche.Server`, a server object of `mcp` or `fastmcp`, a command as a list or `Command`, a URL or `Remote`,
`InBrowser`, `InFrame`; or a function of the user that returns one of these."""

logger = logging.getLogger("cloche.host")

IDLE_SECONDS = 900.0
"""A user's own connection that nobody used for so long is let go."""


def open_upstream(
    name: str,
    spec: Spec,
    *,
    user: str | None = None,
    sign_ins: SignIns | None = None,
    limits: HostLimits | None = None,
) -> Upstream:
    """The upstream for one server; nothing is opened before it is used."""
    limits = limits or HostLimits()
    upstream = _opened(name, spec, user, sign_ins, limits)
    upstream.limits = limits
    return upstream


def _opened(name: str, spec: Spec, user: str | None, sign_ins: SignIns | None, limits: HostLimits) -> Upstream:
    if isinstance(spec, Server):
        from cloche.host.upstreams.in_process import InProcess

        return InProcess(name, spec, user)
    if isinstance(spec, InFrame):
        from cloche.host.upstreams.in_frame import FrameUpstream

        return FrameUpstream(name, spec)
    if isinstance(spec, InBrowser):
        from cloche.host.upstreams.in_browser import TabUpstream

        return TabUpstream(name, spec)
    from cloche.host.upstreams import connections

    target: Any
    if isinstance(spec, str | Remote):
        remote = spec if isinstance(spec, Remote) else Remote(spec)
        sign_in = None
        if remote.oauth:
            if sign_ins is None or user is None:
                raise ConfigurationError(f"The server {name!r} signs users in: it can only be opened for a user")
            sign_in = sign_ins.for_server(user, name, remote)
        target = connections.UrlTarget(name, remote, limits, sign_in)
    elif isinstance(spec, Command | Sequence):
        target = connections.CommandTarget(name, spec if isinstance(spec, Command) else Command(spec), limits)
    elif is_server_object(spec):
        target = connections.ObjectTarget(name, spec)
    else:
        raise unknown_spec(name, spec)
    upstream = Supervised(name, target.connect, target.explain)
    if isinstance(target, connections.UrlTarget):
        upstream.url, upstream.outlives_host = target.remote.url, True
    return upstream


def is_server_object(spec: Any) -> bool:
    """Whether it is a server of the `mcp` or `fastmcp` package; found out without importing either."""
    modules = {kind.__module__.partition(".")[0] for kind in type(spec).__mro__}
    kinds = {kind.__name__ for kind in type(spec).__mro__}
    return bool(modules & {"mcp", "fastmcp"}) and bool(kinds & {"MCPServer", "Server", "FastMCP"})


def unknown_spec(name: str, spec: Any) -> ConfigurationError:
    """The refusal of something that is not a server."""
    return ConfigurationError(
        f"Host(servers={{{name!r}: …}}) takes a cloche.Server, a server of mcp or fastmcp, a command as a list, a URL, "
        f"Remote(…), InBrowser(), InFrame(url) or a function of the user, not {shorten(repr(spec), 60)}"
    )


class Pool:
    """Every upstream of a host."""

    def __init__(
        self,
        specs: Mapping[str, Spec],
        *,
        sign_ins: SignIns | None = None,
        idle_seconds: float = IDLE_SECONDS,
        traffic: Traffic | None = None,
        limits: HostLimits | None = None,
        on_budget: Callable[[str, BudgetError], object] | None = None,
        on_log: LogHandler | None = None,
        log_level: LogLevel = DEFAULT_LOG_LEVEL,
        respondent: Respondent | None = None,
    ) -> None:
        self._respondent = respondent
        self._on_log = on_log
        self._log_level = log_level
        self._limits = limits
        self._on_budget = on_budget
        self._specs = dict(specs)
        self._sign_ins = sign_ins
        self._idle_seconds = idle_seconds
        self._traffic = traffic
        self._shared: dict[str, Upstream] = {}
        self._own: dict[tuple[str, str], Upstream] = {}
        self._made: weakref.WeakSet[Upstream] = weakref.WeakSet()
        """All of them, also those that were idle and are known only to whoever held on to one."""
        self._closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._resting = Tasks()
        for name, spec in self._specs.items():
            if not is_function(spec):
                _check(name, spec)

    def get(self, name: str, user: str) -> Upstream:
        """The server `name` as `user` has it."""
        if name not in self._specs:
            raise UnknownNameError("server", name)
        if self._closed:
            raise ConfigurationError("The host is closed")
        spec = self._specs[name]
        if is_shared(spec):
            if name not in self._shared:
                self._shared[name] = self._open(name, spec)
            return self._shared[name]
        found = self._own.get((name, user))
        if found is None:
            made = _made_for(name, spec, user) if is_function(spec) else spec
            found = self._own[name, user] = self._open(name, made, user)
            self._watch()
        return found

    def in_browser(self, name: str, user: str) -> InBrowser | None:
        """How the server `name` is declared, when it is one that pages of this user bring."""
        spec = self._specs.get(name)
        found = _made_for(name, spec, user) if spec is not None and is_function(spec) else spec
        return found if isinstance(found, InBrowser) else None

    def _open(self, name: str, spec: Spec, user: str | None = None) -> Upstream:
        upstream = open_upstream(name, spec, user=user, sign_ins=self._sign_ins, limits=self._limits)
        upstream.traffic = self._traffic
        upstream.on_budget = self._on_budget
        upstream.questions.user, upstream.questions.respondent = user, self._respondent
        upstream.on_log, upstream.log_level = self._on_log, self._log_level
        self._made.add(upstream)
        return upstream

    async def close(self) -> None:
        """End every connection."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        everything = list(self._made)
        self._shared.clear()
        self._own.clear()
        await asyncio.gather(*(upstream.close() for upstream in everything), *self._resting)

    async def leave(self, user: str) -> None:
        """End the connections that are this user's own; a later call opens new ones."""
        own = [self._own.pop(key) for key in list(self._own) if key[1] == user]
        await asyncio.gather(*(upstream.rest() for upstream in own))

    # Idle ones

    def _watch(self) -> None:
        if self._timer is None and self._own and not self._closed:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._idle_seconds / 2, self._look)

    def _look(self) -> None:
        """Let go of connections that are not used, and forget those that nobody watches either."""
        self._timer = None
        before = monotonic() - self._idle_seconds
        for key, upstream in list(self._own.items()):
            if upstream.under_way or upstream.last_used > before:
                continue
            if not upstream.is_watched:
                del self._own[key]
            self._resting.spawn(upstream.rest())
        self._watch()


def is_function(spec: Spec) -> bool:
    """Whether it is a function of the user, and no server that happens to be callable."""
    return callable(spec) and not isinstance(spec, Server) and not is_server_object(spec)


def is_shared(spec: Spec) -> bool:
    """Whether all users have the same connection."""
    if isinstance(spec, Server | InBrowser) or is_function(spec):
        return False
    return not (isinstance(spec, Remote) and spec.per_user)


def _check(name: str, spec: Spec) -> None:
    """Say what is wrong with a server when the host is made, not when it is first used."""
    if isinstance(spec, Server | Remote | Command | InBrowser) or is_server_object(spec):
        return
    if isinstance(spec, str):
        Remote(spec)
    elif isinstance(spec, Sequence):
        Command(spec)
    else:
        raise unknown_spec(name, spec)


def _made_for(name: str, function: Callable[[str], Any], user: str) -> Any:
    """What a function of the user gives for this one."""
    try:
        made = function(user)
    except Exception as error:
        logger.exception("the function of the server %s failed", name)
        raise UpstreamError(f"The server {name!r} cannot be opened for this user: the host's log says why") from error
    if inspect.iscoroutine(made):
        made.close()
        raise ConfigurationError(
            f"The function of the server {name!r} is async: make it a plain one; Remote(url, auth=…) takes an async "
            "function that gives the token"
        )
    return made
