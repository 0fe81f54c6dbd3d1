"""What the server imports, as wheels for the browser's Python: resolved by pip when bundling, so that a browser
resolves nothing.
"""

from __future__ import annotations

import hashlib
import re
import sys
import zipfile
from collections.abc import Iterable, Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from cloche.browser.cache import ProgramError, cache_root, made_once, run_program
from cloche.errors import ConfigurationError, shorten

PLATFORM = "pyemscripten_2026_0_wasm32"
PYTHON = "3.14"
ABI = "cp314"
"""What Pyodide 314 is."""

SITE = f"/lib/python{PYTHON}/site-packages"
"""Where it looks for packages."""

PIP_SECONDS = 600.0
OWN = "msgspec"
"""What Cloche itself needs."""

BUILDING = (
    *("bundle", "bytecode", "cache", "engine", "archives", "runtime", "snapshot", "sources", "wheels"),
    *("description", "site", "static_hosts", "published_views"),
)
LEFT_OUT = (
    *("cli", "dev", "check", "host", "testing"),
    *("web/host", "web/dev", "web/form", "web/testing", "web/cassettes", "web/sandbox", "web/python", "web/transports"),
    *("web/published", "web/server", "web/server.js", "web/client.js", "web/profile", "web/entries", "web/dist/site"),
    *(
        f"web/dist/{name}.js"
        for name in (
            "app-frame",
            "client",
            "mcp-app",
            "player",
            "published",
            "recorder",
            "sandbox-proxy",
            "window-openai",
        )
    ),
    *(f"browser/{name}.py" for name in BUILDING),
)
"""Parts of Cloche that have no use in a browser: a third of the wheel is left."""

DATA_FOLDER = re.compile(r"^[^/]+\.data/(?:purelib|platlib)/")
"""Where a wheel may keep what belongs among the packages."""

REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)(?P<extras>\[[\w,. -]*\])?(?:\s*==\s*(?P<version>[\w.+!-]+))?")
NO_WHEEL = re.compile(
    r"(?:No matching distribution found for|Could not find a version that satisfies the requirement) (\S+)"
)
NO_NETWORK = re.compile(
    r"NewConnectionError|Temporary failure|Max retries|ProxyError|ConnectTimeout|Network is unreachable"
)


def pinned(requirements: Iterable[str]) -> list[str]:
    """`name==version` of each: as written, else as installed here. Without one, pip would quietly take the newest
    version whose whole family happens to have wheels, which may be years old.
    """
    return [_pin(OWN), *(_pin(one.strip()) for one in requirements if one.strip())]


def _pin(requirement: str) -> str:
    found = REQUIREMENT.fullmatch(requirement)
    if found is None:
        raise ConfigurationError(
            f"{shorten(requirement)!r} is not a requirement that a browser's wheels can be looked for: "
            "write NAME==VERSION"
        )
    name, extras = found["name"], found["extras"] or ""
    if found["version"]:
        return f"{name}{extras}=={found['version']}"
    try:
        return f"{name}{extras}=={metadata.version(name)}"
    except metadata.PackageNotFoundError:
        raise ConfigurationError(f"{name} has no version and is not installed here: write {name}==VERSION") from None


def download_wheels(requirements: Sequence[str]) -> list[Path]:
    """The wheels of pinned requirements and of what they need, downloaded on first use."""
    digest = hashlib.sha256("\n".join([PLATFORM, *sorted(requirements)]).encode()).hexdigest()[:16]
    folder = made_once(
        cache_root() / "browser-wheels" / digest, lambda building: _download(list(requirements), building)
    )
    return sorted(folder.glob("*.whl"))


def _download(requirements: list[str], folder: Path) -> None:
    if find_spec("pip") is None:
        raise ConfigurationError("pip is not installed here, and it finds the browser's wheels: python -m ensurepip")
    platforms = [f"--platform={name}" for name in (PLATFORM, "any")]
    abis = [f"--abi={name}" for name in (ABI, "abi3", "none")]
    words = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--disable-pip-version-check"),
        *(*platforms, "--implementation=cp", f"--python-version={PYTHON}", *abis, f"--dest={folder}", *requirements),
    ]
    try:
        run_program(words, what="pip download", seconds=PIP_SECONDS)
    except ProgramError as error:
        raise ConfigurationError(_why(error.output)) from None


def _why(output: str) -> str:
    """One sentence for what pip says on many lines."""
    if NO_NETWORK.search(output):
        return "pip did not reach its package index: check the network and pip's settings, then try again"
    missing = NO_WHEEL.search(output)
    if missing is not None:
        name = shorten(missing[1].rstrip(",;"), 80)
        return (
            f"{name} has no wheel that a browser can load (neither pure Python nor for {PLATFORM}): "
            "choose another version or package, or do without it there"
        )
    lines = [line for line in output.splitlines() if line.strip()]
    return f"pip download failed: {shorten(lines[-1] if lines else 'pip said nothing', 300)}"


def files_of(wheel: Path) -> dict[str, bytes]:
    """What a wheel puts among the packages, by path."""
    with zipfile.ZipFile(wheel) as archive:
        return {DATA_FOLDER.sub("", name): archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def own_files(*, whole: bool = False) -> dict[str, bytes]:
    """Cloche itself, as it is installed here; `whole` with the parts that only tests have a use for."""
    package = Path(__file__).parent.parent
    version = metadata.version("cloche")
    files = {
        f"cloche/{name}": path.read_bytes()
        for path in sorted(package.rglob("*"))
        if path.is_file()
        and "__pycache__" not in path.parts
        and (whole or not is_left_out(path.relative_to(package).as_posix()))
        for name in [path.relative_to(package).as_posix()]
    }
    about = f"Metadata-Version: 2.4\nName: cloche\nVersion: {version}\n".encode()
    return {**files, f"cloche-{version}.dist-info/METADATA": about}


def is_left_out(name: str) -> bool:
    """Whether a file of the package stays outside the browser."""
    return any(name == part or name.startswith(f"{part}/") for part in LEFT_OUT)
