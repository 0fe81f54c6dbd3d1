"""Where a view's HTML comes from: a text, or a file beside the code that names it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import TypeAlias

from cloche.errors import RegistrationError, shorten

MAX_HTML = 10_000_000
"""Bytes of one view's HTML."""

_PACKAGE = Path(__file__).resolve().parent.parent


class TextSource:
    """HTML that is in the program."""

    def __init__(self, html: str) -> None:
        self._html = checked_html(html, "This view's HTML")

    def text(self) -> str:
        """The HTML."""
        return self._html


class FileSource:
    """HTML in a file, read again when the file has changed, so that an edit shows without a restart."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: tuple[int, int, int] | None = None
        self._text = ""
        self.text()

    def text(self) -> str:
        """The HTML as it stands in the file."""
        try:
            status = self.path.stat()
            # The number, too: many editors put a new file in the old one's place.
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            if stamp != self._stamp:
                self._text = self._read()
                self._stamp = stamp
        except OSError as error:
            raise RegistrationError(self._why(error)) from None
        return self._text

    def _read(self) -> str:
        with self.path.open("rb") as file:
            data = file.read(MAX_HTML + 1)  # never the whole of a file that is too large
        try:
            return checked_html(data.decode("utf-8-sig"), f"The view {self.path.name}")
        except UnicodeDecodeError:
            if len(data) > MAX_HTML:  # cut in the middle of a character
                raise _too_large(f"The view {self.path.name}") from None
            raise RegistrationError(f"The view {self.path} is not UTF-8: save it as UTF-8") from None

    def _why(self, error: OSError) -> str:
        if isinstance(error, FileNotFoundError):
            return (
                f"The view {self.path} does not exist. A view's path is relative to the Python file that names it; "
                "a text that is HTML begins with '<'"
            )
        if isinstance(error, IsADirectoryError | PermissionError) and self.path.is_dir():
            return f"The view {self.path} is a folder: name the HTML file in it, such as {self.path.name}/index.html"
        return f"The view {self.path} cannot be read: {error.strerror or error}"


Source: TypeAlias = TextSource | FileSource
"""Gives a view's HTML, as the author wrote it."""


def checked_html(html: str, what: str) -> str:
    """HTML that is not empty and not too large."""
    if not isinstance(html, str):
        raise RegistrationError(f"{what} is a {type(html).__name__}: give a text")
    try:
        size = len(html.encode())
    except UnicodeEncodeError:
        raise RegistrationError(f"{what} has half of a surrogate pair, which is not text: replace it") from None
    if size > MAX_HTML:
        raise _too_large(what)
    if not html.strip():
        raise RegistrationError(f"{what} is empty, so nothing would be seen: write at least '<p>Hello</p>'")
    return html


def _too_large(what: str) -> RegistrationError:
    return RegistrationError(
        f"{what} has more than {MAX_HTML:,} bytes: load large parts with window.cloche.readResource or from an origin "
        "in Csp(resources=…)"
    )


def is_html(text: str) -> bool:
    """Whether a text is HTML, and no file's name."""
    return text.lstrip().startswith("<")


def file_source(given: str | Path) -> FileSource:
    """The file that the calling code means."""
    path = Path(given)
    if "\0" in str(given) or len(str(given)) > 1024:
        raise RegistrationError(
            f"{shorten(str(given), 60)!r} is not a file's name; a text that is HTML begins with '<'"
        )
    return FileSource(path if path.is_absolute() else calling_folder() / path)


def calling_folder() -> Path:
    """The folder of the file whose code called into this package; in a notebook, say, the working directory."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        path = Path(code.co_filename)
        if path.is_file():
            path = path.resolve()
            if _PACKAGE not in path.parents:
                return path.parent
        elif code.co_name.startswith(_OUTERMOST) and not code.co_filename.startswith("<frozen"):
            break
        frame = frame.f_back  # code that was generated, such as a dataclass's __init__, has no file either
    return Path.cwd()


_OUTERMOST = ("<module>", "<cell")
"""What the code of a module, and of a notebook's cell, is called."""
