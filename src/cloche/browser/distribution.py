"""Packages of a Pyodide distribution, such as numpy: compiled for the browser by Pyodide, and on no package index.

A distribution is a folder, here or behind a URL, with a lock: pyodide-lock.json names every file and its SHA-256.
"""

from __future__ import annotations

import hashlib
import html
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote, urljoin, urlsplit

import msgspec

from cloche.browser.runtime import INFO, PYODIDE_VERSION
from cloche.errors import ConfigurationError, shorten

LOCK = "pyodide-lock.json"
MAX_LOCK = 20_000_000
SECONDS = 120.0

WHEEL = "package"
MODULE = "cpython_module"
"""A part of the standard library that is loaded apart, such as sqlite3: an archive of files."""


class Package(msgspec.Struct):
    """One entry of the lock."""

    name: str
    version: str
    file_name: str
    sha256: str
    package_type: str = WHEEL
    depends: list[str] = []


class _Info(msgspec.Struct):
    abi_version: str = ""
    python: str = ""
    version: str = ""


class _Lock(msgspec.Struct):
    info: _Info
    packages: dict[str, Package]


@dataclass(frozen=True)
class Distribution:
    """A distribution, by the names of its packages."""

    place: str
    """As it was named."""
    base: str
    """The address of its folder."""
    packages: dict[str, Package]
    digest: str
    """Of the lock."""

    def version_of(self, name: str) -> str | None:
        """The version that it has of a wheel."""
        found = self.packages.get(name)
        return found.version if found and found.package_type == WHEEL else None

    def needed_by(self, pins: Iterable[str]) -> dict[str, str]:
        """The wheels that the lock names for others of its wheels, with their versions."""
        names = [package.name for package in self._closure(pins) if package.package_type == WHEEL]
        return {name: self.packages[name].version for name in map(_key, names)}

    def modules_for(self, pins: Iterable[str]) -> list[Package]:
        """Parts of the standard library that its wheels need."""
        return [package for package in self._closure(pins) if package.package_type == MODULE]

    def links(self) -> str:
        """A page in which pip finds the wheels, with their digests."""
        wheels = [one for one in self.packages.values() if one.package_type == WHEEL]
        lines = [f'<a href="{html.escape(self._url(one))}#sha256={one.sha256}">{one.file_name}</a>' for one in wheels]
        return "<!doctype html>\n" + "\n".join(lines) + "\n"

    def fetch(self, package: Package, folder: Path) -> None:
        """Put a file into a folder."""
        with _opened(self._url(package), self.place) as source, (folder / package.file_name).open("wb") as target:
            shutil.copyfileobj(source, target)

    def check(self, folder: Path) -> None:
        """Refuse the files in a folder of which the lock says that they are something else."""
        known = {package.file_name: package for package in self.packages.values()}
        for file in sorted(folder.iterdir()):
            package = known.get(file.name)
            if package and hashlib.sha256(file.read_bytes()).hexdigest() != package.sha256:
                raise ConfigurationError(self.refusal(file.name))

    def file_with(self, sha256: str) -> str:
        """The file that the lock has this digest for."""
        return next((one.file_name for one in self.packages.values() if one.sha256 == sha256), "A file")

    def refusal(self, name: str) -> str:
        """The sentence for a file that is not what the lock says."""
        return (
            f"{shorten(name, 120)} of the Pyodide distribution {shorten(self.place)!r} is not the file that its {LOCK} "
            "names (another SHA-256): get the distribution again"
        )

    def _url(self, package: Package) -> str:
        return urljoin(self.base, quote(package.file_name))

    def _closure(self, pins: Iterable[str]) -> list[Package]:
        waiting = [_key(name) for pin in pins for name, _, version in [pin.partition("==")] if self._has(name, version)]
        found: dict[str, Package] = {}
        while waiting:
            key = waiting.pop()
            package = self.packages.get(key)
            if package is None or key in found:
                continue
            if package.package_type not in (WHEEL, MODULE):
                raise ConfigurationError(
                    f"{shorten(key, 80)} in the Pyodide distribution {shorten(self.place)!r} is of the kind "
                    f"{shorten(package.package_type, 40)!r}, which a bundle cannot take: do without what needs it"
                )
            found[key] = package
            waiting += map(_key, package.depends)
        return list(found.values())

    def _has(self, name: str, version: str) -> bool:
        return self.version_of(_key(name)) == version


def _key(name: str) -> str:
    """A name as the lock's keys spell it, without extras."""
    return name.partition("[")[0].strip().lower().replace("_", "-").replace(".", "-")


def find_distribution(given: str | Path) -> Distribution:
    """The distribution in a folder or behind a URL."""
    place = str(given)
    base = _base(place)
    with _opened(urljoin(base, LOCK), place) as source:
        content = source.read(MAX_LOCK + 1)
    try:
        lock = msgspec.json.decode(content, type=_Lock)
    except msgspec.DecodeError:
        raise ConfigurationError(f"{LOCK} of {shorten(place)!r} is not the lock of a Pyodide distribution") from None
    if lock.info.abi_version != INFO["abi_version"] or lock.info.python.split(".")[:2] != INFO["python"].split(".")[:2]:
        raise ConfigurationError(
            f"The distribution {shorten(place)!r} is that of Pyodide {shorten(lock.info.version, 40)}, whose packages "
            f"do not run in Pyodide {PYODIDE_VERSION}: get the one of {PYODIDE_VERSION}"
        )
    for package in lock.packages.values():
        if "/" in package.file_name or "\\" in package.file_name:
            raise ConfigurationError(f"{LOCK} of {shorten(place)!r} names a file outside of it: get it again")
    packages = {_key(name): package for name, package in lock.packages.items()}
    return Distribution(place, base, packages, hashlib.sha256(content).hexdigest())


def _base(place: str) -> str:
    if "://" not in place:
        return Path(place).resolve().as_uri() + "/"
    parts = urlsplit(place)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ConfigurationError(f"{shorten(place)!r} is not an address of a distribution: write https://host/folder/")
    return place if place.endswith("/") else place + "/"


def _opened(url: str, place: str) -> IO[bytes]:
    """What stands at an address of the distribution."""
    name = url.rpartition("/")[2]
    try:
        found: IO[bytes] = urllib.request.urlopen(url, timeout=SECONDS)
        return found
    except urllib.error.HTTPError as error:
        raise ConfigurationError(
            f"{shorten(place)!r} has no {name} (status {error.code}): name the folder of a Pyodide distribution"
        ) from None
    except (OSError, ValueError):
        raise ConfigurationError(
            f"{name} cannot be read from {shorten(place)!r}: name the folder or URL of a Pyodide distribution, "
            f"which has a {LOCK}"
        ) from None
