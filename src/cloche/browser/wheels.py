"""What the server imports, as wheels for the browser's Python: resolved by pip when bundling, so that a browser
resolves nothing.
"""

from __future__ import annotations

import hashlib
import re
import sys
import zipfile
from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from cloche.browser.cache import ProgramError, cache_root, made_once, run_program
from cloche.browser.distribution import Distribution
from cloche.browser.target_pip import PYTHON
from cloche.errors import ConfigurationError, shorten

PLATFORM = "pyemscripten_2026_0_wasm32"
ABI = "cp314"
"""What Pyodide 314 is."""

SITE = f"/lib/python{PYTHON}/site-packages"
"""Where it looks for packages."""

PIP_SECONDS = 600.0
LINKS = "links.html"

BUILDING = (
    *("bundle", "bytecode", "cache", "engine", "archives", "runtime", "snapshot", "sources", "wheels"),
    *("dependencies", "description", "distribution", "integrity", "published_views"),
    *("site", "static_hosts", "static_server", "target_pip"),
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

NO_WHEEL = re.compile(
    r"(?:No matching distribution found for|Could not find a version that satisfies the requirement) (\S+)"
    r"(?: \(from (?!versions:)([^()]+)\))?"
)
NONE_FITS = re.compile(r"no matching distributions available for your environment:\s+(\S+)()")
"""What pip says when it has tried several versions of what needs it."""
WRONG_HASH = re.compile(r"Expected sha256 ([0-9a-f]{64})")
CONFLICT = "conflicting dependencies"
NO_NETWORK = re.compile(
    r"NewConnectionError|Temporary failure|Max retries|ProxyError|ConnectTimeout|Network is unreachable"
)


def download_wheels(requirements: Sequence[str], distribution: Distribution | None = None) -> list[Path]:
    """The wheels of pinned requirements and of what they need, downloaded on first use."""
    locked = [distribution.digest] if distribution else []
    digest = hashlib.sha256("\n".join([PLATFORM, *locked, *sorted(requirements)]).encode()).hexdigest()[:16]
    folder = made_once(
        cache_root() / "browser-wheels" / digest,
        lambda building: _download(list(requirements), distribution, building),
    )
    return sorted(file for file in folder.iterdir() if file.suffix in (".whl", ".zip"))


def _download(requirements: list[str], distribution: Distribution | None, folder: Path) -> None:
    if find_spec("pip") is None:
        raise ConfigurationError("pip is not installed here, and it finds the browser's wheels: python -m ensurepip")
    platforms = [f"--platform={name}" for name in (PLATFORM, "any")]
    abis = [f"--abi={name}" for name in (ABI, "abi3", "none")]
    links = folder / LINKS
    found = [f"--find-links={links}"] if distribution else []
    if distribution:
        links.write_text(distribution.links(), encoding="utf-8")
    words = [
        *(sys.executable, "-m", "cloche.browser.target_pip", "download"),
        *("--quiet", "--only-binary=:all:", "--disable-pip-version-check"),
        *(*platforms, "--implementation=cp", f"--python-version={PYTHON}", *abis, *found, f"--dest={folder}"),
        *requirements,
    ]
    try:
        run_program(words, what="pip download", seconds=PIP_SECONDS)
    except ProgramError as error:
        raise ConfigurationError(_why(error.output, distribution)) from None
    if distribution:
        links.unlink()
        for module in distribution.modules_for(requirements):
            distribution.fetch(module, folder)
        distribution.check(folder)


def _why(output: str, distribution: Distribution | None = None) -> str:
    """One sentence for what pip says on many lines."""
    if NO_NETWORK.search(output):
        return "pip did not reach its package index: check the network and pip's settings, then try again"
    damaged = WRONG_HASH.search(output)
    if damaged is not None and distribution is not None:
        return distribution.refusal(distribution.file_with(damaged[1]))
    missing = NO_WHEEL.search(output) or NONE_FITS.search(output)
    if missing is not None:
        name = shorten(missing[1].rstrip(",;"), 80)
        parent = (missing[2] or "").rpartition("->")[2]
        needed = f", which {shorten(parent, 80)} needs," if parent else ""
        elsewhere = "" if distribution else "; --pyodide DIR|URL takes it from a Pyodide distribution that has it"
        return (
            f"{name}{needed} has no wheel that a browser can load (neither pure Python nor for {PLATFORM}): "
            f"choose another version or package, or do without it there{elsewhere}"
        )
    lines = [line for line in output.splitlines() if line.strip()]
    told = [line for line in lines if CONFLICT in line] or lines[-1:] or ["pip said nothing"]
    return f"pip download failed: {shorten(told[0], 300)}"


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
