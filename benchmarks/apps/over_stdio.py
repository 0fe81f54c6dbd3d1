"""`python -m benchmarks.apps.over_stdio cloche|mcp|fastmcp`: the server of one house, over stdio."""

from __future__ import annotations

import sys

from benchmarks.apps.tools import echo_at_once, many

TOOLS = [echo_at_once, *many(1)]


def main(house: str) -> None:
    if house == "cloche":
        from benchmarks.apps import ours

        ours.server_with(TOOLS).run()
        return
    from benchmarks.apps import peers

    if house == "mcp":
        peers.mcp_object(TOOLS).run()
    else:
        peers.fastmcp_object(TOOLS).run(show_banner=False)


if __name__ == "__main__":
    main(sys.argv[1])
