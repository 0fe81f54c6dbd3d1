"""The packages of a published server: from inline metadata, from pyproject.toml, from a Pyodide distribution. The real
pip resolves them, from a folder of wheels that the test makes.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from cloche.browser import Bundle, write_bundle
from cloche.browser.dependencies import declared, pinned
from cloche.browser.wheels import download_wheels
from cloche.errors import ConfigurationError, LoadError
from tests.support.file_site import Site
from tests.support.made_wheels import COMPILED, LINUX, write_distribution, write_wheel

SERVER = "from cloche import Server\nserver = Server('x')\n"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All that pip finds: a folder of wheels, with what Cloche itself needs."""
    folder = tmp_path / "index"
    folder.mkdir()
    for wheel in download_wheels(pinned([])):
        shutil.copyfile(wheel, folder / wheel.name)
    monkeypatch.setenv("CLOCHE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder of a server."""
    made = tmp_path / "project"
    made.mkdir()
    (made / "server.py").write_text(SERVER)
    return made


def script(*lines: str) -> str:
    """A server's file with inline metadata."""
    return "".join(f"{line}\n" for line in ["# /// script", *(f"# {line}" for line in lines), "# ///"]) + SERVER


def bundled(project: Path, runtime: Path, **options: Any) -> Bundle:
    return write_bundle(project / "server.py", project / "out", runtime=runtime, snapshot=False, **options)


def taken(bundle: Bundle) -> list[str]:
    """Name and version of the wheels beside Cloche's own."""
    found = ["-".join(name.split("-")[:2]) for name in bundle.wheels]
    return [name for name in found if not name.startswith("msgspec-")]


def test_inline_metadata_is_resolved_with_what_it_needs(index: Path, project: Path, runtime: Path) -> None:
    write_wheel(index, "shouting", "1.4", needs=["letters>=2", 'greenlet; sys_platform != "emscripten"'])
    write_wheel(index, "shouting", "2.0")
    write_wheel(index, "letters", "2.1", needs=['oldletters; python_version < "3.14"'])
    said: list[str] = []
    (project / "server.py").write_text(
        script(
            'requires-python = ">=3.11"',
            'dependencies = ["Shouting<2", "cloche", "uvicorn; sys_platform != \'emscripten\'"]',
        )
        + "import shouting, letters\n"
    )
    made = bundled(project, runtime, tell=said.append)
    # What is for other platforms or older Pythons than the browser's is left out, in the tree as well.
    assert taken(made) == ["letters-2.1", "shouting-1.4"]
    assert any(line.endswith("Shouting<2 (dependencies of server.py)") for line in said)
    packed = io.BytesIO(gzip.decompress((made.folder / "packages.zip.gz").read_bytes()))
    assert {"shouting.py", "letters.py"} <= set(zipfile.ZipFile(packed).namelist())


def test_without_inline_metadata_the_project_is_asked(index: Path, project: Path, runtime: Path) -> None:
    write_wheel(index, "shouting", "1.4")
    write_wheel(index, "letters", "2.1")
    write_wheel(index, "letters", "3.0")
    (project / "pyproject.toml").write_text('[project]\nname = "x"\ndependencies = ["shouting>=1", "letters"]\n')
    inner = project / "src"
    inner.mkdir()
    (inner / "server.py").write_text(SERVER)
    assert taken(bundled(inner, runtime, requirements=["letters==2.1"])) == ["letters-2.1", "shouting-1.4"]
    # A block in the file says what this server needs of all that the project does.
    (inner / "server.py").write_text(script("dependencies = []"))
    assert taken(bundled(inner, runtime)) == []
    # A repository's root is where a project ends.
    (inner / ".git").mkdir()
    (inner / "server.py").write_text(SERVER)
    assert declared(inner / "server.py").requirements == []


def test_the_version_that_is_installed_here_is_taken_when_it_fits(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(script('dependencies = ["pydantic>=2", "click==1.0", "pytest<1"]'))
    pins = dict(re.split(r"(?=[=<])", one, maxsplit=1) for one in pinned([], declared(tmp_path / "server.py")))
    import pydantic

    assert pins["pydantic"] == f"=={pydantic.VERSION}"
    assert (pins["click"], pins["pytest"]) == ("==1.0", "<1")


BROWSERLESS = (
    r"^{name} has no wheel that a browser can load \(neither pure Python nor for pyemscripten_2026_0_wasm32\): "
    r"choose another version or package, or do without it there; --pyodide DIR\|URL takes it from a Pyodide "
    r"distribution that has it$"
)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (['dependencies = ["numbers_of_c==1.0"]'], BROWSERLESS.format(name="numbers_of_c==1.0")),
        (['dependencies = ["maths==1.0"]'], BROWSERLESS.format(name=r"numbers_of_c>=1, which maths needs,")),
        (['dependencies = ["no-such-thing"]'], r"not installed here \(server.py names it\): write no-such-thing==VER"),
        (['dependencies = ["a b c"]'], r"^'a b c' in server.py is not a requirement .*: write NAME==VERSION$"),
        (["dependencies = [1]"], r"^dependencies in server.py is not a list of texts: write"),
        (["dependencies = ["], r"^The metadata in server.py is not valid TOML: "),
        (['requires-python = "<3.12"'], r"^server.py requires Python <3.12, and the browser's Python is 3.14$"),
        (['requires-python = "new"'], r"^requires-python in server.py is 'new': write it as in >=3.11$"),
    ],
)
def test_what_cannot_be_had_fails_the_build(
    lines: list[str], sentence: str, index: Path, project: Path, runtime: Path
) -> None:
    write_wheel(index, "numbers_of_c", "1.0", tag=LINUX)
    write_wheel(index, "maths", "1.0", needs=["numbers_of_c>=1"])
    (project / "server.py").write_text(script(*lines))
    with pytest.raises((ConfigurationError, LoadError)) as refused:
        bundled(project, runtime)
    assert re.search(sentence, str(refused.value)), refused.value
    assert not (project / "out").exists()


