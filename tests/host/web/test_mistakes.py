"""What product developers get wrong: each is told in one sentence, where they look."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import Any

import pytest

from cloche import Server
from cloche.errors import ConfigurationError, InvalidParamsError, LocalProtocolError, TransportError, UnknownNameError
from cloche.host import Host, HostLimits, missing_page
from cloche.host.missing_page import MissingPageWarning
from cloche.host.web.wrapper import Wrapper
from cloche.problems import Problem
from tests.support.host_page import Page, hosting, ticket_in
from tests.support.host_surface import SECRET, connect, get, make_server, product, show, ticket_of, wrapped


class Log(logging.Handler):
    """Everything that the host's logger says, from warnings up."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []
        self._more = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())
        self._more.set()

    async def until(self, part: str) -> str:
        """Wait for a text."""
        async with asyncio.timeout(20):
            while True:
                found = next((text for text in self.texts if part in text), None)
                if found is not None:
                    return found
                self._more.clear()
                await self._more.wait()


@pytest.fixture
def log() -> Any:
    handler = Log()
    logger = logging.getLogger("cloche.host")
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


# No page comes


async def expecting(host: Host, log: Log) -> str:
    """The first element is made, and nobody shows it."""
    host.missing_page._seconds = 0.01
    call = await host.session("ann").start("dice.roll", {})
    assert call.embed()
    return await log.until("No page has shown")


async def test_a_page_without_the_script_is_told_of_in_the_log_once_a_minute(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wrapped(at="/views") as wrapper:
        said = await expecting(wrapper.host, log)
        assert '<script type="module" src="/views/mcp-app.js"></script>' in said
        assert "not mounted inside another app" in said
        await forgotten(wrapper.host)
        assert len(log.texts) == 1
        monkeypatch.setattr(missing_page, "QUIET_SECONDS", 0.0)  # a minute later
        await forgotten(wrapper.host)
        assert len(log.texts) == 2


async def forgotten(host: Host) -> None:
    """One more element that nobody shows, and its time is over."""
    call = await host.session("ann").start("dice.roll", {})
    call.embed()
    host.missing_page._look(call.id, asyncio.get_running_loop())


async def test_after_a_good_page_one_without_the_script_is_told_of_too(log: Log) -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        await forgotten(wrapper.host)
        assert 'it lacks <script type="module" src="/cloche/mcp-app.js"></script>' in log.texts[0]
        await socket.drop()


async def test_an_app_that_is_not_wrapped_is_told_of(log: Log) -> None:
    async with hosting({"dice": make_server()}) as host:
        assert "run what host.wrap(app) returns" in await expecting(host, log)


async def test_a_script_that_does_not_connect_is_told_of(log: Log) -> None:
    async with wrapped() as wrapper:
        assert (await get(wrapper, "/cloche/mcp-app.js")).status == 200
        said = await expecting(wrapper.host, log)
        assert "did not connect" in said
        assert 'type="module"' in said


async def test_a_page_that_connects_is_nothing_to_tell(log: Log) -> None:
    async with wrapped() as wrapper:
        socket = await connect(wrapper)
        await show(wrapper, socket)
        assert wrapper.host.missing_page._expected == set()
        await socket.drop()
    assert log.texts == []


def test_an_element_that_is_made_without_a_loop_expects_nobody(log: Log) -> None:
    MissingPageWarning(logging.getLogger("cloche.host"), 0.0).expect("a call")
    assert log.texts == []


# A page comes and is refused


async def test_a_name_that_is_not_known_is_in_the_log_once_and_not_without_end(log: Log) -> None:
    async with wrapped() as wrapper:
        for _ in range(2):
            assert (await get(wrapper, "/cloche/mcp-app.js", host="192.0.2.7:8000")).status == 421
        (said,) = log.texts
        assert said.startswith("Cloche does not answer to the host '192.0.2.7:8000'")
        assert said.endswith("set Host(origins=['http://192.0.2.7:8000'])")
        for number in range(100):
            await get(wrapper, "/cloche/mcp-app.js", host=f"host-{number}.example")
        assert len(log.texts) == 20
        assert "['https://host-0.example']" in log.texts[1]


async def test_a_view_without_a_sandbox_is_told_to_the_product_too(log: Log) -> None:
    page = "http://192.0.2.7:8000"
    async with wrapped(origins=[page]) as wrapper:
        call = await wrapper.host.session("ann").start("dice.roll", {})
        socket = await connect(wrapper, origin=page, host="192.0.2.7:8000")
        socket.say({"open": 1, "ticket": ticket_in(call.embed()), "context": {}, "origin": page})
        shown = (await socket.frame("error"))["error"]
        assert shown["code"] == "sandbox"
        assert "set Host(sandbox='https://{name}.usercontent.example')" in shown["message"]
        assert call.problem == shown["message"]
        assert log.texts == [f"The view of dice.roll: {shown['message']}"]
        await socket.drop()


async def test_a_ticket_of_another_host_names_what_may_be_wrong() -> None:
    async with wrapped() as one, wrapped(secret=SECRET + "2") as other:
        with pytest.raises(InvalidParamsError, match=r"same Host\(secret=…, id=…\), and every host a path of its own"):
            other.host.tickets.open(await ticket_of(one))


# The app is put together wrongly


def test_two_hosts_at_one_path_are_refused_and_one_host_twice_is_not() -> None:
    first, second = (Host({"dice": make_server()}, secret=SECRET) for _ in range(2))
    inner = first.wrap(product)
    with pytest.raises(ConfigurationError, match="put all servers into one Host"):
        second.wrap(inner)
    assert isinstance(second.wrap(inner, at="/other"), Wrapper)
    assert isinstance(first.wrap(inner), Wrapper)


@pytest.mark.parametrize("user", [7, None, "", b"ann"], ids=repr)
def test_a_user_is_a_text(user: Any) -> None:
    with pytest.raises(LocalProtocolError, match=r"host.session\(str\(user.id\)\)"):
        Host({}, secret=SECRET).session(user)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("dice.rol", r"did you mean 'dice.roll'\?"),
        ("dise.roll", r"no server of this host is called so: did you mean 'dice'\?"),
        ("roll", r"did you mean 'dice.roll'\?"),
        ("dice_rol", r"did you mean 'dice_roll'\?"),
        ("dice.secret", "it is for views alone"),
        ("dice.quite_another", "there are dice.roll, dice.big"),
        ("elsewhere.tool", "there is dice"),
    ],
    ids=lambda value: str(value)[:20],
)
async def test_a_tool_that_there_is_not_names_one_that_is(name: str, hint: str) -> None:
    server = make_server()

    @server.tool(visibility=["app"])
    def secret() -> str:
        return ""

    async with hosting({"dice": server}) as host:
        with pytest.raises(UnknownNameError, match=hint):
            await host.session("ann").start(name, {})


