"""Run with `pytest`: the view is opened in a real browser."""

from server import server

from cloche.testing import ViewOpener


def test_a_click_is_a_vote(open_view: ViewOpener) -> None:
    view = open_view(server, "drinks")
    view.click("#Tea")
    assert view.wait_for("answered").arguments == {"drink": "Tea"}
    view.expect("#votes").to_contain_text("1")
    view.check()
