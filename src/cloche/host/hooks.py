"""What a product does when a view or a server asks something of it, or tells it something.

Every hook is a function of the view, call or session and of what it is about, `async def` or `def`. A session's own
hook comes before the host's, which is the default for all its sessions.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from cloche.client.server_requests import SampleRequest
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


@dataclass(frozen=True)
class Progress:
    """How far a call has come, as its server says. The message is the server's text: treat it as untrusted."""

    progress: float
    total: float | None = None
    message: str | None = None

    @property
    def fraction(self) -> float | None:
        """Between 0 and 1; None when the server does not say how much there is to do."""
        return None if not self.total or self.total < 0 else min(max(self.progress / self.total, 0.0), 1.0)

    def for_page(self) -> Json:
        """What the element shows while the tool runs."""
        return {"fraction": self.fraction, "step": self.message}


@dataclass(frozen=True)
class ServerLog:
    """A line of a server's log. It is the server's text: treat it as untrusted."""

    server: str
    level: str
    data: Any
    logger: str | None = None


@dataclass(frozen=True)
class Elicitation:
    """What a server wants a user to fill in, or to visit. Its texts are the server's: treat them as untrusted."""

    server: str
    message: str
    mode: Literal["form", "url"] = "form"
    schema: Json | None = None
    """The form as a JSON Schema: an object of texts, numbers, booleans, choices and lists of choices; nothing else."""
    url: str | None = None
    """The address to visit. Show it, and open it only when the user clicks."""
    tool: str | None = None
    call: str | None = None
    """The call that waits for it; None when nobody knows which one that is."""


@dataclass(frozen=True)
class Sampling:
    """What a server wants the product's model to answer. Its texts are the server's: treat them as untrusted."""

    server: str
    request: SampleRequest
    """Messages, system prompt, `max_tokens` (never more than the host allows), and tools where the server has some."""
    tool: str | None = None
    call: str | None = None
    """The call that waits for it; None when nobody knows which one that is."""

    @property
    def text(self) -> str:
        """The text of all messages."""
        return self.request.text


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

    def on_progress(self, hook: H) -> H:
        """`(call, Progress)`: a call of a tool has come further. While the hook runs, updates in between are skipped;
        the last one is always told.
        """
        return self._set("progress", hook)

    def on_task(self, hook: H) -> H:
        """`(call, TaskUpdate)`: a server goes on with a call as a task, or the task changed. While the hook runs,
        updates in between are skipped; the last one is always told.
        """
        return self._set("task", hook)

    def on_server_log(self, hook: H) -> H:
        """`(session, ServerLog)`: a line of a server's log, instead of Python's logging. `session` is None when the
        connection to the server is shared by all users: then nobody knows whose the line is.
        """
        return self._set("server_log", hook)

    def on_elicit(self, hook: H) -> H:
        """`(session, Elicitation)`: ask the user with an interface of your own, instead of the form over the page.
        Return what they entered as a dictionary (True for an address that they opened), or None when they declined.
        """
        return self._set("elicit", hook)

    def on_sample(self, hook: H) -> H:
        """`(session, Sampling)`: have your model answer a server, when the user has agreed. Return the text, or a
        dictionary like MCP's `CreateMessageResult` (with `tool_use` blocks where the server gave tools); None refuses.
        """
        return self._set("sample", hook)

    def on_roots(self, hook: H) -> H:
        """`(session, server)`: return the folders that the server of this name may use, as `file://` URIs. `session` is
        None on a connection that all users share.
        """
        return self._set("roots", hook)

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

    async def call(self, name: str, about: MountedView | Call | HostSession | None, value: Any) -> Any:
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
        self._latest: dict[tuple[str, str], Any] = {}

    def tell(self, name: str, about: MountedView | Call | HostSession | None, value: Any) -> asyncio.Task[Any] | None:
        """Begin to call a hook; None when there is none."""
        if self._hooks.find(name) is None:
            return None
        task = asyncio.get_running_loop().create_task(self._hooks.call(name, about, value))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def tell_latest(self, name: str, about: MountedView | Call, value: Any) -> None:
        """Call a hook with the latest value: while it runs, values in between are skipped."""
        key = name, about.id
        if key in self._latest:
            self._latest[key] = value
        elif (task := self.tell(name, about, value)) is not None:
            self._latest[key] = value
            task.add_done_callback(lambda _: self._tell_next(name, about, value))

    def _tell_next(self, name: str, about: MountedView | Call, told: Any) -> None:
        value = self._latest.pop((name, about.id))
        if value != told and getattr(about, "closed", None) is None:
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
