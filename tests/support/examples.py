"""How many examples a property is tried with."""

from __future__ import annotations

import sys

IN_A_BROWSER = sys.platform == "emscripten"


def examples(number: int) -> int:
    """This many; a tenth in the browser's Python, which needs several times as long for each and shares the machine."""
    return max(1, number // 10) if IN_A_BROWSER else number
