"""What a bundle is made of, and the sentence for every mistake in making one. No browser."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from cloche.browser import PYODIDE_VERSION, fetch_runtime, write_bundle
from cloche.browser import runtime as runtime_module
from cloche.browser.dependencies import pinned
from cloche.errors import ConfigurationError, LoadError, LocalError

SERVER = "from cloche import Server\nserver = Server('x')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    (made / "server.py").write_text(SERVER)
    return made


def test_a_bundle_is_whole(bundles: dict[str, Path]) -> None:
    todo = bundles["todo"]
    manifest = json.loads((todo / "python.json").read_text())
    named = [manifest["sources"], manifest["packages"], *(one["file"] for one in manifest["snapshots"].values())]
    named += [f"{manifest['runtime']}{name}" for name in runtime_module.DIGESTS]
    named += [f"web/{name}.js" for name in ("python/worker", "python/start", "client", "transports/index")]
    assert [name for name in named if not (todo / name).is_file()] == []
    assert manifest["pyodide"] == PYODIDE_VERSION
    with zipfile.ZipFile(todo / "sources.zip") as archive:
        assert archive.namelist() == ["todo.py"]
        assert archive.read("todo.py") == (Path(__file__).parents[3] / "examples" / "todo.py").read_bytes()


def test_what_the_worker_waits_for_is_not_a_chain_of_files(bundles: dict[str, Path]) -> None:
    """Each link would be another wait for the web server, before Python can begin to arrive."""
    scripts = bundles["todo"] / "web" / "python"
    worker, page = ((scripts / name).read_text() for name in ("worker.js", "page.js"))
    assert re.findall(r"""(?:^|;)import[ {*"']|\bfrom["']""", worker + page) == []
    exported = set(re.findall(r"\w+", page[page.rindex("export{") :]))
    assert {"PortTransport", "BroadcastListener", "TabServerTransport", "isJSONRPCRequest"} <= exported


def test_cloche_is_in_it_without_what_a_browser_has_no_use_for(bundles: dict[str, Path]) -> None:
    packed = io.BytesIO(gzip.decompress((bundles["todo"] / "packages.zip.gz").read_bytes()))
    names = zipfile.ZipFile(packed).namelist()
    parts = {name.split("/")[1] for name in names if name.startswith("cloche/")}
    assert {"cloche/errors.py", "cloche/__pycache__/errors.cpython-314.pyc", "msgspec/__init__.py"} <= set(names)
    assert {"server", "client", "transports", "wire", "views", "errors.py", "browser"} <= parts
    assert not parts & {"cli", "dev", "host", "testing", "check"}


def test_the_same_files_make_the_same_bundle(folder: Path, runtime: Path) -> None:
    digests = []
    for name in ("one", "two"):
        write_bundle(folder / "server.py", folder.parent / name, runtime=runtime, snapshot=False)
        files = sorted(path for path in (folder.parent / name).rglob("*") if path.is_file())
        digests.append([hashlib.sha256(path.read_bytes()).hexdigest() for path in files])
    assert digests[0] == digests[1]


def test_what_the_server_needs_is_taken_and_nothing_else(folder: Path, runtime: Path) -> None:
    """What is bundled is published: a file with secrets must not be in it because it lies beside the server."""
    (folder / "server.py").write_text(
        "import beside, package.part\nfrom cloche import Server\n"
        "server = Server('x')\nPAGE = 'views/chart.html'\nTOKENS = 'tokens.txt'\n"
    )
    (folder / "beside.py").write_text("import further\n")
    (folder / "further.py").write_text("")
    (folder / "unused.py").write_text("")
    (folder / "tokens.txt").write_text("secret")
    (folder / ".env").write_text("secret")
    for name, file in (("package", "__init__.py"), ("package", "part.py"), ("views", "chart.html"), ("data", "a.csv")):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / file).write_text("")
    made = write_bundle(folder / "server.py", folder / "out", runtime=runtime, snapshot=False, include=["data"])
    taken = ["beside.py", "data/a.csv", "further.py", "package/__init__.py", "package/part.py", "server.py"]
    assert made.sources == [*taken, "views/chart.html"]
    again = write_bundle(folder / "server.py", folder / "out", runtime=runtime, snapshot=False)
    assert "data/a.csv" not in again.sources


def test_an_import_that_is_left_out_is_named_when_the_bundle_is_made(folder: Path, runtime: Path) -> None:
    """It would fail in the visitor's browser, long after."""
    said: list[str] = []

    def make(code: str, **options: Any) -> None:
        (folder / "server.py").write_text(code + SERVER)
        write_bundle(folder / "server.py", folder / "out", runtime=runtime, snapshot=False, tell=said.append, **options)

    version = metadata.version("pydantic")
    with pytest.raises(ConfigurationError) as refused:
        make("import json, js\nfrom pydantic import BaseModel\n")
    assert str(refused.value) == (
        f"server.py line 2 imports 'pydantic', which is not in the bundle: add -r pydantic=={version} "
        "(requirements=[…] in Python)"
    )
    (folder / "beside.py").write_text("class Inner:\n    import no_such_package\n")
    with pytest.raises(ConfigurationError, match=r"beside\.py line 2 imports 'no_such_package'"):
        make("import beside\n")
    assert not (folder / "out").exists()
    make("try:\n    import pydantic\nexcept ImportError:\n    ...\ndef later():\n    import msgspec, yaml\n")
    warnings = [line for line in said if line.startswith("Warning: ")]
    assert [re.search(r"imports '(\w+)'", line)[1] for line in warnings] == ["pydantic", "yaml"]  # type: ignore[index]


MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("nothing.py", {}, "there is no file '{folder}/nothing.py': check the path"),
    ("server", {}, "there is no file '{folder}/server': did you mean {folder}/server.py?"),
    (".", {}, "'{folder}' is a folder: name the .py file in it that makes the server"),
    ("notes.txt", {}, "'{folder}/notes.txt' is not a Python file: its name must end in .py"),
    ("my-server.py", {}, "'{folder}/my-server.py' cannot be imported under its name: rename it, such as server.py"),
    ("broken.py", {}, "broken.py is not valid Python: '(' was never closed (line 1)"),
    (
        "empty.py",
        {},
        "empty.py has no server object: define one, server = Server('name'), or say which it is, empty.py:OBJECT",
    ),
    ("two.py", {}, "two.py has several servers, found a, b: say which, two.py:a"),
    ("server.py", {"object": "sever"}, "server.py has no object 'sever': check the name after the colon"),
    ("server.py", {"object": "a b"}, "'a b' is not the name of an object: write FILE:OBJECT"),
    ("server.py", {"include": ["gone.csv"]}, "there is no 'gone.csv' beside server.py: check the name"),
    (
        "server.py",
        {"include": ["../secret.txt"]},
        "'../secret.txt' is not below the folder of server.py: only what is there has a place",
    ),
    (
        "server.py",
        {"requirements": ["no-such-thing"]},
        "no-such-thing has no version and is not installed here: write no-such-thing==VERSION",
    ),
    (
        "server.py",
        {"requirements": ["numpy>=2"]},
        "'numpy>=2' is not a requirement that a browser's wheels can be looked for: write NAME==VERSION",
    ),
    (
        "server.py",
        {"folder": "full"},
        "there is something in '{folder}/full' already that is not a bundle: name an empty folder",
    ),
    ("server.py", {"folder": "notes.txt"}, "'{folder}/notes.txt' is a file: name a folder to write to"),
    (
        "server.py",
        {"runtime": "full"},
        (
            "'{folder}/full' has no pyodide.mjs, so it is not a Pyodide folder: "
            "`cloche pyodide fetch --to {folder}/full` puts one there"
        ),
    ),
    ("server.py", {"runtime": "ftp://x/y"}, "'ftp://x/y' is not an address of a runtime: write https://host/folder/"),
]


