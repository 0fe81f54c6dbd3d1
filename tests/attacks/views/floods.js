// Too much of everything. What reaches the host is counted there.
const many = 1000;

attacks.notifications = () => {
  for (let count = 0; count < many; count++) notify("notifications/message", { level: "debug", data: count });
};
attacks.requests = () => {
  for (let count = 0; count < many; count++) {
    post({ id: "f" + count, method: "tools/call", params: { name: "touch", arguments: { mark: "flood" } } });
  }
};
attacks["steady"] = async () => {
  // Never many at once, and never an end to it.
  for (let turn = 0; turn < 60; turn++) {
    for (let count = 0; count < 300; count++) notify("notifications/message", { level: "debug", data: count });
    await soon(20);
  }
};
attacks["context-updates"] = () => {
  for (let count = 0; count < many; count++) {
    post({ id: "c" + count, method: "ui/update-model-context", params: { content: [{ type: "text", text: "x" }] } });
  }
};
attacks["huge-message"] = () =>
  ask("ui/message", { role: "user", content: [{ type: "text", text: "x".repeat(600_000) }] });
attacks["huge-context"] = () =>
  ask("ui/update-model-context", { content: [{ type: "text", text: "x".repeat(600_000) }] });
attacks["huge-height"] = () => notify("ui/notifications/size-changed", { height: 1e9 });
attacks["pending-requests"] = () => {
  for (let count = 0; count < 150; count++) {
    post({ id: "p" + count, method: "tools/call", params: { name: "wait", arguments: {} } });
  }
};
attacks["questions"] = () => {
  for (let count = 0; count < 40; count++) {
    post({ id: "q" + count, method: "ui/open-link", params: { url: "https://example.com/" + count } });
  }
};
