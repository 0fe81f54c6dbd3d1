"""`OpenView`: a view in a real browser, for tests."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from cloche.client.targets import Target
from cloche.errors import ConfigurationError, McpError, ToolError
from cloche.testing.background import BackgroundLoop, Blocking
from cloche.testing.browser import Chromium
from cloche.testing.browser_page import Theme
from cloche.testing.records import EVENTS, Call, ConsoleLine, Event, Log, Message, ModelContext, Size, Violation
from cloche.testing.session import ViewOptions, ViewSession
from cloche.testing.set_answers import UNANSWERED
from cloche.testing.stories import StoryFile, find_story
from cloche.testing.tool_view import ViewError
from cloche.wire.types import Json

if TYPE_CHECKING:
    from playwright.async_api import Locator

    from cloche.testing.cassettes.cassette import Cassette
    from cloche.testing.cassettes.differences import Difference
    from cloche.testing.cassettes.played_view import PlayedSession

WAIT = 5.0
"""Seconds until something that a test waits for counts as missing."""


class OpenView:
    """A tool's view, open in Chromium inside a host that follows the specification to the letter, or emulates another.

    What the view did is in lists that only grow: `calls`, `messages`, `links`, `downloads`, `logs`, `requests`,
    `console`, `errors`, `violations`, `problems`. Everything that waits has a deadline, and fails with what the
    browser said.
    """

    def __init__(self, background: BackgroundLoop, session: ViewSession) -> None:
        self._background = background
        self._session = session

    # What the view did

    @property
    def calls(self) -> list[Call]:
        """The tools it called, with their results."""
        return self._session.record.all("call")

    @property
    def messages(self) -> list[Message]:
        """What it said to the conversation."""
        return self._session.record.all("message")

    @property
    def context(self) -> ModelContext | None:
        """What it last told the model; None when it told nothing."""
        return self._session.record.last("context")  # type: ignore[no-any-return]

    @property
    def state(self) -> Any:
        """What it had the host keep (`cloche.setState`), which it finds again after `reload()`; None without any."""
        return self._session.state

    @property
    def links(self) -> list[str]:
        """The links it opened."""
        return self._session.record.all("link")

    @property
    def downloads(self) -> list[Json]:
        """The resources and resource links it offered for download."""
        return self._session.record.all("download")

    @property
    def logs(self) -> list[Log]:
        """What it logged to the host."""
        return self._session.record.all("log")

    @property
    def size(self) -> Size | None:
        """How large it last said it is."""
        return self._session.record.last("size")  # type: ignore[no-any-return]

    @property
    def requests(self) -> list[str]:
        """Addresses outside the view that it asked for, and was allowed to."""
        return self._session.record.all("request")

    @property
    def violations(self) -> list[Violation]:
        """What its policy forbade."""
        return self._session.record.all("violation")

    @property
    def console(self) -> list[ConsoleLine]:
        """The browser's console."""
        return self._session.record.all("console")

    @property
    def errors(self) -> list[str]:
        """What its scripts threw and nobody caught."""
        return self._session.record.all("error")

    @property
    def problems(self) -> list[str]:
        """Where it broke the protocol's rules."""
        return self._session.record.all("problem")

    @property
    def host_context(self) -> Json:
        """The host's context as the view knows it."""
        return dict(self._session.host_context)

    def check(self) -> None:
        """Raise `ViewError` when a script failed, the policy forbade something, or a rule was broken."""
        __tracebackhide__ = True
        self._background.run(self._session.settle())
        if self.errors or self.violations or self.problems:
            raise self._session.failure("Not everything went well in the view.")

    def wait_for(self, event: Event, timeout: float = WAIT) -> Any:
        """The next event of this kind that this method has not returned yet, such as `wait_for("call")`."""
        __tracebackhide__ = True
        if event not in EVENTS:
            raise ConfigurationError(f"There is no event {event!r}: wait for one of {', '.join(get_args(Event))}")
        return self._background.run(self._session.wait_for(event, timeout))

    # What a person does

    def locator(self, selector: str) -> Any:
        """Elements of the view: Playwright's locator, with methods that wait instead of being awaited."""
        return Blocking(self._session.stage.view.locator(selector), self._background)

    def expect(self, selector: str) -> Any:
        """Playwright's expectations: `view.expect("#sum").to_have_text("3")`."""
        from playwright.async_api import expect

        expected = expect(self._session.stage.view.locator(selector))
        return Blocking(expected, self._background, self._session.emulation)

    def click(self, selector: str | None = None, *, text: str | None = None) -> None:
        """Click an element, found by CSS selector or by its text."""
        self._run_on(self._target(selector, text), "click")

    def fill(self, selector: str, text: str) -> None:
        """Set the text of a field at once, as pasting does; `type` types it key by key."""
        self._run_on(self._target(selector, None), "fill", text)

    def type(self, selector: str, text: str) -> None:
        """Empty a field and type into it, key by key."""
        field = self._target(selector, None)
        self._run_on(field, "fill", "")
        self._run_on(field, "press_sequentially", text)

    def press(self, selector: str, key: str) -> None:
        """Press a key in an element, such as "Enter"."""
        self._run_on(self._target(selector, None), "press", key)

    def wait_for_text(self, text: str, timeout: float = WAIT) -> None:
        """Wait until the view shows this text."""
        self._run_on(self._target(None, text), "wait_for", timeout=timeout)

    @property
    def text(self) -> str:
        """The text that the view shows."""
        return self._run_on(self._session.stage.view.locator("body"), "inner_text")  # type: ignore[no-any-return]

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """What a JavaScript expression or function gives in the view."""
        body = self._session.stage.view.locator("body")
        called = "typeof value === 'function' ? value(argument) : value"
        function = f"(_, argument) => {{ const value = ({script}); return {called} }}"
        return self._background.run(body.evaluate(function, argument))

    def document(self) -> str:
        """The document as text, one node per line with the state of its fields, as cassettes keep it."""
        from cloche.testing.cassettes.scripts import serialiser

        root = self._session.stage.view.locator("html")
        return self._background.run(root.evaluate(serialiser()))  # type: ignore[no-any-return]

    def screenshot(self, path: str | Path | None = None) -> bytes:
        """A picture of the view, as PNG; also saved when there is a `path`."""
        frame = self._session.stage.page.locator("iframe")
        return self._background.run(frame.screenshot(path=path))

    def _target(self, selector: str | None, text: str | None) -> Locator:
        if (selector is None) == (text is None):
            raise ConfigurationError('Name the element by selector or by text: click("#add") or click(text="Add")')
        view = self._session.stage.view
        return view.locator(selector) if selector is not None else view.get_by_text(text or "", exact=True)

    def _run_on(self, target: Locator, action: str, *args: Any, timeout: float = WAIT) -> Any:
        from playwright.async_api import Error

        __tracebackhide__ = True
        try:
            return self._background.run(getattr(target, action)(*args, timeout=timeout * 1000))
        except Error as error:
            first = str(error).splitlines()[0]
            raise self._session.failure(f"{action} failed: {first} (on {target})") from None

    # What the host does

    def set_theme(self, theme: Theme) -> None:
        """Change to "light" or "dark"."""
        self._background.run(self._session.set_theme(theme))

    def set_context(self, **changes: Any) -> None:
        """Change the host's context: `view.set_context(locale="de-DE")`."""
        self._background.run(self._session.change_context(changes))

    def send_partial(self, arguments: Json) -> None:
        """Arguments as far as the model has written them; for views opened with `stream=True`."""
        self._background.run(self._session.talk.send_partial(arguments))

    def send_input(self, arguments: Json | None = None) -> None:
        """The whole arguments; for views opened with `stream=True`."""
        self._background.run(self._session.send_input(arguments))

    def send_result(self, value: Any = UNANSWERED) -> None:
        """The result, from the server's tool unless one is given; for views opened with `stream=True`."""
        self._background.run(self._session.send_result(value))

    def cancel(self, reason: str = "cancelled by the test") -> None:
        """The tool was cancelled instead of giving a result."""
        self._background.run(self._session.talk.send_cancelled(reason))

    def request(self, method: str, params: Json | None = None, timeout: float = WAIT) -> Any:
        """Ask the view something, such as `tools/list` when it has tools of its own."""
        return self._background.run(self._session.talk.request(method, params or {}, timeout))

    def teardown(self, reason: str = "the test is done", timeout: float = WAIT) -> None:
        """End the view as a host does: ask it, wait for its answer, take it away."""
        self._background.run(self._session.teardown(reason, timeout))

    def reload(self) -> None:
        """Show the view again from the beginning, with the input and result it had; the lists keep what was."""
        self._background.run(self._session.show())

    # What the server seems to say

    def answer(self, name: str, value: Any) -> None:
        """Answer calls of a tool (or requests of a method, "ui/message" say) with `value` instead of asking the server.

        A string is text, a dictionary with `content` a whole result, a function gets the arguments, anything else is
        structured content.
        """
        self._session.answers.set(name, value)

    def fail(self, name: str, reason: str | McpError = "it failed") -> None:
        """Let a tool fail with this text; with an `McpError` the request itself fails."""
        self._session.answers.set(name, ToolError(reason) if isinstance(reason, str) else reason)

    def restore(self, name: str) -> None:
        """Let the server answer again."""
        self._session.answers.forget(name)

    @contextmanager
    def hold(self, name: str) -> Iterator[None]:
        """Keep answers back while the block runs: `with view.hold("save"): view.click("#save")`."""
        self._background.run(_call(self._session.answers.hold, name))
        try:
            yield
        finally:
            self._background.run(_call(self._session.answers.release, name))

    def close(self) -> None:
        """Close the page; the fixture does it."""
        self._background.run(self._session.close())


