"""Views of a published server's tools: in the page that a person opens, and in the frame of a client."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from cloche.browser import Site as Published
from cloche.browser import write_site
from tests.browser.published.conftest import HERE, OUTER, POLICY, TIMEOUT, HeadedSite, fill, outer_script, rules
from tests.support.edited_web import ALONE, edited_web
from tests.support.file_site import Site

KEY = "secret-canary-9f3a"


@dataclass
class Viewer:
    """Where the server is, and the page that may use it."""

    site: Published
    own: str
    bare: str
    outer: str


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory, runtime: Path) -> Iterator[Viewer]:
    """The server, with the headers of its own `_headers` and without any."""
    folder = tmp_path_factory.mktemp("viewer") / "site"
    with Site(POLICY) as outer:
        outer.add("/outer.html", OUTER)
        outer.add("/outer.js", outer_script())
        made = write_site(HERE / "viewer.py", folder, allow_origins=[outer.url], runtime=runtime)
        with HeadedSite(folder) as own, Site("") as bare:
            fill(bare, folder)
            yield Viewer(made, f"{own.url}/index.html", f"{bare.url}/index.html", outer.url)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(TIMEOUT)
    yield made
    context.close()


def set_up(page: Page | FrameLocator) -> None:
    """Enter the key."""
    page.get_by_label("Key").fill(KEY)
    page.get_by_role("button", name="Save").click()


def roll(page: Page) -> FrameLocator:
    """Call the tool in its panel; its view."""
    panel = page.locator("[data-tool=roll]")
    panel.get_by_label("count").fill("4")
    panel.get_by_role("button", name="Call").click()
    return view_in(page, "[data-tool=roll]")


def view_in(page: Page | FrameLocator, place: str) -> FrameLocator:
    """The view there: in the stage, in its frame."""
    return page.frame_locator(f"{place} iframe.view:not([hidden])").frame_locator("iframe")


@pytest.mark.parametrize("place", ["own", "bare"])
def test_a_person_sees_the_view_of_a_call_and_the_view_calls_tools(page: Page, viewer: Viewer, place: str) -> None:
    blocked: list[str] = []
    page.on("console", lambda one: blocked.append(one.text) if "Content Security Policy" in one.text else None)
    page.goto(getattr(viewer, place))
    set_up(page)
    expect(page.locator("#settings")).to_contain_text("Dice", timeout=TIMEOUT)
    view = roll(page)
    expect(view.locator("#total")).to_have_text("12", timeout=TIMEOUT)
    expect(view.locator("#count")).to_have_text("4")
    # What the model would read is there too, folded.
    expect(page.locator("[data-tool=roll] .outcome summary", has_text="Result")).to_be_visible()

    # Tools: those for views, and no others; no secret comes with what they say.
    view.locator("#double").click()
    expect(view.locator("#said")).to_have_text("24")
    view.locator("#model").click()
    expect(view.locator("#said")).to_contain_text('is not for views: its visibility lacks "app"')
    view.locator("#blab").click()
    expect(view.locator("#said")).to_have_text("the key is (secret)")

    # A note is there again when the same call is made, also after a reload, until everything is forgotten.
    view.locator("#note").click()
    expect(view.locator("#said")).to_have_text("kept: true")
    page.reload()
    view = roll(page)
    expect(view.locator("#total")).to_have_text("12", timeout=TIMEOUT)
    expect(view.locator("#kept")).to_have_text("total 12")
    with page.expect_navigation():
        page.get_by_role("button", name="Forget").click()
    assert page.evaluate("() => localStorage.length") == 0
    assert not blocked, blocked


def test_a_link_of_a_view_is_asked_about(page: Page, viewer: Viewer) -> None:
    page.context.route("https://dice.example/**", lambda route: route.fulfill(body="more about dice"))
    page.goto(viewer.own)
    set_up(page)
    view = roll(page)
    expect(view.locator("#total")).to_have_text("12", timeout=TIMEOUT)
    view.locator("#script").click()
    expect(view.locator("#said")).to_contain_text("only http and https addresses can be opened")
    question = page.get_by_role("alertdialog")
    expect(question).to_have_count(0)

    view.locator("#link").click()
    expect(question).to_contain_text("The view wants to open a page of dice.example.")
    expect(question.locator("code")).to_have_text("https://dice.example/more?of=it")
    # A click that was meant for the view is no answer, and the view cannot move the question under one.
    height = page.locator("iframe.view").evaluate("(one) => one.clientHeight")
    view.locator("body").evaluate("(body) => body.style.paddingBottom = '400px'")
    expect(question.get_by_role("button", name="Open")).to_be_enabled()
    assert page.locator("iframe.view").evaluate("(one) => one.clientHeight") == height
    question.get_by_role("button", name="Not now").click()
    expect(view.locator("#said")).to_have_text('{"isError":true}')
    expect(page.locator("iframe.view")).not_to_have_css("height", f"{height}px")
    view.locator("#link").click()
    with page.context.expect_page() as opened:
        question.get_by_role("button", name="Open").click()
    expect(opened.value.locator("body")).to_have_text("more about dice")
    assert opened.value.evaluate("() => window.opener") is None
    expect(view.locator("#said")).to_have_text("{}")


@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25"])
def test_a_client_sees_the_view_of_its_call_in_the_frame(page: Page, viewer: Viewer, version: str) -> None:
    page.goto(f"{viewer.outer}/outer.html")
    page.evaluate("(version) => outer.client = { versions: [version] }", version)
    frame = page.frame_locator("iframe")
    page.evaluate("(url) => { outer.use(url); outer.begin(); }", viewer.own)
    set_up(frame)
    saved = page.evaluate("() => outer.saved()")
    assert saved["transportVisibility"] == {"requirement": "optional", "description": "What was rolled"}
    assert page.evaluate("() => outer.connect()") == "connected"
    page.evaluate("() => outer.kept.transport.setVisible(true)")
    heard = page.evaluate_handle(
        "() => { const all = []; outer.kept.transport.onMessage((message) => all.push(message)); return all; }"
    )
    rolled = page.evaluate("() => outer.call('roll', {count: 5})")
    assert rolled["structuredContent"] == {"count": 5, "total": 15}
    view = view_in(frame, "section[aria-label=View]")
    expect(view.locator("#total")).to_have_text("15", timeout=TIMEOUT)
    view.locator("#double").click()
    expect(view.locator("#said")).to_have_text("30", timeout=TIMEOUT)
    view.locator("#blab").click()
    expect(view.locator("#said")).to_have_text("the key is (secret)")
    # The client hears what it has asked, and nothing of what the view has.
    answers = [one for one in page.evaluate("(all) => all", heard) if "result" in one]
    assert [one["result"].get("structuredContent") for one in answers] == [{"count": 5, "total": 15}]
    # The next call has the place of this one, and one without a view leaves it there.
    page.evaluate("() => outer.call('roll', {count: 1})")
    expect(view.locator("#total")).to_have_text("3", timeout=TIMEOUT)
    page.evaluate("() => outer.call('blab', {})")
    expect(view.locator("#total")).to_have_text("3")


def test_the_second_visit_shows_a_view_without_a_network(page: Page, viewer: Viewer) -> None:
    page.goto(viewer.bare)
    set_up(page)
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.context.set_offline(True)
    page.goto(viewer.bare)
    view = roll(page)
    expect(view.locator("#total")).to_have_text("12", timeout=TIMEOUT)
    view.locator("#double").click()
    expect(view.locator("#said")).to_have_text("24")
    stage = next(one for one in page.frames if "stage.html" in one.url)
    assert [one.evaluate("() => self.origin") for one in (stage, *stage.child_frames)] == ["null", "null"]


def attacked(page: Page, url: str) -> list[str]:
    """What the hostile view reached."""
    page.goto(url)
    page.evaluate("() => localStorage.setItem('canary', 'of the page')")
    set_up(page)
    expect(page.locator("#settings")).to_contain_text("Dice", timeout=TIMEOUT)
    panel = page.locator("[data-tool=attack]")
    panel.locator("summary").first.click()
    panel.get_by_role("button", name="Call").click()
    tried = view_in(page, "[data-tool=attack]").locator("#found li")
    expect(tried.last).to_have_text("tried everything", timeout=TIMEOUT)
    return [text for text in tried.all_text_contents() if text != "tried everything"]


def test_a_view_reaches_nothing_of_the_page(page: Page, viewer: Viewer, tmp_path: Path) -> None:
    """Its storage, its document, the site's files, the key: none of it, with headers and without; all of it where the
    sandbox, the policies and the redaction are taken away.
    """
    assert attacked(page, viewer.own) == []
    assert attacked(page, viewer.bare) == []
    # The second time the stage comes from the service worker.
    page.evaluate("async () => { await navigator.serviceWorker.ready; localStorage.clear(); }")
    assert attacked(page, viewer.bare) == []
    assert page.evaluate("() => !!navigator.serviceWorker.controller")

    with Site("") as control:
        fill(control, viewer.site.folder)
        for name, content in unprotected(viewer.site.folder, tmp_path).items():
            control.add(f"/{name}", content)
        reached = {one.partition(":")[0] for one in attacked(page, f"{control.url}/index.html")}
    assert reached >= {"storage", "page", "around", "database", "cookies", "site", "secret"}, reached


def unprotected(folder: Path, place: Path) -> dict[str, bytes]:
    """The site's pages without what keeps a view apart."""
    open_to_all = '"allow-scripts allow-forms allow-same-origin"'
    edits = [
        ("published/stage.js", '"allow-scripts allow-forms"', open_to_all),
        ("published/stage.js", 'origin === "null" && ', ""),
        ("published/stage.js", '<meta http-equiv="Content-Security-Policy" content="${text}">', ""),
        ("published/redacted.js", "if (!secrets.length) return message;", "return message;"),
    ]
    script = (edited_web(place / "web", edits, ALONE["published"]) / "dist" / "published.js").read_bytes()
    index = (folder / "index.html").read_text()
    stage = (folder / "stage.html").read_text().replace('self.origin === "null"', "true")
    policy = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
    index = re.sub(r' integrity="[^"]*"', "", policy.sub("", index))
    return {"page.js": script, "index.html": index.encode(), "stage.html": policy.sub("", stage).encode()}


