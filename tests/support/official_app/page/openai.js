// A stand-in for `window.openai`, after OpenAI's reference of the component bridge: globals that the view reads, methods
// that it calls, and `openai:set_globals` when a global changes. There is no other host: nobody answers postMessage.
{
  const calls = (window.openaiCalls = []);
  const record = (name, given, answer) => {
    calls.push([name, structuredClone(given)]);
    return Promise.resolve(answer);
  };
  window.openaiTools = {};
  window.setGlobals = (globals) => {
    Object.assign(window.openai, globals);
    window.dispatchEvent(new CustomEvent("openai:set_globals", { detail: { globals } }));
  };
  window.openai = {
    theme: "light",
    locale: "de-DE",
    displayMode: "inline",
    maxHeight: 480,
    safeArea: { insets: { top: 0, bottom: 0, left: 0, right: 0 } },
    userAgent: { device: { type: "desktop" }, capabilities: { hover: true, touch: false } },
    view: null,
    toolInput: { title: "Bread" },
    toolOutput: null,
    toolResponseMetadata: null,
    widgetState: null,
    callTool: async (name, given) => {
      await record("callTool", { name, given });
      const { result, error } = window.openaiTools[name];
      if (error) throw new Error(error.message);
      return result;
    },
    sendFollowUpMessage: (given) => record("sendFollowUpMessage", given),
    openExternal: (given) => record("openExternal", given),
    requestDisplayMode: (given) => record("requestDisplayMode", given, { mode: given.mode }),
    requestClose: () => record("requestClose", null),
    notifyIntrinsicHeight: (height) => record("notifyIntrinsicHeight", height),
    setWidgetState: (state) => {
      window.setGlobals({ widgetState: state });
      return record("setWidgetState", state);
    },
  };
}
