"""`cloche.config`: what a server is told from outside, where there is no environment to read.

A page hands it over: `startPythonServer({config: {units: "metric"}})`, and the server reads `config["units"]`. Anywhere
else the program that starts the server does: `config.initialize({"units": "metric"})`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cloche.errors import ConfigurationError, shorten


class Config(Mapping[str, Any]):
    """What the server was told; empty until `initialize`."""

    def __init__(self) -> None:
        self.__doc__ = "What this server was told from outside: `config['units']`, or `config.get('units', 'metric')`."
        self._values: dict[str, Any] = {}

    def initialize(self, values: Mapping[str, Any]) -> None:
        """Tell the server; what was told before is forgotten."""
        given: object = values  # what comes from a page is not type-checked
        if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
            raise ConfigurationError("A configuration is values by name: config.initialize({'units': 'metric'})")
        self._values = dict(values)

    def __getitem__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise MissingConfigError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<Config with {', '.join(map(repr, self._values)) or 'nothing'}>"  # values may be secret


class MissingConfigError(ConfigurationError, KeyError):
    """The server needs something that it was not told."""

    def __init__(self, name: str) -> None:
        ConfigurationError.__init__(
            self,
            f"The configuration has no {shorten(str(name))!r}: pass it in startPythonServer({{config}}), "
            "or call config.initialize before",
        )

    __str__ = ConfigurationError.__str__


config = Config()
