"""`code`: source text with its words told apart, and a button that copies it."""

from __future__ import annotations

import re

from cloche.components.component import component
from cloche.errors import ToolError
from cloche.views.html import Html, escape, h

MAX_CODE = 200_000
"""Characters of one piece of code."""

MAX_COLOURED = 50_000
"""Characters of code whose words are told apart; longer code is shown plain."""

_WORDS = {
    "python": """and as assert async await break class continue def del elif else except False finally for from global
        if import in is lambda match None nonlocal not or pass raise return True try while with yield""",
    "javascript": """async await break case catch class const continue default delete do else enum export extends false
        finally for from function if implements import in instanceof interface let new null of return static super
        switch this throw true try type typeof undefined var void while yield""",
    "json": "true false null",
    "sql": """select from where and or not insert into values update set delete create table index join left right inner
        outer on group by order having limit offset as distinct null is in like between union all case when then else
        end primary key references default with""",
    "bash": "if then else elif fi for in do done while case esac function return export local echo exit cd",
    "rust": """as async await break const continue crate else enum false fn for if impl in let loop match mod move mut
        pub ref return self static struct super trait true type unsafe use where while""",
    "go": """break case chan const continue default defer else fallthrough for func go goto if import interface map nil
        package range return select struct switch true false type var""",
}
_SAME = {"py": "python", "js": "javascript", "ts": "javascript", "typescript": "javascript", "jsx": "javascript"}
_SAME |= {"tsx": "javascript", "sh": "bash", "shell": "bash", "rs": "rust", "golang": "go", "jsonc": "json"}
# What is not closed goes on to the end, so that every character is looked at once.
_HASH = re.compile(
    r"""(?P<string>\"{3}(?:[^"\\]|\\.|"(?!""))*+(?:"{3})?|'{3}(?:[^'\\]|\\.|'(?!''))*+(?:'{3})?"""
    r"""|"(?:\\.|[^"\\\n])*+"?|'(?:\\.|[^'\\\n])*+'?)|(?P<comment>\#[^\n]*+)|(?P<number>\d[\w.]*+)|(?P<word>[^\W\d]\w*+)"""
)
_SLASHES = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\\n])*+"?|'(?:\\.|[^'\\\n])*+'?|`(?:\\.|[^`\\])*+`?)"""
    r"""|(?P<comment>//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?)|(?P<number>\d[\w.]*+)|(?P<word>[^\W\d]\w*+)"""
)
_DASHES = re.compile(
    r"""(?P<string>"(?:[^"\n])*+"?|'(?:[^'])*+'?)|(?P<comment>--[^\n]*+)|(?P<number>\d[\w.]*+)|(?P<word>[^\W\d]\w*+)"""
)
_KEYWORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
EXAMPLE = '''def fibonacci(count: int) -> list[int]:
    """The first numbers of the sequence."""
    numbers = [0, 1]
    while len(numbers) < count:
        numbers.append(numbers[-1] + numbers[-2])  # the sum of the last two
    return numbers[:count]
'''


def _summary(text: str, language: str, title: str, **_: object) -> str:
    count = text.count("\n") + bool(text and not text.endswith("\n"))
    return f"{count} lines of {language or 'code'} are shown{f', {title}' if title else ''}."


@component(
    category="text",
    tags=("code", "source", "snippet"),
    summary=_summary,
    examples=[{"text": EXAMPLE, "language": "python", "title": "fibonacci.py"}],
)
def code(text: str, language: str = "", title: str = "", line_numbers: bool = False) -> Html:
    """Source text in a fixed-width font, with a button that copies it.

    Args:
        text: The code.
        language: Its language, such as python, javascript, json, sql, bash, rust or go; others are shown plain.
        title: What stands above it, such as a file's name.
        line_numbers: Whether lines are numbered.
    """
    if len(text) > MAX_CODE:
        raise ToolError(f"At most {MAX_CODE:,} characters of code can be shown, and these are {len(text):,}")
    body = text.removesuffix("\n")
    count = body.count("\n") + 1
    numbers = h.span("\n".join(map(str, range(1, count + 1))), class_="cc-numbers", aria_hidden=True)
    return h.div(
        h.div(
            h.span(title or language, class_="cc-title"),
            h.button("Copy", type="button", hidden=True, data_copy="", aria_label=f"Copy {title or 'the code'}"),
            class_="cc-head",
        ),
        h.div(
            numbers if line_numbers else None,
            h.pre(h.code(coloured(body, language.lower()))),
            class_="cc-scroll",
            tabindex=0,
            role="region",
            aria_label=title or f"{language or 'Code'}",
        ),
        class_="cc cc-code",
        data_cc="code",
    )


def coloured(text: str, language: str) -> Html:
    """Code with its comments, strings, numbers and keywords marked."""
    language = _SAME.get(language, language)
    if language not in _KEYWORDS or len(text) > MAX_COLOURED:
        return escape(text)
    pattern = _HASH if language in ("python", "bash") else _DASHES if language == "sql" else _SLASHES
    words = _KEYWORDS[language]
    made, last = [], 0
    for found in pattern.finditer(text):
        kind, token = found.lastgroup, found[0]
        if kind == "word" and (token.lower() if language == "sql" else token) not in words:
            continue
        made += [escape(text[last : found.start()]), h.span(token, class_=f"cc-{kind}")]
        last = found.end()
    return Html("".join([*made, escape(text[last:])]))
