"""A server with a view written by hand: raw postMessage, a button, a field."""

from __future__ import annotations

from typing import Any

from cloche import Server

MIME_TYPE = "text/html;profile=mcp-app"

RPC = """
let next = 0; const waiting = new Map();
function post(message) { parent.postMessage({jsonrpc: "2.0", ...message}, "*"); }
function request(method, params) {
  return new Promise((resolve, reject) => {
    waiting.set(next, {resolve, reject});
    post({id: next++, method, params});
  });
}
function notify(method, params = {}) { post({method, params}); }
const handlers = {};
addEventListener("message", async ({data, source}) => {
  if (source !== parent) return;
  if (data.method === undefined) {
    const {resolve, reject} = waiting.get(data.id); waiting.delete(data.id);
    data.error ? reject(Object.assign(new Error(data.error.message), {code: data.error.code})) : resolve(data.result);
  } else if (data.id === undefined) { handlers[data.method]?.(data.params); }
  else if (handlers[data.method]) { post({id: data.id, result: await handlers[data.method](data.params)}); }
  else { post({id: data.id, error: {code: -32601, message: "no such method"}}); }
});
async function start(capabilities = {}) {
  const answer = await request("ui/initialize",
    {appInfo: {name: "counter", version: "1"}, appCapabilities: capabilities, protocolVersion: "2026-01-26"});
  notify("ui/notifications/initialized");
  return answer;
}
"""

COUNTER = (
    "<!doctype html><html><head><style>html { color-scheme: light dark } body { margin: 8px; font: 16px sans-serif }"
    "</style></head><body><h1>Counter</h1><p id=value>…</p><p id=state></p>"
    "<input id=step value=1><button id=add>Add</button><script>"
    + RPC
    + """
const show = (result) => { value.textContent = result.structuredContent?.count ?? result.content[0].text; };
handlers["ui/notifications/tool-input"] = ({arguments: given}) => { state.textContent = `from ${given.start}`; };
handlers["ui/notifications/tool-result"] = show;
handlers["ui/notifications/host-context-changed"] = ({theme}) => { state.textContent = `theme ${theme}`; };
handlers["ui/notifications/tool-input-partial"] = ({arguments: given}) => { value.textContent = `≈ ${given.start}`; };
handlers["ui/notifications/tool-cancelled"] = ({reason}) => { value.textContent = `cancelled: ${reason}`; };
handlers["ui/resource-teardown"] = () => { notify("notifications/message", {level: "info", data: "bye"}); return {}; };
add.onclick = async () => {
  add.setAttribute("aria-busy", "true");
  try { show(await request("tools/call", {name: "add", arguments: {step: Number(step.value)}})); }
  catch (error) { state.textContent = `failed: ${error.message}`; }
  add.removeAttribute("aria-busy");
};
start().then(() => notify("ui/notifications/size-changed", {width: 400, height: 250}));
</script></body></html>"""
)


def server_with(html: str, *, meta: dict[str, Any] | None = None, mime_type: str = MIME_TYPE) -> Server:
    """A counter whose tool `counter` shows `html`."""
    server = Server("counter")
    count = 0

    @server.tool(meta={"ui": {"resourceUri": "ui://counter/view.html"}})
    def counter(start: int = 0) -> dict[str, int]:
        """Count from a number on."""
        nonlocal count
        count = start
        return {"count": count}

    @server.tool(meta={"ui": {"visibility": ["app"]}})
    def add(step: int) -> dict[str, int]:
        """Count on."""
        nonlocal count
        count += step
        return {"count": count}

    @server.tool(meta={"ui": {"visibility": ["model"]}})
    def reset() -> str:
        """Not for views."""
        return "reset"

    uri = "ui://counter/view.html"
    server.register_resource(uri, lambda: html, name="view", mime_type=mime_type, content_meta=meta)
    return server


def view_of(script: str, **options: Any) -> Server:
    """A counter whose view runs `script` after the messaging code."""
    return server_with(f"<!doctype html><body><p id=out></p><script>{RPC}{script}</script></body>", **options)
