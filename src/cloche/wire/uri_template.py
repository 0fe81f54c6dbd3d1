"""URI templates (RFC 6570, as far as resources use them): matching a URI, and expanding one.

`{name}` is one path segment or a piece of one, `{+name}` any number of segments, `{?a,b}` optional query values. A URI
is matched in the form it came in; then each value is percent-decoded once and looked at again, because what a value
decodes to is what the resource function will use (H30): no value may have a `..` in it, a control character or a
backslash; a segment may not hide a `/`, a `?` or a `#`; no value may begin with `/` or with a drive letter such as
`C:`, which would leave whatever folder it is joined to, on every platform. Expansion encodes every reserved character
(H31).

Matching takes time in proportion to the URI, whatever the URI is: there is no backtracking. That is possible because a
template in which two values could be told apart only by trying (`{a}{b}`, two `{+path}`) is refused at registration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote, unquote_to_bytes

from cloche.errors import RegistrationError

MAX_URI = 8192
"""The longest URI that is matched."""

_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_SPACE = re.compile(r"\s")
_BESIDE_SEGMENT = re.compile(r"[/?#]")
_BESIDE_PATH = re.compile(r"[?#]")
_SEPARATOR = re.compile(r"[/\\]")
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


class UriTemplate:
    """A parsed template such as `weather://{city}/days{?units}`."""

    def __init__(self, template: str) -> None:
        check_uri(template)
        self.template = template
        self._parts = list(_parse(template))
        expressions = [part for part in self._parts if part[0]]
        self.names: tuple[str, ...] = tuple(name for _, listed in expressions for name in listed)
        _check(template, self._parts)
        parts = self._parts
        self._query: tuple[str, ...] | None = None
        if expressions and expressions[-1][0] == "?":
            parts, self._query = parts[:-2], expressions[-1][1]
        path = next((at for at, (operator, _) in enumerate(parts) if operator == "+"), None)
        self._path = None if path is None else parts[path][1][0]
        self._before = _Stretch(parts if path is None else parts[:path])
        self._behind = _Stretch([] if path is None else parts[path + 1 :])

    def match(self, uri: str) -> dict[str, str] | None:
        """The values in `uri`, decoded and safe to use; None when it does not match."""
        if len(uri) > MAX_URI or _SPACE.search(uri):
            return None
        query = ""
        if self._query is not None:
            uri, _, query = uri.partition("?")
        found = self._find(uri)
        if found is None:
            return None
        values: dict[str, str] = {}
        for name, given in found.items():
            value = _decode(given, whole_path=name == self._path)
            if value is None:
                return None
            values[name] = value
        if self._query is None:
            return values
        asked = _query(query, self._query)
        return None if asked is None else values | asked

    def _find(self, uri: str) -> dict[str, str] | None:
        """The values as they stand in `uri`: each as long as it can be, those on the left first."""
        if self._path is None:
            return self._before.whole(uri)
        behind = self._behind.at_the_end(uri)
        before = None if behind is None else self._before.at_the_start(uri, behind[0])
        if behind is None or before is None:
            return None
        path = uri[before[0] : behind[0]]
        return None if not path or _BESIDE_PATH.search(path) else before[1] | {self._path: path} | behind[1]

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


class _Stretch:
    """Literals with a `{name}` between each two: a whole template, or what stands on one side of `{+path}`.

    Literals are looked for from the right, each in front of the one before, so every value on the left is as long as
    it can be. No value has a `/` in it; if the rightmost places do not fit, then no others do.
    """

    def __init__(self, parts: list[tuple[str, tuple[str, ...]]]) -> None:
        self._literals = [texts[0] for operator, texts in parts if not operator]
        self._names = [texts[0] for operator, texts in parts if operator]
        self._slashes = sum(literal.count("/") for literal in self._literals)

    def whole(self, text: str) -> dict[str, str] | None:
        """The values, if the stretch is all of `text`."""
        last = self._literals[-1]
        if not self._names:
            return {} if text == last else None
        found = self._backwards(text, len(text) - len(last), anchored=True) if text.endswith(last) else None
        return None if found is None else found[1]

    def at_the_end(self, text: str) -> tuple[int, dict[str, str]] | None:
        """Where the stretch begins if `text` ends with it, as far right as it can be; and its values."""
        last = self._literals[-1]
        return self._backwards(text, len(text) - len(last), anchored=False) if text.endswith(last) else None

    def at_the_start(self, text: str, limit: int) -> tuple[int, dict[str, str]] | None:
        """Where the stretch ends if `text` begins with it, as far right as it can be before `limit`; and its values."""
        last = self._literals[-1]
        if not self._names:
            return (len(last), {}) if text.startswith(last) else None
        end = _nth_slash(text, self._slashes + 1)
        start = text.rfind(last, 0, max(0, min(end, limit - 1)))
        found = None if start < 0 else self._backwards(text, start, anchored=True)
        return None if found is None else (start + len(last), found[1])

    def _backwards(self, text: str, end: int, *, anchored: bool) -> tuple[int, dict[str, str]] | None:
        """Where the stretch begins whose last literal begins at `end`; `anchored`: only the start of `text` will do."""
        found: dict[str, str] = {}
        for at in reversed(range(len(self._names))):
            literal = self._literals[at]
            if at == 0 and anchored:
                start = 0 if text.startswith(literal) else -1
            else:
                start = text.rfind(literal, 0, max(0, end - 1))
            value = text[start + len(literal) : end] if start >= 0 else ""
            if not value or _BESIDE_SEGMENT.search(value):
                return None
            found[self._names[at]] = value
            end = start
        return end, found


def is_template(uri: str) -> bool:
    """Whether `uri` has expressions in it."""
    return "{" in uri or "}" in uri


def check_uri(uri: str) -> None:
    """Refuse what is not an absolute URI, at registration."""
    if not _SCHEME.match(uri):
        raise RegistrationError(f"{uri!r} is not a URI: it needs a scheme, such as 'app://{uri.lstrip('/')}'")
    if len(uri) > MAX_URI or re.search(r"\s", uri):
        raise RegistrationError(f"The URI {uri[:60]!r} has white space or is longer than {MAX_URI} characters")


def _parse(template: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Literals (operator "") and expressions (operator and names) in turn, from a literal to a literal."""
    end = 0
    for expression in _EXPRESSION.finditer(template):
        yield "", (template[end : expression.start()],)
        yield _split(expression[1], template)
        end = expression.end()
    yield "", (template[end:],)


