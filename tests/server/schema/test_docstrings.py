"""Descriptions out of docstrings."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from cloche.server.schema import describe

GOOGLE = """Look ahead.

    More text.

    Args:
        city (str): Where to look,
            in full.
        days: How many.
        **rest: Ignored by us.

    Returns:
        The weather.
    """

NUMPY = """Look ahead.

    Parameters
    ----------
    city : str
        Where to look,
        in full.
    days, hours : int, optional
        How many.

    Returns
    -------
    str
        The weather.
    """

REST = """Look ahead.

    :param str city: Where to look,
        in full.
    :type city: str
    :param days: How many.
    :returns: The weather.
    """

PLAIN = """Look ahead.

    Note: this is not a section.
    Args are explained elsewhere.
    """

CASES: list[tuple[str | None, str, dict[str, str]]] = [
    (
        GOOGLE,
        "Look ahead.\n\nMore text.\n\nReturns:\n    The weather.",
        {"city": "Where to look, in full.", "days": "How many.", "rest": "Ignored by us."},
    ),
    (
        NUMPY,
        "Look ahead.\n\nReturns\n-------\nstr\n    The weather.",
        {"city": "Where to look, in full.", "days": "How many.", "hours": "How many."},
    ),
    (REST, "Look ahead.\n\n:returns: The weather.", {"city": "Where to look, in full.", "days": "How many."}),
    (PLAIN, "Look ahead.\n\nNote: this is not a section.\nArgs are explained elsewhere.", {}),
    ("Args:\n    x: One.", "", {"x": "One."}),
    ("Do.\n\nArgs:", "Do.\n\nArgs:", {}),
    ("", "", {}),
    (None, "", {}),
]


@pytest.mark.parametrize(("text", "description", "parameters"), CASES)
def test_styles(text: str | None, description: str, parameters: dict[str, str]) -> None:
    def fn() -> None: ...

    fn.__doc__ = text
    assert describe(fn) == (description, parameters)


def test_where_the_docstring_is() -> None:
    class Service:
        """Of the class."""

        def __call__(self) -> None:
            """Of the call."""

        def method(self) -> None:
            """Of the method."""

    class Quiet:
        """Of the class."""

        def __call__(self) -> None: ...

    def inner() -> None:
        """Of the function."""

    @functools.wraps(inner)
    def outer(*arguments: Any) -> None: ...

    assert describe(Service())[0] == "Of the call."
    assert describe(Service().method)[0] == "Of the method."
    assert describe(Quiet())[0] == "Of the class."
    assert describe(functools.partial(inner))[0] == "Of the function."
    assert describe(outer)[0] == "Of the function."
