// A view on the official App that does everything a view can, and remembers what its host did.
// The bundle of the official library stands before this in the page, as the global `official`.
const seen = (window.seen = []);
const note = (name) => (value) => void seen.push([name, structuredClone(value ?? null)]);
const app = new official.App(
  { name: "strict-view", version: "1.0.0" },
  { tools: { listChanged: true }, availableDisplayModes: ["inline", "fullscreen"] },
  { strict: true },
);
app.ontoolinputpartial = (params) => note("partial")(params.arguments);
app.ontoolinput = (params) => note("input")(params.arguments);
app.ontoolresult = note("result");
app.ontoolcancelled = note("cancelled");
app.onhostcontextchanged = note("context");
app.onerror = (error) => note("error")(String(error));
app.onteardown = async () => {
  note("teardown")();
  return {};
};
const object = () => ({ type: "object", properties: { text: { type: "string" } } });
const schema = {
  "~standard": {
    version: 1,
    vendor: "tests",
    validate: (value) => ({ value }),
    jsonSchema: { input: object, output: object },
  },
};
app.registerTool("shout", { description: "Say it louder", inputSchema: schema }, async ({ text }) => ({
  content: [{ type: "text", text: text.toUpperCase() }],
}));

const failure = ({ code, message }) => ({ code, message });
const anything = {
  parse: (value) => value,
  safeParse: (value) => ({ success: true, data: value }),
  "~standard": { version: 1, vendor: "tests", validate: (value) => ({ value }) },
};
window.act = {
  host: () => [app.getHostVersion(), app.getHostCapabilities(), app.getHostContext()],
  call: (name, args) => app.callServerTool({ name, arguments: args }).catch(failure),
  followed: async (name, args) => {
    const steps = [];
    const result = await app.callServerTool({ name, arguments: args }, {
      onprogress: (step) => steps.push(step.progress),
    });
    return { steps, result };
  },
  aborted: (name, args) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort("enough"), 200);
    return app.callServerTool({ name, arguments: args }, { signal: controller.signal }).catch((error) => String(error));
  },
  read: (uri) => app.readServerResource({ uri }).catch(failure),
  resources: () => app.listServerResources({}),
  message: (text) => app.sendMessage({ role: "user", content: [{ type: "text", text }] }),
  context: (value) => app.updateModelContext({ structuredContent: value }),
  link: (url) => app.openLink({ url }).catch(failure),
  download: (uri, text) =>
    app.downloadFile({ contents: [{ type: "resource", resource: { uri, mimeType: "text/plain", text } }] }),
  mode: (mode) => app.requestDisplayMode({ mode }),
  log: (data) => app.sendLog({ level: "info", data, logger: "strict" }),
  raw: (method, params) => app.request({ method, params }, anything).catch(failure),
  close: () => app.requestTeardown(),
};
window.ready = app.connect().then(() => note("ready")(), (error) => note("refused")(String(error)));
