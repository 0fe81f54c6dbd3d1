"""`write_site`: a server as a static web page, which is a host for itself and a server by URL for other pages."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from cloche.browser.bundle import Bundle, write_bundle
from cloche.browser.description import describe_server
from cloche.browser.published_views import STAGE, stage_headers, stage_page, view_policies
from cloche.browser.sources import Sources
from cloche.browser.static_hosts import ancestors_of, checked_origins, headers, host_files, page_policy
from cloche.errors import ConfigurationError, shorten
from cloche.web import bundled

ABOUT = "mcp.json"
"""What describes the server, and makes a folder one that a site was written to."""

KEEPER = "keeper.js"
"""The service worker, which keeps all other files."""

PYTHON = "python"
STYLES = ("theme.css", "dev/dev.css", "published/published.css")
PLACES = re.compile(r"\{\{ ?(\w+) ?\}\}|<!-- \{\{(\w+)\}\} -->")

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Site:
    """What was written."""

    folder: Path
    about: dict[str, Any]
    """The content of `mcp.json`."""
    bundle: Bundle
    sizes: dict[str, int]
    """Bytes of each part."""


def write_site(
    entry: str | Path,
    folder: str | Path,
    *,
    object: str | None = None,
    allow_origins: Iterable[str] = (),
    connect: Iterable[str] = (),
    requirements: Iterable[str] = (),
    include: Iterable[str | Path] = (),
    runtime: str | Path | None = None,
    snapshot: bool = True,
    tell: Tell = lambda _: None,
) -> Site:
    """Write the server in the file `entry` as a web page into `folder`, for any static host.

    `allow_origins` are the pages that may use it as a server by URL; none may by default, and `*` lets every page.
    `connect` are origins that its tools fetch from. The other options are those of `write_bundle`.
    """
    allowed = checked_origins(allow_origins)
    reached = checked_origins(connect)
    if "*" in reached:
        raise ConfigurationError("* is no origin to connect to: name those that the tools fetch from")
    target = _checked(Path(folder))
    sources = Sources(Path(entry))
    name = sources.object_name(object)
    tell(f"Server: {sources.entry.name}:{name}")
    found = describe_server(sources.entry, name)
    options: dict[str, Any] = {"requirements": requirements, "include": include, "runtime": runtime}
    bundle = write_bundle(entry, target / PYTHON, object=name, snapshot=snapshot, tell=tell, **options)
    about = {
        **{key: value for key, value in found.items() if key not in ("tools", "views", "setup")},
        "phases": ["setup", "transport"],
        "protocolVersions": ["1.0"],
        "allowedOrigins": allowed,
        **({"setup": found["setup"]} if "setup" in found else {}),
        "tools": found["tools"],
        **({"views": found["views"]} if "views" in found else {}),
    }
    views = found.get("views")
    files = _page(about, page_policy(reached, shows_views=bool(views)))
    if views:
        files[STAGE] = stage_page(views)
    else:
        (target / STAGE).unlink(missing_ok=True)  # of an earlier build
    files |= host_files(**site_headers(about, reached))
    files[ABOUT] = json.dumps(about, indent=2, ensure_ascii=False) + "\n"
    for path, text in files.items():
        (target / path).write_text(text, encoding="utf-8", newline="\n")
    (target / KEEPER).write_text(_keeper(target, host_files({})), encoding="utf-8", newline="\n")
    return Site(target, about, bundle, _sizes(target))


def site_headers(about: dict[str, Any], connect: Sequence[str]) -> dict[str, dict[str, str]]:
    """What files are sent with: `sent` all of them, `stage` the page that views stand in, if there is one."""
    views = about.get("views")
    sent = headers(about["allowedOrigins"], connect, shows_views=bool(views))
    return {"sent": sent, "stage": stage_headers(views, ancestors_of(about["allowedOrigins"])) if views else {}}


def _checked(folder: Path) -> Path:
    """The folder to write to: a new or empty one, or one that an earlier site is in."""
    shown = shorten(str(folder))
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(f"{shown!r} is a file: name a folder to write to")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / ABOUT).is_file():
        raise ConfigurationError(f"there is something in {shown!r} already that no build wrote: name an empty folder")
    return folder


def _page(about: dict[str, Any], policy: str) -> dict[str, str]:
    """The page, its script and its looks."""
    web = resources.files("cloche.web")
    style = "".join((web / name).read_text(encoding="utf-8") for name in STYLES)
    script = bundled("published.js")
    known = {**about, "views": view_policies(about["views"])} if "views" in about else about
    told = json.dumps(known, ensure_ascii=False).replace("<", "\\u003c")
    texts = {
        "policy": policy,
        "title": about.get("title") or about["name"],
        "version": about["version"],
        "description": about.get("description", ""),
        "style": _integrity(style.encode()),
        "script": _integrity(script.encode()),
    }
    blocks = {"server": f'<script type="application/json" id="server">{told}</script>'}
    page = (web / "published" / "index.html").read_text(encoding="utf-8")

    def put(place: re.Match[str]) -> str:
        return blocks[place[2]] if place[2] else html.escape(texts[place[1]])

    icon = (web / "dev" / "icon.svg").read_text(encoding="utf-8")
    return {"index.html": PLACES.sub(put, page), "page.js": script, "page.css": style, "icon.svg": icon}


def _keeper(folder: Path, left_out: Iterable[str]) -> str:
    """The service worker, with the files that it keeps, and a version that is another one when any of them is."""
    found = {file.relative_to(folder).as_posix(): file for file in sorted(folder.rglob("*")) if file.is_file()}
    files = {name: _integrity(file.read_bytes()) for name, file in found.items() if name not in (KEEPER, *left_out)}
    version = hashlib.sha256(json.dumps(files).encode()).hexdigest()[:16]
    published = json.dumps({"version": version, "files": files})
    script = (resources.files("cloche.web") / "published" / KEEPER).read_text(encoding="utf-8")
    return f"self.published = {published};\n{script}"


def _integrity(content: bytes) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()


def _sizes(folder: Path) -> dict[str, int]:
    """Bytes by part: the folders of the bundle, and the page."""
    found: dict[str, int] = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            parts = file.relative_to(folder).parts
            name = "/".join(parts[:2]) if parts[0] == PYTHON else "page"
            found[name] = found.get(name, 0) + file.stat().st_size
    return found
