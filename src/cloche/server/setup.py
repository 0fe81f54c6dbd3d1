"""`Setup`: what a server asks a person for before its tools are used, as a form made from a type.

A page that carries the server shows the form before Python has started. What the person enters is checked here, given
to the author's function, and kept by the page for one session. Secrets are kept apart from the rest.
"""

from __future__ import annotations

import dataclasses
import inspect
import logging
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Literal, NoReturn, TypeVar, get_args

import msgspec

from cloche.errors import RegistrationError, SetupError, SetupRequiredError, shorten
from cloche.server.capability import Capability
from cloche.server.picked_file import FORMAT
from cloche.server.schema import ArgumentsError, schema_of
from cloche.server.secret import SecretText, secret_names
from cloche.wire.frames.messages import SETUP_REASONS, PermissionRequirement

T = TypeVar("T")
Visibility = Literal["required", "optional", "hidden"]

logger = logging.getLogger("cloche.server")

NAME_LIMIT = 200
"""Characters of the name that a client shows for what was set up."""

PURPOSE = "Its tools use it"
"""What a permission is for, when only its name is given."""

NOT_SET_UP = "This server is not set up yet: set it up, then call the tool again"


class Setup(Capability, Generic[T]):
    """What `@server.setup` makes of a function: `settings` are what the person entered, typed."""

    name = "setup"

    def __init__(
        self,
        fn: Callable[[T], Any],
        fields: type[T],
        *,
        visible: bool = True,
        visibility: Visibility = "hidden",
        description: str | None = None,
        permissions: Iterable[str | PermissionRequirement] = (),
    ) -> None:
        what = f"@server.setup of {getattr(fn, '__name__', 'a function')}"
        if visibility not in get_args(Visibility):
            raise RegistrationError(f"{what}: visibility is 'required', 'optional' or 'hidden'")
        self.schema, self._read = schema_of(fields, what=what)
        if self.schema.get("type") != "object" or "properties" not in self.schema:
            raise RegistrationError(f"{what}: fields is a class with one field for each setting, such as a dataclass")
        files = [one for one in self.schema["properties"].values() if one.get("format") == FORMAT]
        if _count(self.schema, lambda one: one.get("format") == FORMAT) > len(files):
            raise RegistrationError(f"{what}: a file is a field of {fields.__name__} itself, not of something in it")
        if not visible and self.schema.get("required"):
            missing = self.schema["required"][0]
            raise RegistrationError(f"{what}: visible=False shows no form, so {missing!r} needs a default")
        self.secrets = secret_names(self.schema)
        """The names of the settings that are secrets."""
        if _count(self.schema, _is_secret) > len(self.secrets):
            raise RegistrationError(f"{what}: a secret is a field of {fields.__name__} itself, not of something in it")
        self.fn = fn
        self.visible = visible
        self.visibility = visibility
        self.description = description
        self.permissions = [_permission(one, what) for one in permissions]
        """What the page may use of the browser, as clients are asked for it."""
        self._settings: T | None = None

    @property
    def settings(self) -> T:
        """What the person entered. Without a setup this raises, which ends the call and asks for one."""
        if self._settings is None:
            setup_required(NOT_SET_UP)
        return self._settings

    @property
    def is_complete(self) -> bool:
        """Whether there are settings."""
        return self._settings is not None

    async def complete(self, values: Mapping[str, Any]) -> str:
        """Check what was entered, give it to the author's function, and keep it. Returns the name to show for it, or
        raises a `SetupError`, which names the field where it can.
        """
        settings = self._typed(values)
        try:
            told = self.fn(settings)
            if inspect.isawaitable(told):
                told = await told
        except SetupError:
            raise
        except Exception as error:
            # Without the error's text: it may hold what was entered.
            where = "".join(traceback.format_tb(error.__traceback__))
            logger.error("the setup failed with %s\n%s", type(error).__name__, where)
            raise SetupError(f"The setup failed ({type(error).__name__})") from None
        self._settings = settings
        return shorten(told, NAME_LIMIT) if isinstance(told, str) and told else ""

    def restore(self, values: Mapping[str, Any]) -> None:
        """Take the settings of an earlier setup, without calling the author's function. Raises a `SetupError` when they
        do not fit any more.
        """
        self._settings = self._typed(values)

    def forget(self) -> None:
        """Forget the settings, secrets included."""
        self._settings = None

    def _typed(self, values: Mapping[str, Any]) -> T:
        try:
            settings: T = self._read(msgspec.json.encode(values))
        except ArgumentsError as error:
            place, _, reason = str(error).partition(": ")
            field = place.removeprefix("$").lstrip(".").partition(".")[0].partition("[")[0]
            raise SetupError(reason or place, field=field or None) from None
        _hide(settings, self.secrets)
        return settings


def setup_required(
    message: str = NOT_SET_UP,
    *,
    reason: Literal["AUTH_EXPIRED", "CONFIG_CHANGED", "PERMISSIONS_CHANGED", "OTHER"] = "CONFIG_CHANGED",
    can_continue: bool = False,
) -> NoReturn:
    """End a tool's call and ask for another setup: the client shows `message` and the form. With `can_continue` other
    tools may be called meanwhile; else the connection ends until it is done.
    """
    if reason not in SETUP_REASONS:
        raise RegistrationError(f"setup_required: reason is one of {', '.join(SETUP_REASONS)}")
    raise SetupRequiredError(message, reason, can_continue)


def _permission(given: str | PermissionRequirement, what: str) -> PermissionRequirement:
    """A name alone is of something that the tools need."""
    wanted = given
    if isinstance(given, str):
        wanted = PermissionRequirement(name=given, phase=["transport"], required=True, purpose=PURPOSE)
    try:
        return msgspec.convert(msgspec.to_builtins(wanted), PermissionRequirement)
    except (msgspec.ValidationError, TypeError):
        raise RegistrationError(
            f"{what}: {shorten(repr(given))} is no permission: write its name as Permissions-Policy has it, such as "
            "'camera', or a cloche.frames.PermissionRequirement"
        ) from None


def _count(schema: Any, wanted: Callable[[dict[str, Any]], bool]) -> int:
    """How many of the schemas in this one are wanted."""
    if isinstance(schema, list):
        return sum(_count(one, wanted) for one in schema)
    if not isinstance(schema, dict):
        return 0
    return 1 if wanted(schema) else sum(_count(one, wanted) for one in schema.values())


def _is_secret(schema: dict[str, Any]) -> bool:
    return schema.get("format") == "password" or schema.get("writeOnly") is True


def _hide(settings: Any, names: list[str]) -> None:
    """Make every secret one that does not show itself in logs."""
    if isinstance(settings, dict):
        settings.update({name: _hidden(settings[name]) for name in names if name in settings})
    elif isinstance(settings, msgspec.Struct):
        for field in msgspec.structs.fields(settings):
            if field.encode_name in names:
                msgspec.structs.force_setattr(settings, field.name, _hidden(getattr(settings, field.name)))
    elif dataclasses.is_dataclass(settings):
        for name in names:
            object.__setattr__(settings, name, _hidden(getattr(settings, name)))


def _hidden(value: Any) -> Any:
    return SecretText(value) if type(value) is str else value
