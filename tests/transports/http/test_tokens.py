"""Tokens: sent, renewed, and never told to anybody else."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from cloche.errors import ConfigurationError, McpError
from cloche.transports.http.client import HttpTransport
from tests.support.doors import serving
from tests.transports.http.peers import Call, Scripted, begin, calling, connected, shake_hands


def guarded(*valid: str) -> Scripted:
    async def script(call: Call) -> None:
        if call.headers.get("authorization") not in [f"Bearer {token}" for token in valid]:
            await call.reply(401)
        elif not await shake_hands(call):
            await (call.reply(405) if call.method == "GET" else call.result({}))

    return Scripted(script)


async def test_a_token_goes_with_every_request() -> None:
    app = guarded("abc")
    async with calling(app, auth="abc") as transport:
        await begin(transport)
        await transport.request("ping")
    assert {call.method for call in app.calls} >= {"POST", "DELETE"}
    assert {call.headers["authorization"] for call in app.calls} == {"Bearer abc"}


async def test_a_token_that_stays_is_tried_once() -> None:
    app = guarded("abc")
    async with calling(app, auth="wrong") as transport:
        with pytest.raises(McpError, match="authentication"):
            await transport.request("ping")
    assert len(app.calls) == 1


async def test_a_token_that_was_refused_is_renewed_once_for_all() -> None:
    given = iter(["old", "new", "newer"])
    asked = 0

    async def source() -> str:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0)
        return next(given)

    app = guarded("new")
    async with calling(app, auth=source) as transport:
        await asyncio.gather(*(transport.request("ping") for _ in range(10)))
        await transport.request("ping")
    assert asked == 2


async def test_a_second_refusal_is_the_answer() -> None:
    asked = 0

    async def source() -> str:
        nonlocal asked
        asked += 1
        return f"token{asked}"

    app = guarded("never")
    async with calling(app, auth=source) as transport:
        with pytest.raises(McpError, match="HTTP 401"):
            await transport.request("ping")
    assert (asked, len(app.calls)) == (2, 2)


async def test_a_source_that_fails_ends_the_request_and_nothing_else() -> None:
    tokens: list[Any] = [LookupError("the secret drawer is locked"), "a b", 7, "abc"]

    async def source() -> Any:
        token = tokens.pop(0)
        if isinstance(token, Exception):
            raise token
        return token

    async with calling(guarded("abc"), auth=source) as transport:
        with pytest.raises(McpError, match="gave no token: LookupError") as failed:
            await transport.request("ping")
        assert "drawer" not in str(failed.value)
        for _ in range(2):
            with pytest.raises(McpError, match="A bearer token has"):
                await transport.request("ping")
        assert await transport.request("ping") == {}


@pytest.mark.parametrize("token", ["", "a b", "a\r\nX-Admin: 1", "é"])
def test_a_token_that_would_break_the_header_is_refused_and_not_shown(token: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        HttpTransport("http://127.0.0.1/", auth=token)
    assert not token or token not in str(refused.value)


# Redirects


async def steal(status: int, patches: pytest.MonkeyPatch, *, is_checked: bool) -> tuple[list[Call], McpError | None]:
    """A server redirects to another origin; what that one gets to see, and the error that the request ends with."""
    thief = Scripted(lambda call: call.result({}))
    with serving(thief) as elsewhere:
        lure = Scripted(lambda call: call.reply(status, location=f"{elsewhere}/take"))
        with serving(lure) as origin, patches.context() as patch:
            if not is_checked:
                patch.setattr("cloche.transports.http.endpoint.is_same_origin", lambda one, other: True)
            error = None
            async with connected(f"{origin}/mcp", auth="abc", headers={"X-Key": "secret"}) as transport:
                try:
                    await transport.request("ping")
                except McpError as caught:
                    error = caught
    return thief.calls, error


@pytest.mark.parametrize("status", [307, 308])
async def test_a_redirect_to_another_origin_gets_neither_token_nor_message(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    stolen, _ = await steal(status, monkeypatch, is_checked=False)
    assert [(call.headers["authorization"], call.headers["x-key"]) for call in stolen] == [("Bearer abc", "secret")]
    stolen, error = await steal(status, monkeypatch, is_checked=True)
    assert stolen == []
    assert error is not None
    assert "redirects to" in error.message
    assert error.data == {"reason": "redirected", "status": status}


async def test_a_client_that_follows_redirects_does_not_here() -> None:
    """The option of httpx2 keeps the token back, but no header of one's own, and would post the message."""
    thief = Scripted(lambda call: call.result({}))
    with serving(thief) as elsewhere:
        lure = Scripted(lambda call: call.reply(307, location=f"{elsewhere}/take"))
        with serving(lure) as origin:
            async with httpx2.AsyncClient(follow_redirects=True, headers={"X-Key": "secret"}, verify=False) as http:
                await http.post(f"{origin}/mcp", json={"id": 1})
                assert [call.headers["x-key"] for call in thief.calls] == ["secret"]
                async with connected(f"{origin}/mcp", client=http) as transport:
                    with pytest.raises(McpError, match="not followed"):
                        await transport.request("ping")
    assert len(thief.calls) == 1


@pytest.mark.parametrize(
    "location",
    [
        "https://127.0.0.1:8000/mcp",
        "http://127.0.0.1:8001/mcp",
        "http://localhost:8000/mcp",
        "//evil.example/mcp",
        "http://127.0.0.1:8000@evil.example/",
        "http://user:pw@127.0.0.1:8000/mcp",
        "file:///etc/passwd",
        "http://[",
    ],
)
async def test_what_counts_as_another_origin(location: str) -> None:
    app = Scripted(lambda call: call.reply(307, location=location))
    async with calling(app, auth="abc") as transport:
        with pytest.raises(McpError, match="not followed"):
            await transport.request("ping")
    assert len(app.calls) == 1


async def test_a_redirect_within_the_origin_is_followed_with_message_and_token() -> None:
    async def script(call: Call) -> None:
        await (call.reply(308, location="/mcp/") if call.path == "/mcp" else call.result({"path": call.path}))

    app = Scripted(script)
    async with calling(app, auth="abc") as transport:
        assert await transport.request("ping") == {"path": "/mcp/"}
    assert [call.headers["authorization"] for call in app.calls] == ["Bearer abc"] * 2
    assert app.calls[0].message == app.calls[1].message


@pytest.mark.parametrize("status", [301, 302, 303])
async def test_a_redirect_that_would_lose_the_message_is_not_followed(status: int) -> None:
    app = Scripted(lambda call: call.reply(status, location="/mcp/"))
    async with calling(app) as transport:
        with pytest.raises(McpError, match="not followed"):
            await transport.request("ping")
    assert len(app.calls) == 1


async def test_a_circle_of_redirects_ends() -> None:
    app = Scripted(lambda call: call.reply(307, location="/mcp"))
    async with calling(app) as transport:
        with pytest.raises(McpError, match="not followed"):
            await transport.request("ping")
    assert len(app.calls) == 6
