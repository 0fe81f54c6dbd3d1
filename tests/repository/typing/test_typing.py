"""The cases that mypy checks are among the files that `make check` gives it, and what they say holds at run time."""

from __future__ import annotations

import inspect
import tomllib
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import cloche.host
from cloche import Client, Context, Principal, Server
from cloche.host import Host, HostProfile
from cloche.server.session_store import MemorySessionStore

ROOT = Path(__file__).parents[3]
INTERNAL = {"come_home", "is_at_home", "open_tab", "leave", "received"}


def test_mypy_is_given_the_cases() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]
    assert "tests/repository/typing/cases.py" in settings["files"]
    assert settings["strict"] is True


class State:
    """What the lifespan yields."""

    greeting = "hello"


@asynccontextmanager
async def lifespan(_: Server) -> AsyncIterator[State]:
    yield State()


async def test_a_context_with_the_type_of_its_state_is_a_context() -> None:
    server = Server("typed", lifespan=lifespan)

    @server.tool
    def greet(ctx: Context[State], name: str) -> str:
        return f"{ctx.state.greeting}, {name}"

    @server.tool
    def maybe(ctx: Context[State] | None = None) -> str:
        return "nobody" if ctx is None else ctx.state.greeting

    async with Client(server) as client:
        tools = {tool.name: tool for tool in await client.list_tools()}
        assert list(tools["greet"].input_schema["properties"]) == ["name"]
        assert (await client.call_tool("greet", {"name": "Ada"})).text == "hello, Ada"
        assert (await client.call_tool("maybe")).text == "hello"


@pytest.mark.parametrize("method", [Server.tool, Server.prompt])
def test_help_shows_the_options(method: object) -> None:
    parameters = inspect.signature(method).parameters  # type: ignore[arg-type]
    assert {"name", "title", "description", "icons", "meta", "timeout"} <= set(parameters)


def test_completion_offers_what_users_call_and_not_what_the_parts_call_of_each_other() -> None:
    assert not INTERNAL & set(dir(Server("x")))
    assert not INTERNAL & set(dir(Host({}, secret="sixteen bytes or more")))


def test_older_words_still_work_and_say_their_successors() -> None:
    server = Server("older")

    def only(principal: Principal | None) -> bool:
        return principal is not None

    with pytest.warns(DeprecationWarning, match=r"visible=….* is now called visible_to"):

        @server.tool(visible=only)  # type: ignore[call-overload,untyped-decorator]
        def hidden() -> str:
            return ""

    assert server.tools.entries["hidden"].visible_to is only
    with pytest.warns(DeprecationWarning, match=r"stateless=….* is now called sessionless"):
        app = server.asgi(stateless=True)
    assert app.handshake._sessionless is True  # type: ignore[attr-defined]
    sessions = MemorySessionStore()
    with pytest.warns(DeprecationWarning, match=r"Server\(store=…\) is now called Server\(sessions=…\)"):
        server = Server("older", store=sessions)
    with pytest.warns(DeprecationWarning, match=r"Server\.store is now called Server\.sessions"):
        assert server.store is sessions is server.sessions
    with pytest.warns(DeprecationWarning, match=r"is now called cloche\.server\.session_store\.MemorySessionStore"):
        from cloche.server.store import MemoryStore
    assert MemoryStore is MemorySessionStore
    profile = HostProfile(display_modes=("inline",))
    with pytest.warns(DeprecationWarning, match=r"Host\(profile=…\)"):
        older = Host({}, secret="sixteen bytes or more", manner=profile)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        newer = Host({}, secret="sixteen bytes or more", profile=profile)
    assert older.profile is newer.profile is profile
    with pytest.warns(DeprecationWarning, match="HostProfile"):
        assert cloche.host.Manner is HostProfile
