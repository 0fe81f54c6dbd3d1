"""docs/frames.md: its scripts run on the origins that it names, and its diagrams are those of the tables."""

from __future__ import annotations

import re
from importlib import resources

from playwright.sync_api import Route, sync_playwright

from cloche.wire.frames import messages
from tests.support.chromium import FLAGS
from tests.support.snippets import ROOT
from tools.chromium import chromium
from tools.frame_diagrams import BEGIN, END, SIDES, made

TEXT = (ROOT / "docs/frames.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```js\n// file: (?P<name>[\w-]+\.js)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
SCRIPTS = {found["name"]: found["code"] for found in BLOCK.finditer(TEXT)}


def test_the_diagrams_are_those_of_the_tables() -> None:
    for name in SIDES:
        shown = TEXT.partition(BEGIN.format(name=name))[2].partition(END)[0]
        assert shown == made(name), "run `python -m tools.frame_diagrams`"


def test_the_table_of_messages_has_every_member() -> None:
    for kind in messages.MESSAGES:
        [row] = [line for line in TEXT.splitlines() if line.startswith(f"| `{kind.__struct_config__.tag}` |")]
        listed = set(re.findall(r"`(\w+)\??`", row.split("|")[3]))
        assert listed == set(kind.__struct_encode_fields__)
    for word in (*messages.SETUP_ERROR_CODES, *messages.SETUP_REASONS):
        assert f"`{word}`" in TEXT


def serve(route: Route) -> None:
    path = re.sub(r"^https?://[^/]+/|[?#].*$", "", route.request.url)
    if path.startswith("cloche/"):
        body = (resources.files("cloche.web") / path.removeprefix("cloche/")).read_text(encoding="utf-8")
    elif path.endswith(".html"):
        body = f'<!doctype html><body><script type="module" src="{path.removesuffix(".html")}.js"></script>'
    else:
        body = SCRIPTS.get(path, "")
    route.fulfill(body=body, content_type="text/html" if path.endswith(".html") else "text/javascript")


def test_the_scripts_print_what_they_say() -> None:
    [printed] = re.findall(r"console\.log\(.*\); // (.*)$", SCRIPTS["with-server.js"], re.MULTILINE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        context = browser.new_context()
        context.route("**/*", serve)
        page = context.new_page()
        with context.expect_console_message(lambda line: line.type == "log", timeout=20_000) as logged:
            page.goto("https://shop.example/with-server.html")
        assert logged.value.text == printed
        browser.close()
