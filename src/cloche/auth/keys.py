"""Which algorithms there are, what kind of key each takes, and one key on its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from cloche.errors import ConfigurationError, shorten

ASYMMETRIC = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
SYMMETRIC = {"HS256": 32, "HS384": 48, "HS512": 64}
"""The shared-secret algorithms, and the shortest secret that RFC 7518 allows for each."""

RSA_MINIMUM = 2048

_key_types = {"RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP"}


class Keys(Protocol):
    """Where a verifier looks for the key of a token."""

    async def find(self, kid: str | None, algorithm: str) -> Any | None:
        """The key for this algorithm and key id, if there is one."""


class SingleKey:
    """One key for every token, whatever `kid` it names."""

    def __init__(self, key: Any, algorithms: frozenset[str]) -> None:
        self._key = key
        self._algorithms = algorithms

    async def find(self, kid: str | None, algorithm: str) -> Any | None:
        """The key, if it is one for this algorithm."""
        return self._key if algorithm in self._algorithms else None


def key_type(algorithm: str) -> str | None:
    """The `kty` that the public key of this algorithm has; None for shared secrets."""
    return _key_types.get(algorithm[:2])


def is_weak(key: Any) -> bool:
    """Whether it is an RSA key that can be broken with money. Not left to PyJWT: older ones accept it."""
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    return isinstance(key, RSAPublicKey) and key.key_size < RSA_MINIMUM


def checked_algorithms(algorithms: Sequence[str]) -> frozenset[str]:
    """`algorithms`, if no key can be taken for one of another kind among them."""
    chosen = frozenset([algorithms] if isinstance(algorithms, str) else algorithms)
    unknown = chosen.difference(ASYMMETRIC, SYMMETRIC)
    if unknown or not chosen:
        raise ConfigurationError(
            f"algorithms has {shorten(', '.join(sorted(unknown)) or 'nothing')}: "
            f"use some of {', '.join((*ASYMMETRIC, *SYMMETRIC))}"
        )
    if not chosen.isdisjoint(SYMMETRIC) and not chosen.isdisjoint(ASYMMETRIC):
        raise ConfigurationError(
            "algorithms mixes shared secrets (HS…) with public keys, so that a public key could pass as a secret: "
            "use one verifier for each"
        )
    return chosen


def single_key(key: str | bytes, algorithms: frozenset[str]) -> SingleKey:
    """A PEM public key, or a secret that is long enough."""
    material = key.encode() if isinstance(key, str) else key
    if b"-----BEGIN" in material:
        return _public_key(material, algorithms)
    needed = max(SYMMETRIC.get(algorithm, 0) for algorithm in algorithms)
    if not needed:
        raise ConfigurationError('key is not a PEM public key: for a shared secret, say algorithms=("HS256",)')
    if len(material) < needed:
        raise ConfigurationError(f"The shared secret is too short: {max(algorithms)} needs {needed} bytes")
    return SingleKey(material, algorithms)


def _public_key(pem: bytes, algorithms: frozenset[str]) -> SingleKey:
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    if not algorithms.isdisjoint(SYMMETRIC):
        raise ConfigurationError(
            "key is a public key, which is not a secret: use it with RS256 and the like, not with HS…"
        )
    try:
        key = load_pem_public_key(pem)
    except ValueError:
        raise ConfigurationError("key is PEM but no public key: give the one with BEGIN PUBLIC KEY") from None
    if is_weak(key):
        raise ConfigurationError(f"key is an RSA key of fewer than {RSA_MINIMUM} bits: use a longer one")
    kinds: dict[type, str] = {rsa.RSAPublicKey: "RSA", ec.EllipticCurvePublicKey: "EC", ed25519.Ed25519PublicKey: "OKP"}
    kind = next((name for cls, name in kinds.items() if isinstance(key, cls)), None)
    # PyJWT fails with a TypeError, not a refusal, when algorithm and key are of different kinds.
    fitting = frozenset(algorithm for algorithm in algorithms if key_type(algorithm) == kind)
    if not fitting:
        raise ConfigurationError(
            f"key is not one for {', '.join(sorted(algorithms))}: give the algorithm it was made for"
        )
    return SingleKey(key, fitting)
