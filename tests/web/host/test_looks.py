"""Themes, full screen and the keyboard: what a person sees and does around a view."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.web.host.showing import ELEMENT, Showing
from tests.web.host.stub import Stub

STYLED = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; frame-src {sandbox}"
FIELD = "<input id=field autofocus><p id=out></p>"
PAINTED_WITHIN = 20.0
"""Seconds, on a busy machine."""


@pytest.fixture
def styled(stub: Stub, showing: Showing) -> Showing:
    """A page whose policy lets it have styles of its own."""
    stub.policy = STYLED
    return showing


@pytest.mark.parametrize(
    ("head", "body", "theme"),
    [
        ("", ELEMENT, "light"),
        ("<style>:root { color-scheme: dark }</style>", ELEMENT, "dark"),
        ("<style>:root { color-scheme: light dark }</style>", ELEMENT, "light"),
        ("<meta name=color-scheme content=dark>", ELEMENT, "dark"),
        ("<meta name=color-scheme content=dark><style>:root { color-scheme: light }</style>", ELEMENT, "light"),
        ("<style>body { background: #101114 }</style>", ELEMENT, "dark"),
        ("<style>body { background: oklch(0.2 0.02 250) }</style>", ELEMENT, "dark"),
        ("<style>:root { color-scheme: dark }</style>", "<mcp-app ticket=t1 theme=light></mcp-app>", "light"),
        ("", "<mcp-app ticket=t1 theme=dark></mcp-app>", "dark"),
        ("<style>.d { background: rgb(20 20 20) }</style>", f"<div class=d>{ELEMENT}</div>", "dark"),
    ],
    ids=[
        *("plain", "scheme", "both-schemes", "meta", "meta-and-styles", "background", "background-in-another-space"),
        *("attribute-light", "attribute-dark", "container"),
    ],
)
def test_the_theme_is_the_pages_own(styled: Showing, head: str, body: str, theme: str) -> None:
    styled.open(body, head)
    assert styled.stub.next("open")["context"]["theme"] == theme


def test_the_pages_own_variables_are_passed_on(styled: Showing) -> None:
    head = "<style>:root { --accent: #123456; --color-text-primary: var(--accent); --color-unknown: red }</style>"
    styled.open(head=head)
    variables = styled.stub.next("open")["context"]["styles"]["variables"]
    assert variables["--color-text-primary"] == "#123456"
    assert variables["--color-background-primary"].startswith("light-dark(")
    assert "--color-unknown" not in variables


@pytest.mark.parametrize(
    "change",
    [
        "() => document.documentElement.classList.add('dark')",
        "() => document.querySelector('mcp-app').setAttribute('theme', 'dark')",
        "() => { document.body.style.colorScheme = 'dark' }",
    ],
    ids=["class", "attribute", "style"],
)
def test_a_change_of_theme_reaches_the_host(styled: Showing, change: str) -> None:
    styled.open(head="<style>.dark { color-scheme: dark }</style>").shown("<p>hello")
    styled.page.evaluate(change)
    assert styled.stub.next("event", event="context")["theme"] == "dark"
    assert styled.element("getComputedStyle(root.querySelector('iframe')).colorScheme") == "dark"


@pytest.mark.parametrize(
    "head", ["<style>:root { color-scheme: light dark }</style>", "<meta name=color-scheme content='light dark'>"]
)
def test_the_systems_preference_counts_where_the_page_follows_it(styled: Showing, head: str) -> None:
    styled.open(head=head).shown("<p>hello")
    styled.page.emulate_media(color_scheme="dark")
    assert styled.stub.next("event", event="context")["theme"] == "dark"


def test_less_room_is_told(showing: Showing) -> None:
    showing.open().shown("<p>hello")
    showing.page.set_viewport_size({"width": 400, "height": 500})
    assert showing.stub.next("event", event="context")["containerDimensions"]["width"] < 400


def test_a_view_without_a_dark_side_stays_readable_on_a_dark_page(styled: Showing) -> None:
    """A view that knows nothing of themes has black text: the browser puts white behind it, not the page's black."""
    styled.open(head="<style>:root { color-scheme: dark; background: #111 }</style>").mount("<body>text")
    styled.until_state("ready")
    frame = styled.page.locator("mcp-app iframe").bounding_box()
    assert frame
    clip = {"x": frame["x"] + frame["width"] - 20, "y": frame["y"] + 20, "width": 10, "height": 10}
    # It has loaded. Its picture comes from another process, some frames later.
    end = time.monotonic() + PAINTED_WITHIN
    while (color := _color(styled, clip)) != [255, 255, 255] and time.monotonic() < end:
        pass
    assert color == [255, 255, 255]


def _color(showing: Showing, clip: Any) -> list[int]:
    """The color of the first pixel of a part of the page."""
    import base64

    picture = base64.b64encode(showing.page.screenshot(clip=clip)).decode()
    page = showing.context.new_page()
    found: list[int] = page.evaluate(
        """async (picture) => {
          const image = await createImageBitmap(await (await fetch("data:image/png;base64," + picture)).blob());
          const drawing = new OffscreenCanvas(1, 1).getContext("2d");
          drawing.drawImage(image, 0, 0);
          return [...drawing.getImageData(0, 0, 1, 1).data].slice(0, 3);
        }""",
        picture,
    )
    page.close()
    return found


def fullscreen(showing: Showing, number: int) -> None:
    """Have the host show the view in full screen."""
    showing.stub.say(number, do="display-mode", mode="fullscreen")
    assert showing.stub.next("event", event="display-mode")["mode"] == "fullscreen"


