"""`FILE[:OBJECT]` to a server object; whatever is wrong with it is said in one sentence."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from cloche.cli.import_guard import refuse_unguarded_run
from cloche.cli.server_kinds import Kind, kind_of
from cloche.cli.targets import Target, parse_target
from cloche.cli.user_errors import import_failure
from cloche.errors import LoadError, shorten


@dataclass(frozen=True, slots=True)
class Loaded:
    """A server, whose it is, and where it was found."""

    server: Any
    kind: Kind
    name: str
    module: ModuleType
    file: Path | None


def load(target: str) -> Loaded:
    """Import the file or module and find the server in it."""
    parsed = parse_target(target)
    module = _import_file(parsed, parsed.file) if parsed.file else _import_module(parsed)
    name, server = _named(module, parsed) if parsed.name else _only(module, parsed)
    kind = kind_of(server)
    if kind is None:
        raise LoadError(_wrong_kind(f"{parsed.label}:{name}", server))
    return Loaded(server, kind, name, module, parsed.file)


def _import_file(target: Target, file: Path) -> ModuleType:
    name = _module_name(file.stem)
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise LoadError(f"{file.name} cannot be loaded as a Python file")
    module = importlib.util.module_from_spec(spec)
    path_before = list(sys.path)
    # As `python FILE` has it: what lies beside the file can be imported, now and later.
    if sys.path[:1] != [str(file.parent)]:
        sys.path.insert(0, str(file.parent))
    sys.modules[name] = module
    try:
        with _blaming(target):
            refuse_unguarded_run(file)
            spec.loader.exec_module(module)
    except BaseException:
        sys.path[:] = path_before
        sys.modules.pop(name, None)
        raise
    return module


def _module_name(stem: str) -> str:
    """The file's own name, so that other files that import it get the same module; another one when it is taken."""
    name = stem if stem.isidentifier() else "".join(c if c.isalnum() else "_" for c in f"server_{stem}")
    taken = name in sys.modules or name in sys.stdlib_module_names or name == "cloche"
    number = 1
    while taken:
        name, number = f"{stem if stem.isidentifier() else 'server'}_{number}", number + 1
        taken = name in sys.modules
    return name


def _import_module(target: Target) -> ModuleType:
    # As `python -m` has it.
    if sys.path[:1] not in ([""], [os.getcwd()]):
        sys.path.insert(0, os.getcwd())
    name = target.label
    with _blaming(target):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if not error.name or not f"{name}.".startswith(f"{error.name}."):
                raise
            raise LoadError(f"there is no file or module {shorten(name)!r}: check the path or the name") from None


@contextmanager
def _blaming(target: Target, doing: str = "cannot be imported") -> Iterator[None]:
    """Turn what the user's code raises into a sentence with the user's line."""
    from cloche.server import loading_guard

    try:
        with loading_guard(target.label):
            yield
    except (Exception, SystemExit) as error:
        raise import_failure(target, error, doing) from None


def _only(module: ModuleType, target: Target) -> tuple[str, Any]:
    """The one server at module level; one object under two names is one."""
    found: dict[int, str] = {}
    for name, value in vars(module).items():
        if kind_of(value) is not None:
            found.setdefault(id(value), name)
    names = list(found.values())
    if not names:
        raise LoadError(f"{target.label} has no server object: define one: server = Server('name')")
    if len(names) > 1:
        shown = shorten(", ".join(names))
        example = f"cloche run {target.label}:{names[0]}"
        raise LoadError(f"{target.label} has several servers, found {shown}: say which, {example}")
    return names[0], getattr(module, names[0])


def _named(module: ModuleType, target: Target) -> tuple[str, Any]:
    """The object the user named, called first when it is a factory."""
    name = str(target.name)
    value: Any = module
    for part in name.split("."):
        value = _attribute(value, part, target)
    if kind_of(value) is None and callable(value) and not inspect.isclass(value):
        value = _call_factory(value, name, target)
    return name, value


def _attribute(value: Any, part: str, target: Target) -> Any:
    try:
        return getattr(value, part)
    except AttributeError:
        near = difflib.get_close_matches(part, [name for name in dir(value) if name[:2] != "__"])
        hint = f": did you mean {' or '.join(near)}?" if near else ": check the name after the colon"
        raise LoadError(f"{target.label} has no object {shorten(part)!r}{hint}") from None


def _call_factory(factory: Callable[[], Any], name: str, target: Target) -> Any:
    try:
        parameters = list(inspect.signature(factory).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    needed = [p.name for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if needed:
        raise LoadError(f"{target.label}:{name} needs arguments ({', '.join(needed)}): cloche run calls it with none")
    with _blaming(target, f"failed in {name}()"):
        made = factory()
        return _finish(made) if inspect.isawaitable(made) else made


def _finish(made: Any) -> Any:
    import asyncio

    async def finish() -> Any:
        return await made

    return asyncio.run(finish())


def _wrong_kind(where: str, value: object) -> str:
    if inspect.isclass(value):
        return f"{where} is a class: name a server object, or a function that returns one"
    kind = "None" if value is None else f"of type {type(value).__name__}"
    return f"{where} is {kind}, not a server: name a Server, an mcp or fastmcp server, or a function that returns one"
