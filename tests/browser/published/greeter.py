"""A server with a setup, for the tests: it greets."""

import json
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from cloche import Secret, Server, SetupError, setup_required

server = Server("greeter", version="1.2", title="Greeter", description="Greets people the way they like it.")


@dataclass
class Settings:
    """How you want to be greeted."""

    name: Annotated[str, Meta(title="Your name", min_length=1, description="Example: Ada")]
    key: Annotated[Secret[str], Meta(title="Key", description="Any key that begins with key-.")]
    greeting: Annotated[Literal["Hello", "Good day"], Meta(title="Greeting")] = "Hello"


@server.setup(fields=Settings, visibility="optional", description="What the server is doing")
async def setup(settings: Settings) -> str:
    """Check the key."""
    print("checking", settings.key)  # a mistake that happens
    if not settings.key.startswith("key-"):
        raise SetupError("A key begins with key-", field="key")
    return f"Greetings for {settings.name}"


@server.tool(annotations={"readOnlyHint": True})
def greet(times: int = 1) -> str:
    """Greet the person who set this up."""
    found = setup.settings
    print("greeting with", found.key)  # a mistake that happens
    return " ".join([f"{found.greeting}, {found.name}!"] * times)


@server.tool(annotations={"readOnlyHint": True})
def blab() -> str:
    """Repeat everything: a mistake, which must not give the key away."""
    found = setup.settings
    return json.dumps({"shown": repr(found), "key": f"{found.key}"})


@server.tool(annotations={"destructiveHint": True})
def expire() -> None:
    """Find that the key has expired."""
    setup_required("The key has expired", reason="AUTH_EXPIRED")
