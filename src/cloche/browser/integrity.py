"""What the files of a bundle are, in the way that browsers compare them: subresource integrity."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from pathlib import Path

from cloche.browser.runtime import DIGESTS


def integrity_of(content: bytes) -> str:
    """The word for a content that `integrity` attributes and `fetch` take."""
    return _word(hashlib.sha256(content).digest())


def integrity_of_files(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The words for files in a folder, by their names."""
    return {name: integrity_of((folder / name).read_bytes()) for name in names}


def integrity_of_runtime(place: str) -> dict[str, str]:
    """The words for Pyodide's files at a place that ends with a slash."""
    return {f"{place}{name}": _word(bytes.fromhex(digest)) for name, digest in DIGESTS.items()}


def _word(digest: bytes) -> str:
    return "sha256-" + base64.b64encode(digest).decode()
