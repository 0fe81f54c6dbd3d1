"""Archives that are the same whenever they are made of the same files: browsers and hosts can keep them."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time that every file in an archive has: the earliest there is."""


def write_zip(target: Path, files: Mapping[str, bytes]) -> Path:
    """Write an archive of files, by name."""
    target.write_bytes(_zipped(files, zipfile.ZIP_DEFLATED))
    return target


def write_packed(target: Path, files: Mapping[str, bytes]) -> Path:
    """Write an archive that is compressed as a whole: smaller, and a browser unpacks one thing instead of hundreds."""
    target.write_bytes(gzip.compress(_zipped(files, zipfile.ZIP_STORED), 9, mtime=0))
    return target


def _zipped(files: Mapping[str, bytes], method: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.compress_type = method
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()
