"""The host's own pages: markup in what a server says, the sandbox in somebody else's frame, service workers."""

from __future__ import annotations

import contextlib
import html
import json
from typing import Any

from playwright.async_api import Error, Page

from tests.attacks.attack import Attack
from tests.attacks.catalogue.exfiltration import without_headers
from tests.attacks.catalogue.isolation import COMPLETE
from tests.attacks.scene import Attempt, Scene
from tests.engines.driving import DriverError
from tests.support.controls import Control, Edit, Patch

KIND = "the host's own pages"


def data_in_a_script(original: Any, self: Any) -> Any:
    return f'{original(self)}<script type="application/json">{json.dumps(self.tool_entry)}</script>'


def half_escaped(original: Any, self: Any) -> Any:
    """`<`, `>` and `&`, and not the quotation mark."""
    title = html.escape(str(self.tool_entry.get("title")), quote=False)
    return str(original(self)).replace("<mcp-app", f'<mcp-app title="{title}"', 1)


NAME_AS_MARKUP = Control(
    "name-as-markup",
    "names that are only texts in the element's bar",
    (),
    (
        Edit(
            "host/surface.js",
            "this.name.textContent = name;",
            "this.name.innerHTML = name;",
        ),
    ),
)
ERROR_AS_MARKUP = Control(
    "error-as-markup",
    "errors that are only texts in the element",
    (),
    (Edit("host/surface.js", "this.hint.textContent =", "this.hint.innerHTML ="),),
)
DATA_IN_PAGE = Control(
    "data-in-the-page",
    "an element that carries a ticket and no data",
    (Patch("cloche.host.call:Call.embed", data_in_a_script),),
)
HALF_ESCAPED = Control(
    "half-escaped",
    "an element without a server's texts in its attributes",
    (Patch("cloche.host.call:Call.embed", half_escaped),),
)


def any_ancestor(original: Any, sources: Any, page: str, *profile: Any) -> str:
    return str(original(sources, page, *profile)).partition("; frame-ancestors")[0]


ANY_ANCESTOR = Control(
    "any-ancestor", "frame-ancestors", (Patch("cloche.host.web.headers:content_policy", any_ancestor),)
)


async def product_on_sandbox_names(original: Any, self: Any, scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "http" and scope["path"] == "/sw.js":
        await self.app(scope, receive, send)
    else:
        await original(self, scope, receive, send)


SERVED_ON_SANDBOX = Control(
    "product-on-sandbox-names",
    "sandbox names that serve one page only, the content policy, and an opaque origin",
    (
        COMPLETE,
        without_headers(b"content-security-policy", b"connection-allowlist"),
        Patch("cloche.host.web.wrapper:Wrapper.__call__", product_on_sandbox_names),
    ),
)


async def watch_owned(scene: Scene, attempt: Attempt) -> None:
    """Succeeds when markup of the attacker's runs in the host's page."""
    scene.on_told("owned", lambda what: attempt.win(f"runs in the host's page: {what}"))


async def title_of_frame(page: Any) -> str:
    """What the first frame of a page is called: only a driver can see that."""
    if isinstance(page, Page):
        return await page.frames[1].title()
    return str(await page.evaluate_in((0,), "() => document.title"))


async def frame_it(scene: Scene, attempt: Attempt) -> None:
    """A page of another origin shows the sandbox in a frame of its own, over which it can lay what it likes."""
    address = await scene.page.evaluate(
        "() => document.querySelector('mcp-app').shadowRoot.querySelector('iframe').src"
    )
    page = await scene.page.context.new_page()
    try:
        await page.goto(f"http://127.0.0.1:{scene.house.port}/page/nobody")  # which has no other frame
        script = """url => new Promise(done => {
          const frame = Object.assign(document.createElement("iframe"), { src: url, onload: done });
          document.body.append(frame);
        })"""
        with contextlib.suppress(Error, DriverError):  # an error page
            await page.evaluate(script, address)
            if await title_of_frame(page) == "Sandbox":
                attempt.win("framed by somebody else")
    finally:
        await page.close()


def attack(name: str, case: str, control: Control, **options: Any) -> Attack:
    given: dict[str, Any] = {"watcher": watch_owned, "setup": {"how": "nothing"}, "script": "declarations", **options}
    return Attack(name=name, kind=KIND, case=case, control=control, alone=True, **given)


ONERROR = "<img src=x onerror=owned('markup')>"

ATTACKS = [
    attack("markup-in-a-name", "W01", NAME_AS_MARKUP, meta={"title": ONERROR}),
    attack("markup-in-an-error", "W01", ERROR_AS_MARKUP, meta={"mimeType": ONERROR}, refused=True),
    attack("end-of-a-script", "W01", DATA_IN_PAGE, meta={"title": f"</script>{ONERROR}"}),
    attack("end-of-a-comment", "W01", DATA_IN_PAGE, meta={"title": f"<!--</script>{ONERROR}-->"}),
    attack(
        "end-of-an-attribute",
        "W02",
        HALF_ESCAPED,
        meta={"title": "\" tabindex=0 autofocus onfocus=\"owned('attribute')"},
    ),
    attack("framed", "W20", ANY_ANCESTOR, watcher=None, driver=frame_it),
    attack("service-worker", "W28", SERVED_ON_SANDBOX, watcher=None, setup={"how": "serviceWorker"}, stores=True),
]
