"""A published folder, given out on this machine with the headers that a static host would send."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit

from cloche.browser.static_hosts import headers_at

HOST = "127.0.0.1"


class StaticServer:
    """`with StaticServer(folder, written_headers(folder)) as server` gives the folder out at `server.url`."""

    def __init__(self, folder: Path, rules: Mapping[str, Mapping[str, str]], port: int = 0) -> None:
        class Handler(http.server.SimpleHTTPRequestHandler):
            def end_headers(self) -> None:
                for name, value in headers_at(urlsplit(self.path).path, rules).items():
                    self.send_header(name, value)
                super().end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """A line for each file would hide what matters."""

        made = functools.partial(Handler, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer((HOST, port), made)
        self._server.daemon_threads = True
        self.url = f"http://{HOST}:{self._server.server_port}/"

    def serve_forever(self) -> None:
        """Answer until the process ends."""
        with self._server:
            self._server.serve_forever()

    def __enter__(self) -> StaticServer:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
