"""JSON Web Tokens: the good one is admitted, and each attack next to what happens without the protection."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import sys
import time
from typing import TYPE_CHECKING, Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from cloche.auth import ANY_AUDIENCE, Auth, AuthenticationError, JwtVerifier
from cloche.errors import ConfigurationError, MissingExtraError

if TYPE_CHECKING:
    from tests.auth.conftest import Issuer

SECRET = "0123456789abcdef0123456789abcdef"


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def forged(header: dict[str, Any], claims: dict[str, Any], secret: bytes | None = None) -> str:
    """A token made by hand: libraries refuse to make the bad ones."""
    signed = f"{encoded(header)}.{encoded(claims)}"
    if secret is None:
        return signed + "."
    signature = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64.urlsafe_b64encode(signature).decode().rstrip('=')}"


def verifier(issuer: Issuer, /, **options: Any) -> JwtVerifier:
    return JwtVerifier(**{"jwks": issuer.jwks(), "issuer": issuer.name, "audience": issuer.audience} | options)


async def test_a_good_token_becomes_a_principal(issuer: Issuer) -> None:
    principal = await verifier(issuer).verify(issuer.token(client_id="app", exp=2_000_000_000))
    assert principal is not None
    assert principal.id == "alice"
    assert principal.scopes == {"read", "write"}
    assert principal.client_id == "app"
    assert principal.claims["iss"] == issuer.name
    assert principal.expires_at == 2_000_000_030


@pytest.mark.parametrize(
    ("claim", "scopes"),
    [("a b", {"a", "b"}), (["a", "b"], {"a", "b"}), ("", set()), (None, set()), (["a", 1], {"a"}), (7, set())],
)
async def test_scopes_as_text_and_as_list(issuer: Issuer, claim: object, scopes: set[str]) -> None:
    principal = await verifier(issuer, scope_claim="scp").verify(issuer.token(scp=claim))
    assert principal is not None
    assert principal.scopes == scopes


async def test_the_subject_can_be_another_claim(issuer: Issuer) -> None:
    principal = await verifier(issuer, subject_claim="email").verify(issuer.token(email="a@example.com", azp="app"))
    assert principal is not None
    assert (principal.id, principal.client_id) == ("a@example.com", "app")


@pytest.mark.parametrize("subject", [None, "", 7])
async def test_a_token_without_a_subject_names_nobody(issuer: Issuer, subject: object) -> None:
    assert await verifier(issuer, subject_claim="who").verify(issuer.token(who=subject)) is None


async def test_alg_none_is_refused(issuer: Issuer) -> None:
    for name in ("none", "None", "NONE", "nOnE", ""):
        token = forged({"alg": name, "kid": "one"}, issuer.claims())
        assert await verifier(issuer).verify(token) is None
    # Without the check of the algorithm, the same token passes for the issuer's.
    token = forged({"alg": "none", "kid": "one"}, issuer.claims())
    assert jwt.decode(token, options={"verify_signature": False})["sub"] == "alice"
    with pytest.raises(ConfigurationError, match="none"):
        verifier(issuer, algorithms=("RS256", "none"))


async def test_a_public_key_is_not_a_secret(issuer: Issuer) -> None:
    token = forged({"alg": "HS256", "kid": "one"}, issuer.claims(), secret=issuer.pem)
    assert await verifier(issuer).verify(token) is None
    assert await verifier(issuer, jwks=None, key=issuer.pem).verify(token) is None
    # The attack itself is sound: a verifier that takes the PEM text for a secret finds the signature in order.
    signed, _, signature = token.rpartition(".")
    expected = base64.urlsafe_b64encode(hmac.digest(issuer.pem, signed.encode(), "sha256")).decode().rstrip("=")
    assert signature == expected
    for options in (
        {"jwks": None, "key": issuer.pem, "algorithms": ("HS256",)},
        {"jwks": None, "key": issuer.pem, "algorithms": ("RS256", "HS256")},
        {"algorithms": ("HS256",)},
        {"algorithms": ("RS256", "HS256")},
    ):
        with pytest.raises(ConfigurationError, match="public"):
            verifier(issuer, **options)


async def test_a_symmetric_key_in_a_key_set_is_ignored(issuer: Issuer) -> None:
    secret = {"kty": "oct", "kid": "one", "k": base64.urlsafe_b64encode(SECRET.encode()).decode()}
    token = forged({"alg": "HS256", "kid": "one"}, issuer.claims(), secret=SECRET.encode())
    assert await verifier(issuer, jwks={"keys": [secret]}).verify(token) is None
    control = verifier(issuer, jwks=None, key=SECRET, algorithms=("HS256",))
    assert await control.verify(token) is not None


@pytest.mark.parametrize("audience", ["https://other.example.com", ["https://other.example.com"], None, "", 7, {}])
async def test_a_token_for_another_service_is_refused(issuer: Issuer, audience: object) -> None:
    token = issuer.token(aud=audience)
    assert await verifier(issuer).verify(token) is None
    assert await verifier(issuer, audience=ANY_AUDIENCE).verify(token) is not None


async def test_one_of_several_audiences_is_enough(issuer: Issuer) -> None:
    token = issuer.token(aud=["https://other.example.com", issuer.audience])
    assert await verifier(issuer).verify(token) is not None
    assert await verifier(issuer, audience=["https://x.example", issuer.audience]).verify(token) is not None
    assert await verifier(issuer, audience=["https://x.example"]).verify(token) is None


@pytest.mark.parametrize("audience", [None, "", [], [""]])
def test_the_audience_must_be_said(issuer: Issuer, audience: Any) -> None:
    with pytest.raises(ConfigurationError, match="audience=ANY_AUDIENCE"):
        verifier(issuer, audience=audience)


async def test_another_issuer_is_refused(issuer: Issuer) -> None:
    for name in ("https://evil.example.com", issuer.name + "/", None):
        token = issuer.token(iss=name)
        assert await verifier(issuer).verify(token) is None
        assert await verifier(issuer, issuer=None).verify(token) is not None


async def test_expired_tokens_are_refused_after_the_leeway(issuer: Issuer) -> None:
    token = issuer.token(exp=int(time.time()) - 60)
    assert await verifier(issuer).verify(token) is None
    assert await verifier(issuer, leeway=120).verify(token) is not None


async def test_what_the_leeway_admits_is_not_refused_by_auth(issuer: Issuer) -> None:
    token = issuer.token(exp=int(time.time()) - 60)
    auth = Auth(verifier(issuer, leeway=120))
    assert (await auth.authenticate(b"Bearer " + token.encode())).id == "alice"


async def test_tokens_without_an_end_are_refused(issuer: Issuer) -> None:
    token = issuer.token(exp=None)
    assert await verifier(issuer).verify(token) is None
    # The library alone would take it.
    decoded = jwt.decode(token, issuer.key.public_key(), algorithms=["RS256"], audience=issuer.audience)
    assert decoded["sub"] == "alice"


async def test_tokens_from_the_future_are_refused(issuer: Issuer) -> None:
    later = int(time.time()) + 200
    assert await verifier(issuer).verify(issuer.token(nbf=later)) is None
    assert await verifier(issuer).verify(issuer.token(iat=later)) is None
    assert await verifier(issuer, leeway=300).verify(issuer.token(nbf=later, iat=later)) is not None


async def test_a_changed_payload_is_refused(issuer: Issuer) -> None:
    head, _, signature = issuer.token().split(".")
    assert await verifier(issuer).verify(f"{head}.{encoded(issuer.claims(sub='root'))}.{signature}") is None


async def test_a_stranger_with_the_right_kid_is_refused(issuer: Issuer) -> None:
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    assert await verifier(issuer).verify(issuer.token(key=stranger)) is None


async def test_a_weak_key_is_refused(issuer: Issuer) -> None:
    weak = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    public = jwt.algorithms.RSAAlgorithm.to_jwk(weak.public_key(), as_dict=True)
    header, claims = encoded({"alg": "RS256"}), encoded(issuer.claims())
    algorithm = jwt.algorithms.RSAAlgorithm(jwt.algorithms.RSAAlgorithm.SHA256)
    signature = algorithm.sign(f"{header}.{claims}".encode(), weak)
    token = f"{header}.{claims}.{base64.urlsafe_b64encode(signature).decode().rstrip('=')}"
    assert await verifier(issuer, jwks={"keys": [public]}).verify(token) is None
    # The signature itself is in order.
    assert algorithm.verify(f"{header}.{claims}".encode(), weak.public_key(), signature)
    pem = weak.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    with pytest.raises(ConfigurationError, match="fewer than 2048 bits"):
        verifier(issuer, jwks=None, key=pem)


@pytest.mark.parametrize("extension", [["b64"], ["urn:x"], [], "x"])
async def test_critical_extensions_are_refused(issuer: Issuer, extension: object) -> None:
    token = jwt.encode(issuer.claims(), issuer.key, algorithm="RS256", headers={"kid": "one", "crit": extension})
    assert await verifier(issuer).verify(token) is None


@pytest.mark.parametrize(
    "token",
    [
        "x",
        "a.b.c",
        "...",
        "!.!.!",
        "é.é.é",
        encoded([]) + ".e30.",
        encoded({"alg": 7}) + ".e30.",
        encoded({"alg": "RS256", "kid": ["one"]}) + ".e30.",
        encoded({"alg": "RS256", "kid": "one"}),
        encoded({"alg": "RS256", "kid": "one"}) + ".e30",
        encoded({"alg": "RS256", "kid": "one"}) + ".e30.!!!!",
        base64.urlsafe_b64encode(b'{"alg":"RS256","x":' + b"[" * 9000).decode() + ".e30.",
        base64.urlsafe_b64encode(b"\xff\xfe").decode() + ".e30.",
    ],
)
async def test_rubbish_is_refused_quietly(issuer: Issuer, token: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert await verifier(issuer).verify(token) is None
    assert await verifier(issuer, jwks=None, key=issuer.pem).verify(token) is None
    assert caplog.text == ""


async def test_other_algorithms_of_the_same_key(issuer: Issuer) -> None:
    for algorithm in ("RS512", "PS256"):
        token = issuer.token(algorithm=algorithm)
        assert await verifier(issuer).verify(token) is not None
        assert await verifier(issuer, algorithms=("RS256",)).verify(token) is None
        # A key that says what it is for is used for nothing else.
        assert await verifier(issuer, jwks={"keys": [issuer.jwk(alg="RS256")]}).verify(token) is None


async def test_elliptic_curves(issuer: Issuer) -> None:
    keys = [
        {**jwt.algorithms.ECAlgorithm.to_jwk(issuer.ec_key.public_key(), as_dict=True), "kid": "ec"},
        {**jwt.algorithms.OKPAlgorithm.to_jwk(issuer.ed_key.public_key(), as_dict=True), "kid": "ed"},
    ]
    both = verifier(issuer, jwks={"keys": keys})
    assert await both.verify(issuer.token(kid="ec", algorithm="ES256", key=issuer.ec_key)) is not None
    assert await both.verify(issuer.token(kid="ed", algorithm="EdDSA", key=issuer.ed_key)) is not None
    assert await both.verify(issuer.token(kid="ed", algorithm="ES256", key=issuer.ec_key)) is None


async def test_a_pem_key_of_one_kind_and_a_token_of_another(issuer: Issuer) -> None:
    pem = issuer.ec_key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    single = verifier(issuer, jwks=None, key=pem.decode())
    assert await single.verify(issuer.token(algorithm="ES256", key=issuer.ec_key)) is not None
    assert await single.verify(issuer.token()) is None
    with pytest.raises(ConfigurationError, match="not one for RS256"):
        verifier(issuer, jwks=None, key=pem, algorithms=("RS256",))


async def test_a_shared_secret(issuer: Issuer) -> None:
    shared = verifier(issuer, jwks=None, key=SECRET, algorithms=("HS256",))
    assert await shared.verify(issuer.token(algorithm="HS256", key=SECRET)) is not None
    assert await shared.verify(issuer.token(algorithm="HS256", key=SECRET[::-1])) is None
    assert await shared.verify(issuer.token()) is None


def test_mistakes_with_keys_are_named(issuer: Issuer) -> None:
    private = issuer.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for options, words in (
        ({"key": SECRET}, 'algorithms=\\("HS256",\\)'),
        ({"key": SECRET[:-1], "algorithms": ("HS256",)}, "too short: HS256 needs 32 bytes"),
        ({"key": SECRET, "algorithms": ("HS256", "HS512")}, "HS512 needs 64 bytes"),
        ({"key": SECRET, "algorithms": ("HS256", "RS256")}, "mixes shared secrets"),
        ({"key": private}, "BEGIN PUBLIC KEY"),
        ({"key": SECRET, "algorithms": ()}, "algorithms has nothing"),
        ({}, "exactly one of"),
        ({"key": SECRET, "jwks": issuer.jwks()}, "exactly one of"),
        ({"jwks": {}}, "has no keys"),
        ({"jwks": {"keys": []}}, "has no keys"),
        ({"jwks": {"keys": ["x"]}}, "has no keys"),
        ({"jwks_url": "http://issuer.example.com/jwks"}, "https"),
        ({"jwks_url": "file:///etc/passwd"}, "jwks_url"),
    ):
        with pytest.raises(ConfigurationError, match=words) as caught:
            JwtVerifier(audience=issuer.audience, **options)
        assert SECRET[:-1] not in str(caught.value)


async def test_through_auth_a_forgery_is_an_invalid_token(issuer: Issuer) -> None:
    auth = Auth(verifier(issuer))
    with pytest.raises(AuthenticationError) as caught:
        await auth.authenticate(b"Bearer " + forged({"alg": "none"}, issuer.claims()).encode())
    assert caught.value.error == "invalid_token"


@pytest.mark.parametrize("module", ["jwt", "cryptography"])
def test_a_missing_extra_is_named(issuer: Issuer, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if module == "jwt":
        monkeypatch.setitem(sys.modules, "jwt", None)
    else:
        monkeypatch.setattr(jwt.algorithms, "has_crypto", False)
    with pytest.raises(MissingExtraError, match=r"JwtVerifier needs the extra 'auth': pip install 'cloche\[auth\]'"):
        verifier(issuer)
