"""`cloche.config`: what a server is told from outside."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cloche import config
from cloche.errors import ConfigurationError


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    config.initialize({})


@pytest.mark.requirement(5)
def test_the_server_reads_what_it_was_told() -> None:
    config.initialize({"units": "metric"})
    assert (config["units"], config.get("currency", "euro"), dict(config)) == ("metric", "euro", {"units": "metric"})


def test_what_it_was_not_told_is_named_with_the_way_to_tell_it() -> None:
    with pytest.raises(ConfigurationError) as raised:
        config["units"]
    assert str(raised.value) == (
        "The configuration has no 'units': pass it in startPythonServer({config}), or call config.initialize before"
    )


def test_values_are_not_shown() -> None:
    config.initialize({"key": "secret-7"})
    assert repr(config) == "<Config with 'key'>"


@pytest.mark.parametrize("values", [None, ["units"], {1: 2}, "units"])
def test_a_configuration_is_values_by_name(values: object) -> None:
    with pytest.raises(ConfigurationError, match="values by name"):
        config.initialize(values)  # type: ignore[arg-type]