# A server or a view fails


async def test_a_server_that_dies_is_in_the_log(log: Log) -> None:
    dying = "import sys; from cloche import Server; server = Server('x')\n"
    dying += "@server.tool\ndef die() -> str:\n    import os; os._exit(3)\nserver.run()"
    async with hosting({"dying": [sys.executable, "-c", dying]}) as host:
        with pytest.raises(TransportError):
            await host.session("ann").run("dying.die", {})
        assert "The call of dying.die failed: The connection to 'dying' broke" in log.texts[0]


async def test_what_is_wrong_with_a_view_is_in_the_log_unless_the_product_takes_it(log: Log) -> None:
    server = Server("mute")

    @server.tool(view="<p>")
    def show() -> str:
        return ""

    async with hosting({"mute": server}, limits=HostLimits(initialize_seconds=0.01)) as host:
        call = await host.session("ann").start("mute.show", {})
        await Page().open(host, ticket_in(call.embed()))
        assert (
            "The view of mute.show: The view never completed the ui/initialize handshake: it said nothing for 0.01 s"
            in await log.until("said nothing")
        )
        call.session.view_failed(call, Problem("view-failed", message="one\ntwo"))
        assert log.texts[-1] == "The view of mute.show: The view failed: one two"
        host.on_error(lambda call, problem: None)
        call.session.view_failed(call, Problem("view-failed", message="three"))
        assert "three" not in log.texts[-1]
