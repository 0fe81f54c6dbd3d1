"""The official library as single files for a browser page, made once with esbuild beside the cached npm packages."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tools.npm_tools import node_modules

NODE = Path(__file__).parent / "node"

PACKAGES = {"2.0.4": "@modelcontextprotocol/ext-apps", "1.7.5": "ext-apps-1"}
"""The two lines of the library, by version, and what package.json calls them."""

ENTRIES = {
    "host": "export {{ AppBridge, PostMessageTransport }} from '{package}/app-bridge';",
    "app": "export {{ App, PostMessageTransport }} from '{package}/app-with-deps';",
}
"""What a page needs of it as a host, and as a view."""


def bundle(version: str, role: str) -> str:
    """The text of a classic script that puts a role's exports into the global `official`."""
    modules = node_modules(NODE)
    script = modules.parent / "bundles" / f"{role}-{version}.js"
    if not script.is_file():
        build(modules, ENTRIES[role].format(package=PACKAGES[version]), script)
    return script.read_text(encoding="utf-8")


def build(modules: Path, entry: str, script: Path) -> None:
    """Bundle beside `script`, then rename: an interrupted build leaves nothing that looks finished."""
    script.parent.mkdir(exist_ok=True)
    handle, building = tempfile.mkstemp(dir=script.parent, suffix=".js")
    os.close(handle)
    options = [
        "--bundle",
        "--format=iife",
        "--global-name=official",
        "--platform=browser",
        "--minify",
        "--log-level=error",
    ]
    subprocess.run(
        [modules / ".bin" / "esbuild", *options, "--allow-overwrite", f"--outfile={building}"],
        input=entry,
        cwd=modules.parent,
        text=True,
        check=True,
        timeout=60,
    )
    Path(building).replace(script)


def schema(version: str) -> dict[str, Any]:
    """The library's JSON Schema of everything MCP Apps puts on the wire."""
    file = node_modules(NODE) / PACKAGES[version] / "dist" / "src" / "generated" / "schema.json"
    loaded: dict[str, Any] = json.loads(file.read_bytes())
    return loaded
