"""Servers that ask for what they must not, ask too often or get a wrong answer, on one real page of a product."""

from __future__ import annotations

from typing import Any

import mcp_types
import pytest
from mcp.server.mcpserver import Context as OfficialContext
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from playwright.sync_api import Browser, Page, expect

from cloche import Context, Server
from cloche.host import Host, Policy
from cloche.wire.versions import LATEST_HANDSHAKE_VERSION
from tests.support.product import Product

NAME = {"type": "object", "properties": {"name": {"type": "string"}}}
COUNT = {"type": "object", "properties": {"count": {"type": "integer", "maximum": 9}}, "required": ["count"]}
REFUSED = {
    "password": ({"pin": {"type": "string", "title": "Your password"}}, "must not ask for passwords"),
    "unknown": ({"where": {"type": "geometry"}}, "is a string, number, integer, boolean, choice"),
}
"""Forms that nobody sees, and what the server is told."""


def of_wrong_forms() -> Any:
    """A server of `mcp`, which sends any schema; ours refuses to send one that MCP does not allow."""
    server = MCPServer("forms", version="1.0")

    @server.tool()
    async def ask(about: str, ctx: OfficialContext) -> str:
        schema = {"type": "object", "properties": REFUSED[about][0]}
        params = mcp_types.ElicitRequestFormParams(message="Tell me.", requested_schema=schema)
        try:
            said = await ctx.session.send_request(mcp_types.ElicitRequest(params=params), mcp_types.ElicitResult)
        except MCPError as error:
            return f"refused: {error}"
        return said.action

    return server


def of_questions() -> Server:
    """A server that asks too often, and one thing that has a wrong answer."""
    server = Server("pushy", "1.0")

    @server.tool
    async def pester(ctx: Context) -> str:
        said = [(await ctx.elicit(f"Question {number}", NAME, key=f"k{number}")).action for number in range(20)]
        return " ".join(said)

    @server.tool
    async def count(ctx: Context) -> str:
        said = await ctx.elicit("How many?", COUNT)
        return f"{said.data}"

    return server


@pytest.mark.parametrize("kind", ["password", "unknown", "twenty", "wrong"])
def test_what_a_server_must_not_ask_is_refused(kind: str, browser: Browser, page: Page) -> None:
    host = Host({"pushy": of_questions(), "forms": of_wrong_forms()}, secret="s" * 32, policy=Policy())
    with Product(host) as product:
        session = host.session("ann")

        async def element() -> str:
            session.upstream("forms").version = LATEST_HANDSHAKE_VERSION  # where a server hears what became of it
            return session.questions_element()

        def text(call: Any) -> str:
            found: str = product.run(call.result())["content"][0]["text"]
            return found

        page.goto(product.page(product.run(element())))
        page.wait_for_function("document.querySelector('mcp-questions').state === 'ready'")
        dialog = page.get_by_role("alertdialog")
        if kind in REFUSED:
            assert REFUSED[kind][1] in text(product.run(session.start("forms.ask", {"about": kind})))
            expect(dialog).to_have_count(0)
        elif kind == "twenty":
            call = product.run(session.start("pushy.pester", {}))
            for number in range(3):
                expect(dialog).to_contain_text(f"Question {number}")
                dialog.get_by_role("button", name="Decline").click()
            assert text(call) == " ".join(["decline"] * 20)
            expect(dialog).to_be_hidden()
        else:
            call = product.run(session.start("pushy.count", {}))
            field = dialog.get_by_label("count")
            for wrong in ("1.5", "99"):
                field.fill(wrong)
                page.locator("button.accept[aria-disabled=false]").wait_for()
                dialog.get_by_role("button", name="Send").click()
                expect(dialog.locator("[aria-invalid=true]")).to_have_count(1)
            field.fill("3")
            dialog.get_by_role("button", name="Send").click()
            assert text(call) == "{'count': 3}"
