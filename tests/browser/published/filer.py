"""A server that reads a picked file and writes one, for the tests."""

from pathlib import Path

from cloche import PickedFile, ResourceLink, Server

server = Server("filer")


@server.tool
def measure(file: PickedFile) -> str:
    """Count the bytes and the lines of a file."""
    size = lines = 0
    with open(file, "rb") as content:
        while chunk := content.read(1 << 20):
            size += len(chunk)
            lines += chunk.count(b"\n")
    return f"{Path(file).name}: {size} bytes, {lines} lines"


@server.tool
def shout(file: PickedFile) -> ResourceLink:
    """Write the file once more, in capitals."""
    target = Path("/tmp") / f"loud-{Path(file).name}"
    target.write_bytes(Path(file).read_bytes().upper())
    return ResourceLink(uri=target.as_uri(), name=target.name, mime_type="text/plain")
