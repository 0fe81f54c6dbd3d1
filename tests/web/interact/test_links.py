"""Links go through the host, and so does what is to be saved."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.interact.conftest import Open

LINKS = """<a id="out" href="https://example.com/a?b=1">out</a> <a id="here" href="#there">here</a>
<a id="csv" href="data:text/csv;charset=utf-8,a%2Cb%0A1" download="a.csv">csv</a>
<a id="png" href="data:image/png;base64,AAAA" download="a.png">png</a>
<a id="far" href="https://example.com/big.zip" download="big.zip">far</a>
<a id="tool" href="https://example.com/" data-tool="go">tool</a>
<p id="there" style="margin-top: 1500px; height: 900px">there</p>"""


def test_links_are_opened_by_the_host(open_page: Open) -> None:
    with open_page(LINKS) as page:
        page.locator("#out").click()
        page.wait_for_calls(1)
        assert page.calls("link") == [["https://example.com/a?b=1"]]
        page.frame.evaluate("cloche.calls[0].reject(Error('Only http and https'))")
        expect(page.locator("#out")).to_have_attribute("data-error", "Only http and https")
        page.locator("#here").click()
        page.frame.wait_for_function("scrollY > 500")  # without a navigation, which would lead away from the view
        page.locator("#tool").click()
        assert page.wait_for_calls(2) == [["go", {}]]
        assert page.calls("link") == [["https://example.com/a?b=1"]]


def test_a_refused_link_says_so(open_page: Open) -> None:
    with open_page(LINKS) as page:
        page.locator("#out").click()
        page.wait_for_calls(1)
        page.answer(0, {"isError": True})
        expect(page.locator("#out[data-error]")).to_have_count(1)


def test_downloads_are_saved_by_the_host(open_page: Open) -> None:
    with open_page(LINKS) as page:
        for count, name in enumerate(("csv", "png", "far"), 1):
            page.locator(f"#{name}").click()
            page.wait_for_calls(count)
        assert page.calls("download") == [
            [{"name": "a.csv", "mimeType": "text/csv;charset=utf-8", "text": "a,b\n1"}],
            [{"name": "a.png", "mimeType": "image/png", "blob": "AAAA"}],
            [[{"type": "resource_link", "uri": "https://example.com/big.zip", "name": "big.zip"}]],
        ]
