"""`PickedFile`: a file that the person at a published page chooses, as a path that a tool opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

FORMAT = "picked-file"
"""What the page's form knows such a parameter by."""

PATTERN = r"^/files/[0-9]+/[^/]*[^/.][^/]*$"
"""Where the page puts what was picked: in a folder of its own for each. No client can name another file."""

PickedFile = Annotated[str, msgspec.Meta(pattern=PATTERN, extra_json_schema={"format": FORMAT})]
"""A file that the person at a published page picks: the path that a tool opens.

It stays on the person's machine. Only paths of picked files are taken, so no client can have a tool read others.
"""

if not TYPE_CHECKING:
    PickedFile.__doc__ = "A file that the person at a published page picks: the path that a tool opens."
