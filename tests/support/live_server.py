"""A server in a process of its own, behind a real socket."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

STARTER = """
import socket, sys
import uvicorn
{code}
sock = socket.socket()
sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
sock.bind(("127.0.0.1", {port}))
sock.listen(128)
config = uvicorn.Config(app, log_level="warning", access_log=False, loop="{loop}")
print(sock.getsockname()[1], flush=True)
uvicorn.Server(config).run(sockets=[sock])
"""


class LiveServer:
    """`code` defines `app`; `with LiveServer(tmp_path, code) as server` serves it with uvicorn."""

    def __init__(self, folder: Path, code: str, *, port: int = 0, loop: str = "auto") -> None:
        self._file = folder / "live.py"
        self._file.write_text(STARTER.format(code=code, port=port, loop=loop))
        self._errors = (folder / "stderr.txt").open("ab")
        self.stderr_file = folder / "stderr.txt"

    def __enter__(self) -> LiveServer:
        self.process = subprocess.Popen(
            [sys.executable, str(self._file)], stdout=subprocess.PIPE, stderr=self._errors, text=True
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line.strip().isdigit(), self.stderr_file.read_text()
        self.port = int(line)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        with self.process as process:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=10)
            finally:
                process.kill()
        self._errors.close()

    @property
    def stderr(self) -> str:
        return self.stderr_file.read_text()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=10)

    def memory(self) -> int:
        """Resident bytes now."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def connect(self, timeout: float = 20.0) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def head(self, *lines: str, method: str = "POST") -> bytes:
        """A request's head; a body with its length or chunks must follow."""
        return "\r\n".join(
            [
                f"{method} /mcp HTTP/1.1",
                f"Host: 127.0.0.1:{self.port}",
                "Content-Type: application/json",
                "Accept: application/json, text/event-stream",
                *lines,
                "",
                "",
            ]
        ).encode()

    def post(self, body: Any, *lines: str) -> tuple[int, dict[str, str], bytes]:
        """One message, one answer, one connection."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        with self.connect() as sock:
            sock.sendall(self.head(f"Content-Length: {len(data)}", "Connection: close", *lines) + data)
            return read_answer(sock)

    def modern(self, body: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        """A request of 2026-07-28."""
        lines = [f"Mcp-Method: {body['method']}", "MCP-Protocol-Version: 2026-07-28"]
        if "name" in body["params"]:
            lines.append(f"Mcp-Name: {body['params']['name']}")
        return self.post(body, *lines)


def read_answer(sock: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Everything until the server closes, or the length it said."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = sock.recv(65536)
        if not part:
            raise ConnectionError("the server closed without an answer")
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = int(headers.get("content-length", -1))
    while length < 0 or len(body) < length:
        part = sock.recv(1 << 20)
        if not part:
            break
        body += part
    return int(status.split()[1]), headers, body
