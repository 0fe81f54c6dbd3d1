"""Pictures for a model: the page takes them with the visitor's camera, once the visitor and the client have allowed it.

As a web page:   cloche build examples/demos/camera.py -o site
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from cloche import Image, Server
from cloche.browser import take_picture
from cloche.frames import PermissionRequirement

server = Server(
    "camera",
    version="1.0",
    title="Camera",
    description="Takes a picture when it is asked to. The camera is on for that moment only.",
)

CAMERA = PermissionRequirement(
    name="camera",
    phase=["transport"],
    required=True,
    purpose="to take a picture each time you or the model call the tool",
)


@dataclass
class Settings:
    """Which camera, on devices that have two."""

    facing: Annotated[Literal["user", "environment"], Meta(title="Camera", description="user: it sees you")] = "user"


@server.setup(fields=Settings, permissions=[CAMERA], visibility="optional", description="The pictures that were taken")
def setup(settings: Settings) -> str:
    """Any choice will do."""
    return "Camera" if settings.facing == "user" else "Camera on the back"


@server.tool(title="Take a snapshot", view="camera.html")
async def take_snapshot(width: Annotated[int, Meta(ge=64, le=1920, examples=[640])] = 640) -> Image:
    """Take a picture with the user's camera.

    Args:
        width: Pixels across.
    """
    return await take_picture(facing=setup.settings.facing, width=width)


if __name__ == "__main__":
    server.run()
