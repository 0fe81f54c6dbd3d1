"""A function's parameters and return type, with every hint resolved."""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable
from typing import Any, get_args, get_origin

from cloche.errors import RegistrationError
from cloche.server.schema.engine_hints import is_union, split_annotated

MISSING: Any = inspect.Parameter.empty
"""No annotation, or no default."""

_REFUSED = {
    inspect.Parameter.VAR_POSITIONAL: ("*", "a list parameter such as `{name}: list[str]`"),
    inspect.Parameter.VAR_KEYWORD: ("**", "a dict parameter such as `{name}: dict[str, str]`"),
}


class Parameter(typing.NamedTuple):
    """One parameter; `hint` and `default` are MISSING when not given."""

    name: str
    hint: Any
    default: Any
    keyword_only: bool
    is_context: bool


def parameters_of(fn: Callable[..., Any], *, what: str, context_type: type) -> list[Parameter]:
    """The parameters that a call must or may give, and the context."""
    signature = _signature(fn, what)
    hints = _resolved({name: one.annotation for name, one in signature.parameters.items()}, fn, what)
    bound = _bound_keywords(fn)
    found = []
    for name, one in signature.parameters.items():
        if one.kind in _REFUSED:
            stars, instead = _REFUSED[one.kind]
            raise RegistrationError(
                f"{what}: {stars}{name} has no JSON Schema, "
                f"replace it with named parameters or {instead.format(name=name)}"
            )
        # A keyword fixed by functools.partial is the author's, not the caller's, and may well be a secret.
        if name not in bound:
            if name in ("ctx", "context") and hints[name] is MISSING:
                raise RegistrationError(f"{what}: {name} has no annotation; write `{name}: Context` to get the context")
            keyword_only = one.kind is inspect.Parameter.KEYWORD_ONLY
            found.append(
                Parameter(name, hints[name], one.default, keyword_only, _is_context(hints[name], context_type))
            )
    contexts = [one.name for one in found if one.is_context]
    if len(contexts) > 1:
        raise RegistrationError(f"{what}: {' and '.join(contexts)} are both the context, keep one of them")
    return found


def return_hint(fn: Callable[..., Any], *, what: str) -> Any:
    """The resolved return annotation, or MISSING."""
    annotation = _signature(fn, what).return_annotation
    return _resolved({"return": annotation}, fn, what)["return"]


def _signature(fn: Callable[..., Any], what: str) -> inspect.Signature:
    try:
        return inspect.signature(fn)
    except NameError as error:  # from Python 3.14 on, annotations are evaluated here
        raise _unresolved(what, error) from error
    except (TypeError, ValueError) as error:
        raise RegistrationError(
            f"{what}: its signature cannot be read, wrap it in a function with annotated parameters"
        ) from error


def _bound_keywords(fn: Callable[..., Any]) -> frozenset[str]:
    names: set[str] = set()
    while isinstance(fn, functools.partial):
        names.update(fn.keywords)
        fn = fn.func
    return frozenset(names)


def _resolved(annotations: dict[str, Any], fn: Callable[..., Any], what: str) -> dict[str, Any]:
    """Evaluate what `from __future__ import annotations` left as text, also inside containers.

    The signature is the source, not the function's `__annotations__`: it already follows partial, methods,
    `__wrapped__` and `__signature__`. A holder object lets `typing.get_type_hints` do the evaluation on every Python
    version.
    """
    given = {name: hint for name, hint in annotations.items() if hint is not MISSING}
    holder = types.SimpleNamespace(__annotations__=given)
    target = _defining_function(fn)
    names = getattr(target, "__globals__", {})
    try:
        hints = typing.get_type_hints(holder, globalns=names, localns=_closure(target), include_extras=True)
    except NameError as error:
        raise _unresolved(what, error) from error
    except (TypeError, SyntaxError, AttributeError) as error:
        raise RegistrationError(f"{what}: an annotation is not a type ({error}), correct it") from error
    return {name: hints.get(name, MISSING) for name in annotations}


def _defining_function(fn: Callable[..., Any]) -> Any:
    """The function whose module the annotations were written in."""
    while True:
        if isinstance(fn, functools.partial):
            fn = fn.func
        elif isinstance(fn, type):
            fn = inspect.getattr_static(fn, "__init__")
        elif inspect.ismethod(fn):
            fn = fn.__func__
        elif hasattr(fn, "__wrapped__") and not hasattr(fn, "__signature__"):
            fn = fn.__wrapped__
        elif not hasattr(fn, "__globals__") and hasattr(type(fn).__call__, "__globals__"):
            fn = type(fn).__call__
        else:
            return fn


def _closure(target: Any) -> dict[str, Any]:
    """Local classes that the function also uses in its body; their names are otherwise lost."""
    cells = getattr(target, "__closure__", None) or ()
    names = target.__code__.co_freevars if cells else ()
    found = {}
    for name, cell in zip(names, cells, strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # a variable that is not assigned yet
            continue
    return found


def _unresolved(what: str, error: NameError) -> RegistrationError:
    return RegistrationError(
        f"{what}: the name {error.name!r} in its annotations cannot be resolved, "
        "import or define it at module level and outside of `if TYPE_CHECKING`"
    )


def _is_context(hint: Any, context_type: type) -> bool:
    bare, _ = split_annotated(hint)
    if is_union(bare):
        arms = [arm for arm in get_args(bare) if arm is not type(None)]
        return len(arms) == 1 and _is_context(arms[0], context_type)
    cls = get_origin(bare) or bare
    return isinstance(cls, type) and issubclass(cls, context_type)
