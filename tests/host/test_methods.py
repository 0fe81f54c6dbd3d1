"""The table of methods: every name once, older names read, and the browser's side has the same ones."""

from __future__ import annotations

import json
from importlib import resources
from typing import get_args

import msgspec
import pytest

from cloche.errors import (
    ExtAppsNotSupportedError,
    ExtAppsToolNotFoundError,
    InvalidParamsError,
    McpError,
    MethodNotFoundError,
    UnknownNameError,
)
from cloche.host.policy import Kind
from cloche.host.view_handshake import OFFERED
from cloche.wire.apps.dialect import Dialect
from cloche.wire.apps.methods import (
    LEGACY,
    LEGACY_REQUESTS,
    PROTOCOL_VERSION,
    ROWS,
    SUPPORTED_VERSIONS,
    TO_HOST,
    TO_VIEW,
    Method,
    current,
    dialects,
    legacy_error,
)
from tools.protocol_facts import dialect_rows


def test_every_method_stands_once_for_each_direction() -> None:
    assert len(ROWS) == len({(row.name, row.direction) for row in ROWS})
    assert len(TO_HOST) + len(TO_VIEW) + sum(row.direction == "proxy" for row in ROWS) == len(ROWS)
    older = [name for row in ROWS for name in (*row.legacy, *row.legacy_read)]
    assert len(older) == len(set(older))
    assert not set(older) & {row.name for row in ROWS}


def test_the_browsers_side_has_this_table() -> None:
    written = (resources.files("cloche.web") / "dialects.js").read_text("utf-8")
    for name, rows in dialects().items():
        assert f"export const {name} = " in written
        assert all(json.dumps(value) in written for value in rows.values())
    assert written == dialect_rows(), "make web"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.direction}: {row.name}")
def test_a_row_says_what_can_be_done_with_it(row: Method) -> None:
    assert row.is_request is ("notifications/" not in row.name)
    assert row.policy in {None, *get_args(Kind)}
    assert row.capability in {None, "sampling", *OFFERED}
    for params in (row.params, row.strict_params):
        assert params is None or issubclass(params, msgspec.Struct)
    if row.direction != "to host":
        assert (row.params, row.capability, row.policy) == (None, None, None)
    renamed = {*row.legacy_params, *row.legacy_params_read.values()}
    fields = {field.encode_name for field in msgspec.structs.fields(row.params)} if row.params is not None else set()
    assert renamed <= fields


@pytest.mark.parametrize("older", LEGACY)
def test_an_older_name_is_read_and_a_current_one_stays(older: str) -> None:
    name = LEGACY[older].name
    assert current(older, {"x": 1}) == (name, {"x": 1})
    if name != older:
        assert current(name, {"context": 1, "message": 2, "args": 3})[1] == {"context": 1, "message": 2, "args": 3}


def test_older_parameters_are_renamed_for_their_own_method_only() -> None:
    assert current("ui/callServerTool", {"args": {"a": 1}})[1]["arguments"] == {"a": 1}
    assert current("ui/callServerTool", {"args": 1, "arguments": 2})[1]["arguments"] == 2
    assert current("ui/openLink", {"context": 1}) == ("ui/open-link", {"context": 1})
    given = {"context": {"a": 1}}
    current("ui/updateModelContext", given)
    assert given == {"context": {"a": 1}}


def test_requests_of_the_legacy_dialect() -> None:
    assert set(LEGACY_REQUESTS) == {
        "ui/callServerTool", "ui/openLink", "ui/updateModelContext", "ui/setDisplayMode", "ui/close", "ui/log",
        "ui/registerTool", "ui/unregisterTool",
    }  # fmt: skip
    assert "ui/size-change" not in LEGACY_REQUESTS


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (UnknownNameError("tool", "x"), ExtAppsToolNotFoundError),
        (MethodNotFoundError("x"), ExtAppsNotSupportedError),
        (InvalidParamsError("x"), InvalidParamsError),
    ],
    ids=["tool", "method", "params"],
)
def test_errors_have_the_older_codes_for_older_requests_only(error: McpError, kind: type[McpError]) -> None:
    assert type(legacy_error("ui/callServerTool", error)) is kind
    assert legacy_error("tools/call", error) is error


def test_versions() -> None:
    assert SUPPORTED_VERSIONS[0] == PROTOCOL_VERSION == Dialect().version
