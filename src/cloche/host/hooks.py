"""What a product does when a view asks something of it.

Every hook is a function of the view and of what it asked, `async def` or `def`. A session's own hook comes before the
host's, which is the default for all its sessions.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView
    from cloche.host.call import Call
    from cloche.host.session import HostSession

logger = logging.getLogger("cloche.host")

Hook = Callable[..., Any]
H = TypeVar("H", bound=Hook)


@dataclass(frozen=True)
class ViewMessage:
    """What a view says to the conversation, in the user's name. It is the view's text: treat it as untrusted."""

    content: list[Json]
    role: str = "user"
    view: str = ""
    """Which view wrote it, of which tool and server: for the label that the conversation puts on it."""
    server: str = ""
    tool: str = ""
    approved: bool = False
    """Whether the user was shown this text and agreed. Without that, it came right after a gesture of theirs in the
    view, or the policy lets every message through.
    """

    @property
    def text(self) -> str:
        """All text of the content."""
        return "\n".join(block["text"] for block in self.content if isinstance(block.get("text"), str))


@dataclass(frozen=True)
class ModelContext:
    """What a view wants the model to know before its next turn. It is the view's text: treat it as untrusted."""

    view: str
    server: str
    tool: str
    content: list[Json] = field(default_factory=list)
    structured_content: Json | None = None


@dataclass(frozen=True)
class ViewLog:
    """A line of a view's log."""

    level: str
    data: Any
    logger: str | None = None


class Hooks:
    """The hooks of a host or of a session; each `on_…` is a decorator."""

    def __init__(self, defaults: Hooks | None = None) -> None:
        self._own: dict[str, Hook] = {}
        self._defaults = defaults

    def on_message(self, hook: H) -> H:
        """`(view, ViewMessage)`: put it into the conversation. Return False to refuse it."""
        return self._set("message", hook)

    def on_initialized(self, hook: H) -> H:
        """`(view, app)`: the view completed its handshake; `app` is what it said of itself in `ui/initialize`."""
        return self._set("initialized", hook)

    def on_size_change(self, hook: H) -> H:
        """`(view, size)`: the view said how large it is: `{"width", "height"}` in pixels, either may be missing. While
        the hook runs, sizes in between are skipped; the last one is always told.
        """
        return self._set("size_change", hook)

    def on_model_context(self, hook: H) -> H:
        """`(view, ModelContext)`: the view left something for the model; `session.model_context()` has it, too."""
        return self._set("model_context", hook)

    def on_open_link(self, hook: H) -> H:
        """`(view, url)`: open a link that was allowed, instead of the page. Return False to refuse it."""
        return self._set("open_link", hook)

    def on_download(self, hook: H) -> H:
        """`(view, files)`: take files that were allowed, instead of the page. Return False to refuse them."""
        return self._set("download", hook)

    def on_log(self, hook: H) -> H:
        """`(view, ViewLog)`: a line of the view's log, instead of Python's logging."""
        return self._set("log", hook)

    def on_sampling(self, hook: H) -> H:
        """`(view, params)`: ask a model for the view and return a `CreateMessageResult`; the policy must allow it."""
        return self._set("sampling", hook)

    def on_display_mode(self, hook: H) -> H:
        """`(view, mode)`: whether the view may change to this display mode. Return False to refuse it."""
        return self._set("display_mode", hook)

    def on_sign_in(self, hook: H) -> H:
        """`(session, Authorization)`: a server wants the user to sign in at `authorization.url`. Ask the user, have it
        opened, and return True; return False when they do not want to.
        """
        return self._set("sign_in", hook)

    def on_close(self, hook: H) -> H:
        """`(view, reason)`: the view is gone."""
        return self._set("close", hook)

    def on_error(self, hook: H) -> H:
        """`(call, problem)`: the view of a call cannot be shown, says nothing, or failed.

        `problem` is one sentence, and has a `code` and `facts` for programs (`cloche.problems`).
        """
        return self._set("error", hook)

    def _set(self, name: str, hook: H) -> H:
        self._own[name] = hook
        return hook

    def find(self, name: str) -> Hook | None:
        """The hook, or the host's default for it."""
        own = self._own.get(name)
        return own if own is not None or self._defaults is None else self._defaults.find(name)

    async def call(self, name: str, about: MountedView | Call | HostSession, value: Any) -> Any:
        """Call the hook, when there is one, and wait for it."""
        hook = self.find(name)
        if hook is None:
            return None
        result = hook(about, value)
        return await result if inspect.isawaitable(result) else result


class HookTasks:
    """The hooks of the product that are running. Each is finished, even when nobody waits for its result any more."""

    def __init__(self, hooks: Hooks) -> None:
        self._hooks = hooks
        self._tasks: set[asyncio.Task[Any]] = set()
        self._latest: dict[str, Any] = {}

    def tell(self, name: str, about: MountedView | Call | HostSession, value: Any) -> asyncio.Task[Any] | None:
        """Begin to call a hook; None when there is none."""
        if self._hooks.find(name) is None:
            return None
        task = asyncio.get_running_loop().create_task(self._hooks.call(name, about, value))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def tell_latest(self, name: str, about: MountedView, value: Any) -> None:
        """Call a hook with the latest value: while it runs, values in between are skipped."""
        if name in self._latest:
            self._latest[name] = value
        elif (task := self.tell(name, about, value)) is not None:
            self._latest[name] = value
            task.add_done_callback(lambda _: self._tell_next(name, about, value))

    def _tell_next(self, name: str, about: MountedView, told: Any) -> None:
        value = self._latest.pop(name)
        if value != told and about.closed is None:
            self.tell_latest(name, about, value)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a hook of the product failed", exc_info=error)

    async def finish(self, seconds: float) -> None:
        """Wait for what is running, but not longer than this."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=seconds)
            for task in late:
                task.cancel()
