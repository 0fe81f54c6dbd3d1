"""Run with `pytest`: the view is opened in a real browser."""

from server import server

from cloche.testing import ViewOpener


def test_the_view_shows_the_roll_and_rolls_again(open_view: ViewOpener) -> None:
    view = open_view(server, "roll", {"count": 3})
    view.expect("#total").not_to_have_text("")
    view.click(text="Roll again")
    assert view.wait_for("answered").arguments == {"count": 3}
    view.check()
