"""Short names for what a script declares: the same few letters again in every function, where nobody can tell.

Names are looked up function by function, not block by block: one that is declared anywhere in a function must not be
used there for something outside it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from string import ascii_lowercase, ascii_uppercase

DECLARES = {"const", "let", "class", "function"}
STARTS_BLOCK = {")", "=>", "do", "else", "try", "finally", "{", "}", ";", ""}
CONDITIONS = {"if", "for", "while", "switch"}
BEFORE_BINDING = {"{", "(", "[", ",", ":", "...", *DECLARES}


@dataclass(frozen=True, slots=True)
class Letters:
    """In which order letters become names: of variables in functions, of those of the script itself, and of private
    members. Common ones cost less, because the rest of the text is full of them.
    """

    local: str
    script: str
    private: str


VIEW_LETTERS = Letters(
    local="aedmiprsnltoguchfvybkwxjqz" + ascii_uppercase,
    script="CtsEkMldeonmIfyuarpHgcPxbZqLXzQhTSGJKwjROiFUBYAWDNVv",
    private="eyaiqngcsromhtdfwklupvzjxb" + ascii_uppercase,
)
"""Found by trial for the view runtime."""


def letters_like(code: str) -> Letters:
    """The orders for a script whose words are like those of this one."""
    counts = Counter("".join(WORD.findall(code)))
    small, large = (sorted(letters, key=lambda one: -counts[one]) for letters in (ascii_lowercase, ascii_uppercase))
    common, rare = "".join(small[:LOCALS]), "".join(small[LOCALS:])
    capitals = "".join(large)
    return Letters(common + rare + capitals, rare + capitals + common, common + rare + capitals)


WORD = re.compile(r"[A-Za-z]{3,}")
LOCALS = 8
"""How many of the most common letters are left to the variables in functions."""


@dataclass(slots=True)
class Token:
    """A word or mark of the program, and for a name what it stands for."""

    kind: str
    text: str
    role: str = ""
    """`use` of a variable, `short` for `{name}`, or empty: a keyword, a property, a key."""


@dataclass(slots=True, eq=False)
class Scope:
    """A function from its parameters to its end, or the whole script."""

    start: int
    end: int
    parent: Scope | None = None
    names: dict[str, str] = field(default_factory=dict)
    """What is declared in it, and the new names."""
    outer: list[tuple[Scope, str]] = field(default_factory=list)
    """What it uses of the scopes around it."""


def rename(tokens: list[Token], letters: Letters) -> None:
    """Give short names to variables and private members."""
    assign_roles(tokens)
    texts = [*(token.text for token in tokens), "", ""]
    scopes = find_scopes(texts)
    home = [scopes[0]] * len(texts)
    for scope in scopes[1:]:
        scope.parent = home[scope.start]
        home[scope.start : scope.end + 1] = [scope] * (scope.end + 1 - scope.start)
    for at in bindings(texts):
        if tokens[at].role and texts[at - 1] in BEFORE_BINDING:
            home[at].names[texts[at]] = ""
    found = {at: resolve(home[at], token.text) for at, token in enumerate(tokens) if token.role}
    used = {token.text for at, token in enumerate(tokens) if token.role and not found[at]}
    choose_names(scopes, used, letters)
    for at, owner in found.items():
        if owner is not None:
            token, new = tokens[at], owner.names[texts[at]]
            token.text = f"{token.text}:{new}" if token.role == "short" else new
    rename_private(tokens, texts, letters)


def rename_private(tokens: list[Token], texts: list[str], letters: Letters) -> None:
    """Short names for private members, the same few in every class: they mean something only inside it."""
    for start in (at for at, text in enumerate(texts) if text == "class"):
        body = texts.index("{", start)
        inside = range(body, closing(texts, body))
        private = sorted({texts[at] for at in inside if texts[at].startswith("#")})
        new = dict(zip(private, short_names(letters.private), strict=False))
        for at in inside:
            if texts[at] in new:
                tokens[at].text = f"#{new[texts[at]]}"


def rename_members(tokens: list[Token], members: Iterable[str], letters: Letters) -> None:
    """Short names for members of objects, wherever they stand; after the variables, which may be called so too."""
    counts = Counter(token.text.split(":")[0] for token in tokens)
    new = dict(zip(sorted(members, key=lambda one: -counts[one]), short_names(letters.local), strict=False))
    for token in tokens:
        name, colon, variable = token.text.partition(":")
        if name in new and token.kind != "text":
            token.text = f"{new[name]}{colon}{variable}"


def assign_roles(tokens: list[Token]) -> None:
    """Tell variables from properties, by the kind of bracket they stand in."""
    inside: list[str] = []
    before = class_head = ""
    for token, after in zip(tokens, [*(token.text for token in tokens[1:]), ""], strict=True):
        text = token.text
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
            place = inside[-1] if inside else "block"
            token.role = role_in(place, before, after)
            if place == "class" and not token.role:
                token.kind = "member"
        before = text


def role_in(place: str, before: str, after: str) -> str:
    """What a name is that stands in such a bracket, between these two."""
    if place == "class" and before in {"{", "}", ";", "async"}:
        return ""
    if place == "object" and before in {"{", ","}:
        return "short" if after in {",", "}", "="} else ""
    return "use"


def find_scopes(texts: list[str]) -> list[Scope]:
    """The script, and every function in it, in the order in which they begin."""
    scopes = [Scope(0, len(texts))]
    for at, text in enumerate(texts):
        if text != "(":
            continue
        after = closing(texts, at) + 1
        if texts[after] == "=>":
            scopes.append(Scope(at, body_end(texts, after + 1)))
        elif texts[after] == "{" and texts[at - 1] not in CONDITIONS:
            scopes.append(Scope(at, closing(texts, after)))
    return scopes


def body_end(texts: list[str], start: int) -> int:
    """The last place of an arrow function's body: a block, or an expression up to what ends it."""
    if texts[start] == "{":
        return closing(texts, start)
    at = start
    while texts[at] not in {",", ";", ")", "]", "}", ""}:
        at = closing(texts, at) + 1
    return at - 1


