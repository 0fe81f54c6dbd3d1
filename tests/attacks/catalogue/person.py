"""What a view does in the person's name, or to their attention: messages, full screen, questions, links."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.attacks.attack import Attack
from tests.attacks.catalogue.floods import counting
from tests.attacks.catalogue.requests_of_views import asking, wrote
from tests.attacks.python_page import PythonPage
from tests.attacks.scene import Attempt, Scene
from tests.support.controls import Control, Edit, Patch
from tests.support.house import House

KIND = "in the person's name"

PAYS = Patch("cloche.host.gestures:Gestures.pays", lambda original, self, purpose, gesture: True)
NO_GESTURE = Control("no-gesture", "the gesture that messages, full screen and questions need", (PAYS,))
EVERY_GESTURE = Control(
    "every-gesture",
    "the budget of messages that gestures have",
    (PAYS, Patch("cloche.host.budgets:Bucket.take", lambda original, self: True)),
)
LASTING_GESTURE = Control(
    "lasting-gesture",
    "the end of a gesture that has paid",
    (Patch("cloche.host.gestures:Gestures.pays", lambda original, self, purpose, gesture: gesture > 0),),
)
ANY_ACTIVITY = Control(
    "any-activity",
    "the proxy's look whether the gesture was in the view",
    (),
    (
        Edit(
            "sandbox/proxy.js",
            "if (now - usedAt >= RECENT && !navigator.userActivation?.isActive) return countedAt = -RECENT, 0;",
            "",
        ),
    ),
)
VIEW_SAYS_SO = Control(
    "view-says-so",
    "an envelope that the view cannot write: its own word for the gesture is taken",
    (),
    (
        Edit(
            "sandbox/proxy.js",
            "port.postMessage({ message: data, gesture: gesture(), hasFocus: document.hasFocus() })",
            "port.postMessage({ message: data, gesture: data.gesture })",
        ),
    ),
)


async def download_anything(original: Any, self: Any, params: Any) -> Any:
    """A host that has the page open the address of a file, under the rule for files."""
    from cloche.host.view_requests import _file

    files = [_file(content, 1000) for content in params.contents]
    await self._require_consent("ui/download-file", {"files": [file["name"] for file in files]})
    return await self._do("download", files, {"do": "download", "files": files})


LINKS_AS_FILES = Control(
    "links-as-files",
    "the rule that a file behind a link is a link",
    (Patch("cloche.host.view_requests:ViewRequests._download", download_anything),),
)
OWN_IS_ANY = Control(
    "own-is-any",
    "the warning about pages of the product",
    (Patch("cloche.host.view_requests:is_own_link", lambda original, *_: False),),
)


async def saves_a_link(house: House, user: str) -> bool:
    """Whether the page is told to go to an address that nobody was shown."""
    page = await PythonPage.open(house, user)
    file = {"type": "resource_link", "uri": "https://evil.example/login", "name": "report.pdf"}
    await page.ask("ui/download-file", {"contents": [file]})
    await page.close()
    return any("evil.example" in str(frame) for frame in page.frames if "do" in frame)


def sends_to_the_product(method: str) -> Any:
    """A view that sends the person, who agrees to links, to a page of the product that does something."""

    async def direct(house: House, user: str) -> bool:
        url = f"{house.url}/transfer?to=evil"
        link = {"url": url} if method == "ui/open-link" else {"contents": [{"type": "resource_link", "uri": url}]}
        opens = asking(lambda page: page.ask(method, link), wrote("link"), ("link",))
        return await opens(house, user)

    return direct


async def place_of(scene: Scene, attempt: Attempt) -> tuple[float, float]:
    """Where a person would click on the view."""
    box = await scene.page.locator("mcp-app").nth(scene.attempts.index(attempt)).bounding_box()
    assert box
    return box["x"] + 100, box["y"] + 100


async def click_elsewhere(scene: Scene, attempt: Attempt) -> None:
    """The person uses the product's own page."""
    await scene.page.bring_to_front()
    for _ in range(4):
        await scene.page.mouse.click(300, 5)
        await asyncio.sleep(0.2)


async def type_into_it(scene: Scene, attempt: Attempt) -> None:
    """The person clicks on the view, and types."""
    await scene.page.bring_to_front()
    x, y = await place_of(scene, attempt)
    for _ in range(10):
        await scene.page.mouse.click(x, y)
        await scene.page.keyboard.type("hello", delay=20)
        await asyncio.sleep(0.1)


async def click_into_it(scene: Scene, attempt: Attempt) -> None:
    """The person clicks on the view, until it listens: never long enough for a second gesture."""
    await scene.page.bring_to_front()
    x, y = await place_of(scene, attempt)
    for _ in range(8):
        await scene.page.mouse.click(x, y)
        await asyncio.sleep(0.2)


def attack(name: str, case: str, control: Control, **options: Any) -> Attack:
    return Attack(name=name, kind=KIND, case=case, control=control, script="person", alone=True, **options)


SAID = ("message from evil",)

ATTACKS = [
    attack("unattended-messages", "W18", NO_GESTURE, signs=SAID),
    attack("click-elsewhere", "W18", ANY_ACTIVITY, signs=SAID, driver=click_elsewhere),
    attack("forged-gesture", "W18", VIEW_SAYS_SO, signs=SAID),
    attack(
        "message-per-key",
        "W18",
        EVERY_GESTURE,
        watcher=counting("message from", 8),
        driver=type_into_it,
        silent=True,
        apart=True,
    ),
    attack("unattended-full-screen", "W21", NO_GESTURE),
    attack("full-screen-again", "W21", LASTING_GESTURE, driver=click_into_it, silent=True, apart=True),
    attack("nagging", "W24", NO_GESTURE, watcher=counting("asked about", 3), apart=True),
    Attack(name="file-behind-a-link", kind=KIND, case="W17", control=LINKS_AS_FILES, direct=saves_a_link),
    Attack(
        name="link-to-the-product",
        kind=KIND,
        case="W17",
        control=OWN_IS_ANY,
        direct=sends_to_the_product("ui/open-link"),
    ),
]
