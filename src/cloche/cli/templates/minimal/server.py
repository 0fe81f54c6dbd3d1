"""An MCP server with one tool."""

from cloche import Server

server = Server("__NAME__", version="0.1.0")


@server.tool
async def greet(name: str, times: int = 1) -> str:
    """Greet somebody.

    Args:
        name: Whom to greet.
        times: How often.
    """
    return " ".join([f"Hello, {name}!"] * times)


if __name__ == "__main__":
    server.run()