def bindings(texts: list[str]) -> Iterator[int]:
    """The places in declarations and parameters where names may be that they declare."""
    for at, text in enumerate(texts):
        if text in DECLARES:
            yield from range(at + 1, closing(texts, at + 1) + 1)
        elif text == "(":
            end = closing(texts, at)
            if texts[end + 1] == "=>" or (texts[end + 1] == "{" and texts[at - 1] not in CONDITIONS):
                yield from range(at + 1, end)


def closing(texts: list[str], start: int) -> int:
    """Where the bracket that opens here closes; the same place when none does."""
    depth = 0
    for at in range(start, len(texts)):
        depth += (texts[at] in {"{", "(", "["}) - (texts[at] in {"}", ")", "]"})
        if depth == 0:
            return at
    return start


def resolve(scope: Scope | None, name: str) -> Scope | None:
    """Which scope declares what is called so here; those in between are told that they use it."""
    passed: list[Scope] = []
    while scope and name not in scope.names:
        passed.append(scope)
        scope = scope.parent
    if scope is not None:
        for inner in passed:
            inner.outer.append((scope, name))
    return scope


def choose_names(scopes: list[Scope], used: set[str], letters: Letters) -> None:
    """For each scope the first letters that mean nothing else in it."""
    for number, scope in enumerate(scopes):
        taken = used | {outer.names[name] for outer, name in scope.outer}
        free = (name for name in short_names(letters.local if number else letters.script) if name not in taken)
        scope.names = dict(zip(scope.names, free, strict=False))


def short_names(letters: str) -> Iterator[str]:
    """The letters, then each with a 1, and so on."""
    for number in count():
        yield from (f"{letter}{number or ''}" for letter in letters)
