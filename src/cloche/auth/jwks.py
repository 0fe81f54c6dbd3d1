"""JSON Web Key Sets: which key may have signed this token, from a document or from a URL."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.auth.discovery import checked_url
from cloche.auth.keys import RSA_MINIMUM, is_weak, key_type
from cloche.errors import ConfigurationError

if TYPE_CHECKING:
    from concurrent.futures import Future

DOCUMENT_LIMIT = 1024 * 1024
LIFETIME = 600.0
"""Seconds after which the document is fetched again, so that a withdrawn key does not live on."""
STALE_LIFETIME = 3600.0
"""Seconds for which the last document serves when no newer one can be had."""
REFRESH_INTERVAL = 30.0
"""Seconds between two fetches: whoever invents key ids must not be able to make us flood the issuer."""
RETRY_INTERVAL = 5.0
"""The same while there is no document at all and everybody is being refused."""
WAIT_LIMIT = 15.0
"""Seconds that a request waits for a document without which it must be refused."""
STALE_WAIT = 2.0
"""The same where an older document has the key. When one request waited in vain, the next ones do not wait at all, and
the document is fetched beside them until that works again.
"""

logger = logging.getLogger("cloche.auth")

_private_members = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth", "k"})


class KeySet:
    """The keys of one document."""

    def __init__(self, document: object) -> None:
        keys = document.get("keys") if isinstance(document, dict) else None
        if not isinstance(keys, list) or not any(isinstance(key, dict) for key in keys):
            raise ConfigurationError('The key set has no keys: it must be an object like {"keys": [{"kty": …}]}')
        self._keys: list[dict[str, Any]] = [key for key in keys if isinstance(key, dict)]
        self._loaded: dict[tuple[int, str], Any] = {}

    async def find(self, kid: str | None, algorithm: str) -> Any | None:
        """The key that `algorithm` and `kid` mean."""
        return self.look_up(kid, algorithm)

    def look_up(self, kid: str | None, algorithm: str) -> Any | None:
        """The one key that fits. None when several do: guessing among keys is what `kid` is there to prevent."""
        fitting = [
            index
            for index, key in enumerate(self._keys)
            if (kid is None or key.get("kid") == kid) and _may_verify(key, algorithm)
        ]
        return self._load(fitting[0], algorithm) if len(fitting) == 1 else None

    def _load(self, index: int, algorithm: str) -> Any | None:
        if (index, algorithm) not in self._loaded:
            self._loaded[index, algorithm] = _load_key(self._keys[index], algorithm)
        return self._loaded[index, algorithm]


def _may_verify(key: dict[str, Any], algorithm: str) -> bool:
    """Whether the key was published for this algorithm. A symmetric key ("oct") never was: key sets are public."""
    operations = key.get("key_ops")
    return (
        key.get("kty") == key_type(algorithm)
        and key.get("alg") in (None, algorithm)
        and key.get("use") in (None, "sig")
        and (operations is None or (isinstance(operations, list) and "verify" in operations))
    )


def _load_key(key: dict[str, Any], algorithm: str) -> Any | None:
    import jwt

    public = {name: value for name, value in key.items() if name not in _private_members}
    try:
        loaded = jwt.PyJWK(public, algorithm).key
    except (jwt.PyJWTError, ValueError, TypeError) as error:
        logger.warning("A key of the key set cannot be used for %s: %s", algorithm, type(error).__name__)
        return None
    if is_weak(loaded):
        logger.warning("A key of the key set is not used: RSA keys need %d bits", RSA_MINIMUM)
        return None
    return loaded


class RemoteKeys:
    """A key set at a URL, fetched when first needed, when it is old, and when a token names a key it does not have."""

    def __init__(self, url: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = checked_url(url, "jwks_url")
        self._clock = clock
        self._lock = threading.Lock()
        self._keys: KeySet | None = None
        self._fetched_at = 0.0
        self._next_fetch = float("-inf")
        self._pending: Future[None] | None = None
        self._is_late = False
        """Whether the last fetch failed, or somebody waited for it in vain."""

    async def find(self, kid: str | None, algorithm: str) -> Any | None:
        """The key, after a fetch if that may help and is allowed by now."""
        now = self._clock()
        key = self._known(kid, algorithm, now)
        if key is not None and now - self._fetched_at < LIFETIME:
            return key
        await self._refresh(now, WAIT_LIMIT if key is None else 0.0 if self._is_late else STALE_WAIT)
        return self._known(kid, algorithm, now)

    def _known(self, kid: str | None, algorithm: str, now: float) -> Any | None:
        if self._keys is None or now - self._fetched_at > STALE_LIFETIME:
            return None
        return self._keys.look_up(kid, algorithm)

    async def _refresh(self, now: float, seconds: float) -> None:
        """Wait for the fetch under way, or for a new one if it is time for one, for so long at most."""
        import asyncio

        pending = self._fetch_once(now)
        if pending.done() or not seconds:
            return
        waiter = asyncio.wrap_future(pending)
        try:
            await asyncio.wait({waiter}, timeout=seconds)
            self._is_late = self._is_late or not pending.done()
        finally:
            # Or the fetch would wake a loop that may be closed by then.
            waiter.cancel()

    def _fetch_once(self, now: float) -> Future[None]:
        from concurrent.futures import Future

        with self._lock:
            if self._pending is None or now >= self._next_fetch:
                self._next_fetch = now + REFRESH_INTERVAL
                self._pending = Future()
                # It counts as running, so that a request that gives up cannot cancel it for the others.
                self._pending.set_running_or_notify_cancel()
                # A thread of its own: the loop's pool may be full, and a job that is cancelled in its queue never runs.
                threading.Thread(target=self._fetch, args=(self._pending,), name="cloche-jwks", daemon=True).start()
            return self._pending

    def _fetch(self, done: Future[None]) -> None:
        from cloche.auth.download import download

        try:
            keys = KeySet(msgspec.json.decode(download(self._url, DOCUMENT_LIMIT)))
        except Exception as error:
            logger.warning("The keys at %s could not be fetched: %s: %s", self._url, type(error).__name__, error)
            with self._lock:
                self._is_late = True
                self._next_fetch = self._clock() + (RETRY_INTERVAL if self._keys is None else REFRESH_INTERVAL)
        else:
            with self._lock:
                self._keys, self._fetched_at, self._is_late = keys, self._clock(), False
                self._next_fetch = self._fetched_at + REFRESH_INTERVAL
        finally:
            done.set_result(None)
