// @ts-check
// Written by tools/protocol_facts.py from what Python knows: change that, then run `make web`.
/** How views and hosts of older dialects of MCP Apps call what they mean. */
/** @type {Record<string, string>} */
export const toView = {
  "ui/toolInput": "ui/notifications/tool-input",
  "ui/toolResult": "ui/notifications/tool-result",
  "ui/notifications/cancelled": "ui/notifications/tool-cancelled",
  "ui/tool-cancelled": "ui/notifications/tool-cancelled",
  "ui/host-context-change": "ui/notifications/host-context-changed",
  "ui/teardown": "ui/resource-teardown",
};
/** @type {Record<string, string>} */
export const toHost = {
  "tools/call": "ui/callServerTool",
  "ui/open-link": "ui/openLink",
  "ui/update-model-context": "ui/updateModelContext",
  "ui/request-display-mode": "ui/setDisplayMode",
  "ui/notifications/request-teardown": "ui/close",
  "notifications/message": "ui/log",
};
/** @type {Record<string, string>} */
export const params = {
  structuredContent: "context",
  content: "context",
  data: "message",
};
/** @type {Record<string, string>} */
export const capabilities = {
  serverToolProxy: "serverTools",
  openLink: "openLinks",
  modelContextUpdate: "updateModelContext",
  widgetTools: "appTools",
};
/** @type {Record<string, string>} */
export const hostReads = {
  "ui/size-change": "ui/notifications/size-changed",
  "ui/notifications/sandbox-ready": "ui/notifications/sandbox-proxy-ready",
  "sandbox-proxy-ready": "ui/notifications/sandbox-proxy-ready",
  "sandbox-resource-ready": "ui/notifications/sandbox-resource-ready",
};
/** The capabilities that only hosts of an older dialect have. */
export const flags = ["serverToolProxy", "openLink", "modelContextUpdate", "widgetTools"];
