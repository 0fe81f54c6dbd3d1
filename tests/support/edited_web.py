"""The JavaScript of the installed package with passages replaced, bundled as `make web` bundles it: tests and attacks
take a protection away, or shorten a wait, without a switch in the product.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import replace
from importlib import resources
from pathlib import Path

from tools.web_bundles import GROUPS, Group, bundle

ALONE = {name: replace(group, entries={name: module}) for group in GROUPS for name, module in group.entries.items()}
"""Each bundle by its name in `dist`."""

RUNTIME, PROXY = ALONE["view"], ALONE["sandbox-proxy"]
SERVED = next(group for group in GROUPS if "mcp-app" in group.entries)
"""The view runtime, the sandbox's page, and the scripts that a host serves."""

FRAMES = ALONE["frames"]
"""The two-phase protocol, for pages that have servers by URL and copilots."""

AS_THEY_ARE = ("frames.js", "webmcp.js")
"""What a host serves besides; made anew only when an edit concerns it."""


def edited_web(folder: Path, edits: Iterable[tuple[str, str, str]], *groups: Group) -> Path:
    """A copy of `cloche.web` in a new folder: each edit is a file, a passage that stands in it once, and another. Its
    `dist` has these groups of bundles, made from what was edited.
    """
    package = Path(str(resources.files("cloche.web")))
    shutil.copytree(package, folder, ignore=shutil.ignore_patterns("dist"))
    (folder / "dist").mkdir()
    for name in AS_THEY_ARE:
        shutil.copy(package / "dist" / name, folder / "dist" / name)
    edits = tuple(edits)
    for name, old, new in edits:
        file = folder / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name} has not exactly one {old!r}: change the edit with the file"
        file.write_text(text.replace(old, new), encoding="utf-8")
    if FRAMES not in groups and any(name.startswith("frames/") for name, _, _ in edits):
        groups = (*groups, FRAMES)
    bundle(folder / "dist", folder, groups)
    return folder
