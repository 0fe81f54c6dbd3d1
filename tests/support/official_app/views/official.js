// The official App as a view, with the vocabulary that the tests drive every view with.
const seen = (window.seen = []);
const app = new official.App({ name: "official-view", version: "1.0.0" }, { tools: { listChanged: true } });
const note = (name) => (value) => void seen.push([name, structuredClone(value)]);
app.ontoolinput = (params) => note("tool:input")(params.arguments);
app.ontoolinputpartial = (params) => note("tool:input-partial")(params.arguments);
app.ontoolresult = note("tool:result");
app.ontoolcancelled = note("tool:cancelled");
app.onhostcontextchanged = note("host:context");
app.onteardown = async (params) => {
  note("bridge:teardown")(params);
  return {};
};
const object = () => ({ type: "object", properties: { text: { type: "string" } }, required: ["text"] });
const schema = {
  "~standard": {
    version: 1,
    vendor: "tests",
    validate: (value) => ({ value }),
    jsonSchema: { input: object, output: object },
  },
};
const shout = (name) =>
  app.registerTool(name, { description: "Say it louder", inputSchema: schema }, async (given) => ({
    content: [{ type: "text", text: String(given.text).toUpperCase() }],
  }));
shout("shout");

window.act = {
  callTool: (name, args) => app.callServerTool({ name, arguments: args }),
  callFollowed: async (name, args) => {
    const steps = [];
    const result = await app.callServerTool({ name, arguments: args }, { onprogress: (step) => steps.push(step) });
    return { steps, result };
  },
  readResource: (uri) => app.readServerResource({ uri }),
  sendMessage: (text) => app.sendMessage({ role: "user", content: [{ type: "text", text }] }),
  updateModelContext: (value) => app.updateModelContext({ structuredContent: value }),
  openLink: (url) => app.openLink({ url }),
  downloadFile: ({ name, mimeType, text }) =>
    app.downloadFile({ contents: [{ type: "resource", resource: { uri: `file:///${name}`, mimeType, text } }] }),
  requestDisplayMode: (mode) => app.requestDisplayMode({ mode }),
  log: (level, data) => app.sendLog({ level, data, logger: "view" }),
  close: () => app.requestTeardown(),
  context: () => app.getHostContext(),
  registerShout: (name) => void shout(name),
  grow: (pixels) => void (document.getElementById("box").style.height = `${pixels}px`),
};
window.ready = app.connect().then(() => seen.push(["bridge:ready", null]));
