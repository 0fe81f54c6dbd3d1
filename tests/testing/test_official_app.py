"""The official App and our runtime in the strict host: neither breaks a rule, and both get everything."""

from __future__ import annotations

import pytest

from cloche import Context, Server
from cloche.testing import OpenView, ViewOpener
from tests.support.official_app.views import VIEWS

CASTS = [("official App", "2.0.4"), ("official App", "1.7.5"), ("ours", "")]
MIME_TYPE = "text/html;profile=mcp-app"


def server_showing(html: str) -> Server:
    server = Server("full")

    @server.tool(meta={"ui": {"resourceUri": "ui://full/view.html"}})
    def show(text: str) -> dict[str, str]:
        """Show something."""
        return {"shown": text}

    @server.tool
    async def slow(ctx: Context, text: str) -> str:
        """Say how far it is."""
        await ctx.progress(1, 2, "half")
        return text

    server.register_resource("ui://full/view.html", lambda: html, name="view", mime_type=MIME_TYPE)
    return server


@pytest.fixture(params=CASTS, ids=" ".join)
def view(request: pytest.FixtureRequest, open_view: ViewOpener) -> OpenView:
    name, version = request.param
    return open_view(server_showing(VIEWS[name](version)), "show", {"text": "hello"}, stream=True)


def assert_clean(view: OpenView) -> None:
    """No rule was broken. Zod, inside the official App, tries whether eval is there, and goes on when it is not."""
    assert (view.errors, view.problems) == ([], [])
    assert {violation.blocked for violation in view.violations} <= {"eval"}


def test_everything_a_view_does_goes_through(view: OpenView) -> None:
    view.send_partial({"text": "he"})
    view.send_input()
    view.send_result()
    view.set_theme("dark")
    assert view.evaluate("() => act.callTool('show', {text: 'again'})")["structuredContent"] == {"shown": "again"}
    followed = view.evaluate("() => act.callFollowed('slow', {text: 'done'})")
    assert followed["result"]["content"][0]["text"] == "done"
    assert [step["progress"] for step in followed["steps"]] == [1]
    view.evaluate("() => act.sendMessage('hello')")
    view.evaluate("() => act.updateModelContext({a: 1})")
    view.evaluate("() => act.openLink('https://example.com/')")
    view.evaluate("() => act.downloadFile({name: 'a.txt', mimeType: 'text/plain', text: 'A'})")
    assert view.evaluate("() => act.requestDisplayMode('fullscreen')") in ({"mode": "fullscreen"}, "fullscreen")
    view.evaluate("() => act.log('info', {text: 'logged'})")
    view.wait_for("log")
    view.wait_for("size")
    assert [message.text for message in view.messages] == ["hello"]
    assert view.context is not None
    assert view.context.structured_content == {"a": 1}
    assert view.links == ["https://example.com/"]
    assert view.downloads[0]["resource"]["text"] == "A"
    assert [tool["name"] for tool in view.request("tools/list")["tools"]] == ["shout"]
    called = view.request("tools/call", {"name": "shout", "arguments": {"text": "loud"}})
    assert called["content"][0]["text"] == "LOUD"
    view.teardown()
    assert_clean(view)


def test_a_reload_is_a_new_handshake(view: OpenView) -> None:
    view.wait_for("initialized")
    view.reload()
    view.wait_for("initialized")
    assert_clean(view)
