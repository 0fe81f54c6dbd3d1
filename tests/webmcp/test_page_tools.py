"""`PageTools` in real Chromium: the same pages with the browser's own WebMCP, our polyfill and another one."""

from __future__ import annotations

import asyncio

import pytest

from cloche.errors import PageGoneError, RequestTimeoutError, ToolError, UnknownNameError
from cloche.webmcp import PageTools
from tests.webmcp.conftest import Browsers
from tests.webmcp.pages import PageSite

KINDS = [
    ("native", "native"),
    ("plain", "polyfill"),
    pytest.param("plain", "mcp-b", marks=pytest.mark.long),
    pytest.param("native", "mcp-b", marks=pytest.mark.long),
]
by_kind = pytest.mark.parametrize(("browser", "kind"), KINDS)


@pytest.mark.parametrize(("browser", "kind"), [*KINDS[:2], ("plain", "mcp-b"), KINDS[3]])
def test_tools_are_listed_and_called(browsers: Browsers, site: PageSite, browser: str, kind: str) -> None:
    async def case() -> None:
        async with browsers.page(browser, site.at(f"/{kind}.html")) as page, PageTools(page) as tools:
            listed = {tool.name: tool for tool in await tools.list()}
            assert sorted(listed) == ["add", "fail", "greet", "wait"]
            add = listed["add"]
            assert add.description == "Adds two numbers"
            assert add.input_schema["required"] == ["a", "b"]
            assert (add.origin, add.is_main_frame, add.is_native) == (site.url, True, browser == "native")
            assert listed["greet"].input_schema == {"type": "object"}
            result = await tools.call(add, {"a": 1, "b": 2})
            assert (result.value, result.is_untrusted) == ({"sum": 3}, True)
            if kind != "mcp-b":  # that one does not pass the hints on
                assert result.untrusted_hint
            assert (await tools.call("greet")).value == "Good morning"
            with pytest.raises(ToolError, match=f"'fail' failed. The page at {site.url} says: .*no stock"):
                await tools.call("fail")
            with pytest.raises(UnknownNameError, match="the page has add, "):
                await tools.call("pay")

    browsers.run(case())


@by_kind
def test_wrong_arguments_are_refused_before_the_page_sees_them(
    browsers: Browsers, site: PageSite, browser: str, kind: str
) -> None:
    async def case() -> None:
        async with browsers.page(browser, site.at(f"/{kind}.html")) as page, PageTools(page) as tools:
            for wrong, reason in (({"a": 1}, '"b" is missing'), ({"a": 1, "b": "2"}, "b: expected a number")):
                with pytest.raises(ToolError, match=f"the page was not asked: .*{reason}"):
                    await tools.call("add", wrong)
            assert await page.evaluate("calls") == []
            await tools.call("add", {"a": 1, "b": 2})
            assert await page.evaluate("calls") == [[1, 2]]

    browsers.run(case())


@by_kind
def test_a_call_ends_in_the_page_when_it_is_given_up(
    browsers: Browsers, site: PageSite, browser: str, kind: str
) -> None:
    async def case() -> None:
        async with browsers.page(browser, site.at(f"/{kind}.html")) as page, PageTools(page) as tools:
            with pytest.raises(RequestTimeoutError):
                await tools.call("wait", timeout=0.5)
            call = asyncio.ensure_future(tools.call("wait"))
            await page.wait_for_function("window.waiting")
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            if kind != "mcp-b":  # that one gives its tools no signal
                await page.wait_for_function("cancelled == 2")

    browsers.run(case())


