"""`take_picture`: the page of a published server takes a picture, and lends it to a tool.

Python has no camera: it runs in a worker, and browsers give one to pages alone. A view has none either, because its
frame has no origin. So the server's own page takes the picture, once, and switches the camera off again.
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any, Literal

from cloche.errors import ConfigurationError, ToolError, shorten
from cloche.server.content import Image

WIDEST = 4096


async def take_picture(*, facing: Literal["user", "environment"] = "user", width: int = 1280) -> Image:
    """A picture of the camera, as JPEG: `return await take_picture()` in a tool of a published server.

    The person is asked by the browser, and in the frame of a client by the client before: declare the camera with
    `@server.setup(permissions=["camera"])`. `facing` is the side of the device, `width` the pixels that are wished for.
    Without a camera, or where nobody allows it, the call ends with a sentence that says so.
    """
    if facing not in ("user", "environment") or not 1 <= width <= WIDEST:
        raise ConfigurationError(f"take_picture: facing is 'user' or 'environment', and width 1 to {WIDEST}")
    try:
        page: Any = import_module("cloche_page")
    except ImportError:
        raise ConfigurationError(
            "take_picture is for a server in a web page: write one with `cloche build`, and test the tool there"
        ) from None
    answer = await page.ask("picture", json.dumps({"facing": facing, "width": width}))
    problem = getattr(answer, "problem", None)
    if problem:
        raise ToolError(shorten(str(problem), 300))
    return Image(answer.content.to_bytes(), mime_type="image/jpeg")
