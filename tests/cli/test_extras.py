"""What `pip install 'cloche[cli]'` brings is enough for the command line and the playground.

Everything else that is installed here is hidden from the processes that are tried.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from urllib.request import urlopen

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.command import environment, started, write

SERVER = """
from cloche import Server
server = Server("pantry")

@server.tool(view="<p>hello</p>")
def add(a: int, b: int) -> int:
    return a + b

@server.resource("pantry://shelf")
def shelf() -> str:
    return "jam"

@server.prompt
def recipe(bread: str) -> str:
    return f"How do I bake {bread}?"
"""
HIDING = """
import sys
from importlib.machinery import PathFinder

class Hiding(PathFinder):
    names = frozenset({names!r})

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] not in cls.names:
            return super().find_spec(name, path, target)

sys.meta_path = [Hiding if finder is PathFinder else finder for finder in sys.meta_path]
"""
DEADLINE = 120.0


def brought(extra: str) -> set[str]:
    """The distributions that `cloche[extra]` installs."""
    found: set[str] = set()
    waiting = [("cloche", frozenset({extra}))]
    seen = set()
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        found.add(canonicalize_name(name))
        try:
            requirements = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        for requirement in map(Requirement, requirements):
            marks = [{"extra": one} for one in (extras or {""})]
            if requirement.marker is None or any(requirement.marker.evaluate(one) for one in marks):
                waiting.append((requirement.name, frozenset(requirement.extras)))
    return found


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder for PYTHONPATH that hides all other packages from Python."""
    kept = brought("cli")
    names = {
        module
        for module, names in packages_distributions().items()
        if not {canonicalize_name(name) for name in names} & kept
    }
    assert {"mcp", "playwright", "pydantic", "deno"} <= names
    assert not {"click", "httpx2", "uvicorn", "msgspec", "cloche"} & names
    folder = tmp_path_factory.mktemp("hidden")
    (folder / "sitecustomize.py").write_text(HIDING.format(names=sorted(names)), "utf-8")
    return str(folder)


def run(hidden: str, folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "cloche", *arguments],
        cwd=folder,
        env=environment(PYTHONPATH=hidden),
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == code, done
    assert "Traceback" not in done.stderr
    return done


@contextmanager
def serving(hidden: str, folder: Path) -> Iterator[str]:
    command = ["-m", "cloche", "run", "server.py", "--http", "127.0.0.1:0"]
    with started(command, folder, deadline=DEADLINE, PYTHONPATH=hidden) as running:
        found = re.search(r"http://\S+", running.url)
        assert found is not None, running.said
        yield found[0]


@pytest.mark.parametrize("target", ["file", "url"])
def test_servers_are_listed_called_and_read(hidden: str, tmp_path: Path, target: str) -> None:
    write(tmp_path, SERVER)
    with serving(hidden, tmp_path) as url:
        where = "server.py" if target == "file" else url
        assert "add" in json.dumps(json.loads(run(hidden, tmp_path, "list", where).stdout))
        assert '"5"' in run(hidden, tmp_path, "call", where, "add", "a=2", "b=3").stdout
        assert "jam" in run(hidden, tmp_path, "read", where, "pantry://shelf").stdout
        assert "bake rye" in run(hidden, tmp_path, "prompt", where, "recipe", "bread=rye").stdout


def test_the_playground_and_a_view_are_served(hidden: str, tmp_path: Path) -> None:
    write(tmp_path, SERVER)
    with serving(hidden, tmp_path) as url:
        for words in (
            ["dev", "--no-open", "--port", "0", "server.py"],
            ["dev", "--no-open", "--port", "0", url],
            ["open", "--no-browser", "server.py", "add", "a=1", "b=2"],
        ):
            command = ["-m", "cloche", *words]
            with started(command, tmp_path, deadline=DEADLINE, PYTHONPATH=hidden) as running:
                found = re.search(r"http://[^\s#]+", running.url)
                assert found is not None, running.said
                with urlopen(found[0], timeout=DEADLINE) as page:
                    assert b"<!doctype html>" in page.read().lower()


@pytest.mark.parametrize(
    ("words", "code", "extra"),
    [
        (["check", "server.py"], 0, "test"),  # what can be read is checked all the same
        (["webmcp", "https://example.com"], 2, "webmcp"),
    ],
)
def test_what_is_missing_is_said_in_one_sentence(
    hidden: str, tmp_path: Path, words: list[str], code: int, extra: str
) -> None:
    write(tmp_path, SERVER)
    done = run(hidden, tmp_path, *words, code=code)
    assert f"pip install 'cloche[{extra}]'" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