@by_kind
def test_a_page_that_goes_away_says_so(browsers: Browsers, site: PageSite, browser: str, kind: str) -> None:
    async def case() -> None:
        url = site.at(f"/{kind}.html")
        async with browsers.page(browser, url) as page, PageTools(page) as tools:

            async def call_while(leave: str) -> str:
                await tools.list()
                call = asyncio.ensure_future(tools.call("wait"))
                await page.wait_for_function("window.waiting")
                await page.evaluate(leave)
                with pytest.raises(PageGoneError) as gone:
                    await call
                with pytest.raises(PageGoneError) as still:
                    await tools.call("add", {"a": 1, "b": 2})
                assert (str(still.value), still.value.code) == (str(gone.value), gone.value.code)
                return f"{gone.value.code}: {gone.value}"

            reloaded = "PAGE_RELOADED: The page was reloaded: list its tools again"
            assert await call_while("void setTimeout(() => location.reload())") == reloaded
            await page.wait_for_function("window.calls")
            await tools.list()
            assert (await tools.call("add", {"a": 1, "b": 2})).value == {"sum": 3}
            there = site.elsewhere("/empty.html")
            said = await call_while(f"void setTimeout(() => location.href = {there!r})")
            assert said == f"PAGE_NAVIGATED: The page navigated to {there}: list its tools again"
            await page.wait_for_url(there)
            assert await tools.list() == []
            await page.goto(url)
            await tools.list()
            call = asyncio.ensure_future(tools.call("wait"))
            await page.wait_for_function("window.waiting")
            await page.close()
            for waiting in (call, tools.call("add", {"a": 1, "b": 2}), tools.list()):
                with pytest.raises(PageGoneError, match="The page was closed") as closed:
                    await waiting
                assert closed.value.code == "PAGE_CLOSED"

    browsers.run(case())


@by_kind
def test_changes_are_told(browsers: Browsers, site: PageSite, browser: str, kind: str) -> None:
    async def case() -> None:
        async with browsers.page(browser, site.at(f"/{kind}.html")) as page, PageTools(page) as tools:
            told = asyncio.Event()
            stop = tools.on_change(told.set)
            await told.wait()  # of what is there from the start
            told.clear()
            tool = "{ name: 'late', description: 'Comes late', execute: () => 1 }"
            await page.evaluate(f"void document.modelContext.registerTool({tool})")
            while "late" not in [one.name for one in await tools.list()]:
                await told.wait()
                told.clear()
            await page.reload()
            await told.wait()
            assert "late" not in [one.name for one in await tools.list()]
            stop()

    browsers.run(case())


@pytest.mark.parametrize(("browser", "kind"), KINDS[:3])
def test_a_form_is_a_tool(browsers: Browsers, site: PageSite, browser: str, kind: str) -> None:
    async def case() -> None:
        async with browsers.page(browser, site.at(f"/{kind}-form.html")) as page, PageTools(page) as tools:
            (form,) = await tools.list()
            assert (form.name, form.description) == ("find_cars", "Search the cars in stock")
            assert form.input_schema["required"] == ["make"]
            with pytest.raises(ToolError, match="make"):
                await tools.call(form, {})
            with pytest.raises(ToolError, match="year"):
                await tools.call(form, {"make": "Ford", "year": 1800})
            assert page.url.endswith("-form.html")
            if kind == "native":
                result = await tools.call(form, {"make": "Ford"})
                assert result.navigated_to == site.at("/found.html?make=Ford&year=")
            else:
                with_answer = (
                    "void (document.forms[0].onsubmit = (e) => (e.preventDefault(), e.respondWith({ found: 2 })))"
                )
                await page.evaluate(with_answer)
                assert (await tools.call(form, {"make": "Ford"})).value == {"found": 2}

    browsers.run(case())


STRICT = {
    "text": "if (Object(input) === input && !input[Symbol.toPrimitive]) throw TypeError('text'); JSON.parse(input)",
    "objects": "if (Object(input) !== input) throw TypeError('an object')",
}
"""What two other polyfills do with arguments before they call a tool."""


@pytest.mark.parametrize("kind", STRICT)
def test_a_tool_that_throws_a_type_error_is_called_once(browsers: Browsers, site: PageSite, kind: str) -> None:
    """A second try with arguments of another kind would do the tool's work again."""
    script = f"""<script>window.count = 0;
    const tool = {{ name: "pay", description: "d", window, execute(input) {{ count++; throw TypeError(input.to); }} }};
    document.modelContext = Object.assign(new EventTarget(), {{
        getTools: async () => [tool],
        executeTool: async (_, input) => {{ {STRICT[kind]}; return tool.execute(JSON.parse(JSON.stringify(input))); }},
    }});</script>"""
    url = site.url + site.page(f"/strict-{kind}.html", script)

    async def case() -> None:
        async with browsers.page("plain", url) as page, PageTools(page) as tools:
            with pytest.raises(ToolError, match="says: ann"):
                await tools.call("pay", {"to": "ann"})
            assert await page.evaluate("count") == 1

    browsers.run(case())
