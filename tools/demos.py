"""`make demo`: servers that are web pages, and a page that uses them, each under an origin of its own.

`python -m tools.demos --port 8100` builds everything below examples/demos with `cloche build`, serves it, and says what
to click. The client has that port, and the servers the ones after it.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.npm_tools import node_modules
from tools.web_bundles import Group, bundle

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "examples" / "demos"
WEB = ROOT / "src" / "cloche" / "web"
HOST = "127.0.0.1"
PORT = 8100
DEADLINE = 600
"""Seconds until a build counts as stuck."""
STYLES = (WEB / "theme.css", WEB / "dev" / "dev.css", FOLDER / "client" / "client.css")


@dataclass(frozen=True)
class Demo:
    """A server of examples/demos."""

    name: str
    title: str
    about: str
    click: str
    """What to do with it."""
    scripts: tuple[str, ...] = ()
    """Files of npm packages that lie beside the server's file when it is built."""

    @property
    def source(self) -> Path:
        """The server's file."""
        return FOLDER / f"{self.name}.py"

    @property
    def view(self) -> Path:
        """The page of its view, where it has one."""
        return self.source.with_suffix(".html")


DEMOS = (
    Demo(
        "pi",
        "Pi calculator",
        "Throws points at a square until π comes out",
        "Show, then Call: the points fall while Python counts them. Cancel stops it.",
    ),
    Demo(
        "json_analyser",
        "JSON analyser",
        "Asks a document that never leaves the tab",
        "Pick a JSON file, or take the example, and call Query.",
    ),
    Demo(
        "mermaid_editor",
        "Mermaid editor",
        "Draws diagrams that you and a model change in turns",
        "Call Draw, edit the text beside the diagram, and call Read.",
        scripts=("mermaid/dist/mermaid.min.js",),
    ),
    Demo(
        "camera",
        "Camera",
        "Takes a picture when a tool is called, with your permission",
        "Allow the camera, then Show and Call: the page takes the picture, and Python returns it.",
    ),
)


def build_demo(demo: Demo, folder: Path, client: str, runtime: Path | None = None) -> Path:
    """Build one server into `folder`/NAME with `cloche build`; pages of the origin `client` may use it."""
    sources, site = folder / "sources" / demo.name, folder / demo.name
    sources.mkdir(parents=True, exist_ok=True)
    entry = Path(shutil.copy(demo.source, sources))
    if demo.view.exists():
        shutil.copy(demo.view, sources)
    words = [sys.executable, "-m", "cloche.cli", "build", str(entry), "-o", str(site), "--allow-origin", client]
    for script in demo.scripts:
        placed = Path(shutil.copy(node_modules(FOLDER) / script, sources))
        words += ["--include", placed.name]
    if runtime is not None:
        words += ["--runtime", str(runtime)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=DEADLINE, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{demo.source.name} could not be built:\n{done.stderr[-2000:]}")
    return site


def build_client(folder: Path, servers: dict[str, str]) -> Path:
    """Write the client's page into `folder`; `servers` are the addresses of the demos, by their names."""
    folder.mkdir(parents=True, exist_ok=True)
    bundle(folder, FOLDER / "client", (Group({"client": "client"}, ("--format=esm",)),))
    shutil.copy(FOLDER / "client" / "index.html", folder)
    shutil.copy(WEB / "dev" / "icon.svg", folder)
    style = "".join(file.read_text(encoding="utf-8") for file in STYLES)
    (folder / "client.css").write_text(style, encoding="utf-8")
    examples = [
        {"title": demo.title, "url": servers[demo.name], "about": demo.about} for demo in DEMOS if demo.name in servers
    ]
    (folder / "servers.json").write_text(json.dumps(examples, indent=2), encoding="utf-8")
    return folder


class StaticFiles(http.server.SimpleHTTPRequestHandler):
    """What any static host does."""

    def log_message(self, format: str, *args: object) -> None:
        """A line for each file would hide what matters."""


def bound(port: int, folder: Path) -> http.server.ThreadingHTTPServer:
    """A server of the files in `folder`, which listens but does not answer yet."""
    try:
        return http.server.ThreadingHTTPServer((HOST, port), functools.partial(StaticFiles, directory=str(folder)))
    except (OSError, OverflowError) as error:
        raise SystemExit(
            f"Port {port} cannot be used ({error}), and the demos need {len(DEMOS) + 3} in a row: "
            "choose others, as in make demo DEMO_PORT=8200."
        ) from None


@contextmanager
def serving(server: http.server.ThreadingHTTPServer) -> Iterator[str]:
    """Answer until the block ends; gives the origin."""
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def dashboard(port: int) -> Iterator[str]:
    """The product with a copilot in a frame: a program of its own, on this port and the next; gives its address."""
    product, copilot = (f"http://localhost:{number}" for number in (port, port + 1))
    words = [sys.executable, "-m", "examples.dashboard.app"]
    environment = {**os.environ, "PRODUCT": product, "COPILOT": copilot}
    with subprocess.Popen(
        words, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            yield f"{product}/"
        finally:
            process.terminate()


def main(words: list[str]) -> int:
    """Build, serve, and wait for Ctrl-C."""
    parser = argparse.ArgumentParser(prog="make demo")
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--folder", type=Path, default=ROOT / ".venv" / "demos")
    options = parser.parse_args(words)
    folder, port = options.folder, options.port
    with ExitStack() as stack:
        # The ports first: a build is not for nothing then.
        places = {name: folder / name for name in ("client", *(demo.name for demo in DEMOS))}
        servers = {name: bound(port + index, place) for index, (name, place) in enumerate(places.items())}
        next_port = port + len(servers)
        for number in (next_port, next_port + 1):
            bound(number, folder).server_close()
        origins = {name: stack.enter_context(serving(server)) for name, server in servers.items()}
        for demo in DEMOS:
            print(f"building examples/demos/{demo.source.name}", flush=True)
            build_demo(demo, folder, origins["client"])
        build_client(folder / "client", {name: f"{origin}/" for name, origin in origins.items() if name != "client"})
        # The other way round: a page is the server, and what it embeds is the client.
        inverted = stack.enter_context(dashboard(next_port))
        print(guide(origins["client"], inverted), flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()
    return 0


def guide(client: str, inverted: str) -> str:
    """What to click."""
    lines = [f"  {number}. {demo.title}: {demo.click}" for number, demo in enumerate(DEMOS, 1)]
    around = f"Open {inverted} for the other way round: the page has the tools, and a copilot in a frame asks for them."
    return "\n".join(
        [
            "",
            f"Open {client}/ and add a server by clicking its name:",
            *lines,
            around,
            "Each server is a page of its own origin, which people can open alone, too. Ctrl-C ends all of it.",
        ]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