def _check(template: str, parts: list[tuple[str, tuple[str, ...]]]) -> None:
    """Refuse what could be matched in two ways, or not at all."""
    literals = [texts[0] for operator, texts in parts if not operator]
    operators = [operator for operator, _ in parts if operator]
    names = [name for operator, listed in parts if operator for name in listed]
    queries = operators.count("?")
    problem = ""
    if any(brace in literal for literal in literals for brace in "{}"):
        problem = "a brace is not closed"
    elif queries and (queries > 1 or operators[-1] != "?" or literals[-1]):
        problem = "{?…} must be the last expression, with nothing behind it"
    elif queries and any("?" in literal for literal in literals):
        problem = "a '?' stands before {?…}; put every query value into {?…}"
    elif len(set(names)) != len(names):
        problem = "a name stands twice; give each value its own"
    elif not all(literals[1 : len(operators) - queries]):
        problem = (
            "nothing stands between two expressions, so nobody can tell where the first value ends;"
            " put a character between them, such as '/' or '-'"
        )
    elif operators.count("+") > 1:
        problem = (
            "more than one expression takes any number of segments, so nobody can tell where the first one ends;"
            " use {name} for all but one"
        )
    if problem:
        raise RegistrationError(f"URI template {template!r}: {problem}")


def _nth_slash(text: str, number: int) -> int:
    """Where slash `number` of `text` is; its length when it has fewer."""
    at = -1
    for _ in range(number):
        at = text.find("/", at + 1)
        if at < 0:
            return len(text)
    return at


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


def _decode(value: str, *, whole_path: bool) -> str | None:
    text = _safe(value)
    if text is None or any(character in text for character in "\\?#") or (not whole_path and "/" in text):
        return None
    return None if text.startswith("/") or _DRIVE.match(text) or "." in text.split("/") else text


def _query(text: str, names: tuple[str, ...]) -> dict[str, str] | None:
    values: dict[str, str] = {}
    if "#" in text:
        return None
    for pair in filter(None, text.split("&")):
        name, _, given = pair.partition("=")
        value = _safe(given)
        if name not in names or name in values or value is None:
            return None
        values[name] = value
    return values


def _safe(value: str) -> str | None:
    """What a value stands for; None when it is not a value, or one that no function should have to expect."""
    if _BAD_ESCAPE.search(value):
        return None
    try:
        text = unquote_to_bytes(value).decode()
    except UnicodeDecodeError:
        return None
    # Windows drops spaces at the end of a segment: ".. " is "..".
    climbs = any(segment.rstrip(" ") == ".." for segment in _SEPARATOR.split(text))
    return None if climbs or _CONTROL.search(text) else text
