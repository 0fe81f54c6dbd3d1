"""examples/shopping_list: two people and a model change one list at once, and a file keeps it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from cloche.testing.sync_client import SyncClient
from tests.support.live_server import LiveServer
from tools.npm_tools import node_modules

ROOT = Path(__file__).parents[4]
AXE = node_modules(ROOT / "tests" / "dev" / "node") / "axe-core" / "axe.min.js"

HOLD_BACK = """() => {
  const ask = cloche.callTool.bind(cloche);
  cloche.callTool = (name, args) => {
    if (name != "store_sync" || args.patch) return ask(name, args);
    return Promise.resolve({ structuredContent: { patch: [], epoch: args.epoch, version: args.version } });
  };
}"""
"""A view that hears of nothing new: what its person writes comes too late."""


def served(folder: Path) -> LiveServer:
    """The product; what it keeps is in the folder."""
    code = f"""
import os
sys.path.insert(0, {str(ROOT)!r})
os.environ["STATE"] = {str(folder / "shopping.db")!r}
from examples.shopping_list.app import app
"""
    return LiveServer(folder, code)


class Shopper:
    """A person with the product's page open."""

    def __init__(self, browser: Browser, server: LiveServer, name: str, **options: Any) -> None:
        self.page: Page = browser.new_context(**options).new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"http://localhost:{server.port}/{name}")
        self.sees("to buy", "Apples")

    @property
    def view(self) -> FrameLocator:
        return self.page.frame_locator("mcp-app iframe").frame_locator("iframe")

    def sees(self, summary: str, *names: str) -> None:
        """The list has these items, and says this above."""
        expect(self.view.locator("p[role=status]")).to_contain_text(summary)
        for name in names:
            expect(self.view.locator("li b", has_text=name)).to_be_visible()

    def expect_chart(self, words: str) -> None:
        """The chart says this to those who do not see it."""
        expect(self.view.locator("#chart [role=application]")).to_have_attribute("aria-label", re.compile(words))

    def line(self, name: str) -> Any:
        return self.view.locator(".list li", has_text=name)

    def close(self) -> None:
        self.page.context.close()
        assert self.errors == []


def items(model: SyncClient) -> dict[str, dict[str, Any]]:
    """What a model reads of the list."""
    (content,) = model.request("resources/read", {"uri": "store://shopping"})["contents"]
    return {item["name"]: item for item in msgspec.json.decode(content["text"])["items"]}


@pytest.mark.requirement(105)
def test_two_people_and_a_model_change_one_list_and_it_stays(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as server, SyncClient(f"http://127.0.0.1:{server.port}/mcp") as model:
        ann = Shopper(browser, server, "ann")
        ben = Shopper(browser, server, "ben", viewport={"width": 360, "height": 800}, color_scheme="dark")
        ann.sees("4 of 5 to buy, 10.10 €")
        ben.expect_chart("To buy: .* highest 5.6 at Dairy")

        ann.line("Milk").get_by_role("checkbox").check()
        ben.sees("3 of 5 to buy, 7.40 €")
        expect(ben.line("Milk").get_by_role("checkbox")).to_be_checked()
        ben.expect_chart("To buy: .* highest 4.5 at Produce")
        assert items(model)["Milk"]["done"] is True

        told = model.request("tools/call", {"name": "add", "arguments": {"name": "Salt <b>", "price": 0.8}})
        assert told["structuredContent"]["by"] == "A model"
        for person in (ann, ben):
            person.sees("4 of 6 to buy, 8.20 €", "Salt <b>")

        ben.view.get_by_placeholder("What to buy").fill("Soap")
        ben.view.get_by_placeholder("€").fill("2.5")
        ben.view.get_by_role("combobox").select_option("Household")
        ben.view.get_by_role("button", name="Add").click()
        ann.sees("5 of 7 to buy, 10.70 €", "Soap")
        expect(ann.line("Soap").locator("small")).to_have_text("Household · Ben")
        ann.line("Soap").get_by_role("button").click()
        ben.sees("4 of 6 to buy")

        refused = ben.line("Apples").locator("[type=number]")
        refused.fill("0")
        refused.blur()
        expect(refused).to_have_attribute("data-error", re.compile("expected an integer >= 1"))

        ben.view.locator("body").evaluate(HOLD_BACK)
        ann.line("Lemons").locator("[type=number]").fill("7")
        ann.line("Lemons").locator("[type=number]").blur()
        ann.sees("10.60 €")
        late = ben.line("Lemons").locator("[type=number]")
        late.fill("9")
        late.blur()
        expect(late).to_have_attribute("data-error", re.compile("changed meanwhile"))
        expect(late).to_have_value("7")
        assert items(model)["Lemons"]["count"] == 7

        for person in (ann, ben):
            body = person.view.locator("body")
            body.evaluate(f"() => {{ {AXE.read_text('utf-8')} }}")
            found = body.evaluate("() => axe.run(document, {rules: {'page-has-heading-one': {enabled: false}}})")
            assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found["violations"]] == []
            assert body.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        ben.page.reload()
        ben.sees("4 of 6 to buy, 10.60 €", "Salt")
        ann.close()
        ben.close()
    assert server.stderr == ""
    with served(tmp_path) as server:
        again = Shopper(browser, server, "ann")
        again.sees("4 of 6 to buy, 10.60 €", "Salt")
        expect(again.line("Milk").get_by_role("checkbox")).to_be_checked()
        again.close()
