"""Tokens that must come back unchanged."""

from __future__ import annotations

import ast
import inspect

import pytest

from cloche.errors import InvalidParamsError
from cloche.wire import signing
from cloche.wire.signing import MAX_TOKEN, Signer

SECRET = b"0123456789abcdef"


def refused(token: str, purpose: str = "cursor", signer: Signer | None = None) -> bool:
    try:
        (signer or Signer(SECRET)).open(purpose, token)
    except InvalidParamsError as error:
        return str(error) == f"The {purpose} is not one that this server made"
    return False


@pytest.mark.parametrize("payload", [b"", b"x", b"\x00\xff" * 10, b"y" * 10_000])
def test_a_token_carries_its_payload(payload: bytes) -> None:
    signer = Signer(SECRET)
    token = signer.sign("cursor", payload)
    assert signer.open("cursor", token) == payload
    assert Signer(SECRET).open("cursor", token) == payload  # another process with the same secret
    assert token.isascii()


def test_a_token_of_another_secret_or_purpose_is_refused() -> None:
    token = Signer(SECRET).sign("cursor", b"5")
    assert refused(token, "request state")
    assert refused(token, signer=Signer(b"fedcba9876543210"))
    # The purpose is set off from the payload, so that one cannot grow into the other.
    assert refused(Signer(SECRET).sign("cur", b"sor\x005"), "cursor")


def test_a_token_in_which_any_character_changed_is_refused() -> None:
    token = Signer(SECRET).sign("cursor", b"page 5")
    assert not refused(token)
    for at, character in enumerate(token):
        for other in "AB_.":
            if other != character:
                assert refused(token[:at] + other + token[at + 1 :]), at
        assert refused(token[:at])
        assert refused(token[:at] + token[at + 1 :])
        assert refused(token[: at + 1] + character + token[at + 1 :])


@pytest.mark.parametrize("junk", ["", ".", "..", "a.b", "é.é", "=.=", " ", "\x00", "a" * MAX_TOKEN + "." + "b" * 50])
def test_junk_is_refused_with_the_same_text(junk: str) -> None:
    assert refused(junk)


def test_other_spellings_of_a_token_are_refused() -> None:
    body, _, mac = Signer(SECRET).sign("cursor", b"\xfb\xff?").partition(".")
    assert {"-", "_"} & set(body + mac)
    assert refused(f"{body}=.{mac}")
    assert refused(f"{body}.{mac}=")
    assert refused(f"{body.replace('-', '+').replace('_', '/')}.{mac.replace('-', '+').replace('_', '/')}")
    assert refused(f"{body}.{mac}\n")


@pytest.mark.requirement(164)
def test_signatures_are_compared_in_constant_time() -> None:
    """A comparison that stops at the first difference would tell how much of a guess is right."""
    tree = ast.parse(inspect.getsource(signing))
    (opening,) = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "open"]
    calls = [ast.unparse(node.func) for node in ast.walk(opening) if isinstance(node, ast.Call)]
    assert "hmac.compare_digest" in calls
    compared = [ast.unparse(node) for node in ast.walk(opening) if isinstance(node, ast.Compare)]
    assert compared == ["len(token) > MAX_TOKEN"]
