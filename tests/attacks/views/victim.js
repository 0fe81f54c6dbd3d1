// An honest view: greets, says that it is there, and waits for its result.
addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  if (data.id === "hello") {
    parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/initialized" }, "*");
    log("started");
  }
  if (data.method === "ui/resource-teardown") parent.postMessage({ jsonrpc: "2.0", id: data.id, result: {} }, "*");
});
const log = (data) => {
  parent.postMessage({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data } }, "*");
};
const params = { appInfo: { name: "victim", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" };
parent.postMessage({ jsonrpc: "2.0", id: "hello", method: "ui/initialize", params }, "*");
