"""`FILE[:OBJECT]`: what is found, and the sentence for everything that is not."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from cloche.cli.loader import load
from cloche.cli.targets import split
from cloche.errors import LoadError
from tests.support.command import CLOCHE, FILES, LOWLEVEL, MCP, write


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path, None, None]:
    monkeypatch.chdir(tmp_path)
    path, modules = list(sys.path), set(sys.modules)
    yield tmp_path.resolve()
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(str(tmp_path.resolve())):
            del sys.modules[name]


def failure(target: str) -> str:
    with pytest.raises(LoadError) as caught:
        load(target)
    return str(caught.value)


@pytest.mark.parametrize("kind", FILES)
def test_the_only_server_is_found(folder: Path, kind: str) -> None:
    write(folder, FILES[kind])
    loaded = load("server.py")
    assert (loaded.kind, loaded.name, loaded.server.name) == (kind, "server", "pantry")
    assert loaded.file == folder / "server.py"


def test_one_object_under_two_names_is_one(folder: Path) -> None:
    write(folder, CLOCHE + "\napp = server\n")
    assert load("server.py").name == "server"


def test_a_subclass_counts(folder: Path) -> None:
    write(folder, "from mcp.server import MCPServer\nclass Mine(MCPServer): pass\nmine = Mine('mine')\n")
    assert load("server.py").kind == "mcp"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("other", "server = Server('a'); other = Server('pantry')"),
        ("make", "def make(): return Server('pantry')"),
        ("make", "async def make(): return Server('pantry')"),
        ("make", "def make(path=None, *rest, **more): return Server('pantry')"),
        ("box.inner.app", "class box:\n    class inner:\n        app = Server('pantry')"),
        ("Factory.make", "class Factory:\n    @staticmethod\n    def make(): return Server('pantry')"),
    ],
)
def test_an_object_is_named(folder: Path, name: str, text: str) -> None:
    write(folder, f"from cloche import Server\n{text}\n")
    loaded = load(f"server.py:{name}")
    assert (loaded.name, loaded.server.name) == (name, "pantry")


def test_a_module_is_imported_from_the_current_folder(folder: Path) -> None:
    (folder / "kitchen").mkdir()
    write(folder / "kitchen", "")
    write(folder / "kitchen", "from . import NAME\nfrom cloche import Server\nstove = Server(NAME)\n", "app.py")
    write(folder / "kitchen", "NAME = 'pantry'\n", "__init__.py")
    assert load("kitchen.app:stove").server.name == "pantry"
    assert load("kitchen.app").module is sys.modules["kitchen.app"]


def test_the_file_is_a_module_as_others_see_it(folder: Path) -> None:
    write(folder, "import larder\nfrom cloche import Server\nserver = Server(__name__)\n", "pantry_1.py")
    write(folder, "import pantry_1\nSAME = pantry_1\n", "larder.py")
    loaded = load("pantry_1.py")
    assert loaded.server.name == "pantry_1"
    assert loaded.module is sys.modules["larder"].SAME
    assert sys.path[0] == str(folder)


def test_names_that_are_taken_or_no_names_still_load(folder: Path) -> None:
    import json

    for name in ("json.py", "my-server.py", "2024.py"):
        write(folder, CLOCHE, name)
        assert load(name).server.name == "pantry"
    assert sys.modules["json"] is json


def test_the_main_guard_is_not_triggered(folder: Path) -> None:
    write(folder, CLOCHE + "\nif __name__ == '__main__':\n    server.run()\n")
    assert load("server.py").server.name == "pantry"


def test_a_failed_load_leaves_nothing_behind(folder: Path) -> None:
    write(folder, "1 / 0\n", "broken_1.py")
    before = list(sys.path)
    failure("broken_1.py")
    assert sys.path == before
    assert "broken_1" not in sys.modules


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("server.py", ("server.py", None)),
        ("server.py:app", ("server.py", "app")),
        ("a/server.py:make.app", ("a/server.py", "make.app")),
        ("pkg.module:app", ("pkg.module", "app")),
        (r"C:\code\server.py", (r"C:\code\server.py", None)),
        (r"C:\code\server.py:app", (r"C:\code\server.py", "app")),
        ("C:/code/server.py:app", ("C:/code/server.py", "app")),
        ("C:server.py", ("C:server.py", None)),
        ("server.py:", ("server.py", "")),
    ],
)
def test_targets_split_at_our_colon(text: str, parts: tuple[str, str | None]) -> None:
    assert split(text) == parts


def test_a_file_with_a_colon_in_its_name(folder: Path) -> None:
    write(folder, CLOCHE, "a:b.py")
    assert load("a:b.py").server.name == "pantry"


def test_no_such_file(folder: Path) -> None:
    assert failure("nowhere/server.py") == "there is no file 'nowhere/server.py': check the path"
    write(folder, CLOCHE, "pantry-x.py")
    assert failure("pantry-x") == "there is no file 'pantry-x': did you mean pantry-x.py?"


def test_no_such_module(folder: Path) -> None:
    assert failure("no_such_thing.app").startswith("there is no file or module 'no_such_thing.app'")
    (folder / "kitchen").mkdir()
    assert failure("kitchen.app").startswith("there is no file or module 'kitchen.app'")


def test_a_folder(folder: Path) -> None:
    (folder / "kitchen").mkdir()
    assert failure("kitchen") == "'kitchen' is a folder: name the .py file in it that makes the server"


def test_not_a_python_file(folder: Path) -> None:
    write(folder, "{}", "server.json")
    assert failure("server.json") == "'server.json' is not a Python file: its name must end in .py"


@pytest.mark.parametrize("target", ["server.py:", "server.py:a b", "server.py:1st", "server.py:a..b"])
def test_not_a_name(folder: Path, target: str) -> None:
    write(folder, CLOCHE)
    assert "is not the name of an object: write FILE:OBJECT" in failure(target)


def test_nothing_before_the_colon(folder: Path) -> None:
    assert failure(":server") == "there is no file before the colon: write FILE:OBJECT, as in server.py:server"


def test_no_server_object(folder: Path) -> None:
    write(folder, "from cloche import Server\nx = 1\n")
    assert failure("server.py") == "server.py has no server object: define one: server = Server('name')"


def test_several_servers(folder: Path) -> None:
    write(folder, "from cloche import Server\na = Server('a')\nb = Server('b')\n")
    assert failure("server.py") == "server.py has several servers, found a, b: say which, cloche run server.py:a"


def test_object_not_found(folder: Path) -> None:
    write(folder, CLOCHE)
    assert failure("server.py:sevrer") == "server.py has no object 'sevrer': did you mean server?"
    assert failure("server.py:xyzzy") == "server.py has no object 'xyzzy': check the name after the colon"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("number", "server.py:number is of type int, not a server"),
        ("nothing", "server.py:nothing is None, not a server"),
        ("Server", "server.py:Server is a class: name a server object"),
        ("wrong", "server.py:wrong is of type str, not a server"),
        ("needy", "server.py:needy needs arguments (path): cloche run calls it with none"),
    ],
)
def test_an_object_of_the_wrong_kind(folder: Path, name: str, said: str) -> None:
    functions = "def wrong(): return 'x'\ndef needy(path): return path\n"
    write(folder, "from cloche import Server\nnumber = 1\nnothing = None\n" + functions)
    assert failure(f"server.py:{name}").startswith(said)


def test_an_import_error_shows_the_users_line(folder: Path) -> None:
    write(folder, "import json\nprice = 10\n\nratio = price / 0\n")
    assert failure("server.py") == (
        "server.py cannot be imported: ZeroDivisionError: division by zero (server.py, line 4: ratio = price / 0)"
    )


def test_an_import_error_shows_the_users_lines_only(folder: Path) -> None:
    write(folder, "import larder_2\n")
    write(folder, "import json\n\nSTOCK = json.loads('{')\n", "larder_2.py")
    first, *lines = failure("server.py").split("\n")
    assert first.startswith("server.py cannot be imported: JSONDecodeError: Expecting property name")
    assert first.endswith("(larder_2.py, line 3: STOCK = json.loads('{'))")
    assert lines == ["  server.py, line 1: import larder_2", "  larder_2.py, line 3: STOCK = json.loads('{')"]


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("import no_such_package_1", "; pip install no_such_package_1"),
        ("import no_such_package_1.part", "; pip install no_such_package_1"),
        ("from sklearn import svm", "; pip install scikit-learn"),
        ("import mcp.no_such_part", ""),
        ("import kitchen_3.no_such_part", ""),
    ],
)
def test_a_missing_module_says_what_to_install(folder: Path, line: str, advice: str) -> None:
    (folder / "kitchen_3").mkdir()
    write(folder, f"{line}\n")
    said = failure("server.py")
    assert said.startswith("server.py cannot be imported: ModuleNotFoundError: No module named")
    assert said.endswith(f"(server.py, line 1: {line}){advice}")


def test_a_file_that_hides_the_package_it_imports(folder: Path) -> None:
    write(folder, "from sqlalchemy_9.orm import Session\n", "sqlalchemy_9.py")
    assert failure("sqlalchemy_9.py").endswith(
        "; your file sqlalchemy_9.py hides the package sqlalchemy_9: rename the file"
    )


def test_a_registration_error_shows_the_users_line(folder: Path) -> None:
    write(folder, "from cloche.errors import RegistrationError\n\nraise RegistrationError('no: do this')\n")
    assert failure("server.py").startswith(
        "server.py cannot be imported: RegistrationError: no: do this (server.py, line 3: raise"
    )


def test_a_missing_extra_says_which(folder: Path) -> None:
    write(folder, "from cloche.errors import MissingExtraError\nraise MissingExtraError('JWT', 'auth')\n")
    assert "JWT needs the extra 'auth': pip install 'cloche[auth]'" in failure("server.py")


def test_a_syntax_error_shows_the_line(folder: Path) -> None:
    write(folder, "x = 1\ndef f(:\n    pass\n")
    assert failure("server.py") == "server.py is not valid Python: invalid syntax (line 2: def f(:)"


def test_a_syntax_error_in_another_file_names_that_file(folder: Path) -> None:
    write(folder, "import larder_4\n")
    write(folder, "x = (\n", "larder_4.py")
    assert failure("server.py") == "larder_4.py is not valid Python: '(' was never closed (line 1: x = ()"


def test_bytes_that_are_no_text(folder: Path) -> None:
    (folder / "server.py").write_bytes(b"x = '\xff\xfe'\n")
    assert "server.py is not valid Python" in failure("server.py")
    (folder / "server.py").write_bytes(b"x = 1\x00\n")
    assert "null bytes" in failure("server.py")


@pytest.mark.parametrize("text", [MCP, LOWLEVEL, "import fastmcp\nserver: object = fastmcp.FastMCP('x')\n"])
def test_an_unguarded_run_of_a_foreign_server_is_refused(folder: Path, text: str) -> None:
    write(folder, text + "try:\n    server.run()\nfinally:\n    pass\n")
    line = text.count("\n") + 2
    assert failure("server.py") == (
        f'server.py calls server.run() when it is imported (line {line}): put the call under if __name__ == "__main__":'
    )


def test_an_unguarded_run_of_our_server_is_refused_wherever_it_is_called(folder: Path) -> None:
    write(folder, CLOCHE + "\ndef main():\n    server.run()\n\nmain()\n")
    said = failure("server.py")
    assert said.startswith("server.py calls server.run() when it is imported: put it under")
    assert said.split("\n")[1:] == ["  server.py, line 12: main()", "  server.py, line 10: server.run()"]


@pytest.mark.parametrize("code", ["", "1", "'no key'"])
def test_sys_exit_while_loading(folder: Path, code: str) -> None:
    write(folder, f"import sys\nsys.exit({code})\n")
    assert failure("server.py") == (
        f"server.py called sys.exit({code}) while it was loaded (server.py, line 2: sys.exit({code})): "
        'put it under if __name__ == "__main__":'
    )


def test_a_factory_that_fails_shows_the_users_line(folder: Path) -> None:
    write(folder, "async def make():\n    raise ValueError('no key')\n")
    assert failure("server.py:make") == (
        "server.py failed in make(): ValueError: no key (server.py, line 2: raise ValueError('no key'))"
    )


def test_long_texts_are_cut(folder: Path) -> None:
    write(folder, "raise ValueError('x' * 100_000)\n")
    assert len(failure("server.py")) < 700
    assert len(failure("y" * 5000 + ".py")) < 700


def test_a_file_that_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder, CLOCHE)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may read everything, so the answer is given here
    assert failure("server.py") == "'server.py' cannot be read: check its permissions"
