"""A shopping list that people and models change at the same time: the state, its tools and its view.

Alone, with a view for hosts:   cloche run examples/shopping_list/shopping.py --http 127.0.0.1:8000
In a product for two people:    examples/shopping_list/app.py
"""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Literal

from msgspec import Meta

from cloche import Context, Server, Store, ToolError
from cloche.components import ComponentView, bar_chart
from cloche.views import Html, h, raw

server = Server(
    "shopping",
    version="1.0",
    instructions="A shopping list that others change too. Read store://shopping before you change it.",
)

Aisle = Literal["Produce", "Bakery", "Dairy", "Household", "Other"]
AISLES: tuple[Aisle, ...] = ("Produce", "Bakery", "Dairy", "Household", "Other")

Name = Annotated[str, Meta(min_length=1, max_length=80)]
Price = Annotated[float, Meta(ge=0, le=1000)]
Euros = Annotated[str, Meta(pattern=r"^\d+\.\d\d$")]
Count = Annotated[int, Meta(ge=1, le=99)]


@dataclass
class Item:
    """Something to buy. A writer whose value does not fit its type is told."""

    id: int
    name: Name
    count: Count = 1
    price: Euros = "0.00"
    aisle: Aisle = "Other"
    by: str = ""
    done: bool = False


@dataclass
class Shopping:
    """The list."""

    items: list[Item] = field(default_factory=list)


store = Store(
    Shopping(
        [
            Item(1, "Apples", 6, "0.45", "Produce", "Ann"),
            Item(2, "Rye bread", 1, "4.20", "Bakery", "Ben", done=True),
            Item(3, "Milk", 2, "1.35", "Dairy", "Ann"),
            Item(4, "Lemons", 3, "0.60", "Produce", "Ben"),
            Item(5, "Butter", 1, "2.90", "Dairy", "Ben"),
        ]
    ),
    name="shopping",
    title="Shopping list",
    read_only=["/items/*/id", "/items/*/by"],
)


def cost(items: list[Item]) -> Decimal:
    """What items cost together."""
    return sum((item.count * Decimal(item.price) for item in items), Decimal("0.00"))


@store.derived(of=["/items"])
def summary(shopping: Shopping) -> str:
    """What stands above the list."""
    left = [item for item in shopping.items if not item.done]
    if not left:
        return "Everything is in the basket" if shopping.items else "Nothing on the list yet"
    return f"{len(left)} of {len(shopping.items)} to buy, {cost(left)} €"


def find(id: int) -> Item:
    """The item with this id."""
    for item in store.state.items:
        if item.id == id:
            return item
    raise ToolError(f"There is no item {id} on the list: somebody may have removed it. Read store://shopping.")


@store.action
def add(ctx: Context, name: Name, count: Count = 1, price: Price = 0.0, aisle: Aisle = "Other") -> Item:
    """Put something on the list.

    Args:
        name: What to buy.
        count: How many.
        price: What one costs, in euros.
        aisle: Where it is in the shop.
    """
    items = store.state.items
    who = ctx.principal.id.capitalize() if ctx.principal else "A model"
    id = max((item.id for item in items), default=0) + 1
    items.append(Item(id, name.strip(), count, f"{price:.2f}", aisle, who))
    return items[-1]


@store.action(annotations={"idempotentHint": True})
def buy(ids: list[int]) -> str:
    """Mark items as in the basket: all of them, or none when one is not on the list."""
    for id in ids:
        find(id).done = True
    return "In the basket: " + ", ".join(find(id).name for id in ids)


@store.action(annotations={"destructiveHint": True})
def remove(id: int) -> str:
    """Take an item off the list."""
    item = find(id)
    store.state.items.remove(item)
    return f"Removed: {item.name}"


# The view. What it shows comes from the store, and stays up to date by itself; it has no script of its own.

