"""The configuration file of a client: read, changed in one place, kept as a backup, and written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

from cloche.cli.json_edits import JsonTextError, parse, with_member, without_member
from cloche.cli.toml_edits import with_table, without_table
from cloche.errors import ConfigurationError, shorten

Json = dict[str, Any]

MAX_FILE = 4 << 20
"""Bytes of a configuration file that is looked into."""

BY_HAND = "use --print and paste"


class ClientConfig:
    """A file in JSON or TOML with a table of servers under `key`."""

    def __init__(self, file: Path, key: str, by_hand: str = BY_HAND) -> None:
        self.file = file
        self.key = key
        self._by_hand = by_hand
        self._is_toml = file.suffix == ".toml"
        self._text = self._read()
        self.whole = self._parsed(self._text)
        servers = self.whole.get(key, {})
        if not isinstance(servers, dict):
            raise ConfigurationError(f"{key!r} in {file} is not an object: repair the file, or {by_hand}")
        self.servers: Json = servers

    @property
    def backup(self) -> Path:
        """Where the file is kept as it was before the last change."""
        return self.file.with_name(f"{self.file.name}.backup")

    def set(self, name: str, entry: Json) -> bool:
        """Put an entry into the file; whether it replaced one of the same name."""
        expected = deepcopy(self.whole)
        expected.setdefault(self.key, {})[name] = entry
        if self._is_toml:
            text = with_table(self._text, (self.key, name), entry)
        else:
            text = with_member((self._text.strip() and self._text) or "{}\n", (self.key, name), entry)
        self._write(text, expected)
        return name in self.servers

    def remove(self, name: str) -> None:
        """Take an entry out of the file."""
        expected = deepcopy(self.whole)
        del expected[self.key][name]
        if self._is_toml and not expected[self.key]:
            del expected[self.key]
        edit = without_table if self._is_toml else without_member
        self._write(edit(self._text, (self.key, name)), expected)

    def _read(self) -> str:
        try:
            if self.file.stat().st_size > MAX_FILE:
                raise ConfigurationError(f"{self.file} is larger than {MAX_FILE >> 20} MB: {self._by_hand}")
            with open(self.file, encoding="utf-8-sig", newline="") as stream:
                return stream.read()
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            name = type(error).__name__
            raise ConfigurationError(f"{self.file} cannot be read ({name}): {self._by_hand}") from None

    def _parsed(self, text: str) -> Json:
        if not text.strip():
            return {}
        try:
            whole = tomllib.loads(text) if self._is_toml else parse(text).value
        except (JsonTextError, tomllib.TOMLDecodeError) as error:
            kind = "TOML" if self._is_toml else "JSON"
            raise ConfigurationError(
                f"{self.file} is not valid {kind} ({shorten(str(error))}) and was left alone: repair it, "
                f"or {self._by_hand}"
            ) from None
        if not isinstance(whole, dict):
            raise ConfigurationError(f"{self.file} holds no JSON object: repair the file, or {self._by_hand}")
        return whole

    def _write(self, text: str, expected: Json) -> None:
        """All of it or nothing: a client may read the file at any time. What is not as expected is not written."""
        if self._parsed(text) != expected:
            raise ConfigurationError(
                f"{self.file} is written in a way that cannot be changed safely and was left alone: {self._by_hand}"
            )
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            target = self.file.resolve()  # a link stays one
            if target.exists():
                shutil.copy2(target, self.backup)
            handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".cloche-")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
                    stream.write(text)
                if target.exists():
                    os.chmod(temporary, target.stat().st_mode & 0o777)
                os.replace(temporary, target)
            except BaseException:
                os.unlink(temporary)
                raise
        except OSError as error:
            raise ConfigurationError(f"{self.file} cannot be written ({error.strerror}): {self._by_hand}") from None
