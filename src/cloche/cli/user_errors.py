"""What went wrong in the user's file, said with the user's own line instead of a traceback."""

from __future__ import annotations

import importlib.util
import os
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from pathlib import Path

from cloche.cli.targets import Target
from cloche.errors import LoadError, shorten

# Where the name to import is not the name to install, guessing it would send people to somebody else's package.
DISTRIBUTIONS = {
    "PIL": "Pillow",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "fitz": "PyMuPDF",
    "git": "GitPython",
    "jose": "python-jose",
    "jwt": "PyJWT",
    "magic": "python-magic",
    "multipart": "python-multipart",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "PyYAML",
}


def import_failure(target: Target, error: BaseException, doing: str = "cannot be imported") -> LoadError:
    """What importing the target (or calling a function in it) raised, as a LoadError with the user's line."""
    if isinstance(error, SyntaxError) and not _raised_while_running(error):
        return _syntax_failure(target, error)
    lines = list(user_lines(error, target))
    at = f" ({lines[-1]})" if lines else ""
    if isinstance(error, LoadError):
        text = f"{error}{at}"
    elif isinstance(error, SystemExit):
        code = "" if error.code is None else shorten(repr(error.code), 40)
        text = (
            f'{target.label} called sys.exit({code}) while it was loaded{at}: put it under if __name__ == "__main__":'
        )
    else:
        said = shorten(" ".join(str(error).split()), 400)
        text = f"{target.label} {doing}: {type(error).__name__}{': ' if said else ''}{said}{at}{_advice(target, error)}"
    return LoadError("\n  ".join([text, *lines]) if len(lines) > 1 else text)


def user_lines(error: BaseException, target: Target) -> Iterator[str]:
    """The lines of an error's traceback that are the user's, outermost first."""
    for frame in traceback.extract_tb(error.__traceback__):
        if is_users(frame.filename):
            yield f"{_shown(frame.filename, target)}, line {frame.lineno}: {shorten(frame.line or '', 120)}"


def is_users(filename: str) -> bool:
    """Whether a file is neither Python's, nor an installed package's, nor ours."""
    if filename.startswith("<"):
        return False
    path = os.path.abspath(filename)
    parts = Path(path).parts
    if "site-packages" in parts or "dist-packages" in parts:
        return False
    return not any(path.startswith(folder + os.sep) for folder in _foreign_folders())


def _foreign_folders() -> Iterator[str]:
    for key in ("stdlib", "platstdlib", "purelib", "platlib"):
        folder = sysconfig.get_path(key)
        if folder:
            yield os.path.abspath(folder)
    yield str(Path(__file__).resolve().parent.parent)


def _shown(filename: str, target: Target) -> str:
    path = Path(filename).resolve()
    return str(path.relative_to(target.folder)) if path.is_relative_to(target.folder) else path.name


def _raised_while_running(error: SyntaxError) -> bool:
    """Whether a SyntaxError has no place in a file, as one from `eval` has not."""
    return error.filename is None or error.filename.startswith("<")


def _syntax_failure(target: Target, error: SyntaxError) -> LoadError:
    where = _shown(error.filename or target.label, target)
    line = shorten((error.text or "").strip(), 120)
    shown = f": {line}" if line else ""
    return LoadError(f"{where} is not valid Python: {error.msg} (line {error.lineno}{shown})")


def _advice(target: Target, error: BaseException) -> str:
    name = getattr(error, "name", None)
    if not isinstance(error, ImportError) or not name:
        return ""
    top = str(name).partition(".")[0]
    if target.file and top == target.file.stem:
        return f"; your file {target.label} hides the package {top}: rename the file"
    if not isinstance(error, ModuleNotFoundError) or _exists(top, target.folder):
        return ""
    return f"; pip install {DISTRIBUTIONS.get(top, top)}"


def _exists(top: str, folder: Path) -> bool:
    if top in sys.modules or (folder / top).exists() or (folder / f"{top}.py").exists():
        return True
    try:
        return importlib.util.find_spec(top) is not None
    except (ImportError, ValueError):
        return False