def test_two_blocks_are_a_mistake(project: Path) -> None:
    (project / "server.py").write_text(script("dependencies = []") + script("dependencies = []"))
    with pytest.raises(LoadError, match=r"^server.py has several `# /// script` blocks: keep one$"):
        declared(project / "server.py")


@pytest.fixture
def distribution(tmp_path: Path) -> Path:
    """numbers_of_c, compiled for the browser, with what it needs: a wheel, and a part of the standard library."""
    folder = tmp_path / "distribution"
    old, new = (write_wheel(folder, "numbers_of_c", version, tag=COMPILED) for version in ("1.0", "2.0"))
    dates = write_wheel(folder, "dates", "3.0")
    module = folder / "sqlite3-1.0.0.zip"
    with zipfile.ZipFile(module, "w") as archive:
        archive.writestr("sqlite3/__init__.py", "here = True\n")
    old.unlink()
    return write_distribution(folder, [new, dates, module], {"numbers_of_c": {"depends": ["dates", "sqlite3"]}})


@pytest.mark.parametrize("place", ["folder", "url"])
def test_packages_come_from_a_distribution(
    place: str, index: Path, project: Path, runtime: Path, distribution: Path
) -> None:
    write_wheel(index, "maths", "1.0", needs=["numbers_of_c>=1"])
    (project / "server.py").write_text(script('dependencies = ["maths==1.0", "numbers-of-c"]'))
    with Site("") as site:
        site.add_folder("/dist", distribution)
        made = bundled(project, runtime, pyodide=distribution if place == "folder" else f"{site.url}/dist")
    assert taken(made) == ["dates-3.0", "maths-1.0", "numbers_of_c-2.0", "sqlite3-1.0.0.zip"]
    packed = io.BytesIO(gzip.decompress((made.folder / "packages.zip.gz").read_bytes()))
    assert {"numbers_of_c.py", "dates.py", "sqlite3/__init__.py"} <= set(zipfile.ZipFile(packed).namelist())


@pytest.mark.parametrize("place", ["folder", "url"])
@pytest.mark.parametrize("name", ["numbers_of_c-2.0-" + COMPILED + ".whl", "sqlite3-1.0.0.zip"])
def test_a_file_with_another_hash_is_refused(
    place: str, name: str, index: Path, project: Path, runtime: Path, distribution: Path
) -> None:
    changed = zipfile.ZipFile(distribution / name, "a")
    changed.writestr("evil.py", "")
    changed.close()
    with Site("") as site:
        site.add_folder("/dist", distribution)
        given = distribution if place == "folder" else f"{site.url}/dist/"
        with pytest.raises(ConfigurationError) as refused:
            bundled(project, runtime, pyodide=given, requirements=["numbers_of_c"])
    assert re.search(
        rf"^{re.escape(name)} of the Pyodide distribution .* is not the file that its pyodide-lock.json names "
        r"\(another SHA-256\): get the distribution again$",
        str(refused.value),
    ), refused.value
    assert not (project / "out").exists()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("none", r"^pyodide-lock.json cannot be read from '.*': name the folder or URL of a Pyodide distribution"),
        ("broken", r"^pyodide-lock.json of '.*' is not the lock of a Pyodide distribution$"),
        ("other", r"^The distribution '.*' is that of Pyodide 0.26.4, whose packages do not run in Pyodide 314"),
        ("outside", r"^pyodide-lock.json of '.*' names a file outside of it: get it again$"),
        ("library", r"^blas in the Pyodide distribution '.*' is of the kind 'shared_library', which a bundle cannot"),
        ("status", r"^'http://.*' has no pyodide-lock.json \(status 404\): name the folder of a Pyodide distribution$"),
        ("address", r"^'ftp://x/y' is not an address of a distribution: write https://host/folder/$"),
    ],
)
def test_what_is_no_distribution_is_one_sentence(
    change: str, sentence: str, index: Path, project: Path, runtime: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "wrong"
    wheel = write_wheel(folder, "numbers_of_c", "2.0", tag=COMPILED)
    blas = folder / "blas-1.zip"
    blas.write_bytes(b"")
    outside = {"file_name": "../../numbers_of_c.whl"}
    library = {"numbers_of_c": {"depends": ["blas"]}, "blas": {"package_type": "shared_library"}}
    write_distribution(folder, [wheel, blas], {"numbers_of_c": outside} if change == "outside" else library)
    lock = folder / "pyodide-lock.json"
    if change == "none":
        lock.unlink()
    elif change == "broken":
        lock.write_text("{}")
    elif change == "other":
        lock.write_text(lock.read_text().replace("2026_0", "2024_0").replace("314.0.7", "0.26.4"))
    with Site("") as site:
        given = {"status": f"{site.url}/dist", "address": "ftp://x/y"}.get(change, folder)
        with pytest.raises(ConfigurationError) as refused:
            bundled(project, runtime, pyodide=given, requirements=["numbers_of_c"])
    assert re.search(sentence, str(refused.value)), refused.value


def test_without_pip_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an environment of uv, which has none."""

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("cloche.browser.dependencies.import_module", missing)
    with pytest.raises(ConfigurationError, match=r"^pip is not installed here, .*: python -m ensurepip$"):
        pinned([])
