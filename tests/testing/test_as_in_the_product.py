"""`open_view` shows what `Host` shows: the page that a result brings along, under the product's own policy."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import pytest

from cloche import Csp, Server, View
from cloche.host import Policy
from cloche.testing import ViewError, ViewOpener
from cloche.testing.browser_page import HOST
from cloche.views import create_ui_resource
from tests.support.counter import RPC
from tests.support.host_surface import FRAME, PAGE, connect, get, make_server, show, wrapped

EMBEDDED = f"<p id=out>waiting</p><script>{RPC}"
EMBEDDED += """
handlers["ui/notifications/tool-result"] = ({content}) => { out.textContent = `has ${content.length} blocks`; };
start();
</script>"""


def server_of_pages(**options: Any) -> Server:
    server = Server("pages")

    @server.tool
    def report() -> list[Any]:
        """A page that exists only in this result."""
        return ["A report", create_ui_resource(EMBEDDED, title="Report", **options)]

    @server.tool
    def plain() -> str:
        return "no page"

    return server


def test_a_page_inside_a_result_is_shown(open_view: ViewOpener) -> None:
    view = open_view(server_of_pages(), "report")
    view.expect("#out").to_have_text("has 2 blocks")
    view.check()
    view.reload()
    view.expect("#out").to_have_text("has 2 blocks")


def test_a_page_inside_a_result_has_the_policy_that_it_declares(open_view: ViewOpener) -> None:
    server = server_of_pages(csp={"connectDomains": ["https://good.example"]})
    view = open_view(server, "report", responses={"https://good.example/": "good", "https://evil.example/": "evil"})
    fetched = "(url) => fetch(url).then((answer) => answer.text(), () => 'blocked')"
    assert [view.evaluate(fetched, f"https://{name}.example/") for name in ("good", "evil")] == ["good", "blocked"]


def test_a_result_without_a_page_has_no_view(open_view: ViewOpener) -> None:
    with pytest.raises(ViewError, match="'plain' has no view"):
        open_view(server_of_pages(), "plain")
    with pytest.raises(ViewError, match="'report' has no view"):
        open_view(server_of_pages(), "report", stream=True)


CSP = Csp(
    connect=["https://api.example", "wss://live.example"],
    resources=["https://cdn.example"],
    frames=["https://frames.example"],
    base=["https://base.example"],
)


async def policy_in_the_product(**view: Any) -> str:
    async with wrapped(make_server(**view), policy=Policy()) as wrapper:
        socket = await connect(wrapper)
        shown = await show(wrapper, socket, 1)
        await socket.drop()
        url = urlsplit(shown.packet["sandbox"]["url"])
        answer = await get(wrapper, f"{url.path}?{url.query}", *FRAME, host=url.netloc)
        return answer.headers["content-security-policy"]


@pytest.mark.parametrize("csp", [None, CSP], ids=["closed", "open"])
def test_the_policy_is_that_of_the_product(open_view: ViewOpener, csp: Csp | None) -> None:
    server = Server("pages")

    @server.tool(view=View(EMBEDDED, csp=csp))
    def shown() -> str:
        return "done"

    view = open_view(server, "shown")
    frame = view._session.stage._frame
    assert frame is not None
    product = asyncio.run(policy_in_the_product(csp=csp))
    assert frame.policy.replace(HOST, PAGE) == product


STATEFUL = """<p id=out>…</p><script>
cloche.on("bridge:ready", () => { out.textContent = JSON.stringify(cloche.getState() ?? null); });
</script>"""


def server_with_state() -> Server:
    server = Server("stateful")

    @server.tool(view=View(STATEFUL))
    def shown() -> str:
        return "done"

    return server


def test_the_host_keeps_a_views_state(open_view: ViewOpener) -> None:
    view = open_view(server_with_state(), "shown")
    assert view.state is None
    view.evaluate("cloche.setState({tab: 2})")
    assert view.wait_for("state") == view.state == {"tab": 2}
    view.reload()
    assert view.evaluate("cloche.getState()") == {"tab": 2}
    assert view.host_context["cloche/state"] == {"tab": 2}
    assert open_view(server_with_state(), "shown", state={"tab": 9}).evaluate("cloche.getState()") == {"tab": 9}


def test_hosts_that_keep_no_state_are_emulated_without_it(open_view: ViewOpener) -> None:
    view = open_view(server_with_state(), "shown", profile="claude", state={"tab": 9})
    assert "cloche/state" not in view.host_context
    assert view.evaluate("cloche.getState() ?? null") is None
    assert view.evaluate("'experimental' in cloche.hostCapabilities") is False
