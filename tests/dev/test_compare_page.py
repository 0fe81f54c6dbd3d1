"""Hosts side by side: one result in several emulated hosts on one page, each as that host would, one call in all."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, FrameLocator, expect

from tests.support.axe import violations
from tests.support.playground import opened, playground, until

SERVER = '''
from pathlib import Path
from cloche import Server, ToolAnnotations

PAGE = """<p id="host"></p><p id="word"></p><script>
cloche.on("tool:result", (result) => {
  host.textContent = `${window.openai ? "openai" : "plain"} ${innerWidth < 400 ? "narrow" : "wide"}`;
  word.textContent = result.structuredContent?.word ?? "no structured content";
});
</script>"""
server = Server("words")

@server.tool(view=PAGE)
def say(word: str = "hello") -> dict[str, str]:
    """Say a word."""
    with Path("called").open("a") as file:
        file.write(".")
    return {"word": word}

@server.tool(view=PAGE, annotations=ToolAnnotations(destructive_hint=True))
def wipe() -> dict[str, str]:
    """Wipe everything."""
    return say("wiped")
'''


def test_one_result_is_shown_as_each_host_shows_it(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "words.py").write_text(SERVER, "utf-8")
    stories = '[one]\ntool = "say"\narguments = {word = "glass"}\n\n[danger]\ntool = "wipe"\n'
    (tmp_path / "words.stories.toml").write_text(stories, "utf-8")
    with playground("words.py", folder=tmp_path) as running, opened(browser, running.url, bypass_csp=True) as screen:
        page = screen.page

        def view(host: str, number: int = 0) -> FrameLocator:
            element = page.locator(f".as-{host} mcp-app").nth(number)
            return element.frame_locator("iframe").frame_locator("iframe")

        screen.view()  # the page calls the tool when it opens
        expect(screen.status).to_contain_text("Done")
        page.get_by_role("button", name="Compare hosts").click()
        expect(view("claude").locator("#host")).to_have_text("plain narrow")
        expect(view("chatgpt").locator("#host")).to_have_text("openai narrow")
        expect(view("chatgpt").locator("#word")).to_have_text("hello")
        assert (tmp_path / "called").read_text() == ".", "comparing calls nothing"
        assert violations(page) == []
        page.get_by_label("Claude Desktop-like").check()
        expect(view("claude-desktop").locator("#word")).to_have_text("no structured content")
        page.get_by_label("Width", exact=True).select_option("wide")
        page.get_by_label("Theme", exact=True).select_option("both")
        expect(view("vscode", 1).locator("#host")).to_have_text("plain wide")
        schemes = "(all) => all.map((one) => getComputedStyle(one).colorScheme)"
        until(lambda: page.locator(".as-vscode").evaluate_all(schemes) == ["light", "dark"], "both themes")
        colours = "(all) => all.map((one) => getComputedStyle(one).backgroundColor)"
        light, dark = page.locator(".as-claude").evaluate_all(colours)
        assert light != dark
        # What a person sees of two hosts: the size of the letters, the room around them, the corners of a bubble.
        looks = """(column) => [
          ...["fontSize", "paddingTop", "rowGap"].map((name) => getComputedStyle(column)[name]),
          getComputedStyle(column.querySelector(".host-user")).borderTopLeftRadius,
        ]"""
        chatgpt, vscode = (page.locator(f".as-{host}").first.evaluate(looks) for host in ("chatgpt", "vscode"))
        assert chatgpt == ["14px", "16px", "12px", "18px"]
        assert vscode == ["13px", "10px", "8px", "4px"]

        page.get_by_role("link", name="Stories").click()
        page.get_by_role("link", name="one").click()
        page.get_by_role("link", name="Compare hosts").click()
        expect(view("claude").locator("#word")).to_have_text("glass")
        expect(view("chatgpt").locator("#word")).to_have_text("glass")
        called = (tmp_path / "called").read_text()
        page.goto(page.url.split("#")[0] + "#/compare/story/words/danger")
        page.get_by_role("button", name="Call wipe").wait_for()
        assert (tmp_path / "called").read_text() == called, "an address calls nothing that may change something"
        page.get_by_role("button", name="Call wipe").click()
        expect(view("claude").locator("#word")).to_have_text("wiped")
