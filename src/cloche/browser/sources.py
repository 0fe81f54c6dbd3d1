"""The user's own files that a bundle needs. What is bundled is published, so nothing is taken because it lies about:
the server's file, the modules beside it that it imports, the HTML files it names, and what is asked for.
"""

from __future__ import annotations

import ast
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cloche.errors import ConfigurationError, LoadError, shorten

SERVER_CLASS = "Server"
SKIPPED = ("__pycache__",)


IN_THE_BROWSER = ("js", "pyodide", "pyodide_js", "_pyodide")
"""What Pyodide has beside the standard library."""


@dataclass(frozen=True)
class Import:
    """Where a package is imported."""

    place: str
    is_sure: bool
    """Whether it is imported whenever the file is."""


class Sources:
    """The files, by the names they have in the browser."""

    def __init__(self, entry: Path) -> None:
        self.entry = check_entry(entry)
        self.folder = self.entry.parent
        self.files: dict[str, Path] = {}
        self.imports: dict[str, Import] = {}
        """Every package that the files import, by its name, and where first."""
        self._tree = self._take_module(self.entry)

    def add(self, paths: Iterable[str | Path]) -> None:
        """Take further files or folders; a relative name is looked for beside the server's file."""
        for given in paths:
            path = self.folder / given
            if not path.exists():
                raise ConfigurationError(
                    f"there is no {shorten(str(given))!r} beside {self.entry.name}: check the name"
                )
            if not path.resolve().is_relative_to(self.folder):
                raise ConfigurationError(
                    f"{shorten(str(given))!r} is not below the folder of {self.entry.name}: "
                    "only what is there has a place"
                )
            for file in _files(path) if path.is_dir() else [path]:
                self._take(file)

    def object_name(self, given: str | None) -> str:
        """Which object is the server: the one that was named, or the only one that the file makes."""
        if given is not None:
            if not all(part.isidentifier() for part in given.split(".")):
                raise LoadError(f"{shorten(given)!r} is not the name of an object: write FILE:OBJECT")
            first = given.partition(".")[0]
            if first not in set(_bound(self._tree.body)):
                raise LoadError(f"{self.entry.name} has no object {shorten(first)!r}: check the name after the colon")
            return given
        names = list(dict.fromkeys(name for node in certain(self._tree.body) for name in assigned(node, SERVER_CLASS)))
        if not names:
            raise LoadError(
                f"{self.entry.name} has no server object: define one, server = Server('name'), "
                f"or say which it is, {self.entry.name}:OBJECT"
            )
        if len(names) > 1:
            raise LoadError(
                f"{self.entry.name} has several servers, found {shorten(', '.join(names))}: "
                f"say which, {self.entry.name}:{names[0]}"
            )
        return names[0]

    def _take(self, file: Path) -> bool:
        name = file.resolve().relative_to(self.folder).as_posix()
        known = name in self.files
        self.files[name] = file
        return not known

    def _take_module(self, file: Path) -> ast.Module:
        tree = _parsed(file)
        if self._take(file):
            self._follow_all(tree, file)
            for text in _texts(tree):
                self._take_page(text)
        return tree

    def _follow_all(self, tree: ast.Module, file: Path) -> None:
        for name, line, is_sure in _imported(tree.body):
            top = name.partition(".")[0]
            known = self.imports.get(top)
            if known is None or (is_sure and not known.is_sure):
                self.imports[top] = Import(f"{file.name} line {line}", is_sure)
            self._follow(name)

    def missing(self, packages: Iterable[str]) -> dict[str, Import]:
        """What the files import and a bundle with these packages' files leaves out."""
        there = {path.partition("/")[0].partition(".")[0] for path in (*packages, *self.files)}
        known = there | sys.stdlib_module_names | set(IN_THE_BROWSER)
        return {name: found for name, found in self.imports.items() if name not in known}

    def _follow(self, name: str) -> None:
        """A module that is imported, when it lies beside the server's file."""
        top = name.partition(".")[0]
        package, module = self.folder / top, self.folder / f"{top}.py"
        if (package / "__init__.py").is_file():
            for file in _files(package):
                if self._take(file) and file.suffix == ".py":
                    self._follow_all(_parsed(file), file)
        elif module.is_file():
            self._take_module(module)

    def _take_page(self, text: str) -> None:
        if text.endswith(".html") and len(text) < 200 and "\n" not in text and (self.folder / text).is_file():
            self.add([text])


def check_entry(entry: Path) -> Path:
    """The server's file, with its whole path."""
    file = check_file(entry)
    if not entry.stem.isidentifier():
        raise LoadError(f"{shorten(str(entry))!r} cannot be imported under its name: rename it, such as server.py")
    return file


def check_file(path: Path) -> Path:
    """A Python file that can be read, with its whole path."""
    shown = shorten(str(path))
    if not os.path.exists(path):  # not Path.exists: that raises for a name that is too long
        near = f": did you mean {path}.py?" if os.path.exists(f"{path}.py") else ": check the path"
        raise LoadError(f"there is no file {shown!r}{near}")
    if path.is_dir():
        raise LoadError(f"{shown!r} is a folder: name the .py file in it that makes the server")
    if path.suffix != ".py":
        raise LoadError(f"{shown!r} is not a Python file: its name must end in .py")
    if not os.access(path, os.R_OK):
        raise LoadError(f"{shown!r} cannot be read: check its permissions")
    return path.resolve()


def _parsed(file: Path) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(file.read_bytes(), str(file))
    except (SyntaxError, ValueError) as error:
        line = f" (line {error.lineno})" if isinstance(error, SyntaxError) and error.lineno else ""
        raise LoadError(
            f"{file.name} is not valid Python: {shorten(str(getattr(error, 'msg', error)))}{line}"
        ) from None
    except OSError as error:
        raise LoadError(f"{file.name} cannot be read: {error.strerror}") from None


def _files(folder: Path) -> Iterator[Path]:
    """Everything in a folder that was put there on purpose."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in SKIPPED:
            continue
        if path.is_dir():
            yield from _files(path)
        else:
            yield path


def _imported(body: Iterable[ast.AST], is_sure: bool = True) -> Iterator[tuple[str, int, bool]]:
    """The modules that statements import, the line, and whether that happens whenever the file is imported."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno, is_sure) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node.lineno, is_sure
        else:
            inner = is_sure and isinstance(node, ast.With | ast.ClassDef)
            yield from _imported(ast.iter_child_nodes(node), inner)


def _texts(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _bound(body: list[ast.stmt]) -> Iterator[str]:
    """The names that a file's own statements give to something."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        else:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    yield inner.id


def certain(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run on import whatever happens: not those under an `if`, in a function or in a class."""
    for node in body:
        yield node
        if isinstance(node, ast.Try | ast.With):
            yield from certain(node.body)


def assigned(node: ast.stmt, *classes: str) -> Iterator[str]:
    """`s` of `s = Server(...)`."""
    if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
        function = node.value.func.value if isinstance(node.value.func, ast.Subscript) else node.value.func
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)) in classes:
            yield from (target.id for target in targets if isinstance(target, ast.Name))
