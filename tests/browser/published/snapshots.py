"""A server whose tools take pictures, for the tests."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from cloche import Image, PickedFile, Server
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


@server.tool
def weigh(picture: Annotated[PickedFile, Meta(extra_json_schema={"contentMediaType": "image/*"})]) -> str:
    """Say how a picture begins."""
    return Path(picture).read_bytes()[:3].hex()


@server.tool(view="snapshot.html")
async def snapshot() -> Image:
    """Take a picture."""
    return await take_picture(width=setup.settings.width)
