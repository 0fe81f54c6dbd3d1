"""`write_bundle`: a server as a folder of files. Any web server can give them out; the browser does the rest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import metadata, resources
from pathlib import Path
from typing import Any

from cloche.browser.archives import write_packed, write_zip
from cloche.browser.bytecode import compiled
from cloche.browser.dependencies import declared, pinned
from cloche.browser.distribution import find_distribution
from cloche.browser.integrity import integrity_of_files, integrity_of_runtime
from cloche.browser.runtime import PYODIDE_VERSION, Runtime, copy_runtime, find_runtime, version_info
from cloche.browser.snapshot import Snapshot, snapshots_for
from cloche.browser.sources import Sources
from cloche.browser.wheels import SITE, download_wheels, files_of, own_files
from cloche.errors import ConfigurationError, shorten

MANIFEST = "python.json"
"""What the worker reads first."""

FORMAT = 2
"""Of the manifest: a worker refuses one that it does not know."""

SOURCES = "sources.zip"
RUNTIME = "pyodide"
SNAPSHOTS = "snapshots"
PACKAGES = "packages.zip.gz"
WEB = "web"
WORKER = f"{WEB}/python/worker.js"

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Bundle:
    """What was written."""

    folder: Path
    entry: str
    object: str
    sources: list[str]
    wheels: list[str]
    snapshot: bool
    size: int = field(default=0)
    """Bytes of all files together."""
    integrity: dict[str, str] = field(default_factory=dict)
    """For `startPythonServer({integrity})`: what the two files must be that the browser cannot check otherwise."""


def write_bundle(
    entry: str | Path,
    folder: str | Path,
    *,
    object: str | None = None,
    requirements: Iterable[str] = (),
    include: Iterable[str | Path] = (),
    pyodide: str | Path | None = None,
    runtime: str | Path | None = None,
    snapshot: bool = True,
    whole: bool = False,
    tell: Tell = lambda _: None,
) -> Bundle:
    """Write everything that a page needs to run the server in the file `entry` into `folder`.

    `object` names the server where the file makes several, or makes it in a function. The packages that it imports are
    those that its inline metadata or its pyproject.toml names; `requirements` are further ones, as `NAME==VERSION`,
    and `include` further files of its own. `pyodide` is a folder or URL with a distribution of Pyodide, for packages
    such as numpy. `runtime` is a folder or URL that has Pyodide itself (default: from npm, once). With `snapshot`
    Python starts four times sooner, for 6.5 MB more to load. `whole` puts the parts of Cloche in that only tests have a
    use for. `tell` hears what is being done.
    """
    sources = Sources(Path(entry))
    sources.add(include)
    name = sources.object_name(object)
    distribution = None if pyodide is None else find_distribution(pyodide)
    named = declared(sources.entry)
    pins = pinned(requirements, named, distribution)
    target = check_target(Path(folder), sources)
    tell(f"Python: Pyodide {PYODIDE_VERSION}")
    found = find_runtime(runtime)
    tell(f"Wheels: {', '.join(pins)}" + (f" (dependencies of {named.place})" if named.requirements else ""))
    wheels = download_wheels(pins, distribution)
    packages = own_files(whole=whole)
    for wheel in wheels:
        packages |= files_of(wheel)
    _check_imports(sources, packages, tell)
    pictures = {}
    if snapshot:
        tell("Snapshot: made once, in some seconds")
        packages |= compiled(packages, found.folder)
        pictures = snapshots_for(found.folder, packages)
    try:
        manifest = _write(target, sources, name, found, wheels, packages, pictures)
    except OSError as error:
        raise ConfigurationError(f"{shorten(str(folder))!r} cannot be written: {error.strerror}") from None
    size = sum(file.stat().st_size for file in target.rglob("*") if file.is_file())
    with_snapshot = bool(manifest["snapshots"])
    integrity = integrity_of_files(target, [MANIFEST, WORKER])
    wheels_in_it, taken = manifest["wheels"], sorted(sources.files)
    return Bundle(target, manifest["entry"], name, taken, wheels_in_it, with_snapshot, size, integrity)


def _check_imports(sources: Sources, packages: Iterable[str], tell: Tell) -> None:
    """Refuse a server that cannot start in the browser for want of a package, and name what may be wanted later."""
    for name, found in sources.missing(packages).items():
        what = f"{found.place} imports {shorten(name)!r}, which is not in the bundle"
        if found.is_sure:
            raise ConfigurationError(f"{what}: add -r {_requirement(name)} (requirements=[…] in Python)")
        tell(f"Warning: {what}. If that runs in the browser, add -r {_requirement(name)}")


def _requirement(name: str) -> str:
    """What brings a package: its distribution, with the version that is installed here."""
    distributions = metadata.packages_distributions().get(name)
    return f"{distributions[0]}=={metadata.version(distributions[0])}" if distributions else f"{name}==VERSION"


def check_target(folder: Path, sources: Sources) -> Path:
    """The folder to write to: a new or empty one, or one that an earlier bundle is in."""
    shown = shorten(str(folder))
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(f"{shown!r} is a file: name a folder to write to")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MANIFEST).is_file():
        raise ConfigurationError(f"there is something in {shown!r} already that is not a bundle: name an empty folder")
    if folder.resolve() == sources.folder:
        raise ConfigurationError(f"{shown!r} is where {sources.entry.name} lies: name another folder to write to")
    return folder


def _write(
    target: Path,
    sources: Sources,
    name: str,
    runtime: Runtime,
    wheels: list[Path],
    packages: dict[str, bytes],
    pictures: dict[str, Snapshot],
) -> dict[str, Any]:
    for part in (WEB, RUNTIME, SNAPSHOTS):
        shutil.rmtree(target / part, ignore_errors=True)
    (target / SNAPSHOTS).mkdir(parents=True)
    if runtime.url is None:
        copy_runtime(runtime.folder, target / RUNTIME)
    write_packed(target / PACKAGES, packages)
    write_zip(target / SOURCES, {path: file.read_bytes() for path, file in sources.files.items()})
    for picture in pictures.values():
        shutil.copyfile(picture.file, target / SNAPSHOTS / picture.file.name)
    # What a page imports, and what the worker waits for as one file each.
    with resources.as_file(resources.files("cloche.web") / "dist" / "site") as site:
        shutil.copytree(site, target / WEB, dirs_exist_ok=True)
    manifest = {
        "format": FORMAT,
        "cloche": metadata.version("cloche"),
        "pyodide": PYODIDE_VERSION,
        "entry": sources.entry.name,
        "object": name,
        "runtime": runtime.url or f"{RUNTIME}/",
        "lock": version_info(),
        "sources": SOURCES,
        "packages": PACKAGES,
        "site": SITE,
        "wheels": [wheel.name for wheel in wheels],
        "snapshots": {
            kind: {"file": f"{SNAPSHOTS}/{picture.file.name}", **picture.about} for kind, picture in pictures.items()
        },
        "integrity": integrity_of_runtime(runtime.url or f"{RUNTIME}/") | integrity_of_files(target, _loaded(target)),
    }
    # Last, because it is what makes the folder a bundle.
    (target / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    return manifest


def _loaded(target: Path) -> list[str]:
    """The files that a browser loads, beside the runtime's."""
    parts = [file for part in (WEB, SNAPSHOTS) for file in (target / part).rglob("*") if file.is_file()]
    return sorted([SOURCES, PACKAGES, *(file.relative_to(target).as_posix() for file in parts)])
