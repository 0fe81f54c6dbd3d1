"""The server whose calls are measured in the page, as its author would write it."""

from cloche import Server

server = Server("echo", version="1.0")


@server.tool
async def echo(text: str) -> str:
    """The same text."""
    return text
