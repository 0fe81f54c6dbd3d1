"""What a server says that it needs: inline metadata in its file (PEP 723), else the pyproject.toml of its project.

Requirements are read with the library that pip reads them with, and for the browser's Python, not for this one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from cloche.browser.distribution import Distribution
from cloche.browser.target_pip import PYTHON, TARGET
from cloche.errors import ConfigurationError, LoadError, shorten

BEGIN, END = "# /// script", "# ///"
"""The lines around inline metadata, which is in comments, as PEP 723 has it."""

PROJECT = "pyproject.toml"
OWN = "msgspec"
"""What Cloche itself needs."""

IN_THE_BUNDLE = "cloche"
"""What every bundle has anyway, as it is installed here."""


@dataclass(frozen=True)
class Declared:
    """What a server's own files name as its dependencies."""

    place: str = ""
    """The file that names them."""
    requirements: list[str] = field(default_factory=list)


def declared(entry: Path) -> Declared:
    """The dependencies of the server in the file `entry`."""
    blocks = list(_blocks(_text(entry).splitlines()))
    if len(blocks) > 1:
        raise LoadError(f"{entry.name} has several `# /// script` blocks: keep one")
    if blocks:
        return _declared(_table("\n".join(line[2:] for line in blocks[0]), entry.name), entry.name)
    project = project_of(entry)
    if project is None:
        return Declared()
    about = _table(_text(project), PROJECT).get("project", {})
    if isinstance(about, dict) and "dependencies" not in about.get("dynamic", []):
        return _declared(about, PROJECT)
    return Declared()


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """The lines of each block; it ends with the last closing line of its comment."""
    at = 0
    while at < len(lines):
        after = at + 1
        if lines[at].rstrip() == BEGIN:
            closing = 0
            while after < len(lines) and (lines[after] == "#" or lines[after].startswith("# ")):
                closing = after if lines[after].rstrip() == END else closing
                after += 1
            if closing:
                yield lines[at + 1 : closing]
        at = after


def project_of(entry: Path) -> Path | None:
    """The pyproject.toml beside the file or above it, up to the root of its repository."""
    for folder in entry.resolve().parents:
        if (folder / PROJECT).is_file():
            return folder / PROJECT
        if (folder / ".git").exists():
            return None
    return None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise LoadError(f"{file.name} cannot be read as text: {getattr(error, 'strerror', None) or error}") from None


def _table(text: str, place: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LoadError(f"The metadata in {place} is not valid TOML: {error}") from None


def _declared(about: dict[str, Any], place: str) -> Declared:
    listed = about.get("dependencies", [])
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise LoadError(f'dependencies in {place} is not a list of texts: write dependencies = ["NAME>=VERSION"]')
    wanted = about.get("requires-python", "")
    if wanted and not _specifiers(str(wanted), place).contains(TARGET["python_full_version"], prereleases=True):
        raise LoadError(f"{place} requires Python {shorten(str(wanted))}, and the browser's Python is {PYTHON}")
    return Declared(place, listed)


def pinned(
    requirements: Iterable[str], declared: Declared | None = None, distribution: Distribution | None = None
) -> list[str]:
    """What pip is asked for. `requirements` are `NAME==VERSION`, and win over what the server's files declare.

    Without a version it is the one of the distribution, else the one that is installed here: pip alone would quietly
    take the newest version whose whole family happens to have wheels, which may be years old.
    """
    declared = declared or Declared()
    found: dict[str, str] = {}
    for text in [OWN, *(one.strip() for one in requirements if one.strip())]:
        requirement = _parsed(text)
        found.setdefault(canonical(requirement.name), _pin(requirement, text, distribution))
    for text in declared.requirements:
        requirement = _parsed(text, declared.place)
        name = canonical(requirement.name)
        if name in found or name == IN_THE_BUNDLE or not _applies(requirement):
            continue
        found[name] = _pin(requirement, text, distribution, declared.place)
    if distribution is not None:
        for name, version in distribution.needed_by(found.values()).items():
            found.setdefault(name, f"{name}=={version}")
    return list(found.values())


def canonical(name: str) -> str:
    """One spelling for the many of a package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _pin(requirement: Any, text: str, distribution: Distribution | None, place: str = "") -> str:
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    name = f"{requirement.name}{extras}"
    if requirement.url and place:
        return f"{name} @ {requirement.url}"
    specifiers = requirement.specifier
    is_range = str(specifiers) and not _is_exact(specifiers)
    if not place and (requirement.url or requirement.marker or is_range):
        raise ConfigurationError(
            f"{shorten(text)!r} is not a requirement that a browser's wheels can be looked for: write NAME==VERSION"
        )
    known = [distribution.version_of(canonical(requirement.name))] if distribution else []
    for version in [*known, _installed(requirement.name)]:
        if version and not _is_exact(specifiers) and specifiers.contains(version, prereleases=True):
            return f"{name}=={version}"
    if not str(specifiers):
        where = f" ({place} names it)" if place else ""
        raise ConfigurationError(f"{name} has no version and is not installed here{where}: write {name}==VERSION")
    return f"{name}{specifiers}"


def _is_exact(specifiers: Any) -> bool:
    return any(one.operator in ("==", "===") and not one.version.endswith("*") for one in specifiers)


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _applies(requirement: Any) -> bool:
    """Whether its marker, if there is one, holds in the browser."""
    return requirement.marker is None or bool(requirement.marker.evaluate({**TARGET, "extra": ""}))


def _parsed(text: str, place: str = "") -> Any:
    packaging = _packaging("requirements")
    try:
        return packaging.Requirement(text)
    except packaging.InvalidRequirement:
        where = f" in {place}" if place else ""
        raise ConfigurationError(
            f"{shorten(text)!r}{where} is not a requirement that a browser's wheels can be looked for: "
            "write NAME==VERSION"
        ) from None


def _specifiers(text: str, place: str) -> Any:
    packaging = _packaging("specifiers")
    try:
        return packaging.SpecifierSet(text)
    except packaging.InvalidSpecifier:
        raise LoadError(f"requires-python in {place} is {shorten(text)!r}: write it as in >=3.11") from None


def _packaging(name: str) -> Any:
    """A module of the library with which pip reads requirements: pip's own copy, or the one that is installed."""
    for place in ("pip._vendor.packaging", "packaging"):
        try:
            return import_module(f"{place}.{name}")
        except ImportError:
            continue
    raise ConfigurationError("pip is not installed here, and it finds the browser's wheels: python -m ensurepip")
