"""Wheels and a small Pyodide distribution, made in a test: what pip resolves and a browser loads is real."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cloche.browser.archives import write_zip
from cloche.browser.runtime import INFO, PYODIDE_VERSION

PURE = "py3-none-any"
COMPILED = "cp314-cp314-pyemscripten_2026_0_wasm32"
"""The tag of what Pyodide compiles; nothing else is looked at to tell whether a browser can load a wheel."""
LINUX = "cp314-cp314-manylinux_2_17_x86_64"


def write_wheel(
    folder: Path, name: str, version: str, code: str = "", *, needs: Sequence[str] = (), tag: str = PURE
) -> Path:
    """A wheel with one module."""
    about = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += "".join(f"Requires-Dist: {one}\n" for one in needs)
    files = {
        f"{name}.py": code or f"version = {version!r}\n",
        f"{about}/METADATA": metadata,
        f"{about}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n",
        f"{about}/RECORD": "",
    }
    folder.mkdir(parents=True, exist_ok=True)
    return write_zip(folder / f"{name}-{version}-{tag}.whl", {path: text.encode() for path, text in files.items()})


def write_distribution(
    folder: Path, files: Sequence[Path], changes: Mapping[str, dict[str, Any]] | None = None
) -> Path:
    """A lock for the files in a folder; `changes` are what it says otherwise of a package."""
    packages = {}
    for file in files:
        name, version, *_ = file.name.split("-")
        packages[name] = {
            "name": name,
            "version": version.removesuffix(".zip"),
            "file_name": file.name,
            "install_dir": "site",
            "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
            "package_type": "package" if file.suffix == ".whl" else "cpython_module",
            "imports": [name],
            "depends": [],
            **(changes or {}).get(name, {}),
        }
    lock = {"info": {**INFO, "version": PYODIDE_VERSION}, "packages": packages}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))
    return folder
