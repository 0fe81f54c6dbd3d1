"""An extension with a server, in a whole Chromium: every case, who may connect, and the example as its README says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Worker

from tests.support.chromium import FLAGS
from tests.support.page_cases import run_cases
from tests.support.transport_site import HERE, TransportSite
from tools.chromium import whole_chromium

EXAMPLE = HERE.parents[2] / "examples" / "extension"
PORT = "8000"
"""Where the example's page is served."""

MANIFEST = {
    "manifest_version": 3,
    "name": "reference server",
    "version": "1.0.0",
    "permissions": ["tabs"],
    "background": {"service_worker": "tests/web/transports/extension/background.js", "type": "module"},
    "externally_connectable": {"matches": ["http://127.0.0.1/*", "http://localhost/*"]},
    "content_scripts": [{"matches": ["http://*/*"], "js": ["content.js"]}],
}

CONTENT = """
for (const [key, name] of [["ours", "mcp-connection"], ["careless", "careless"]]) {
  addEventListener(key, () => {
    const port = chrome.runtime.connect({ name });
    const request = { jsonrpc: "2.0", id: 1, method: "server/discover" };
    port.onMessage.addListener(() => { document.documentElement.dataset[key] = "answered" });
    port.onDisconnect.addListener(() => { document.documentElement.dataset[key] ??= "refused" });
    port.postMessage({ type: "mcp", payload: request });
  });
}
"""
"""A content script, which runs in every page."""


@dataclass
class Extended:
    """A browser with the two extensions."""

    context: BrowserContext
    id: str

    @property
    def worker(self) -> Worker:
        return next(worker for worker in self.context.service_workers if self.id in worker.url)

    def page(self, origin: str) -> Page:
        """A page of this origin that has the library."""
        page = self.context.new_page()
        page.set_default_timeout(20_000)
        page.goto(f"{origin}/empty.html")
        page.evaluate("""async () => {
          window.T = await import("/src/cloche/web/transports/index.js");
          window.C = await import("/src/cloche/web/client.js");
        }""")
        return page


def reference_extension(folder: Path, origins: list[str]) -> Path:
    """The reference server as an unpacked extension."""
    web = Path(str(resources.files("cloche.web")))
    shutil.copytree(web, folder / "src/cloche/web", ignore=shutil.ignore_patterns("_*"))
    inside = folder / "tests/web/transports"
    shutil.copytree(HERE / "extension", inside / "extension")
    shutil.copy(HERE / "reference_server.js", inside)
    (inside / "extension/origins.js").write_text(f"export const ORIGINS = {json.dumps(origins)};\n")
    (folder / "manifest.json").write_text(json.dumps(MANIFEST))
    (folder / "content.js").write_text(CONTENT)
    (folder / "empty.html").write_text("<!doctype html><title>its own page</title>")
    return folder


def commands() -> list[str]:
    """What the example's README tells to run."""
    return re.findall(r"```sh\n\s*(.*?)\n\s*```", (EXAMPLE / "README.md").read_text(encoding="utf-8"))


def example_extension(folder: Path) -> Path:
    """The example after the first step of its README."""
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("cloche"))
    copying = commands()[0]
    assert copying.startswith("python -c ")
    script = copying.removeprefix("python -c ").strip('"')
    subprocess.run([sys.executable, "-c", script], cwd=folder, check=True, timeout=30)
    return folder