@pytest.mark.parametrize(("entry", "options", "sentence"), MISTAKES, ids=lambda value: str(value)[:40])
def test_a_mistake_is_one_sentence(entry: str, options: dict[str, Any], sentence: str, folder: Path) -> None:
    (folder / "notes.txt").write_text("x")
    (folder / "my-server.py").write_text(SERVER)
    (folder / "broken.py").write_text("print(")
    (folder / "empty.py").write_text("x = 1\n")
    (folder / "two.py").write_text("from cloche import Server\na = Server('a')\nb = Server('b')\n")
    (folder.parent / "secret.txt").write_text("x")
    (folder / "full").mkdir()
    (folder / "full" / "precious.txt").write_text("x")
    given = dict(options)
    target = folder / given.pop("folder", "out")
    if given.get("runtime") == "full":
        given["runtime"] = folder / "full"
    with pytest.raises(LocalError) as raised:
        write_bundle(folder / entry, target, snapshot=False, **given)
    assert str(raised.value) == sentence.format(folder=folder)
    assert isinstance(raised.value, LoadError | ConfigurationError)
    assert (folder / "full" / "precious.txt").read_text() == "x"


def test_another_pyodide_is_refused(folder: Path, runtime: Path) -> None:
    other = folder / "other"
    runtime_module.copy_runtime(runtime, other)
    (other / "pyodide.mjs").write_text("evil()")
    with pytest.raises(ConfigurationError, match=r"pyodide.mjs in .* is not that of Pyodide"):
        write_bundle(folder / "server.py", folder / "out", runtime=other, snapshot=False)


