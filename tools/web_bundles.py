"""Bundle the modules of `cloche.web` into `web/dist/` with esbuild: `make web`, or `python -m tools.web_bundles`.

What pages with TypeScript import gets declarations, which TypeScript reads from JSDoc, in `web/dist/types/`.

What is in `dist/` is committed, so that nobody who installs or runs Cloche needs a bundler. With `--check` nothing is
written, and the exit status says whether `dist/` is what the modules make today.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.npm_tools import node_modules

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "src" / "cloche" / "web"
DEADLINE = 120

BREAKS_OUT = re.compile(r"<(?=!--|/?script)", re.IGNORECASE)
"""What would end the `<script>` element that a script stands in."""


@dataclass(frozen=True)
class Group:
    """Scripts that are bundled alike: file in `dist/` without `.js` → module in `web/` without `.js`."""

    entries: Mapping[str, str]
    options: tuple[str, ...]
    inline: bool = field(default=False, kw_only=True)
    """Whether Python puts them into pages."""


INSIDE_VIEWS = (
    *("answer", "canHandle", "handlerOf", "host", "initialize", "methods", "notify", "pending", "post", "receive"),
    *("running", "settle", "unanswered"),
)
"""Members of the view runtime that nobody else knows: they get short names."""

INSIDE_THE_CLIENT = (
    *("pending", "running", "settle", "unanswered"),
    *("announce", "arrived", "hearer", "idKey", "isGreeted", "established", "isOpen", "ready", "reconnecting", "shake"),
    *("station", "storageKey", "verify", "violated", "wanted", "abandon", "agreed", "answers", "asked", "asks"),
    *("facts", "found", "replay", "resume", "channel", "isPeer", "session", "subscribers", "waiting"),
)
"""Members of the page's client and its transports that are not for those who use or write one. None may be called like
a member of an object of the language or the browser that is used there, such as `join`.
"""


def mangled(names: Iterable[str]) -> str:
    """The option that gives members with these names short ones."""
    return f"--mangle-props=^({'|'.join(names)})$"


GROUPS = (
    Group(
        {name: f"entries/{name}" for name in ("view", "view-openai", "view-ext-apps", "view-generic")},
        ("--format=iife", mangled(INSIDE_VIEWS)),
        inline=True,
    ),
    Group(
        {
            **{name: name for name in ("bind", "interact", "links", "shell", "state", "view-tools")},
            **{name: f"entries/{name}" for name in ("recorder", "player", "window-openai", "components")},
            **{name: f"entries/{name}" for name in ("shared-page", "shared-view")},
            "sandbox-proxy": "sandbox/proxy",
            "shared-stage": "share/stage",
        },
        ("--format=iife",),
        inline=True,
    ),
    Group({"client": "entries/client"}, ("--format=esm", mangled(INSIDE_THE_CLIENT))),
    # The page of a server that `cloche build` publishes.
    Group({"published": "published/page"}, ("--format=esm",)),
    # Servers by URL: both sides.
    Group({"frames": "frames"}, ("--format=esm",)),
    # What a page loads to be ready for browser agents, with a plain script element.
    Group({"webmcp": "webmcp", "webmcp-core": "webmcp-core"}, ("--format=iife",), inline=True),
    # The same as a module, with sessions.
    Group({"webmcp-session": "webmcp-session"}, ("--format=esm",)),
    # What a host serves: mcp-app.js, and the script of the frame that it puts around apps by URL.
    Group({"mcp-app": "entries/mcp-app", "app-frame": "host/app-frame"}, ("--format=esm",)),
    # The `web/` of a server that was bundled for the browser: what a page imports shares its classes, and what the
    # worker waits for is one file each.
    Group(
        {f"site/{name}": name for name in ("client", "transports/index", "python/start")},
        ("--format=esm", "--splitting", "--chunk-names=site/shared-[hash]"),
    ),
    Group(
        {f"site/{name}": name for name in ("python/boot", "python/page", "python/worker")},
        ("--format=esm", "--external:./page.js"),
    ),
)

TYPED = (
    *("client", "store", "storage", "draw", "ui-resource", "react", "vue"),
    *("transports/care", "transports/event", "transports/websocket"),
)
"""Modules in `web/` that have declarations, with everything that they import."""


def bundle(target: Path, web: Path = WEB, groups: tuple[Group, ...] = GROUPS) -> None:
    """Write the bundles of the modules in `web` into the folder `target`."""
    esbuild = node_modules(ROOT / "tools" / "bundler") / ".bin" / "esbuild"
    for group in groups:
        entries = [f"{name}={web / module}.js" for name, module in group.entries.items()]
        flags = ["--bundle", "--minify", "--legal-comments=none", "--log-level=warning", "--loader:.css=text"]
        done = subprocess.run(
            [esbuild, *entries, *flags, *group.options, f"--outdir={target}"],
            cwd=web,
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
        if done.returncode != 0 or done.stderr:
            raise SystemExit(f"esbuild failed:\n{done.stderr}")
        for name in group.entries if group.inline else ():
            file = target / f"{name}.js"
            # As \x3c it means the same in strings, templates and patterns, and ends no script.
            safe = BREAKS_OUT.sub(r"\\x3c", file.read_text(encoding="utf-8"))
            file.write_text(safe, encoding="utf-8", newline="\n")


def declare(target: Path, web: Path = WEB) -> None:
    """Write the declarations of the typed modules in `web` into the folder `target`."""
    options = {
        "allowJs": True,
        "declaration": True,
        "emitDeclarationOnly": True,
        "strict": True,
        "target": "esnext",
        "module": "esnext",
        "moduleResolution": "bundler",
        "types": [],
        "lib": ["dom", "dom.iterable", "esnext"],
        "rootDir": str(web),
        "outDir": str(target),
        "paths": {name: [str(ROOT / "tools" / "web_types" / f"{name}.d.ts")] for name in ("react", "vue")},
    }
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "tsconfig.json"
        files = [str(web / f"{name}.js") for name in TYPED]
        project.write_text(json.dumps({"compilerOptions": options, "files": files}), encoding="utf-8")
        tsc = node_modules(ROOT / "tools" / "bundler") / ".bin" / "tsc"
        done = subprocess.run([tsc, "-p", project], capture_output=True, text=True, timeout=DEADLINE, check=False)
    if done.returncode != 0:
        raise SystemExit(f"tsc failed:\n{done.stdout}")


def differences(made: Path, committed: Path) -> list[str]:
    """The files of one folder that the other does not have, or has with another content."""
    found = [
        {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        for folder in (made, committed)
    ]
    return sorted(str(name) for name in {*found[0], *found[1]} if found[0].get(name) != found[1].get(name))


def main(arguments: list[str]) -> int:
    """Write `dist/`, or compare it."""
    committed = WEB / "dist"
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "dist"
        bundle(made)
        declare(made / "types")
        stale = differences(made, committed)
        if "--check" in arguments:
            if stale:
                print(
                    f"src/cloche/web/dist is not what its modules make ({', '.join(stale)}): make web", file=sys.stderr
                )
            return 1 if stale else 0
        shutil.rmtree(committed, ignore_errors=True)
        shutil.copytree(made, committed)
    for name in stale:
        print(f"src/cloche/web/dist/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
