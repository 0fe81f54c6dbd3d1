"""`Secret[str]`: a text that a form asks for and nobody else is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec

T = TypeVar("T")

if TYPE_CHECKING:
    Secret = Annotated[T, "secret"]
else:

    class Secret:
        """A setting that a form hides, that is stored apart and can be forgotten: `key: Secret[str]`."""

        def __class_getitem__(cls, hint: Any) -> Any:
            return Annotated[hint, msgspec.Meta(extra_json_schema={"format": "password", "writeOnly": True})]


class SecretText(str):
    """A secret as the server's code has it: a `str` whose `repr`, and so what it stands in, does not show it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'(secret)'"


def secret_names(schema: dict[str, Any]) -> list[str]:
    """The members of an object's schema that are secrets."""
    definitions = schema.get("$defs", {})
    return [name for name, member in schema.get("properties", {}).items() if is_secret(member, definitions)]


def is_secret(member: dict[str, Any], definitions: dict[str, Any]) -> bool:
    """Whether a schema, or one of its alternatives, is that of a secret."""
    reference = member.get("$ref")
    if reference is not None:
        member = {**definitions.get(str(reference).rsplit("/", 1)[-1], {}), **member}
    if member.get("format") == "password" or member.get("writeOnly") is True:
        return True
    return any(is_secret(one, definitions) for one in (*member.get("anyOf", ()), *member.get("oneOf", ())))
