"""The server of `test_tasks.py` over stdio."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.interop.test_tasks import shop

if __name__ == "__main__":
    shop().run()
