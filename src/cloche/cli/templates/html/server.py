"""An MCP server with an interface written in Python: no JavaScript, no HTML files."""

from cloche import Server
from cloche.views import Html, h

server = Server("__NAME__", version="0.1.0")

votes = {"Tea": 0, "Coffee": 0, "Water": 0}


def show(now: dict[str, int]) -> Html:
    """The page: one row for each drink, with a button that calls the tool `vote`."""
    most = max(now.values()) or 1
    return h.section(
        h.h2("What shall we drink?"),
        h.table(row(drink, count, most) for drink, count in now.items()),
        id="votes",
    )


def row(drink: str, count: int, most: int) -> Html:
    """A drink, how many want it, and a button: its answer takes the place of the whole section."""
    return h.tr(
        h.td(drink),
        h.td(h.meter(value=count, max=most, aria_label=f"Votes for {drink}")),
        h.td(count),
        h.td(
            h.button(
                "Vote", id=drink, data_tool="vote", data_args={"drink": drink}, data_target="#votes", data_swap="outer"
            )
        ),
    )


@server.tool(view=show)
def drinks() -> dict[str, int]:
    """Let people vote on drinks."""
    return votes


@server.tool(visibility=["app"])  # only the page may call it
def vote(drink: str) -> Html:
    """Count a vote."""
    votes[drink] = votes.get(drink, 0) + 1
    return show(votes)


if __name__ == "__main__":
    server.run()
