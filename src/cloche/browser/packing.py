"""Archives that are the same whenever they are made of the same files: browsers and hosts can keep them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time that every file in an archive has: the earliest there is."""


def write_zip(target: Path, files: Mapping[str, bytes]) -> Path:
    """Write an archive of files, by name."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
    return target
