"""The public surface: what `from cloche import …` gives, and what it costs."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import cloche

PUBLIC = [
    "Annotations",
    "Audio",
    "BlobResourceContents",
    "Capability",
    "Client",
    "Components",
    "Context",
    "Csp",
    "Elicit",
    "ElicitUrl",
    "Elicited",
    "EmbeddedResource",
    "Icon",
    "Image",
    "Limits",
    "ListRoots",
    "McpError",
    "PickedFile",
    "Principal",
    "PromptMessage",
    "ResourceLink",
    "Sample",
    "Secret",
    "Server",
    "SetupError",
    "Store",
    "TextContent",
    "TextResourceContents",
    "ToolAnnotations",
    "ToolError",
    "ToolResult",
    "View",
    "config",
    "setup_required",
]

SERVER_METHODS = [
    "asgi",
    "close",
    "connect",
    "is_connected",
    "notify",
    "register_method",
    "register_prompt",
    "register_resource",
    "register_tool",
    "resource_updated",
    "run",
    "use",
]


def test_the_exported_names_are_pinned() -> None:
    assert sorted(cloche.__all__) == PUBLIC


def test_dir_shows_the_lazy_names() -> None:
    assert set(PUBLIC) <= set(dir(cloche))


def test_a_wrong_name_is_an_attribute_error() -> None:
    misspelt = "Sever"
    with pytest.raises(AttributeError, match=misspelt):
        getattr(cloche, misspelt)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_exported_name_is_documented(name: str) -> None:
    thing = getattr(cloche, name)
    own = thing.__doc__ if inspect.isfunction(thing) else thing.__dict__.get("__doc__")
    # msgspec and dataclasses write a signature where no docstring is given
    assert own, f"cloche.{name} has no docstring"
    assert not own.startswith(f"{name}("), f"cloche.{name} has no docstring of its own"


@pytest.mark.requirement(9)
@pytest.mark.parametrize("name", SERVER_METHODS)
def test_the_server_has_the_methods_of_the_source_documents(name: str) -> None:
    member = inspect.getattr_static(cloche.Server, name)
    assert inspect.getdoc(member), f"Server.{name} has no docstring"


def public_members(owner: type) -> list[str]:
    """The names a user meets on this class, those of its bases in Cloche included."""
    bases = [base for base in owner.__mro__ if base.__module__.startswith("cloche.")]
    return sorted({name for base in bases for name in vars(base) if not name.startswith("_")})


def is_documented(owner: type, name: str) -> bool:
    member = inspect.getattr_static(owner, name)
    if not (callable(member) or isinstance(member, property | classmethod | staticmethod)):
        return True  # a field or a constant: the docstring of its class speaks of it
    return bool(inspect.getdoc(member))


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_method_is_documented(name: str) -> None:
    thing = getattr(cloche, name)
    thing = thing if isinstance(thing, type) else type(thing)
    assert [member for member in public_members(thing) if not is_documented(thing, member)] == []


def test_what_has_no_docstring_is_noticed() -> None:
    bare = type("Bare", (cloche.Context,), {"said": lambda self: None, "__module__": "cloche.bare"})
    assert "said" in public_members(bare)
    assert "progress" in public_members(bare)
    assert not is_documented(bare, "said")
    assert is_documented(bare, "progress")


def test_importing_the_server_loads_no_framework_no_event_loop_and_no_transport() -> None:
    code = "import sys; from cloche import Server; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    modules = set(loaded.stdout.split())
    assert "msgspec" in modules
    assert not modules & {"asyncio", "starlette", "pydantic", "uvicorn", "click", "rich", "jwt", "mcp", "anyio"}
    assert not [name for name in modules if name.startswith(("cloche.transports", "cloche.cli"))]
