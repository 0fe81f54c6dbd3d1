"""Cassettes: what was said and done while a view was used, in a file that plays it again without a server.

`cloche dev --record run.cassette` makes one, `cloche replay` and `open_view.replay` play it.
"""

from __future__ import annotations

from cloche.testing.cassettes.cassette import Cassette, RecordedView
from cloche.testing.cassettes.server import CassetteServer

__all__ = ["Cassette", "CassetteServer", "RecordedView"]