def test_a_page_that_is_no_site_of_the_server_cannot_use_its_stage(page: Page, viewer: Viewer) -> None:
    """On a host that sends no headers anybody can put the stage into a frame: it says nothing there."""
    page.goto(f"{viewer.outer}/outer.html")
    stage = viewer.bare.replace("index.html", "stage.html#abc")
    heard = page.evaluate(
        """async ([url, sandbox]) => {
            const all = [];
            addEventListener("message", ({ data }) => all.push(data));
            const frame = document.createElement("iframe");
            if (sandbox) frame.setAttribute("sandbox", sandbox);
            frame.src = url;
            const loaded = new Promise((resolve) => frame.onload = resolve);
            document.body.append(frame);
            await loaded;
            const channel = new MessageChannel();
            const params = { nonce: "abc" };
            frame.contentWindow.postMessage({ method: "ui/notifications/sandbox-port", params }, "*", [channel.port2]);
            channel.port1.postMessage({ html: "<p>mine", frame: { sandbox: "allow-scripts" }, limits: {} });
            const answered = new Promise((resolve) => channel.port1.onmessage = () => resolve("answered"));
            const asked = new Promise((resolve) => setTimeout(() => resolve("silent"), 500));
            return [all, await Promise.race([answered, asked])];
        }""",
        [stage, "allow-scripts"],
    )
    assert heard == [[], "silent"]


