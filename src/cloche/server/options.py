"""What `@server.tool`, `@server.resource` and `@server.prompt` take: each option is declared once, here."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar

from cloche.errors import RegistrationError, shorten
from cloche.wire.apps.metadata import VISIBILITIES

if TYPE_CHECKING:
    from cloche.auth import Principal
    from cloche.server.capability import ToolView
    from cloche.wire import types

F = TypeVar("F", bound=Callable[..., Any])


class EntryOptions(TypedDict, total=False):
    """The options of a prompt, and of everything else that is registered."""

    name: str | None
    title: str | None
    description: str | None
    icons: Sequence[types.Icon] | None
    meta: dict[str, Any] | None
    timeout: float | None
    scopes: Sequence[str]
    visible_to: Callable[[Principal | None], bool] | None
    """Says for which callers the entry exists; None stands for an unknown caller."""


class ResourceOptions(EntryOptions, total=False):
    """The options of a resource or a resource template."""

    mime_type: str | None
    size: int | None
    annotations: types.Annotations | None
    content_meta: dict[str, Any] | None


class ToolOptions(EntryOptions, total=False):
    """The options of a tool."""

    annotations: types.ToolAnnotations | dict[str, Any] | None
    input_schema: Mapping[str, Any] | None
    output_schema: Mapping[str, Any] | None
    view: ToolView | str | Path | Callable[[Any], Any] | None
    visibility: Sequence[Literal["model", "app"]] | None
    task: bool | Literal["optional", "required", "later"] | None


def takes(options: type) -> Callable[[F], F]:
    """Let help() and editors show the options of a function that takes them as `**options`."""

    def shown(fn: F) -> F:
        signature = inspect.signature(fn)
        named = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=getattr(hint, "__forward_arg__", hint),
            )
            for name, hint in options.__annotations__.items()
        ]
        fn.__signature__ = signature.replace(parameters=[*list(signature.parameters.values())[:-1], *named])  # type: ignore[attr-defined]
        return fn

    return shown


def check_options(options: type, decorator: str, given: Mapping[str, Any]) -> None:
    """Refuse an option that does not exist, and name those that do."""
    known = options.__annotations__
    for option in given:
        if option not in known:
            raise RegistrationError(f"{decorator} has no option {shorten(option)!r}: it takes {', '.join(known)}")


TASK_MODES = ("optional", "required", "later")


def checked_task(given: Any, what: str) -> str | None:
    """How a tool runs as a task; None for a tool that does not."""
    if given is None or given is False:
        return None
    if given is True:
        return "optional"
    if given not in TASK_MODES:
        raise RegistrationError(
            f"{what}: task={shorten(repr(given))} means nothing: use True (or 'optional'), 'required' or 'later'"
        )
    return str(given)


def checked_visibility(given: Sequence[str]) -> list[str]:
    """Who may call a tool: the model, the view, or both."""
    if isinstance(given, str):
        raise RegistrationError(f"visibility is one text: give a list, such as [{shorten(given)!r}]")
    if not isinstance(given, list | tuple | set | frozenset) or not given or not set(given) <= set(VISIBILITIES):
        raise RegistrationError(
            f"visibility={shorten(repr(given))} says nobody or somebody unknown: "
            "use ['model', 'app'] (the default), ['model'] or ['app']"
        )
    return [one for one in VISIBILITIES if one in given]
