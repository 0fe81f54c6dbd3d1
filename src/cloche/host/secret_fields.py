"""Whether a server's form asks for a secret, which MCP forbids: URL mode is for that, on a page of the server's own.

A field is recognised by the words of its name and its title, and by `format: password` and `writeOnly`. Words that are
hardly used for anything else count everywhere, also in the server's message and in what it says about a field.
Look-alike letters and characters that do not print do not help.
"""

from __future__ import annotations

import re
import unicodedata

from cloche.errors import shorten
from cloche.wire.types import Json

ANYWHERE = (
    *("password", "passwd", "passphrase", "passcode"),
    *("passwort", "mot de passe", "contraseña", "senha", "пароль", "密码", "パスワード"),
)
"""Words that make any text of a form one that asks for a secret."""

IN_LABELS = (
    *ANYWHERE,
    *("pwd", "secret", "credential", "credentials", "pin", "otp", "totp", "cvv", "cvc", "ssn", "mnemonic", "iban"),
    *("api key", "apikey", "access key", "private key", "secret key", "access token", "auth token", "bearer token"),
    *("token", "seed phrase", "recovery phrase", "recovery code", "security code", "verification code"),
    *("one time code", "card number", "credit card", "social security number"),
)
"""Words that do so in the name or the title of a field."""

_LOOK_ALIKES = str.maketrans("авеіјкмнорѕстухԁԛԝɑοαρν", "abeijkmhopsctyxdqwaoapv")
_CAPITALS = str.maketrans("АВЕЅІЈКМНОРСТУХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABESIJKMHOPCTYXABEZHIKMNOPTYX")
_LATIN = re.compile(r"[a-z]")


def asks_for_secret(message: str, schema: Json) -> str | None:
    """What of a form asks for a secret, in words for an error; None when nothing does."""
    fields = schema.get("properties")
    for name, field in fields.items() if isinstance(fields, dict) else ():
        if not isinstance(field, dict):
            continue
        labels = [name, field.get("title")]
        said = any(_has(text, IN_LABELS) for text in labels if isinstance(text, str))
        if said or _has(str(field.get("description") or ""), ANYWHERE):
            return f"the field {shorten(name)!r}"
        if field.get("format") == "password" or field.get("writeOnly") is True:
            return f"the field {shorten(name)!r}"
    texts = [message, schema.get("title"), schema.get("description")]
    return "its message" if any(_has(text, ANYWHERE) for text in texts if isinstance(text, str)) else None


def looks(text: str) -> str:
    """The same for two texts that a person takes for one another: they differ by spaces, by characters that do not
    print, or by letters of other alphabets.
    """
    shown = "".join(one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    return " ".join(shown.split()).translate(_LOOK_ALIKES).translate(_CAPITALS)


def _has(text: str, words: tuple[str, ...]) -> bool:
    found = [f" {plain} " for plain in _plain(text)]
    return any(f" {word}{ending} " in plain for plain in found for word in words for ending in ("", "s"))


def _plain(text: str) -> tuple[str, ...]:
    """The words of a text, one space between them: as written, and with letters of other alphabets as they look."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)  # apiKey, userPassword
    shown = "".join(one for one in unicodedata.normalize("NFKC", spaced) if unicodedata.category(one) != "Cf")
    folded = shown.casefold()
    found = [folded, folded.translate(_LOOK_ALIKES)] if _LATIN.search(folded) else [folded]
    return tuple(" ".join(re.split(r"[\W_]+", one)) for one in found)