def test_a_version_is_as_written_or_as_installed() -> None:
    import msgspec

    assert pinned(["pydantic[email]==2.14.3"]) == [f"msgspec=={msgspec.__version__}", "pydantic[email]==2.14.3"]


# Programs that are not there, or fail. Each stands in for the real one.


def program(folder: Path, name: str, script: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!{sys.executable}\n{script}")
    (folder / name).chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found; and an empty cache."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("CLOCHE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "bin"


def test_without_npm_the_way_out_is_named(programs: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"npm is not on the PATH, .*: install Node.js 20 .*--runtime"):
        fetch_runtime()


def test_without_a_network_npm_s_reason_is_told(programs: Path, tmp_path: Path) -> None:
    program(
        programs,
        "npm",
        'import json, sys\nprint(json.dumps({"error": {"summary": "getaddrinfo ENOTFOUND"}}))\nsys.exit(1)',
    )
    with pytest.raises(ConfigurationError, match=r"check the network .* \(getaddrinfo ENOTFOUND\)"):
        fetch_runtime()
    assert list((tmp_path / "cache" / "pyodide").iterdir()) == []


PACK = """
import sys, tarfile, pathlib
folder = next(word.partition("=")[2] for word in sys.argv if word.startswith("--pack-destination"))
with tarfile.open(pathlib.Path(folder, "pyodide.tgz"), "w:gz") as packed:
    for file in pathlib.Path({source!r}).iterdir():
        packed.add(file, "package/" + file.name)
"""


def test_fetching_gets_the_files_once_and_copies_them(programs: Path, runtime: Path, tmp_path: Path) -> None:
    program(programs, "npm", PACK.format(source=str(runtime)))
    folder = fetch_runtime(tmp_path / "copy")
    assert sorted(path.name for path in folder.iterdir()) == sorted(runtime_module.DIGESTS)
    (programs / "npm").unlink()
    assert fetch_runtime() == tmp_path / "cache" / "pyodide" / PYODIDE_VERSION


def test_what_npm_sends_must_be_pyodide(programs: Path, tmp_path: Path) -> None:
    source = tmp_path / "evil"
    source.mkdir()
    for name in runtime_module.DIGESTS:
        (source / name).write_text("evil()")
    program(programs, "npm", PACK.format(source=str(source)))
    with pytest.raises(ConfigurationError, match=r"is not that of Pyodide"):
        fetch_runtime()
    assert not (tmp_path / "cache" / "pyodide" / PYODIDE_VERSION).exists()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("ERROR: No matching distribution found for numpy==2.9", r"numpy==2.9 has no wheel that a browser can load"),
        ("Max retries exceeded with url", r"pip did not reach its package index: check the network"),
        ("ERROR: something else", r"pip download failed: ERROR: something else"),
    ],
)
def test_what_pip_says_becomes_a_sentence(
    said: str, sentence: str, folder: Path, runtime: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(programs, "python", f"import sys\nprint({said!r})\nsys.exit(1)")
    monkeypatch.setattr(sys, "executable", str(programs / "python"))
    with pytest.raises(ConfigurationError, match=sentence):
        write_bundle(folder / "server.py", folder / "out", runtime=runtime, snapshot=False)
    assert not (folder / "out").exists()


def test_a_snapshot_needs_an_engine(
    folder: Path, runtime: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(programs))
    monkeypatch.setattr("cloche.browser.bundle.download_wheels", lambda *_: [])
    with pytest.raises(ConfigurationError, match=r"made with Deno or with Node.js 25 .* neither is here: pip install"):
        write_bundle(folder / "server.py", folder / "out", runtime=runtime)
    program(programs, "node", "import sys\nprint('this JavaScript engine is too old')\nsys.exit(3)")
    with pytest.raises(ConfigurationError, match=r"made with Deno or with Node.js 25"):
        write_bundle(folder / "server.py", folder / "out", runtime=runtime)


# The command


def cloche(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cloche", "pyodide", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )


def test_the_command_says_what_it_publishes_and_prints_the_folder(folder: Path, runtime: Path) -> None:
    done = cloche("bundle", "server.py", "-o", "out", "--no-snapshot", "--runtime", str(runtime), folder=folder)
    assert (done.returncode, done.stdout) == (0, "out\n"), done.stderr
    assert "Published with it: server.py\n" in done.stderr
    assert (folder / "out" / "python.json").is_file()


def test_a_mistake_ends_the_command_with_its_sentence(folder: Path) -> None:
    done = cloche("bundle", "gone.py", "-o", "out", folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "Error: there is no file 'gone.py': check the path\n")
