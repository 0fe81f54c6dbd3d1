"""`Auth`: from an Authorization header to a principal or a refusal."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from functools import partial
from typing import Any

import pytest

from cloche.auth import Auth, AuthenticationError, Principal, StaticTokens
from cloche.errors import ClocheError, ConfigurationError

TOKEN = "secret-token-of-alice"
GOOD = b"Bearer " + TOKEN.encode()


async def refusal(auth: Auth, header: bytes | None) -> AuthenticationError:
    with pytest.raises(AuthenticationError) as caught:
        await auth.authenticate(header)
    return caught.value


@pytest.fixture
def auth() -> Auth:
    return Auth.of({TOKEN: "alice"})


@pytest.mark.parametrize("scheme", [b"Bearer", b"bearer", b"BEARER", b"bEaReR"])
async def test_the_scheme_is_case_insensitive(auth: Auth, scheme: bytes) -> None:
    assert (await auth.authenticate(scheme + b" " + TOKEN.encode())).id == "alice"


async def test_several_spaces_are_one(auth: Auth) -> None:
    assert (await auth.authenticate(b"Bearer   " + TOKEN.encode() + b" ")).id == "alice"


@pytest.mark.parametrize("header", [None, b"", b"Basic YWxpY2U6cHc=", b"Bearer" + TOKEN.encode(), TOKEN.encode(), b" "])
async def test_without_bearer_credentials_there_is_no_error_code(auth: Auth, header: bytes | None) -> None:
    assert (await refusal(auth, header)).error is None


@pytest.mark.parametrize(
    "header",
    [
        b"Bearer",
        b"Bearer ",
        b"Bearer  ",
        b"Bearer \xff\xfe" + TOKEN.encode(),
        "Bearer sécret-token-of-alice".encode(),
        GOOD + b", " + GOOD,
        GOOD + b" " + TOKEN.encode(),
        GOOD + b"\r\nX-Evil: 1",
        GOOD + b"\0",
        b"Bearer\t" + TOKEN.encode() + b" x",
        b"Bearer " + b"a" * (16 * 1024),
    ],
)
async def test_malformed_headers_are_refused_and_not_repeated(auth: Auth, header: bytes) -> None:
    error = await refusal(auth, header)
    assert error.error in ("invalid_token", None)
    assert TOKEN not in error.description
    assert "Evil" not in error.description
    assert len(error.description) < 100


async def test_the_size_limit_is_the_reason_and_not_the_token() -> None:
    async def everybody(token: str) -> str:
        return "alice"

    auth = Auth.of(everybody)
    fits = b"Bearer " + b"a" * (16 * 1024 - 7)
    assert (await auth.authenticate(fits)).id == "alice"
    assert "16384" in (await refusal(auth, fits + b"a")).description


@pytest.mark.parametrize("guess", [TOKEN + "X", TOKEN[:-1], "x"])
async def test_an_unknown_token_is_invalid(auth: Auth, guess: str) -> None:
    error = await refusal(auth, b"Bearer " + guess.encode())
    assert (error.error, error.description) == ("invalid_token", "The token is not valid")


def test_the_refusal_belongs_to_the_error_tree() -> None:
    assert issubclass(AuthenticationError, ClocheError)


async def test_expired_principals_are_refused() -> None:
    now = 1000.0

    async def verify(token: str) -> Principal:
        return Principal("alice", expires_at=float(token))

    auth = Auth(verify, clock=lambda: now)
    assert (await auth.authenticate(b"Bearer 1000.5")).id == "alice"
    for moment in (b"1000.0", b"999", b"0", b"nan", b"-inf"):
        assert (await refusal(auth, b"Bearer " + moment)).description == "The token has expired"
    now = 1001.0
    assert (await refusal(auth, b"Bearer 1000.5")).error == "invalid_token"


@pytest.mark.parametrize("answer", [True, 1, {"id": "alice"}, ["alice"], object(), b"alice"])
async def test_an_answer_that_names_nobody_admits_nobody(answer: Any, caplog: pytest.LogCaptureFixture) -> None:
    async def verify(token: str) -> Any:
        return answer

    error = await refusal(Auth.of(verify), GOOD)
    assert (error.error, error.description) == ("invalid_token", "The token could not be verified")
    assert "must return a Principal or None" in caplog.text


@pytest.mark.parametrize("answer", [None, ""])
async def test_none_and_the_empty_name_admit_nobody(answer: str | None) -> None:
    async def verify(token: str) -> str | None:
        return answer

    assert (await refusal(Auth.of(verify), GOOD)).error == "invalid_token"


async def test_a_failing_verifier_refuses_and_is_logged_without_the_token(caplog: pytest.LogCaptureFixture) -> None:
    token = 'eyJoZWFk.eyJib2R5In0.sig+natu/re"\\x'

    async def verify(given: str) -> Principal:
        try:
            raise ValueError(f"cannot parse {given!r}")
        except ValueError as error:
            raise RuntimeError(f"GET /introspect?token={given} near {given.split('.')[1]}") from error

    error = await refusal(Auth.of(verify), b"Bearer " + token.encode())
    assert (error.error, error.description) == ("invalid_token", "The token could not be verified")
    (record,) = caplog.records
    assert (record.name, record.levelno, record.exc_info) == ("cloche.auth", logging.ERROR, None)
    assert "RuntimeError: GET /introspect?token=[token] near [token]" in caplog.text
    assert "ValueError: cannot parse '[token]'" in caplog.text
    assert "in verify" in caplog.text
    for part in (token, "eyJoZWFk", "eyJib2R5In0", "sig+natu"):
        assert part not in caplog.text


async def test_a_verifier_may_say_why_itself(caplog: pytest.LogCaptureFixture) -> None:
    async def verify(token: str) -> Principal:
        raise AuthenticationError("invalid_token", "The token was revoked")

    assert (await refusal(Auth.of(verify), GOOD)).description == "The token was revoked"
    assert caplog.text == ""


async def test_cancellation_is_not_a_refusal() -> None:
    started = asyncio.Event()

    async def verify(token: str) -> str:
        started.set()
        await asyncio.Event().wait()
        return "alice"

    task = asyncio.create_task(Auth.of(verify).authenticate(GOOD))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_answers_are_not_cached() -> None:
    revoked = False

    async def verify(token: str) -> str | None:
        return None if revoked else "alice"

    auth = Auth.of(verify)
    assert (await auth.authenticate(GOOD)).id == "alice"
    revoked = True
    await refusal(auth, GOOD)


class Verifier:
    async def verify(self, token: str) -> Principal | None:
        return Principal("alice")


class CallableVerifier:
    async def __call__(self, token: str) -> str:
        return "alice"


async def named(name: str, token: str) -> str:
    return name


@pytest.mark.parametrize(
    "value",
    [
        Auth(Verifier()),
        Verifier(),
        StaticTokens({TOKEN: "alice"}),
        {TOKEN: "alice"},
        {TOKEN: Principal("alice")},
        CallableVerifier(),
        partial(named, "alice"),
    ],
)
async def test_what_auth_accepts(value: object) -> None:
    assert (await Auth.of(value).authenticate(GOOD)).id == "alice"


def test_an_auth_stays_itself() -> None:
    auth = Auth(Verifier(), scopes=["read"])
    assert Auth.of(auth) is auth


class BlockingVerifier:
    def verify(self, token: str) -> Principal:
        return Principal("alice")


@pytest.mark.parametrize("value", [None, TOKEN, 42, Verifier, BlockingVerifier(), lambda token: "alice", [TOKEN]])
def test_what_it_refuses_with_the_fix_and_without_the_value(value: object) -> None:
    with pytest.raises(ConfigurationError, match=r"auth cannot be .*: give .*`async def verify\(token\)`") as caught:
        Auth.of(value)
    assert TOKEN not in str(caught.value)


@pytest.mark.parametrize(
    "module", ["asyncio", "jwt", "urllib.request", "urllib.parse", "concurrent.futures", "cryptography"]
)
def test_the_import_is_cheap(module: str) -> None:
    code = f"import sys; import cloche.auth; sys.exit({module!r} in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})
