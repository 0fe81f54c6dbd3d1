"""Fetch one small document from a URL that the configuration named. Blocking: runs in a thread of its own."""

from __future__ import annotations

import time
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from cloche.auth.discovery import is_loopback
from cloche.errors import ClocheError

SOCKET_TIMEOUT = 5.0
TOTAL_TIMEOUT = 10.0


class DownloadError(ClocheError):
    """The document could not be had."""


class _NoRedirects(HTTPRedirectHandler):
    """A redirect could lead from https to http, or to a host that nobody configured."""

    def redirect_request(self, *args: Any, **options: Any) -> None:
        return None


def download(url: str, limit: int) -> bytes:
    """The body at `url`, at most `limit` bytes of it."""
    # A proxy has no way to this machine's loopback address.
    direct = [ProxyHandler({})] if is_loopback(urlsplit(url).hostname or "") else []
    request = Request(url, headers={"Accept": "application/json", "User-Agent": "cloche"})
    try:
        with build_opener(_NoRedirects, *direct).open(request, timeout=SOCKET_TIMEOUT) as response:
            return _read(response, limit)
    except HTTPError as error:
        error.close()
        raise DownloadError(f"the server answered {error.code}") from None


def _read(response: IO[bytes], limit: int) -> bytes:
    # One timeout per read is not enough: a server that sends a byte now and then would hold the thread for ever.
    deadline = time.monotonic() + TOTAL_TIMEOUT
    body = bytearray()
    while chunk := response.read1(65536):  # type: ignore[attr-defined]  # of http.client.HTTPResponse
        body += chunk
        if len(body) > limit:
            raise DownloadError(f"the document exceeds {limit} bytes")
        if time.monotonic() > deadline:
            raise DownloadError(f"the document took more than {TOTAL_TIMEOUT:.0f} s")
    return bytes(body)
