"""What TypeScript says of pages that use the modules: nothing when they are right, and where they are wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.support.framework_pages import frameworks
from tests.support.snippets import ROOT
from tools.npm_tools import node_modules

PAGE = """
import { createApp } from "vue";
import { McpClient } from "./cloche/client.js";
import { ErrorBoundary, Provider, useApp, useMcp, useResource, useStore, useTool, useUIResource }
  from "./cloche/react.js";
import { openStore, StoreRefusedError } from "./cloche/store.js";
import { ReconnectingTransport } from "./cloche/transports/care.js";
import { WebSocketTransport } from "./cloche/transports/websocket.js";
import * as vue from "./cloche/vue.js";

const connect = (): McpClient => new McpClient(new ReconnectingTransport(() => WebSocketTransport.open("/mcp")));
const store = openStore(connect(), "shopping");
const stop: () => void = store.select((state) => state.items.length as number, (now) => now + 1);
export const told = (error: unknown) => error instanceof StoreRefusedError && error.isConflict ? stop() : undefined;

function List() {
  const count: number | undefined = useStore("shopping.items", (items: string[]) => items.length);
  const { call, error, isCalling } = useTool("add");
  const { text } = useResource("store://shopping");
  const { html } = useUIResource("ui://x");
  const { input } = useApp();
  useMcp().store("shopping").set(["items", 0], "bread");
  return <p onClick={() => call({ name: "milk" })}>{count}{error?.message}{isCalling}{text}{html}{String(input)}</p>;
}

const failed = (error: Error, retry: () => void) => <button onClick={retry}>{error.message}</button>;
export const Page = () => <ErrorBoundary fallback={failed}>
  <Provider client={connect}><List /></Provider>
</ErrorBoundary>;

createApp({
  components: { Provider: vue.Provider, ErrorBoundary: vue.ErrorBoundary },
  setup() {
    const count = vue.useStore(() => "shopping.items", (items: string[]) => items.length);
    return { count, size: (count.value ?? 0) + 1, status: vue.useTransportStatus().value.status };
  },
});
"""


def compiler(folder: Path) -> Callable[[str], list[str]]:
    """What says which mistakes a page has, beside a copy of the scripts that the documentation's commands make."""
    text = (ROOT / "docs/state-in-pages.md").read_text(encoding="utf-8")
    for command in re.findall(r'^python -c "(.*)"$', text, re.MULTILINE):
        subprocess.run([sys.executable, "-c", command], cwd=folder, check=True, timeout=30)
    (folder / "node_modules").symlink_to(frameworks(), target_is_directory=True)
    options: dict[str, object] = {
        "strict": True,
        "noEmit": True,
        "jsx": "react-jsx",
        "target": "esnext",
        "module": "esnext",
    }
    options |= {"target": "esnext", "moduleResolution": "bundler", "skipLibCheck": True, "types": []}
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["page.tsx"]}))
    tsc = node_modules(ROOT / "tools" / "bundler") / ".bin" / "tsc"

    def compile_page(page: str) -> list[str]:
        (folder / "page.tsx").write_text(page, encoding="utf-8")
        done = subprocess.run([tsc, "-p", folder], capture_output=True, text=True, timeout=60, check=False)
        return re.findall(r"error TS\d+: .*", done.stdout + done.stderr)

    return compile_page


MISTAKES = [
    ("client={connect}", "client={7}", "ClientOrMaker"),
    ("const count: number", "const count: string", "Type 'number'"),
    ("{error?.message}", "{error?.massage}", "massage"),
    ("call({ name", 'call("milk" as string, { name', "Params"),
]
"""What is right, what is wrong, and a word of what is said."""


def test_a_page_in_typescript_has_types_and_mistakes_in_it_are_found(tmp_path: Path) -> None:
    compile_page = compiler(tmp_path)
    assert compile_page(PAGE) == []
    page = PAGE
    for right, wrong, _ in MISTAKES:
        assert right in page
        page = page.replace(right, wrong, 1)
    found = compile_page(page)
    assert [said for _, _, said in MISTAKES if not any(said in line for line in found)] == [], found
