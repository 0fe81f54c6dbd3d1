"""`PickedFile`: a file that the person at a published page chooses, as a path that a tool opens."""

from __future__ import annotations

from typing import Annotated

import msgspec

FORMAT = "picked-file"
"""What the page's form knows such a parameter by."""

PATTERN = r"^/files/[0-9]+/[^/]*[^/.][^/]*$"
"""Where the page puts what was picked: in a folder of its own for each. No client can name another file."""

PickedFile = Annotated[str, msgspec.Meta(pattern=PATTERN, extra_json_schema={"format": FORMAT})]
"""A parameter for a file that the person at a published page picks: the path that the tool opens.

The file stays on the person's machine. Only paths of picked files are taken, so no client can have a tool read others.
"""