async def _call(function: Any, *args: Any) -> None:
    function(*args)


class ViewOpener:
    """Opens views in one browser; the `open_view` fixture is one that closes them when the test ends."""

    def __init__(
        self, background: BackgroundLoop, chromium: Chromium, *, folder: Path | None = None, root: Path | None = None
    ) -> None:
        self._background = background
        self._chromium = chromium
        self._folder = folder or Path.cwd()
        self._root = root or self._folder
        self._open: list[OpenView] = []

    def __call__(self, server: Target, tool: str, arguments: Json | None = None, **options: Any) -> OpenView:
        """Call `tool` and open its view; see `ViewOptions` for what can be said about the host."""
        __tracebackhide__ = True  # pytest then shows the line of the test
        session, view = self._background.run(self._new(tool, arguments or {}, options))
        self._open.append(view)
        try:
            self._background.run(self._show(session, server))
        except ViewError as error:
            raise error.with_traceback(None) from None
        return view

    def story(
        self, name: str, *, server: Target | None = None, file: str | Path | None = None, **options: Any
    ) -> OpenView:
        """Open a story of a `*.stories.toml`, with its arguments, its result if it has one, its host, theme and size.

        The file is looked for beside the test and in the folders above it, up to pytest's root; `file` names it, or the
        server's file beside it. That server is started in a process of its own; with `server` this one is used instead,
        such as an object that the test imports. `options` of `open_view` come before those of the story.
        """
        __tracebackhide__ = True
        home = find_story(name, self._folder, self._root) if file is None else StoryFile(file)
        story = home.get(name)
        started = [sys.executable, "-m", "cloche", "run", str(home.server)]
        return self(started if server is None else server, story.tool, story.arguments, **{**story.options, **options})

    async def _new(self, tool: str, arguments: Json, options: Json) -> tuple[ViewSession, OpenView]:
        if "personality" in options:
            warnings.warn("open_view(personality=…) is now called profile=…", DeprecationWarning, stacklevel=4)
            options["profile"] = options.pop("personality")
        unknown = set(options) - set(ViewOptions.__dataclass_fields__)
        if unknown:
            known = ", ".join(ViewOptions.__dataclass_fields__)
            raise ConfigurationError(f"open_view has no option {sorted(unknown)[0]!r}; it has {known}")
        session = ViewSession(tool, arguments, ViewOptions(**options))
        return session, OpenView(self._background, session)

    async def _show(self, session: ViewSession, server: Target) -> None:
        await session.open(server, await self._chromium.browser())

    def replay(
        self, cassette: str | Path | Cassette, view: int = 0, *, html: str | None = None, check: bool = True
    ) -> OpenView:
        """Play a view of a cassette, without a server, and leave it open. Raises `ViewError` at the first difference
        from what was recorded, unless `check` is False. With `html` that page is played instead of the recorded one.
        """
        from cloche.testing.cassettes.cassette import Cassette

        __tracebackhide__ = True
        read = cassette if isinstance(cassette, Cassette) else Cassette.read(cassette)
        session, opened = self._background.run(self._new_played(read, view, html))
        self._open.append(opened)
        difference = self._background.run(self._play(session))
        if difference is not None and check:
            raise session.failure(str(difference))
        return opened

    async def _new_played(self, cassette: Cassette, number: int, html: str | None) -> tuple[PlayedSession, OpenView]:
        from cloche.testing.cassettes.played_view import PlayedSession

        session = PlayedSession(cassette.view(number), html=html)
        return session, OpenView(self._background, session)

    async def _play(self, session: PlayedSession) -> Difference | None:
        await session.start(await self._chromium.browser())
        return await session.play()

    def close(self) -> None:
        """Close every view that was opened."""
        while self._open:
            self._open.pop().close()
