"""JavaScript with less in it: no comments, no space that means nothing, short names where nobody outside can tell.

It knows only as much of the language as `cloche.web` uses, laid out by `deno fmt`: every statement ends with a
semicolon, every declaration has one name or pattern, texts stand in double quotes and hold nothing that looks like a
comment, and no template stands in another. Tests run and type-check the outcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from cloche.views.renaming import CONDITIONS, VIEW_LETTERS, Letters, Token, closing, rename, rename_members

CAST = re.compile(r"/\*\* @type \{[^*\n]*\} \*/ (?=\()")
COMMENT = re.compile(r"^\s*//[^\n]*\n|/\*.*?\*/", re.MULTILINE | re.DOTALL)
INNER = r"\$\{((?:[^{}`]|\{[^{}`]*\})*)\}"
TEMPLATE = re.compile(rf"`((?:\\.|{INNER.replace('(', '(?:', 1)}|[^`\\$]|\$(?!\{{))*)`", re.DOTALL)
SIMPLE = re.compile(r"[\w.#$]+(?:\([\w.#$, ]*\))?")
"""What needs no brackets when it is added to a text."""
TOKEN = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\\n])*"|(?:(?<=[(,=:!&|?])|(?<=[(,=:!&|?>]\s)|(?<=return\s))/(?:\\.|[^/\\\n])+/\w*)
    |(?P<cast>@)|(?P<name>\#?[A-Za-z_$][\w$]*)|(?P<number>\d[\w.]*)|(?P<mark>\.\.\.|\?\.(?!\d)|=>|\+\+|--|`|\S)""",
    re.VERBOSE,
)
NUMBER = re.compile(r"^(?:export )?const ([A-Z_]+) = (-?[\d_]+);\n", re.MULTILINE)
"""A constant, which its number takes the place of."""
SHORTER = {"const": "let", "true": "!0", "false": "!1", "undefined": "void 0"}
OPENING = {"(", "["}
IN_CHAIN = re.compile(r"(?!(?:await|new|in|instanceof|typeof)$)\w+|\.")
NOT_ALONE = {"let", "if", "for", "while", "try", "class", "function", "switch"}
"""What a statement begins with that needs the braces around it."""


def shrink(code: str, letters: Letters = VIEW_LETTERS, inside: Iterable[str] = ()) -> str:
    """The same program in fewer bytes. Members that are called like one of those `inside` get short names too: nobody
    outside knows them.
    """
    plain = TEMPLATE.sub(as_sum, COMMENT.sub("", CAST.sub("@", code)))
    numbers = {name: short_number(value) for name, value in NUMBER.findall(plain)}
    tokens = [Token(found.lastgroup or "", found.group()) for found in TOKEN.finditer(NUMBER.sub("", plain))]
    if any(token.text == "`" for token in tokens):
        raise ValueError("shrink() cannot look into templates in templates: join texts with +")
    tokens = without_casts(tokens)
    for before, token in pairwise([Token("", ""), *tokens]):
        if token.kind == "number" or (token.text in numbers and before.text not in {".", "?."}):
            token.kind, token.text = "number", numbers.get(token.text) or short_number(token.text)
    rename(tokens, letters)
    rename_members(tokens, inside, letters)
    texts = [SHORTER.get(token.text, token.text) for token in without_empty_fields(tokens)]
    return join(merge_declarations(without_braces(without_arguments(texts))))


def short_number(literal: str) -> str:
    """3e4 for 30_000."""
    digits = literal.replace("_", "")
    zeros = len(digits) - len(digits.rstrip("0"))
    return f"{digits[:-zeros]}e{zeros}" if zeros > 2 and digits.isdigit() else digits


def as_sum(template: re.Match[str]) -> str:
    """`a ${b}` as "a " + b, so that the names in it can be told from its text."""
    parts = re.split(INNER, template[1])
    terms = [f"({part})" if at % 2 and not SIMPLE.fullmatch(part) else part for at, part in enumerate(parts)]
    terms[::2] = [f'"{_escaped(text)}"' if text else "" for text in parts[::2]]
    if len(terms) > 1 and not (terms[0] or terms[2]):
        terms[0] = '""'  # values become text by being added to one, not to each other
    return f"({' + '.join(term for term in terms if term)})"


def _escaped(text: str) -> str:
    return text.replace("\\`", "`").replace('"', '\\"').replace("\n", "\\n")


