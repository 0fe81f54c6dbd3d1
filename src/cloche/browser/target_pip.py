"""pip, as if it ran in the browser: `python -m cloche.browser.target_pip download …`.

pip looks for wheels of another platform when it is told to, but it reads the conditions of dependencies, such as
`; sys_platform != "emscripten"`, for the Python that it runs in. Here it reads them for the browser's Python.
"""

from __future__ import annotations

import runpy
import sys
from importlib import import_module

PYTHON = "3.14"
"""What Pyodide 314 is."""

TARGET = {
    "implementation_name": "cpython",
    "implementation_version": "3.14.2",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "platform_python_implementation": "CPython",
    "platform_release": "",
    "platform_system": "Emscripten",
    "platform_version": "",
    "python_full_version": "3.14.2",
    "python_version": PYTHON,
    "sys_platform": "emscripten",
}
"""What conditions of dependencies are compared with."""


def main(words: list[str]) -> None:
    """Run pip with these words."""
    markers = import_module("pip._vendor.packaging.markers")
    # Where pip looks it up each time that it reads a condition.
    markers.default_environment = lambda: dict(TARGET)  # type: ignore[attr-defined]
    sys.argv = ["pip", *words]
    runpy.run_module("pip", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
