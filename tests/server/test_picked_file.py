"""`PickedFile`: a tool gets the path of a file that a person picked, and of no other."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest

from cloche import Client, PickedFile, Server

server = Server("files")


@server.tool
def names(file: Annotated[PickedFile, msgspec.Meta(description="What to read")], more: list[PickedFile]) -> str:
    """Repeat the paths."""
    return " ".join([file, *more])


async def test_the_path_of_a_picked_file_is_taken() -> None:
    async with Client(server) as client:
        result = await client.call_tool("names", {"file": "/files/1/a b.txt", "more": ["/files/22/.hidden"]})
        (tool,) = await client.list_tools()
    assert (result.is_error, result.text) == (False, "/files/1/a b.txt /files/22/.hidden")
    schema: dict[str, Any] = msgspec.to_builtins(tool)["inputSchema"]["properties"]["file"]
    assert (schema["format"], schema["description"]) == ("picked-file", "What to read")


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "/server/server.py", "a.txt", "/files/a.txt", "/files/1/", "/files/1/..", "/files/1/../../etc/x"],
)
async def test_no_other_path_is(path: str) -> None:
    async with Client(server) as client:
        for given in ({"file": path, "more": []}, {"file": "/files/1/a", "more": [path]}):
            result = await client.call_tool("names", given)
            assert result.is_error, path
