"""URI templates (RFC 6570, as far as resources use them): matching a URI, and expanding one.

`{name}` is one path segment, `{+name}` any number of them, `{?a,b}` optional query values. A URI is matched in the
form it came in; then each value is percent-decoded once and looked at again, because what a value decodes to is what
the resource function will use (H30): no value may have a `..` in it, a control character or a backslash; a segment may
not hide a `/`, a `?` or a `#`; a path may not begin with `/`, which would leave whatever folder it is joined to.
Expansion encodes every reserved character (H31).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote, unquote_to_bytes

from cloche.errors import RegistrationError

MAX_URI = 8192
"""The longest URI that is matched."""

_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_SEGMENT = r"[^/?#\s]+"
_PATH = r"[^?#\s]+"
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


class UriTemplate:
    """A parsed template such as `weather://{city}/days{?units}`."""

    def __init__(self, template: str) -> None:
        check_uri(template)
        self.template = template
        self.names: tuple[str, ...] = ()
        self._parts: list[tuple[str, tuple[str, ...]]] = []
        self._pattern = re.compile(self._compile(template))

    def _compile(self, template: str) -> str:
        names: list[str] = []
        pattern, end = "", 0
        for expression in _EXPRESSION.finditer(template):
            literal = template[end : expression.start()]
            pattern += re.escape(literal)
            self._parts.append(("", (literal,)))
            operator, listed = _split(expression[1], template)
            if operator == "?" and "}" in template[expression.end() :]:
                raise RegistrationError(f"URI template {template!r}: {{?…}} must be the last expression")
            names += listed
            self._parts.append((operator, listed))
            pattern += _pattern_of(operator, listed)
            end = expression.end()
        rest = template[end:]
        if "{" in rest or "}" in rest:
            raise RegistrationError(f"URI template {template!r}: a brace is not closed")
        if len(set(names)) != len(names):
            raise RegistrationError(f"URI template {template!r}: a name stands twice; give each value its own")
        self._parts.append(("", (rest,)))
        self.names = tuple(names)
        return pattern + re.escape(rest)

    def match(self, uri: str) -> dict[str, str] | None:
        """The values in `uri`, decoded and safe to use; None when it does not match."""
        if len(uri) > MAX_URI:
            return None
        found = self._pattern.fullmatch(uri)
        if found is None:
            return None
        values: dict[str, str] = {}
        for operator, names in self._parts:
            if operator == "?":
                query = _query(found["_query"] or "", names)
                if query is None:
                    return None
                values |= query
            elif operator:
                value = _decode(found[names[0]], whole_path=operator == "+")
                if value is None:
                    return None
                values[names[0]] = value
        return values

    def expand(self, values: Mapping[str, object]) -> str:
        """The URI for these values, with everything encoded that could change its meaning."""
        out = ""
        for operator, names in self._parts:
            if not operator:
                out += names[0]
            elif operator == "?":
                pairs = [
                    f"{name}={quote(str(values[name]), safe='')}" for name in names if values.get(name) is not None
                ]
                out += "?" + "&".join(pairs) if pairs else ""
            else:
                out += quote(str(values[names[0]]), safe="/" if operator == "+" else "")
        return out


def is_template(uri: str) -> bool:
    """Whether `uri` has expressions in it."""
    return "{" in uri or "}" in uri


def check_uri(uri: str) -> None:
    """Refuse what is no absolute URI, at registration."""
    if not _SCHEME.match(uri):
        raise RegistrationError(f"{uri!r} is not a URI: it needs a scheme, such as 'app://{uri.lstrip('/')}'")
    if len(uri) > MAX_URI or re.search(r"\s", uri):
        raise RegistrationError(f"The URI {uri[:60]!r} has white space or is longer than {MAX_URI} characters")


def _split(expression: str, template: str) -> tuple[str, tuple[str, ...]]:
    operator = expression[:1] if expression[:1] in "+?" and expression else "."
    body = expression[1:] if operator in "+?" else expression
    if operator == "." and body.endswith("*"):
        operator, body = "+", body[:-1]
    names = tuple(body.split(","))
    if not all(_NAME.fullmatch(name) for name in names) or (operator != "?" and len(names) > 1):
        raise RegistrationError(
            f"URI template {template!r}: {{{expression}}} is not understood; use {{name}}, {{+path}} or {{?a,b}}"
        )
    return operator, names


def _pattern_of(operator: str, names: tuple[str, ...]) -> str:
    if operator == "?":
        return r"(?:\?(?P<_query>[^#\s]*))?"
    return f"(?P<{names[0]}>{_PATH if operator == '+' else _SEGMENT})"


def _decode(value: str, *, whole_path: bool) -> str | None:
    text = _safe(value)
    if text is None or any(character in text for character in "\\?#") or (not whole_path and "/" in text):
        return None
    return None if text.startswith("/") or "." in text.split("/") else text


def _query(text: str, names: tuple[str, ...]) -> dict[str, str] | None:
    values: dict[str, str] = {}
    for pair in filter(None, text.split("&")):
        name, _, given = pair.partition("=")
        value = _safe(given)
        if name not in names or name in values or value is None:
            return None
        values[name] = value
    return values


def _safe(value: str) -> str | None:
    """What a value stands for; None when it is no value, or one that no function should have to expect."""
    if _BAD_ESCAPE.search(value):
        return None
    try:
        text = unquote_to_bytes(value).decode()
    except UnicodeDecodeError:
        return None
    return None if _CONTROL.search(text) or ".." in re.split(r"[/\\]", text) else text
