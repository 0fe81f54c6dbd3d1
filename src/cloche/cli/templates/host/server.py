"""An MCP server whose tool has a view. It knows nothing of the product that shows it: any host can."""

from dataclasses import dataclass

from cloche import Server

server = Server("lunch", version="0.1.0")

orders = {"Soup of the day": 0, "Vegetable curry": 0, "Big salad": 0}


@dataclass
class Dish:
    """Something to eat, and how many want it."""

    name: str
    orders: int


@dataclass
class Board:
    """Everything that there is today."""

    dishes: list[Dish]


@server.tool(title="Lunch", view="view.html")
def board() -> Board:
    """Show today's dishes and how many people want each."""
    return Board([Dish(name, count) for name, count in orders.items()])


@server.tool(visibility=["app"])  # only the view may call it
def order(dish: str) -> Board:
    """Order one more of a dish."""
    if dish not in orders:
        raise ValueError(f"{dish} is not on today's list")
    orders[dish] += 1
    return board()


@server.tool(visibility=["app"], annotations={"destructiveHint": True})
def clear() -> Board:
    """Forget all orders."""
    for dish in orders:
        orders[dish] = 0
    return board()


if __name__ == "__main__":
    server.run()
