"""What runs in the browser's Python: imports the server's file and serves it over a transport of the page."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from typing import Any

import msgspec

from cloche.auth.principal import Principal, TokenPrincipal
from cloche.errors import ConfigurationError, LoadError, SetupError, shorten
from cloche.server.run_guard import loading_guard
from cloche.server.server import Server
from cloche.server.setup import Setup
from cloche.settings import config
from cloche.transports.browser import BrowserTransport

PAGE = "page"
"""Who calls, when the page hands over a token and does not say whose."""


class Token(msgspec.Struct):
    """What a page may say of its visitor, beside the token itself."""

    token: str = ""
    id: str = PAGE
    scopes: list[str] = []
    claims: dict[str, Any] = {}


class Plan(msgspec.Struct, rename="camel"):
    """What to serve, and what the page wants the server to know."""

    folder: str
    entry: str
    object: str
    config: dict[str, Any] | None = None
    token: str | Token | None = None
    setup: dict[str, Any] | None = None


class Inside:
    """The server in this Python."""

    def __init__(self, plan: str) -> None:
        try:
            self._plan = msgspec.json.decode(plan, type=Plan)
        except msgspec.ValidationError as error:
            raise ConfigurationError(
                f"startPythonServer was given something it does not know: {error}; config is an object, "
                "and token a text or an object with token, id, scopes and claims"
            ) from None
        reseed()
        config.initialize(self._plan.config or {})
        self._principal = principal_of(self._plan.token)
        self._server = load(self._plan)
        setup = self._server.capabilities.get(Setup.name)
        self._setup: Setup[Any] | None = setup if isinstance(setup, Setup) else None

    def restore(self) -> str | None:
        """Take the settings of an earlier setup that the page kept; says what is wrong with them."""
        if self._setup is None or self._plan.setup is None:
            return None
        try:
            self._setup.restore(self._plan.setup)
        except SetupError as error:
            return f"The settings do not fit any more ({shorten(str(error), 300)})"
        return None

    async def set_up(self, values: str) -> str:
        """What a person entered, as JSON: the name to show for it, or what is wrong, as JSON."""
        try:
            if self._setup is None:
                raise SetupError("This server has no setup")
            name = await self._setup.complete(msgspec.json.decode(values, type=dict[str, Any]))
        except SetupError as error:
            return msgspec.json.encode({"problem": shorten(str(error), 700), "field": error.field}).decode()
        return msgspec.json.encode({"displayName": name or self._server.info.title or self._server.name}).decode()

    async def serve(self, line: Any) -> None:
        """Answer whoever is at the other end of the page's transport."""
        await self._server.connect(BrowserTransport(line), principal=self._principal)


def load(plan: Plan) -> Server:
    """The server object in the entry file."""
    os.chdir(plan.folder)
    sys.path.insert(0, plan.folder)
    try:
        with loading_guard(plan.entry):
            value: Any = importlib.import_module(plan.entry.removesuffix(".py"))
            for name in plan.object.split("."):
                value = getattr(value, name)
            if callable(value) and not isinstance(value, Server):
                value = value()
    except LoadError:
        raise
    except (Exception, SystemExit) as error:
        raise LoadError(f"{plan.entry} cannot be imported in the browser: {told(error, plan)}") from error
    if not isinstance(value, Server):
        raise LoadError(f"{plan.entry}:{plan.object} is of type {type(value).__name__}, not a cloche Server")
    return value


def told(error: BaseException, plan: Plan) -> str:
    """What went wrong, with the user's line, and what helps where that is known."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(plan.entry)]
    where = f" (line {lines[-1]})" if lines else ""
    text = f"{shorten(f'{type(error).__name__}: {error}', 300)}{where}"
    if isinstance(error, ModuleNotFoundError):
        return f"{text}; add what has it: cloche pyodide bundle {plan.entry} --requirement NAME==VERSION"
    return text


def principal_of(token: str | Token | None) -> Principal | None:
    """Whom the page speaks for."""
    if token is None:
        return None
    if isinstance(token, str):
        token = Token(token)
    return TokenPrincipal(token.id, frozenset(token.scopes), token.claims, token=token.token)


def reseed() -> None:
    """After a snapshot every visitor would draw the same numbers."""
    random = sys.modules.get("random")
    if random is not None:
        random.seed()
