"""Run with `pytest`: the view is opened in a real browser, and the policy is asked."""

import asyncio

from app import HousePolicy
from server import server

from cloche.host import Request
from cloche.testing import ViewOpener


def test_an_order_is_counted(open_view: ViewOpener) -> None:
    view = open_view(server, "board")
    view.click("li:first-child button")
    assert view.wait_for("answered").arguments == {"dish": "Soup of the day"}
    view.expect("#dishes").to_contain_text("1")
    view.check()


def test_nobody_clears_the_list_by_accident() -> None:
    request = Request("tool", "ann", "lunch", "board", "view-1", {"name": "clear", "arguments": {}})
    assert asyncio.run(HousePolicy().decide(request)) == "ask"
