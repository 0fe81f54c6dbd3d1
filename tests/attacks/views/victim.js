// An honest view: greets, says that it is there, and waits for its result.
addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  if (data.id === "hello") {
    parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/initialized" }, "*");
    log("started");
  }
  if (data.method === "ui/notifications/host-context-changed" && data.params?.theme === "dark") measure();
  if (data.method === "ui/resource-teardown") parent.postMessage({ jsonrpc: "2.0", id: data.id, result: {} }, "*");
});
const log = (data) => {
  parent.postMessage({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data } }, "*");
};
// The longest time that this view was stopped for, after the host turned dark.
let longest = 0;
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
}, 4);
const measure = () => {
  longest = 0;
  setTimeout(() => log({ stopped: longest }), 1000);
};
const params = { appInfo: { name: "victim", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" };
parent.postMessage({ jsonrpc: "2.0", id: "hello", method: "ui/initialize", params }, "*");