def test_what_the_folder_says_of_views(viewer: Viewer) -> None:
    folder = viewer.site.folder
    about = json.loads((folder / "mcp.json").read_text())
    assert sorted(map(bool, about["views"].values())) == [False, True]
    assert {"connectDomains": ["https://api.example"]} in about["views"].values()
    # The page has the policy of each view, and its own stays strict.
    index = (folder / "index.html").read_text()
    assert "connect-src https://api.example" in index
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', index)
    assert found
    assert "unsafe-inline" not in found[1]
    assert "frame-src blob: &#x27;self&#x27;" in found[1]
    # Where rules are joined, no file gets two policies.
    sent = rules(folder)
    assert "Content-Security-Policy" not in sent["/*"]
    for path in ("/", "/index.html", "/keeper.js", "/python/*", "/stage.html", "/stage"):
        assert "Content-Security-Policy" in sent[path], path
    routes = json.loads((folder / "staticwebapp.config.json").read_text())["routes"]
    assert [one["route"] for one in routes] == ["/stage.html", "/stage"]
    assert '<Files "stage.html">' in (folder / ".htaccess").read_text()


def test_a_server_without_views_has_no_stage(tmp_path: Path, runtime: Path) -> None:
    (tmp_path / "server.py").write_text("from cloche import Server\nserver = Server('plain')\n")
    (tmp_path / "site").mkdir()
    for name in ("mcp.json", "stage.html"):  # of an earlier build
        (tmp_path / "site" / name).write_text("{}")
    site = write_site(tmp_path / "server.py", tmp_path / "site", runtime=runtime, snapshot=False)
    assert not (site.folder / "stage.html").exists()
    assert "frame-src blob:;" in (site.folder / "index.html").read_text()
