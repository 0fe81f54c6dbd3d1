"""A server whose tools take pictures, for the tests."""

from dataclasses import dataclass

from cloche import Image, Server
from cloche.browser import take_picture

server = Server("snapshots", version="1.0", title="Snapshots")


@dataclass
class Settings:
    """Nothing is asked."""

    width: int = 320


@server.setup(fields=Settings, visible=False, permissions=["camera"])
async def setup(settings: Settings) -> str:
    """Take the default."""
    return "Snapshots"


@server.tool(view="snapshot.html")
async def snapshot() -> Image:
    """Take a picture."""
    return await take_picture(width=setup.settings.width)
