"""Key sets: choosing a key, and fetching them without being made a tool of."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING

import jwt
import pytest

from cloche.auth import JwtVerifier
from cloche.auth import download as download_module
from cloche.auth.jwks import (
    DOCUMENT_LIMIT,
    LIFETIME,
    REFRESH_INTERVAL,
    RETRY_INTERVAL,
    STALE_LIFETIME,
    KeySet,
    RemoteKeys,
)

if TYPE_CHECKING:
    from tests.auth.conftest import Issuer, KeyServer


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_token_without_kid_needs_a_set_with_one_fitting_key(issuer: Issuer) -> None:
    assert KeySet({"keys": [issuer.jwk()]}).look_up(None, "RS256") is not None
    assert KeySet({"keys": [issuer.jwk("a"), issuer.jwk("b")]}).look_up(None, "RS256") is None
    assert KeySet({"keys": [issuer.jwk("a"), issuer.jwk("b", alg="PS256")]}).look_up(None, "RS256") is not None
    assert KeySet({"keys": [issuer.jwk("a"), issuer.jwk("b", use="enc")]}).look_up(None, "RS256") is not None


def test_keys_are_used_for_what_they_are_for(issuer: Issuer) -> None:
    for members in ({"use": "enc"}, {"key_ops": ["sign"]}, {"key_ops": "verify"}, {"alg": "RS512"}, {"kty": "EC"}):
        assert KeySet({"keys": [issuer.jwk(**members)]}).look_up("one", "RS256") is None
    for members in ({"use": "sig"}, {"key_ops": ["verify"]}, {"alg": "RS256"}):
        assert KeySet({"keys": [issuer.jwk(**members)]}).look_up("one", "RS256") is not None


def test_keys_of_another_kind_do_not_compete(issuer: Issuer) -> None:
    curve = jwt.algorithms.ECAlgorithm.to_jwk(issuer.ec_key.public_key(), as_dict=True)
    keys = KeySet({"keys": [issuer.jwk(), curve]})
    assert keys.look_up(None, "RS256") is not None
    assert keys.look_up(None, "ES256") is not None


def test_two_keys_of_one_name_are_none(issuer: Issuer) -> None:
    assert KeySet({"keys": [issuer.jwk(), issuer.jwk()]}).look_up("one", "RS256") is None


def test_a_broken_key_does_not_spoil_the_others(issuer: Issuer, caplog: pytest.LogCaptureFixture) -> None:
    keys = KeySet({"keys": [{"kty": "RSA", "kid": "bad", "n": "!", "e": 7}, "x", None, issuer.jwk()]})
    assert keys.look_up("bad", "RS256") is None
    assert "cannot be used for RS256" in caplog.text
    assert keys.look_up("one", "RS256") is not None


def test_a_key_is_loaded_once(issuer: Issuer) -> None:
    keys = KeySet(issuer.jwks())
    assert keys.look_up("one", "RS256") is keys.look_up("one", "RS256")


async def test_a_token_that_cannot_be_good_causes_no_fetch(issuer: Issuer, key_server: KeyServer) -> None:
    verifier = JwtVerifier(jwks_url=key_server.url, issuer=issuer.name, audience=issuer.audience)
    secret = "0123456789abcdef0123456789abcdef"
    assert await verifier.verify(issuer.token(algorithm="HS256", key=secret)) is None
    assert await verifier.verify(jwt.encode(issuer.claims(), "", algorithm="none")) is None
    critical = jwt.encode(issuer.claims(), issuer.key, algorithm="RS256", headers={"kid": "one", "crit": ["x"]})
    assert await verifier.verify(critical) is None
    assert key_server.requests == 0
    assert await verifier.verify(issuer.token()) is not None
    assert key_server.requests == 1


async def test_keys_are_fetched_once_for_many_requests(issuer: Issuer, key_server: KeyServer) -> None:
    verifier = JwtVerifier(jwks_url=key_server.url, issuer=issuer.name, audience=issuer.audience)
    key_server.release.clear()
    requests = [asyncio.create_task(verifier.verify(issuer.token())) for _ in range(50)]
    await asyncio.sleep(0)
    key_server.release.set()
    assert [principal and principal.id for principal in await asyncio.gather(*requests)] == ["alice"] * 50
    assert key_server.requests == 1


async def test_a_flood_of_unknown_key_ids_causes_one_fetch_in_30_s(issuer: Issuer, key_server: KeyServer) -> None:
    verifier = JwtVerifier(jwks_url=key_server.url, issuer=issuer.name, audience=issuer.audience)
    assert await verifier.verify(issuer.token()) is not None
    for number in range(100):
        assert await verifier.verify(issuer.token(kid=f"invented-{number}")) is None
    assert key_server.requests == 1
    assert await verifier.verify(issuer.token()) is not None


async def test_the_flood_with_a_clock(key_server: KeyServer) -> None:
    clock = Clock()
    keys = RemoteKeys(key_server.url, clock=clock)
    fetches = []
    for second in range(0, 121, 10):
        clock.now = 1000.0 + second
        for number in range(5):
            assert await keys.find(f"invented-{second}-{number}", "RS256") is None
        fetches.append(key_server.requests)
    assert fetches == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5]


async def test_without_the_interval_every_invented_id_is_a_request(
    key_server: KeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cloche.auth.jwks.REFRESH_INTERVAL", 0.0)
    keys = RemoteKeys(key_server.url, clock=Clock())
    for number in range(10):
        await keys.find(f"invented-{number}", "RS256")
    assert key_server.requests == 10


async def test_a_new_key_is_found_after_the_interval(issuer: Issuer, key_server: KeyServer) -> None:
    clock = Clock()
    keys = RemoteKeys(key_server.url, clock=clock)
    assert await keys.find("one", "RS256") is not None
    key_server.body = json.dumps({"keys": [issuer.jwk("two")]}).encode()
    clock.now += REFRESH_INTERVAL
    assert await keys.find("two", "RS256") is not None
    assert await keys.find("one", "RS256") is None


async def test_a_withdrawn_key_dies_with_the_lifetime(issuer: Issuer, key_server: KeyServer) -> None:
    clock = Clock()
    keys = RemoteKeys(key_server.url, clock=clock)
    assert await keys.find("one", "RS256") is not None
    key_server.body = json.dumps({"keys": [issuer.jwk("two")]}).encode()
    clock.now += LIFETIME - 1
    assert await keys.find("one", "RS256") is not None
    clock.now += 1
    assert await keys.find("one", "RS256") is None


async def test_old_keys_serve_while_the_issuer_is_down_but_not_for_ever(key_server: KeyServer) -> None:
    clock = Clock()
    keys = RemoteKeys(key_server.url, clock=clock)
    assert await keys.find("one", "RS256") is not None
    key_server.status = 503
    clock.now += STALE_LIFETIME
    assert await keys.find("one", "RS256") is not None
    clock.now += 1
    assert await keys.find("one", "RS256") is None


async def test_an_issuer_that_hangs_delays_nobody_whose_key_is_known(
    key_server: KeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cloche.auth.jwks.STALE_WAIT", 0.01)
    clock = Clock()
    keys = RemoteKeys(key_server.url, clock=clock)
    assert await keys.find("one", "RS256") is not None
    key_server.release.clear()
    clock.now += LIFETIME
    async with asyncio.timeout(8):  # the server answers nobody before that
        for _ in range(20):
            assert await keys.find("one", "RS256") is not None
    assert key_server.requests <= 2
    clock.now += REFRESH_INTERVAL
    monkeypatch.setattr("cloche.auth.jwks.STALE_WAIT", 1000.0)
    async with asyncio.timeout(8):  # one waited in vain: nobody waits for the next fetch
        assert await keys.find("one", "RS256") is not None
    key_server.release.set()
    assert keys._pending is not None
    await asyncio.wrap_future(keys._pending)
    clock.now += LIFETIME + REFRESH_INTERVAL
    key_server.body = json.dumps({"keys": []}).encode()
    assert await keys.find("one", "RS256") is not None  # what answers is waited for again, and this answers nonsense
    assert key_server.requests >= 4


async def test_the_first_document_is_tried_again_sooner(key_server: KeyServer) -> None:
    clock = Clock()
    keys = RemoteKeys(key_server.url, clock=clock)
    key_server.status = 503
    assert await keys.find("one", "RS256") is None
    key_server.status = 200
    clock.now += RETRY_INTERVAL - 1
    assert await keys.find("one", "RS256") is None
    clock.now += 1
    assert await keys.find("one", "RS256") is not None
    assert key_server.requests == 2


async def test_a_request_that_gives_up_does_not_end_the_fetch_of_the_others(key_server: KeyServer) -> None:
    keys = RemoteKeys(key_server.url)
    key_server.release.clear()
    impatient = asyncio.create_task(keys.find("one", "RS256"))
    patient = asyncio.create_task(keys.find("one", "RS256"))
    await asyncio.sleep(0)
    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    key_server.release.set()
    assert await patient is not None


def test_one_verifier_serves_several_loops(key_server: KeyServer) -> None:
    keys = RemoteKeys(key_server.url)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(asyncio.run(keys.find("one", "RS256")))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert None not in found
    assert key_server.requests == 1


async def refused(key_server: KeyServer, caplog: pytest.LogCaptureFixture, reason: str) -> None:
    """The document is not taken, and the log says why."""
    assert await RemoteKeys(key_server.url).find("one", "RS256") is None
    assert reason in caplog.text


async def test_a_document_over_1_mb_is_refused(
    issuer: Issuer, key_server: KeyServer, caplog: pytest.LogCaptureFixture
) -> None:
    document = key_server.body
    key_server.body = document + b" " * (DOCUMENT_LIMIT - len(document))
    assert await RemoteKeys(key_server.url).find("one", "RS256") is not None
    key_server.body += b" "
    await refused(key_server, caplog, "exceeds 1048576 bytes")


async def test_a_redirect_is_not_followed(
    issuer: Issuer, key_server: KeyServer, caplog: pytest.LogCaptureFixture
) -> None:
    assert await RemoteKeys(key_server.url).find("one", "RS256") is not None
    for status in (301, 302, 303, 307, 308):
        key_server.status = status
        key_server.headers["Location"] = key_server.url
        before = key_server.requests
        await refused(key_server, caplog, f"answered {status}")
        assert key_server.requests == before + 1


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"keys": {}}', b"\xff", b"[" * 100_000])
async def test_a_document_that_is_no_key_set_is_refused(
    key_server: KeyServer, caplog: pytest.LogCaptureFixture, body: bytes
) -> None:
    assert await RemoteKeys(key_server.url).find("one", "RS256") is not None
    key_server.body = body
    await refused(key_server, caplog, "could not be fetched")


async def test_a_document_that_trickles_is_given_up(
    key_server: KeyServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download_module, "TOTAL_TIMEOUT", -1.0)
    await refused(key_server, caplog, "took more than")


async def test_an_issuer_that_is_not_there(key_server: KeyServer, caplog: pytest.LogCaptureFixture) -> None:
    key_server.close()
    await refused(key_server, caplog, "could not be fetched")


async def test_loopback_is_reached_without_a_proxy(key_server: KeyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert await RemoteKeys(key_server.url).find("one", "RS256") is not None
