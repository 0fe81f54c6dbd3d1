"""What the page needs, from loopback, every file under one Content-Security-Policy."""

from __future__ import annotations

import contextlib
import io
import json
import threading
import zipfile
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; "
    "frame-src 'self'; style-src 'unsafe-inline'"
)
"""The strictest policy that Python can start under: no inline script, no eval, nothing from elsewhere."""

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
}


class Site:
    """`with Site(policy) as site` serves what was added, at `site.url`."""

    def __init__(self, policy: str = POLICY, headers: dict[str, str] | None = None) -> None:
        self.policy = policy
        self.headers = headers or {}
        """What else stands on every answer."""
        self.missed: list[str] = []
        """Paths that were asked for and are not here."""
        self._files: dict[str, bytes | Path] = {}

    def add(self, path: str, content: bytes | Path) -> None:
        """Serve bytes, or a file, at a path."""
        self._files[path] = content

    def add_folder(self, prefix: str, folder: Path) -> None:
        """Serve every file that lies in a folder."""
        for file in folder.iterdir():
            if file.is_file():
                self.add(f"{prefix}/{file.name}", file)

    def add_wheels(self, wheels: list[Path]) -> None:
        """Serve wheels, and their list as `/wheels.json`."""
        for wheel in wheels:
            self.add(f"/wheels/{wheel.name}", wheel)
        self.add("/wheels.json", json.dumps([f"/wheels/{wheel.name}" for wheel in wheels]).encode())

    def content(self, path: str) -> bytes | None:
        """The bytes at a path."""
        found = self._files.get(path)
        if found is None:
            self.missed.append(path)
        return found.read_bytes() if isinstance(found, Path) else found

    def headers_for(self, path: str) -> dict[str, str]:
        """What an answer is sent with."""
        return {"Content-Security-Policy": self.policy, **self.headers}

    def __enter__(self) -> Site:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                headers = site.headers_for(path)
                # A page that was left in the meantime does not wait for it.
                with contextlib.suppress(ConnectionError):
                    answer(self, path, site.content(path), headers)

            def log_message(self, format: str, *args: object) -> None:
                """A test's server is quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def answer(handler: BaseHTTPRequestHandler, path: str, body: bytes | None, headers: dict[str, str]) -> None:
    """One file, or a 404; the policy and the other headers stand on both."""
    handler.send_response(HTTPStatus.NOT_FOUND if body is None else HTTPStatus.OK)
    suffix = ".html" if path.endswith("/") else Path(path).suffix
    handler.send_header("Content-Type", KINDS.get(suffix, "application/octet-stream"))
    handler.send_header("Content-Length", str(len(body or b"")))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body or b"")


def zipped(files: dict[str, bytes]) -> bytes:
    """An archive of files, by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()