def test_full_screen_fills_the_window_without_loading_the_view_anew(showing: Showing) -> None:
    number = showing.open("<div id=box>" + ELEMENT + "</div>").shown(FIELD)
    showing.page.evaluate("() => { box.style.transform = 'scale(0.5)'; box.style.overflow = 'hidden' }")
    showing.inner.evaluate("() => { window.alive = true }")
    fullscreen(showing, number)
    size = showing.page.viewport_size
    assert size
    box = showing.element("root.querySelector('.panel').getBoundingClientRect().toJSON()")
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, size["width"], size["height"])
    assert showing.inner.evaluate("() => [window.alive, innerWidth]") == [True, size["width"]]
    context = showing.stub.next("event", event="context")
    while context.get("containerDimensions", {}).get("width") != size["width"]:  # one may be of the styles above
        context = showing.stub.next("event", event="context")
    assert 0 < context["containerDimensions"]["height"] < size["height"]


def test_the_button_leaves_full_screen(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    fullscreen(showing, number)
    assert showing.page.get_by_role("dialog", name="Forecast").is_visible()
    showing.page.get_by_role("button", name="Leave full screen").click()
    assert showing.stub.next("event", event="display-mode")["mode"] == "inline"
    assert showing.element("[el.displayMode, root.querySelector('.panel').open]") == ["inline", False]


def test_escape_leaves_full_screen_from_the_button_and_from_inside_the_view(showing: Showing) -> None:
    number = showing.open().shown(FIELD)
    fullscreen(showing, number)
    showing.page.keyboard.press("Escape")
    assert showing.stub.next("event", event="display-mode")["mode"] == "inline"
    fullscreen(showing, number)
    showing.inner.click("#field")
    showing.page.keyboard.press("Escape")
    assert showing.stub.next("event", event="display-mode")["mode"] == "inline"


def test_an_escape_that_the_view_used_itself_leaves_nothing(showing: Showing) -> None:
    used = "<script>addEventListener('keydown', (event) => event.preventDefault(), true)</script>"
    number = showing.open().shown(FIELD + used)
    fullscreen(showing, number)
    showing.inner.click("#field")
    showing.page.keyboard.press("Escape")
    showing.page.keyboard.press("a")
    assert showing.element("el.displayMode") == "fullscreen"


def test_the_focus_stays_in_the_view(showing: Showing) -> None:
    number = showing.open("<input id=chat>" + ELEMENT).shown(FIELD)
    showing.inner.click("#field")
    # The page is another process: it hears a moment later that the focus is in its frame.
    showing.page.wait_for_function("() => document.activeElement?.localName === 'mcp-app'")
    fullscreen(showing, number)
    showing.inner.wait_for_function("() => document.hasFocus()")
    showing.page.keyboard.type("in")
    showing.stub.say(number, do="display-mode", mode="inline")
    assert showing.stub.next("event", event="display-mode")["mode"] == "inline"
    showing.inner.wait_for_function("() => document.hasFocus()")
    showing.page.keyboard.type("side")
    assert showing.inner.evaluate("() => field.value") == "inside"


def test_every_view_is_named_after_its_server(showing: Showing) -> None:
    """Whatever the server says about a border, and however long its title is."""
    showing.open(ELEMENT + ELEMENT)
    showing.shown("<p>hello", border=False)
    showing.shown("<p>hello", title="Sign in to your bank " * 30, server="weather")
    labels = showing.page.get_by_text("App from weather")
    assert [labels.nth(place).is_visible() for place in range(2)] == [True, True]
    for width in (360, 1200):
        showing.page.set_viewport_size({"width": width, "height": 500})
        showing.page.evaluate("() => document.querySelectorAll('mcp-app')[1].setDisplayMode('fullscreen')")
        label, leave = labels.nth(1).bounding_box(), showing.page.get_by_role("button").bounding_box()
        assert label
        assert leave
        assert 0 <= label["x"] < label["x"] + label["width"] <= leave["x"] < leave["x"] + leave["width"] <= width
        covers = "() => document.querySelectorAll('mcp-app')[1].shadowRoot.elementFromPoint(%d, %d).textContent"
        middle = label["x"] + label["width"] / 2, label["y"] + label["height"] / 2
        assert showing.page.evaluate(covers % middle) in ("weather", "App from weather")
        showing.page.evaluate("() => document.querySelectorAll('mcp-app')[1].setDisplayMode('inline')")


def test_what_has_no_name_still_has_a_label(showing: Showing) -> None:
    showing.open().shown("<p>hello", title="", tool="")
    assert showing.element("root.querySelector('iframe').title") == "App"
    assert showing.page.get_by_role("group", name="App", exact=True).count() == 1


def test_loading_is_announced_and_over(showing: Showing) -> None:
    showing.open()
    showing.until_state("loading")
    assert showing.page.get_by_role("status").first.inner_text() == "Loading the app"
    busy = "root.querySelector('[role=group]').getAttribute('aria-busy')"
    assert showing.element(busy) == "true"
    showing.shown("<p>hello")
    assert showing.element(f"[{busy}, root.querySelector('.loading').hidden]") == ["false", True]


def test_an_element_that_a_script_makes_works_as_one_in_the_markup(showing: Showing) -> None:
    showing.open().shown("<p>hello")
    made = "() => { const made = document.createElement('mcp-app'); return [made.state, made.attributes.length] }"
    assert showing.page.evaluate(made) == ["idle", 0]
