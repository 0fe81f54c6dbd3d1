"""`@server.setup`: what was entered is checked, kept, hidden, and asked for again."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

import msgspec
import pytest

from cloche import Client, PickedFile, Secret, Server, SetupError, setup_required
from cloche.errors import SETUP_REQUIRED_KEY, RegistrationError
from cloche.frames import PermissionRequirement
from cloche.server.setup import Setup

SECRET = "key-7c1d"


@dataclass
class Settings:
    name: str
    key: Secret[str] = ""
    units: Literal["metric", "imperial"] = "metric"


class Renamed(msgspec.Struct, rename="camel", frozen=True):
    user_name: str
    api_key: Secret[str] | None = None


class Plain(TypedDict):
    key: Secret[str]


def made(fields: type[Any] = Settings, **options: Any) -> tuple[Server, Setup[Any]]:
    """A server whose setup refuses the name Mallory, and a tool that uses it."""
    server = Server("weather")

    @server.setup(fields=fields, **options)
    async def setup(settings: Any) -> str:
        if getattr(settings, "name", "") == "Mallory":
            raise SetupError("Not you", field="name")
        if getattr(settings, "name", "") == "bug":
            raise RuntimeError(f"no such key: {settings.key}")
        return "The weather"

    @server.tool
    def units() -> str:
        return str(setup.settings.units)

    @server.tool
    def renew() -> None:
        setup_required("The key has expired", reason="AUTH_EXPIRED", can_continue=True)

    return server, setup


async def test_settings_are_typed_and_tools_use_them() -> None:
    server, setup = made()
    assert await setup.complete({"name": "Ada", "units": "imperial"}) == "The weather"
    assert setup.settings == Settings("Ada", "", "imperial")
    async with Client(server) as client:
        assert (await client.call_tool("units")).text == "imperial"


async def test_a_tool_asks_for_a_setup_in_its_result() -> None:
    server, setup = made()
    async with Client(server) as client:
        without = await client.call_tool("units")
        assert without.is_error
        assert without.text == "This server is not set up yet: set it up, then call the tool again"
        assert without.meta[SETUP_REQUIRED_KEY]["canContinue"] is False
        await setup.complete({"name": "Ada"})
        assert (await client.call_tool("renew")).meta[SETUP_REQUIRED_KEY] == {
            "reason": "AUTH_EXPIRED",
            "message": "The key has expired",
            "canContinue": True,
        }
        setup.forget()
        assert not setup.is_complete
        assert (await client.call_tool("units")).is_error


@pytest.mark.parametrize(
    ("values", "field", "text"),
    [
        ({}, "name", 'the required argument "name" is missing'),
        ({"name": 3}, "name", "expected a string"),
        ({"name": "Ada", "units": "feet"}, "units", "expected one of"),
        ({"name": "Mallory"}, "name", "Not you"),
    ],
)
async def test_what_does_not_fit_names_the_field(values: dict[str, Any], field: str | None, text: str) -> None:
    _, setup = made()
    with pytest.raises(SetupError) as refused:
        await setup.complete(values)
    assert refused.value.field == field
    assert text in str(refused.value)
    assert not setup.is_complete


async def test_a_setup_that_breaks_says_so_without_what_was_entered(caplog: pytest.LogCaptureFixture) -> None:
    _, setup = made()
    with caplog.at_level(logging.ERROR), pytest.raises(SetupError, match=r"^The setup failed \(RuntimeError\)$"):
        await setup.complete({"name": "bug", "key": SECRET})
    assert "test_setup.py" in caplog.text
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    ("fields", "values", "secret"),
    [
        (Settings, {"name": "Ada", "key": SECRET}, "key"),
        (Renamed, {"userName": "Ada", "apiKey": SECRET}, "apiKey"),
        (Plain, {"key": SECRET}, "key"),
    ],
)
async def test_a_secret_does_not_show_itself(fields: type[Any], values: dict[str, Any], secret: str) -> None:
    _, setup = made(fields)
    assert setup.secrets == [secret]
    setup.restore(values)
    settings = setup.settings
    found = settings["key"] if isinstance(settings, dict) else getattr(settings, "key", None) or settings.api_key
    assert (found, f"{found}") == (SECRET, SECRET)
    assert SECRET not in repr(settings)
    assert SECRET not in f"{settings}"


@dataclass
class Inner:
    key: Secret[str]


@dataclass
class Outer:
    inner: Inner


@dataclass
class WithFile:
    file: PickedFile


@dataclass
class WithFiles:
    files: list[PickedFile]


@pytest.mark.parametrize(
    ("fields", "options", "sentence"),
    [
        (int, {}, "fields is a class with one field for each setting"),
        (Settings, {"visible": False}, "visible=False shows no form, so 'name' needs a default"),
        (Settings, {"visibility": "shown"}, "visibility is 'required', 'optional' or 'hidden'"),
        (Outer, {}, "a secret is a field of Outer itself"),
        (WithFiles, {}, "a file is a field of WithFiles itself"),
        (Settings, {"permissions": ["Camera!"]}, "'Camera!' is no permission: write its name as Permissions-Policy"),
        (Settings, {"permissions": [7]}, "7 is no permission"),
    ],
)
def test_a_mistake_fails_at_registration(fields: type[Any], options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RegistrationError, match=sentence):
        made(fields, **options)


async def test_a_file_is_a_setting_by_its_path_and_no_other_file_is() -> None:
    _, setup = made(WithFile)
    await setup.complete({"file": "/files/1/notes.txt"})
    assert setup.settings.file == "/files/1/notes.txt"
    with pytest.raises(SetupError):
        await setup.complete({"file": "/server/server.py"})


def test_permissions_are_declared_by_name_or_in_full() -> None:
    speech = PermissionRequirement(name="microphone", phase=["setup"], required=False, purpose="To hear you")
    _, setup = made(permissions=["camera", speech])
    camera, microphone = setup.permissions
    assert (camera.name, camera.phase, camera.required) == ("camera", ["transport"], True)
    assert camera.purpose == "Its tools use it"
    assert microphone == speech


def test_a_server_has_one_setup() -> None:
    server, _ = made()
    with pytest.raises(RegistrationError, match="'setup' is attached already"):
        server.setup(fields=Settings)(lambda settings: None)
