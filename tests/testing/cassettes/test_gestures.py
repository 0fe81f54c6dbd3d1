"""Whatever a person does in a view, the played view ends up in the same document."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, expect

from cloche.testing import Cassette, ViewOpener
from tests.support.recording import document_has, lines_of, recorded
from tests.testing.cassettes.gym import make_server

SECRET = "my-horse-7"
expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def cassette(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gym") / "gym.cassette"
    with recorded(browser, make_server(), "gym", path, timezone_id="Asia/Tokyo", locale="de-DE") as run:
        expect(run.view.locator("#slow")).to_have_text("waiting")
        document_has(path, '"waiting"', '"3"')
        expect(run.view.locator("#slow")).to_have_text("here")
        exercise(run.view, run.view.owner.page)
        document_has(path, '"at 120"', '"shadow!"', "is right", '"xyz"', '"over"')
    return path


def exercise(view: FrameLocator, page: object) -> None:
    """Everything once."""
    mouse, keyboard = page.mouse, page.keyboard  # type: ignore[attr-defined]
    view.locator("#count").click()
    view.locator("#count").press("Space")
    view.locator("#twice").dblclick()
    view.locator("#agree").click(position={"x": 10, "y": 10})
    view.locator("[name=words]").press_sequentially("Zoë")
    view.locator("[name=user]").fill("ada")
    view.locator("[name=pass]").press_sequentially(SECRET)
    view.locator("[name=pass]").press("Enter")
    expect(view.locator("#welcome")).to_contain_text("is right")
    view.locator("#fruit").focus()
    keyboard.press("c")
    expect(view.locator("#chosen")).to_have_text("cherry")
    view.locator("#level").focus()
    keyboard.press("ArrowRight")
    keyboard.press("ArrowRight")
    view.locator("#note").press_sequentially("one")
    view.locator("#note").press("Shift+Enter")
    view.locator("#note").press_sequentially("two")
    view.locator("#note").press("Enter")
    expect(view.locator("#sent")).to_have_text("[one two]")
    view.locator("#free").fill("freely written")
    box = view.locator("#pad").bounding_box()
    assert box is not None
    mouse.move(box["x"] + 20, box["y"] + 20)
    mouse.down()
    mouse.move(box["x"] + 100, box["y"] + 30, steps=5)
    mouse.up()
    expect(view.locator("#pad")).to_have_text("moved 80 and let go")
    view.locator("shadow-box button").click()
    view.locator("#keys").evaluate("() => document.activeElement.blur()")
    for key in "xyz":
        view.locator("body").press(key)
    view.locator("#list").evaluate("(list) => list.scrollTo(0, 120)")  # a wheel gets lost on a busy machine
    expect(view.locator("#list")).to_have_text("at 120")
    view.locator("#spot").hover()
    expect(view.locator("#spot")).to_have_text("over")


def test_the_played_view_has_the_same_document(open_view: ViewOpener, cassette: Path) -> None:
    view = open_view.replay(cassette)
    text = lines_of(cassette, "dom")[-1]["text"]
    assert view.document() == text
    assert "0." in text.split('<p id="chance">')[1], "chance is in the document, so it was compared"
    view.expect("#pad").to_have_text("moved 80 and let go")
    view.expect("#twice").to_have_text("1")
    assert [call.name for call in view.calls] == ["slow", "login"]
    assert view.evaluate("() => Intl.DateTimeFormat().resolvedOptions().timeZone") == "Asia/Tokyo"
    view.check()

    # It goes on: what was recorded is answered once more, and nothing else is.
    again = view.evaluate("async () => (await cloche.callTool('slow', {})).content[0].text")
    assert again == "slow"
    said = view.evaluate("async () => await cloche.callTool('slow', {new: 1}).catch((error) => error.message)")
    assert "Not in the recording: tools/call slow" in said


def test_every_kind_of_gesture_was_recorded(cassette: Path) -> None:
    seen = Counter(line["event"] for line in lines_of(cassette, "user"))
    expected = {"click", "down", "drag", "up", "move", "input", "choose", "key", "scroll", "resize"}
    assert expected <= set(seen)
    assert seen["down"] == seen["up"] == 1
    start = Cassette.read(cassette).views[0].start
    assert start is not None
    assert (start.time_zone, start.locale) == ("Asia/Tokyo", "de-DE")


def test_what_is_typed_into_a_password_field_is_nowhere_in_the_file(cassette: Path) -> None:
    text = cassette.read_text("utf-8")
    assert SECRET not in text
    for beginning in range(6, len(SECRET)):
        assert f'"{SECRET[:beginning]}"' not in text
    (asked,) = [line for line in lines_of(cassette, "ask") if line.get("params", {}).get("name") == "login"]
    assert asked["params"]["arguments"] == {"user": "ada", "pass_": "cloche-recorded-password"}
    assert "ada" in text, "what is typed elsewhere is there, so the search above could find something"
