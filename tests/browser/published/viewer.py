"""A server whose tools have views, for the tests."""

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from cloche import Secret, Server
from cloche.views import Csp, View

server = Server("viewer", version="1.0", title="Viewer", description="Rolls dice that were agreed on.")


@dataclass
class Settings:
    """What is kept secret."""

    key: Annotated[Secret[str], Meta(title="Key", min_length=4)]


@server.setup(fields=Settings, visibility="optional", description="What was rolled")
async def setup(settings: Settings) -> str:
    """Take any key."""
    return "Dice"


@dataclass
class Roll:
    """What was rolled."""

    count: int
    total: int


@server.tool(view="dice.html")
def roll(count: int = 2) -> Roll:
    """Roll dice that always show three."""
    return Roll(count, 3 * count)


@server.tool(visibility=["app"])
def double(total: int) -> int:
    """Double it: for views only."""
    return 2 * total


@server.tool(visibility=["model"])
def for_the_model() -> str:
    """For the model only."""
    return "only for the model"


@server.tool
def blab() -> str:
    """Repeat the key: a mistake."""
    return f"the key is {setup.settings.key}"


HOSTILE = View("hostile.html", csp=Csp(connect=["https://api.example"]))


@server.tool(view=HOSTILE)
def attack() -> str:
    """Show a view that tries what it should not."""
    return "shown"