STYLE = raw("""
  body { padding: 16px }
  #shopping { container-type: inline-size }
  #shopping > div { display: grid; gap: 24px 32px; align-items: start }
  @container (width > 680px) { #shopping > div { grid-template-columns: 1fr 320px } }
  #shopping h2 { margin: 0 }
  #shopping .quiet { color: var(--color-text-secondary); font-variant-numeric: tabular-nums; white-space: nowrap }
  #shopping p { margin: 0 }
  .list { list-style: none; margin: 12px 0 16px; padding: 0; border-top: 1px solid var(--color-border-primary) }
  .list li { display: grid; grid-template-columns: 16px 1fr 52px 64px 28px; gap: 0 8px; align-items: center;
    min-height: 52px; padding: 4px 0; border-bottom: 1px solid var(--color-border-primary) }
  .list li div { min-width: 0; overflow-wrap: anywhere; padding-inline-start: 4px }
  .list b { font-weight: var(--font-weight-medium) }
  .list small { display: block; color: var(--color-text-secondary); font-size: 12px; line-height: 16px }
  .list .quiet { text-align: end }
  .list [type=number] { width: 52px; padding-inline: 4px; text-align: end }
  .list li:has(:checked) b { text-decoration: line-through; color: var(--color-text-secondary) }
  .list button { width: 28px; padding: 4px 0; border-color: transparent; background: none;
    color: var(--color-text-secondary) }
  .list button:hover { border-color: var(--color-border-primary); color: var(--color-text-primary) }
  .new { display: grid; grid-template-columns: 1fr 64px 80px; gap: 8px }
  .new select { grid-column: 1 / 3 }
  .new > * { min-width: 0; height: 32px }
  .new button { background: var(--color-background-inverse); color: var(--color-text-inverse) }
  #chart { min-height: 290px }
""")


def draw(text: str) -> Html:
    """The page: a list bound to the store, a form for a new item, and a chart that follows the list."""
    return h.section(
        h.style(STYLE),
        h.div(
            h.div(
                h.h2("Shopping list"),
                h.p(data_bind="shopping.summary", role="status", class_="quiet"),
                h.ul(h.template(line()), data_each="shopping.items", class_="list"),
                new(),
            ),
            h.div(id="chart", data_tool="chart", data_trigger="store", data_follow="shopping.items"),
        ),
        id="shopping",
    )


def line() -> Html:
    """One item. A path that begins with a dot belongs to the item."""
    return h.li(
        h.input(type="checkbox", data_bind=".done", aria_label="In the basket"),
        h.div(h.b(data_bind=".name"), h.small(h.span(data_bind=".aisle"), " · ", h.span(data_bind=".by"))),
        h.input(type="number", min=1, max=99, data_bind=".count", aria_label="How many"),
        h.span("× ", h.span(data_bind=".price"), " €", class_="quiet"),
        h.form(
            h.input(type="hidden", name="id", data_bind=".id", data_json=True),
            h.button("✕", aria_label="Remove", title="Remove"),
            data_tool="remove",
            data_swap="none",
        ),
    )


def new() -> Html:
    """A form for a new item."""
    return h.form(
        h.input(name="name", required=True, maxlength=80, placeholder="What to buy", aria_label="What to buy"),
        h.input(name="count", type="number", min=1, max=99, value=1, aria_label="How many"),
        h.input(name="price", type="number", min=0, step="0.01", placeholder="€", aria_label="Price of one, in euros"),
        h.select((h.option(aisle) for aisle in AISLES), name="aisle", aria_label="Aisle"),
        h.button("Add"),
        data_tool="add",
        data_swap="none",
        class_="new",
    )


@server.tool(view=ComponentView(draw, title="Shopping list"), annotations={"readOnlyHint": True})
def show() -> str:
    """Show the shopping list to the user, who can change it there."""
    return summary(store.state)


@server.tool(visibility=["app"])
def chart() -> Html:
    """What the list costs in each aisle."""
    rows = []
    for aisle in AISLES:
        items = [item for item in store.state.items if item.aisle == aisle]
        to_buy, bought = (cost([item for item in items if item.done is done]) for done in (False, True))
        if items:
            rows.append({"aisle": aisle, "To buy": to_buy, "In the basket": bought})
    return bar_chart(rows, x="aisle", title="Euros by aisle", stacked=True, horizontal=True, height=220)


server.attach(store)

if __name__ == "__main__":
    server.run()
