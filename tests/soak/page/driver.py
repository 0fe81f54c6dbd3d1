"""One soak: a page that calls, servers around it, faults until there were enough, then a look at everything."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import BrowserContext, Error, Page, sync_playwright

from tests.soak.page.history import History
from tests.support.chromium import FLAGS
from tests.support.transport_site import TransportSite
from tools.chromium import chromium, whole_chromium

HERE = Path(__file__).parent
PLACE = "/tests/soak/page/page"
ERAS = ("2025-11-25", "2026-07-28")
DEADLINE = 30_000

KINDS = {
    "worker killed": "worker",
    "port closed": "port",
    "shared worker ended": "shared",
    "frame removed": "frame",
    "tab closed": "broadcast",
    "navigation mid-call": "tab",
    "extension stopped": "extension",
}
"""Faults, and the line that each is done to."""


@dataclass
class Plan:
    """What to run."""

    seed: int
    faults: int
    kinds: tuple[str, ...] = tuple(KINDS)
    told: Callable[[str], None] = field(default=lambda _: None)


class Soak:
    """A page with a line of every kind, and what can be done to them."""

    def __init__(self, plan: Plan, context: BrowserContext, site: TransportSite) -> None:
        self.history = History()
        self._plan = plan
        self._random = random.Random(plan.seed)
        self._context = context
        self._site = site
        self._serving: list[Page] = []
        self._listening: list[Page] = []
        self._page = self._open("index.html")

    def run(self) -> None:
        """Everything, from the first call to the last look."""
        self.history.before = self._page.evaluate("() => counts()")
        self._start()
        self.history.steady = self._page.evaluate("() => counts()")
        for number, kind in enumerate(self._schedule(), 1):
            self._plan.told(f"{number}: {kind}")
            self._one(kind)
        self._page.evaluate("() => soak.rest()")
        self.history.rested = self._page.evaluate("() => counts()")
        told = self._page.evaluate("() => ({ ...soak.history, delays: soak.SCHEDULE })")
        for name, value in told.items():
            setattr(self.history, name, value)
        for page in (*self._serving, *self._listening):
            page.close()
        self._page.evaluate("() => soak.close()")
        self.history.after = self._page.evaluate(
            """async () => {
                for (const end = Date.now() + 3000; (await counts()).locks && Date.now() < end;) await 0;
                return await counts();
            }"""
        )

    def _open(self, name: str) -> Page:
        page = self._context.new_page()
        page.set_default_timeout(DEADLINE)
        page.goto(f"{self._site.url}{PLACE}/{name}")
        page.wait_for_function("() => document.title === 'ready'")
        return page

    def _start(self) -> None:
        lines = [KINDS[kind] for kind in self._plan.kinds]
        if "broadcast" in lines:
            self._listening = [self._open("serving.html?kind=broadcast") for _ in range(2)]
        if "tab" in lines:
            self._serving = [self._open("serving.html?kind=tab")]
        extension = self._extension() if "extension" in lines else None
        for line in lines:
            self._page.evaluate("(given) => soak.start(...given)", [line, self._random.choice(ERAS), extension])
            self._works(line, 0, "the beginning")

    def _schedule(self) -> list[str]:
        """Every kind at least once when there are enough, then by chance."""
        kinds = list(self._plan.kinds)
        rest = self._random.choices(kinds, k=max(0, self._plan.faults - len(kinds)))
        chosen = [*kinds, *rest][: self._plan.faults]
        self._random.shuffle(chosen)
        return chosen

    def _one(self, kind: str) -> None:
        line = KINDS[kind]
        self.history.faults[kind] += 1
        since = self._page.evaluate("() => performance.now()")
        chance = self._random.random()
        if line == "broadcast":
            self._close_tab(chance)
        elif line == "tab":
            self._navigate(chance)
        elif line == "extension":
            self._stop_extension()
        else:
            self._page.evaluate("([line, chance]) => void soak.faults[line](chance)", [line, chance])
        self._works(line, since, kind)

    def _works(self, line: str, since: float, after: str) -> None:
        if not self._page.evaluate("(given) => soak.works(...given)", [line, since]):
            self.history.troubles.append(f"{line} does not work again after {after}")

    def _close_tab(self, chance: float) -> None:
        """The tab that answers, or sometimes the one that waits for its turn; then there are two again."""
        leads = [page.evaluate("() => listener.isLeader") for page in self._listening]
        place = leads.index(True) if chance < 0.8 and True in leads else 0
        self._listening.pop(place).close()
        self._listening.append(self._open("serving.html?kind=broadcast"))

    def _navigate(self, chance: float) -> None:
        [page] = self._serving
        before = page.url
        if chance < 0.4:
            page.reload(wait_until="commit")
        elif chance < 0.7:
            page.goto(f"{self._site.url}{PLACE}/serving.html?kind=tab&page={chance}", wait_until="commit")
        elif page.go_back(wait_until="commit") is None and page.url == before:  # a page that was kept has no response
            page.reload(wait_until="commit")
        if not page.url.startswith(self._site.url):  # back beyond the first page
            page.goto(f"{self._site.url}{PLACE}/serving.html?kind=tab", wait_until="commit")

    def _extension(self) -> str:
        workers = self._context.service_workers
        worker = workers[0] if workers else self._context.wait_for_event("serviceworker")
        return worker.url.split("/")[2]

    def _stop_extension(self) -> None:
        browser = self._context.browser
        session = browser.new_browser_cdp_session() if browser else self._context.new_cdp_session(self._page)
        for target in session.send("Target.getTargets")["targetInfos"]:
            if target["type"] == "service_worker" and target["url"].startswith("chrome-extension:"):
                session.send("Target.closeTarget", {"targetId": target["targetId"]})
        session.detach()


def run(plan: Plan) -> History:
    """One soak, in a browser of its own."""
    with ExitStack() as stack:
        site = stack.enter_context(soak_site())
        context = stack.enter_context(started(site, with_extension="extension stopped" in plan.kinds))
        soak = Soak(plan, context, site)
        try:
            soak.run()
        except Error as error:
            soak.history.troubles.append(f"the driver stopped: {error.message.splitlines()[0]}")
        return soak.history


@contextmanager
def soak_site() -> Iterator[TransportSite]:
    site = TransportSite()
    for file in (HERE / "page").iterdir():
        site.add(f"{PLACE}/{file.name}", file)
    with site:
        # Pages that are left in the middle of loading are what this is about, and no news.
        site._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        yield site


@contextmanager
def started(site: TransportSite, *, with_extension: bool) -> Iterator[BrowserContext]:
    """A browser; with an extension only the whole one will do."""
    with sync_playwright() as playwright, TemporaryDirectory(prefix="page-soak-") as folder:
        if not with_extension:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            yield browser.new_context()
            browser.close()
            return
        extension = write_extension(Path(folder) / "extension", site.url)
        context = playwright.chromium.launch_persistent_context(
            Path(folder) / "profile",
            executable_path=whole_chromium(),
            headless=True,
            args=[*FLAGS, f"--load-extension={extension}", f"--disable-extensions-except={extension}"],
        )
        yield context
        context.close()


def write_extension(folder: Path, origin: str) -> Path:
    """The unpacked extension: its service worker, and the modules of `cloche.web` where they are imported from."""
    web = Path(str(resources.files("cloche.web")))
    shutil.copytree(web, folder / "src/cloche/web", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copytree(HERE / "page", folder / "tests/soak/page/page")
    background = folder / "tests/soak/page/page/background.js"
    background.write_text(background.read_text(encoding="utf-8").replace("ORIGIN", origin), encoding="utf-8")
    manifest = {
        "manifest_version": 3,
        "name": "soak",
        "version": "1",
        "background": {"service_worker": "tests/soak/page/page/background.js", "type": "module"},
        "externally_connectable": {"matches": ["http://127.0.0.1/*"]},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder
