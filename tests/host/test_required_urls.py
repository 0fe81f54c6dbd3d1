"""Servers that do not answer before their user has been at an address: error -32042."""

from __future__ import annotations

from typing import Any

import mcp.types as mcp_types
import pytest
from mcp.server.mcpserver import Context as McpContext
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import UrlElicitationRequiredError as McpUrlRequired

from cloche import ElicitUrl, Server
from cloche.errors import UrlElicitationRequiredError
from cloche.host import Elicitation, Host
from cloche.host.upstreams.required_urls import COMPLETED, MAX_URLS
from tests.support.asked_person import Person
from tests.support.host_page import hosting

URL = "https://bank.example/sign-in"


class Shop:
    """Sells something to whoever has signed in elsewhere."""

    def __init__(self, url: str = URL, times: int = 1) -> None:
        self.calls = 0
        self.signed_in = False
        self.server = Server("shop")

        @self.server.tool
        def buy() -> str:
            """Buy a bread."""
            self.calls += 1
            if not self.signed_in:
                step = {"mode": "url", "message": "Sign in", "url": url, "elicitationId": "e1"}
                raise UrlElicitationRequiredError([step] * times)
            return "bought"


def official() -> tuple[MCPServer, dict[str, bool]]:
    server, state = MCPServer("shop"), {"signed in": False}

    @server.tool()
    async def buy(ctx: McpContext) -> str:
        if not state["signed in"]:
            step = mcp_types.ElicitRequestURLParams(message="Sign in", url=URL, elicitation_id="e1")
            raise McpUrlRequired([step])
        return "bought"

    return server, state


async def outcome(host: Host) -> Any:
    return (await host.session("ann").run("shop.buy"))["content"][0]["text"]


@pytest.mark.parametrize("maker", ["cloche", "mcp"])
async def test_the_user_is_shown_the_address_and_the_call_is_made_once_more(maker: str) -> None:
    shop, (other, state) = Shop(), official()
    async with hosting({"shop": shop.server if maker == "cloche" else other}) as host:
        ann = await Person().at(host)
        call = await host.session("ann").start("shop.buy")
        opened = await ann.says(True)
        assert (opened["link"], opened["title"]) == (URL, "Open bank.example?")
        shop.signed_in = state["signed in"] = True
        done = await ann.says(True)
        assert (done["kind"], done["title"], done["accept"]) == (
            "elicitation-done",
            "Done at bank.example?",
            "Continue",
        )
        assert (await call.result())["content"][0]["text"] == "bought"


async def test_the_server_may_say_that_the_user_is_done() -> None:
    shop = Shop()
    async with hosting({"shop": shop.server}) as host:
        ann = await Person().at(host)
        call = await host.session("ann").start("shop.buy")
        await ann.says(True)
        question = await ann.asked()
        await shop.server.notify(COMPLETED, {"elicitationId": "another"})
        shop.signed_in = True
        await shop.server.notify(COMPLETED, {"elicitationId": "e1"})
        assert (await call.result())["content"][0]["text"] == "bought"
        assert {"unask": question["ask"]} in [await ann.frames.get() for _ in range(ann.frames.qsize())]


async def test_a_server_that_is_never_content_is_asked_twice_and_no_more() -> None:
    shop = Shop()
    async with hosting({"shop": shop.server}) as host:
        ann = await Person().at(host)
        call = await host.session("ann").start("shop.buy")
        await ann.says(True)
        await ann.says(True)
        with pytest.raises(UrlElicitationRequiredError):
            await call.result()
        assert shop.calls == 2


@pytest.mark.parametrize("answers", [[False], ["cancel"], [True, False]])
async def test_who_does_not_go_there_gets_the_server_s_error(answers: list[Any]) -> None:
    shop = Shop()
    async with hosting({"shop": shop.server}) as host:
        ann = await Person().at(host)
        call = await host.session("ann").start("shop.buy")
        for answer in answers:
            await ann.says(answer)
        with pytest.raises(UrlElicitationRequiredError):
            await call.result()
        assert shop.calls == 1


@pytest.mark.parametrize("shop", [Shop("javascript:alert(1)"), Shop("file:///etc/passwd"), Shop(times=MAX_URLS + 1)])
async def test_what_nobody_must_be_asked_is_the_server_s_error_at_once(shop: Shop) -> None:
    async with hosting({"shop": shop.server}) as host:
        ann = await Person().at(host)
        with pytest.raises(UrlElicitationRequiredError):
            await outcome(host)
        assert shop.calls == 1
        assert not [frame for frame in ann.frames._queue if "ask" in frame]  # type: ignore[attr-defined]


async def test_a_product_with_an_interface_of_its_own_says_yes_when_the_user_is_done() -> None:
    shop = Shop()
    async with hosting({"shop": shop.server}) as host:

        @host.on_elicit
        async def ask(_: object, wanted: Elicitation) -> bool:
            assert wanted.url == URL
            shop.signed_in = True
            return True

        assert await outcome(host) == "bought"


def test_an_ask_of_ours_has_the_parameters_that_the_error_takes() -> None:
    step = ElicitUrl("Sign in", URL, "e1")
    assert UrlElicitationRequiredError([step.params()]).data == {
        "elicitations": [{"mode": "url", "message": "Sign in", "url": URL, "elicitationId": "e1"}]
    }
