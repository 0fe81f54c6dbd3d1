// An own key "__proto__", which JSON.parse and structured cloning make and which poisons what it is copied into.
const poison = () => JSON.parse(`{ "__proto__": { "polluted": "${setup.name}" } }`);

attacks["tool-arguments"] = () => ask("tools/call", { name: "touch", arguments: { mark: "x", deep: poison() } });
attacks["tool-arguments-in-a-list"] = () =>
  ask("tools/call", { name: "touch", arguments: { mark: "x", list: [[poison()]] } });
attacks["model-context"] = () => ask("ui/update-model-context", { structuredContent: { settings: poison() } });
attacks["message-content"] = () => {
  return ask("ui/message", { role: "user", content: [{ type: "text", text: "x", _meta: poison() }] });
};
attacks["log-data"] = () => say({ deep: poison() });
attacks["request-meta"] = () => ask("tools/call", { name: "touch", arguments: {}, _meta: { deep: poison() } });
