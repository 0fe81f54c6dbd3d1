"""JavaScript with less in it: no comments, no space that means nothing, short names where nobody outside can tell.

It knows only as much of the language as `cloche.web` uses, laid out by `deno fmt`: every statement ends with a
semicolon, texts stand in double quotes and hold nothing that looks like a comment, and there are no templates. A name
is renamed everywhere or nowhere, so one that is declared anywhere must not be a global's. Tests run and type-check the
outcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, groupby, islice
from string import ascii_letters

COMMENT = re.compile(r"^\s*//[^\n]*\n|/\*.*?\*/", re.MULTILINE | re.DOTALL)
TOKEN = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\\n])*"|(?:(?<=[(,=:!&|?])|(?<=[(,=:!&|?>]\s)|(?<=return\s))/(?:\\.|[^/\\\n])+/\w*)
    |(?P<name>\#?[A-Za-z_$][\w$]*)|(?P<number>\d[\w.]*)|(?P<mark>\.\.\.|\?\.(?!\d)|=>|`|\S)""",
    re.VERBOSE,
)
DECLARES = {"const", "let", "class", "function"}
STARTS_BLOCK = {")", "=>", "else", "try", "finally", "{", "}", ";", ""}
CONDITIONS = {"if", "for", "while", "switch"}


@dataclass(slots=True)
class Token:
    """A word or mark of the program, and for a name what it stands for."""

    kind: str
    text: str
    role: str = ""
    """`use` of a variable, `short` for `{name}`, or empty: a keyword, a property, a key."""
    unit: int = 0
    """Which function at the top, or member of a class, it is in."""


def shrink(code: str) -> str:
    """The same program in fewer bytes."""
    tokens = [Token(found.lastgroup or "", found.group()) for found in TOKEN.finditer(COMMENT.sub("", code))]
    if any(token.text == "`" for token in tokens):
        raise ValueError("shrink() cannot look into templates: join texts with +")
    rename(tokens, assign_roles(tokens))
    for token in tokens:
        if token.text == "const":
            token.text = "let"
    return join(tokens)


def assign_roles(tokens: list[Token]) -> set[str]:
    """Tell variables from properties, by the kind of bracket they stand in. Returns what is declared at the top."""
    shared: set[str] = set()
    inside: list[str] = []
    before = class_head = ""
    unit = 0
    for token, after in zip(tokens, [*(token.text for token in tokens[1:]), ""], strict=True):
        text, token.unit = token.text, unit
        if text == "class":
            class_head = "class"
        if text == "{":
            inside.append(class_head or ("block" if before in STARTS_BLOCK else "object"))
            class_head = ""
        elif text in {"(", "["}:
            inside.append(text)
        elif text in {"}", ")", "]"}:
            inside.pop()
        elif token.kind == "name" and before not in {".", "?."} and not text.startswith("#"):
            token.role = role_in(inside[-1] if inside else "block", before, after)
            if not inside and before in DECLARES:
                shared.add(text)
        before = text
        unit += text in {"{", "}", ";"} and inside in ([], ["class"])
    return shared


def role_in(place: str, before: str, after: str) -> str:
    """What a name is that stands in such a bracket, between these two."""
    if place == "class" and before in {"{", "}", ";", "async"}:
        return ""
    if place == "object" and before in {"{", ","}:
        return "short" if after in {",", "}", "="} else ""
    return "use"


def rename(tokens: list[Token], shared: set[str]) -> None:
    """Give short names to private members and variables, to those inside a unit from the start of the alphabet."""
    taken = {token.text for token in tokens if token.kind == "name"}
    names = [name for name in islice(_names(), 500) if name not in taken]
    private = sorted(text for text in taken if text.startswith("#"))
    common = dict(zip(private, (f"#{name}" for name in names), strict=False))
    common |= dict(zip(sorted(shared), reversed(names[:52]), strict=False))
    free = [name for name in names if name not in common.values()]
    for _, group in groupby(tokens, key=lambda token: token.unit):
        unit = list(group)
        ours = declared(unit) - shared
        local = dict.fromkeys(token.text for token in unit if token.text in ours)
        new = common | dict(zip(local, free, strict=False))
        for token in unit:
            if token.text in new and (token.role or token.text in private):
                token.text = f"{token.text}:{new[token.text]}" if token.role == "short" else new[token.text]


def declared(tokens: list[Token]) -> set[str]:
    """Names of variables, functions, classes and parameters."""
    texts = [*(token.text for token in tokens), ""]
    places: set[int] = set()
    for at, text in enumerate(texts):
        if text in DECLARES:
            places |= set(range(at + 1, closing(texts, at + 1) + 1))
        elif text == "(":
            end = closing(texts, at)
            if texts[end + 1] == "=>" or (texts[end + 1] == "{" and texts[at - 1] not in CONDITIONS):
                places |= set(range(at + 1, end))
    binding = ("short", "use")
    return {
        texts[at]
        for at in places
        if tokens[at].role in binding and texts[at - 1] in {"{", "(", "[", ",", ":", "...", *DECLARES}
    }


def closing(texts: list[str], start: int) -> int:
    """Where the bracket that opens here closes; the same place when none does."""
    depth = 0
    for at in range(start, len(texts)):
        depth += (texts[at] in {"{", "(", "["}) - (texts[at] in {"}", ")", "]"})
        if depth == 0:
            return at
    return start


def join(tokens: list[Token]) -> str:
    """Tokens side by side, with a space only where two would become one."""
    parts: list[str] = ["", "", ""]
    for token in tokens:
        last, text = parts[-1], token.text
        if (last == "," and text in {"}", ")"}) or (last == ";" and text == "}"):
            parts.pop()
        elif last and ((last[-1] + text[0] in {"++", "--"} and last != text) or (_wordy(last[-1]) and _wordy(text[0]))):
            parts.append(" ")
        if text == "=>" and re.fullmatch(r"\w+", parts[-2]) and parts[-3] == "(":
            parts[-3:] = [" ", parts[-2]] if _wordy(parts[-4][-1:]) else [parts[-2]]
        parts.append(text)
    return "".join(parts)


def _wordy(character: str) -> bool:
    return character.isalnum() or (character or "!") in "_$#"


def _names() -> Iterator[str]:
    for number in count():
        yield ascii_letters[number % 52] + (str(number // 52) if number >= 52 else "")