def without_casts(tokens: list[Token]) -> list[Token]:
    """Without the brackets that only a type needs: around a name or a call, and around all that is assigned."""
    texts = [token.text for token in tokens]
    idle: set[int] = set()
    for at, token in enumerate(tokens):
        if token.kind != "cast":
            continue
        start, end = at + 1, closing(texts, at + 1)
        steps = [start + 1]
        while steps[-1] < end:
            steps.append(closing(texts, steps[-1]) + 1)
        idle |= {at}
        if (texts[end + 1] in {";", ",", ")"} and texts[at - 1] in {"=", "(", ","}) or all(
            texts[step] in OPENING or IN_CHAIN.fullmatch(texts[step]) for step in steps[:-1]
        ):
            idle |= {start, end}
    return [token for at, token in enumerate(tokens) if at not in idle]


def without_empty_fields(tokens: list[Token]) -> list[Token]:
    """Without the fields of a class that have no value yet: they are there for their types."""
    kept: list[Token] = []
    for token in tokens:
        if token.text == ";" and kept and kept[-1].kind == "member":
            kept.pop()
        else:
            kept.append(token)
    return kept


def without_arguments(texts: list[str]) -> list[str]:
    """`new Map` for `new Map()`."""
    kept: list[str] = []
    for text, after in pairwise([*texts, ""]):
        if text == ")" and kept[-1] == "(" and kept[-3:-2] == ["new"] and after not in {".", "["}:
            kept.pop()
        else:
            kept.append(text)
    return kept


def without_braces(texts: list[str]) -> list[str]:
    """Without the braces around one simple statement that is all that happens if, or for, or else."""
    texts = [*texts, ""]
    idle: set[int] = set()
    opened: list[int] = []
    for at, text in enumerate(texts):
        if text == "(":
            opened.append(at)
        elif text == ")":
            start = opened.pop()
            if texts[start - 1] in CONDITIONS and texts[at + 1] == "{":
                idle |= _idle_braces(texts, at + 1)
        elif text == "else" and texts[at + 1] == "{":
            idle |= _idle_braces(texts, at + 1)
    return [text for at, text in enumerate(texts[:-1]) if at not in idle]


def _idle_braces(texts: list[str], start: int) -> set[int]:
    end = closing(texts, start)
    at = start + 1
    while texts[at] != ";" and at < end:
        if texts[at] == "{" and texts[start + 1] in NOT_ALONE:
            return set()  # a block, and perhaps another statement after it
        at = closing(texts, at) + 1
    alone = texts[start + 1] not in (NOT_ALONE if texts[end + 1] == "else" else {"let"})
    return {start, end} if at == end - 1 and alone else set()


def merge_declarations(texts: list[str]) -> list[str]:
    """`let a=1;let b=2` as one."""
    kept: list[str] = []
    first = [""]
    for text in texts:
        if text == "let" and kept[-1:] == [";"] and first[-1] == "let;":
            kept[-1] = ","
            first[-1] = "let"
            continue
        if first[-1] in {"", "let;"} or (first[-1] != "let" and kept[-1:] in ([";"], ["}"])):
            first[-1] = text
        if text in {"{", "(", "["}:
            first.append("")
        elif text in {"}", ")", "]"}:
            first.pop()
        elif text == ";":
            first[-1] = "let;" if first[-1] == "let" else ""
        kept.append(text)
    return kept


def join(texts: list[str]) -> str:
    """Words and marks side by side, with a space only where two would become one."""
    parts: list[str] = ["", "", ""]
    for text in texts:
        last = parts[-1]
        if (last == "," and text in {"}", ")", "]"}) or (last == ";" and text == "}"):
            parts.pop()
        elif last and ((last[-1] + text[0] in {"++", "--"} and last != text) or _would_be_one(last[-1], text[0])):
            parts.append(" ")
        if text == "=>" and re.fullmatch(r"\w+", parts[-2]) and parts[-3] == "(":
            parts[-3:] = [" ", parts[-2]] if _wordy(parts[-4][-1:]) else [parts[-2]]
        parts.append(text)
    return "".join(parts)


def _would_be_one(last: str, first: str) -> bool:
    return _wordy(last) and _wordy(first) and first != "#"


def _wordy(character: str) -> bool:
    return character.isalnum() or (character or "!") in "_$#"
