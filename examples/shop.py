"""The functions of a small shop, which examples/agents_fastapi.py and agents_django.py offer to browser agents.

A function becomes a tool by its decorator. Who calls it is in the context: every visitor has a cart of their own.
"""

from collections import defaultdict

from cloche import Context, Server, ToolError

server = Server("shop", version="1.0")

PRICES = {"cap": 12, "hat": 30, "scarf": 18}

carts: defaultdict[str, list[str]] = defaultdict(list)
"""A real shop has a database."""


@server.tool(annotations={"readOnlyHint": True, "openWorldHint": False})
def search(words: str = "") -> dict[str, int]:
    """Search the shop: the articles whose names contain the words, with their prices in euros."""
    return {name: price for name, price in PRICES.items() if words.lower() in name}


@server.tool(annotations={"destructiveHint": False, "openWorldHint": False})
def add_to_cart(ctx: Context, article: str) -> list[str]:
    """Put an article into the visitor's cart; returns what is in it."""
    if article not in PRICES:
        raise ToolError(f"There is no {article!r} in the shop: search for it first")
    cart = carts[user_of(ctx)]
    cart.append(article)
    return cart


@server.tool(annotations={"destructiveHint": True, "openWorldHint": False})
def empty_cart(ctx: Context) -> str:
    """Empty the visitor's cart."""
    carts.pop(user_of(ctx), None)
    return "The cart is empty"


def user_of(ctx: Context) -> str:
    """The name that the product's page gave to its session."""
    assert ctx.principal is not None, "the host says who calls"
    return ctx.principal.id
