"""What only a product can allow is named, in `cloche check` and in the playground."""

from __future__ import annotations

import pytest

from cloche.check.live_rules import admitting, is_refused_code


@pytest.mark.parametrize(
    ("directive", "blocked", "word"),
    [
        ("script-src", "eval", "unsafe-eval"),
        ("script-src", "wasm-eval", "unsafe-eval"),
        ("worker-src", "blob", "blob-workers"),
        ("script-src", "data", "data-modules"),
    ],
)
def test_the_fix_names_the_word_of_the_policy(directive: str, blocked: str, word: str) -> None:
    assert f'Policy(relax={{"…": ["{word}"]}})' in admitting(directive, blocked)


def test_an_address_is_declared_as_before() -> None:
    assert "Csp(resources=" in admitting("script-src", "https://cdn.example.com/a.js")
    assert "relax" not in admitting("img-src", "blob")


def test_what_browsers_say_of_code_made_of_text() -> None:
    chromium = (
        "Evaluating a string as JavaScript violates the following Content Security Policy directive because "
        "'unsafe-eval' is not an allowed source of script: script-src 'unsafe-inline'"
    )
    assert is_refused_code(f"EvalError: {chromium}")
    assert is_refused_code("EvalError: call to Function() blocked by CSP")
    assert not is_refused_code("TypeError: x is not a function")