def served(example: Path) -> tuple[subprocess.Popen[str], int]:
    """The second command of the README, with a port that is free here."""
    words = commands()[1].split()
    assert words == ["python", "-m", "http.server", PORT, "--bind", "127.0.0.1"]
    command = [sys.executable, "-u", *words[1:3], "0", *words[4:]]
    server = subprocess.Popen(command, cwd=example, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout is not None
    found = re.search(r"port (\d+)", server.stdout.readline())
    assert found is not None
    return server, int(found[1])


def moved(port: int) -> str:
    """The flag with which the browser finds that server under the address of the README."""
    return f"--host-resolver-rules=MAP 127.0.0.1:{PORT} 127.0.0.1:{port}"


@pytest.fixture(scope="module")
def extended(browser: Browser, site: TransportSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Extended]:
    folder = tmp_path_factory.mktemp("extensions")
    reference = reference_extension(folder / "reference", [site.url])
    example = example_extension(folder / "example")
    server, port = served(example)
    both = f"{reference},{example}"
    context = browser.browser_type.launch_persistent_context(
        folder / "profile",
        headless=True,
        executable_path=whole_chromium(),
        args=[*FLAGS, f"--load-extension={both}", f"--disable-extensions-except={both}", moved(port)],
    )
    while len(context.service_workers) < 2:
        context.wait_for_event("serviceworker", timeout=20_000)
    ids = [worker.url.split("/")[2] for worker in context.service_workers if "tests/web/transports" in worker.url]
    yield Extended(context, ids[0])
    context.close()
    server.terminate()
    server.communicate(timeout=10)


@pytest.mark.requirement(59, 60)
def test_the_cases_pass_over_an_extension(extended: Extended, site: TransportSite) -> None:
    page = extended.page(site.url)
    run_cases(page, "extension", "extension", id=extended.id)
    page.close()


ASK = """async ([id, name]) => {
  const transport = T.connectToExtension(id ?? undefined, { name });
  const client = new C.McpClient(transport, { timeout: 5000 });
  try {
    await client.connect();
    return (await client.listTools()).length > 0 ? "answered" : "nothing";
  } catch (error) {
    return error.code;
  } finally {
    client.close();
  }
}"""


def test_m07_a_page_that_is_not_listed_is_refused(extended: Extended, site: TransportSite) -> None:
    """The manifest lets both origins through. The control is a server that takes every port."""
    listed, other = extended.page(site.url), extended.page(site.other_url)
    assert listed.evaluate(ASK, [extended.id, "mcp-connection"]) == "answered"
    before = extended.worker.evaluate("() => listener.violations")
    assert other.evaluate(ASK, [extended.id, "careless"]) == "answered"
    assert other.evaluate(ASK, [extended.id, "mcp-connection"]) == "TRANSPORT_CLOSED"
    assert extended.worker.evaluate("() => listener.violations") == before + 1
    assert extended.worker.evaluate("() => refused.at(-1)") == site.other_url
    listed.close()
    other.close()


def test_its_own_pages_need_no_id_and_are_let_in(extended: Extended) -> None:
    page = extended.page(f"chrome-extension://{extended.id}")
    assert page.evaluate(ASK, [None, "mcp-connection"]) == "answered"
    page.close()


def test_m07_a_content_script_counts_as_its_page(extended: Extended, site: TransportSite) -> None:
    """It has the extension's id, and the origin of whatever page it runs in."""
    for origin, expected in ((site.url, "answered"), (site.other_url, "refused")):
        page = extended.page(origin)
        page.evaluate("() => { dispatchEvent(new Event('careless')); dispatchEvent(new Event('ours')) }")
        page.wait_for_function("() => Object.keys(document.documentElement.dataset).length == 2")
        told = page.evaluate("() => ({ ...document.documentElement.dataset })")
        assert told == {"careless": "answered", "ours": expected}
        page.close()


@pytest.mark.requirement(155)
def test_m07_other_extensions_are_asked_for_their_id_and_an_empty_list_is_refused(extended: Extended) -> None:
    """By the sender that the browser would give, because each extension would need a browser of its own."""
    facts = extended.worker.evaluate("""() => {
      const listeners = [];
      const real = chrome.runtime;
      const happening = { addListener: (one) => listeners.push(one), removeListener: () => 0 };
      const port = (sender) => ({
        name: "mcp-connection", sender, gone: false, disconnect() { this.gone = true }, postMessage() {},
        onMessage: happening, onDisconnect: happening,
      });
      const { id } = real;
      const runtime = { id, getURL: (path) => real.getURL(path), onConnect: happening, onConnectExternal: happening };
      const put = (value) => Object.defineProperty(globalThis, "chrome", { value, configurable: true });
      const before = chrome;
      put({ runtime });
      try {
        let refusal;
        try { listenInExtension({}, () => 0) } catch (error) { refusal = error.message }
        const taken = [];
        const listener = listenInExtension({ ids: ["a".repeat(32)] }, (transport, sender) => taken.push(sender.id));
        const [connected] = listeners;
        const own = { id: real.id, origin: new URL(real.getURL("")).origin };
        const senders = [{ id: "a".repeat(32) }, { id: "b".repeat(32) }, own, { origin: "https://page.example" }, {}];
        const gone = senders.map((sender) => { const one = port(sender); connected(one); return one.gone });
        return { refusal, gone, taken: taken.length, violations: listener.violations };
      } finally {
        put(before);
      }
    }""")
    assert facts == {
        "refusal": "origins, ids: name the pages and the extensions that may connect",
        "gone": [False, True, False, True, True],
        "taken": 2,
        "violations": 3,
    }


@pytest.mark.requirement(58, 60)
def test_options_defaults_and_the_envelope(extended: Extended, site: TransportSite) -> None:
    page = extended.page(site.url)
    facts = page.evaluate(
        """async (id) => {
          const port = chrome.runtime.connect(id, { name: "mcp-connection" });
          const seen = [];
          port.onMessage.addListener((data) => data.type === "mcp" && seen.push(data));
          let disconnected = 0;
          const transport = new T.ExtensionServerTransport({ port, onDisconnect: () => disconnected++ });
          const { result } = await transport.request({ method: "server/discover", params: {} });
          let refusal;
          try {
            transport.send({ jsonrpc: "2.0", method: "x", params: { data: new ArrayBuffer(3) } });
          } catch (error) {
            refusal = error.message;
          }
          const type = transport.messageType;
          transport.close();
          const short = T.connectToExtension(id);
          const { name } = short.port;
          short.close();
          return { type, name, seen: seen.map((data) => Object.keys(data).sort()), refusal, disconnected };
        }""",
        extended.id,
    )
    assert facts == {
        "type": "mcp",
        "name": "mcp-connection",
        "seen": [["payload", "type"]],
        "refusal": "A message is plain JSON: params.data is a ArrayBuffer",
        "disconnected": 0,
    }
    page.close()


def test_a_service_worker_that_stops_ends_the_calls_and_starts_again(extended: Extended, site: TransportSite) -> None:
    page = extended.page(site.url)
    page.evaluate(
        """async (id) => {
          window.gone = 0;
          window.client = new C.McpClient(T.connectToExtension(id, { onDisconnect: () => gone++ }));
          await client.connect();
          const told = (error) => error.constructor.name + " " + error.code;
          window.call = client.callTool("hold", { name: "call" }).then(() => "answered", told);
          await client.callTool("noted", { what: "call began" });
        }""",
        extended.id,
    )
    devtools = extended.context.new_cdp_session(page)
    devtools.send("ServiceWorker.enable")
    devtools.send("ServiceWorker.stopAllWorkers")
    assert page.evaluate("() => Promise.race([call, new Promise((done) => setTimeout(done, 15_000, 'nothing'))])") == (
        "TransportClosedError TRANSPORT_CLOSED"
    )
    assert page.evaluate("() => gone") == 1
    assert page.evaluate(ASK, [extended.id, "mcp-connection"]) == "answered"
    page.close()


@pytest.mark.requirement(59, 61)
def test_the_example_works_as_its_readme_says(extended: Extended) -> None:
    manifest = json.loads((EXAMPLE / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["manifest_version"] == 3
    assert manifest["permissions"] == ["tabs"]
    assert manifest["background"]["service_worker"] == "background.js"
    assert manifest["externally_connectable"]["matches"] == ["http://127.0.0.1/*", "http://localhost/*"]
    page = extended.context.new_page()
    page.set_default_timeout(20_000)
    page.goto(f"http://127.0.0.1:{PORT}/")
    page.click("text=Which tabs are open?")
    page.wait_for_function("() => document.getElementById('answer').textContent")
    assert "A page that asks an extension" in page.inner_text("#answer").splitlines()
    page.close()
