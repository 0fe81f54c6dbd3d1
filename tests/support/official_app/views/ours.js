// A view on our own runtime that uses all of it, with the vocabulary that the tests drive every view with.
const seen = (window.seen = []);
const events = [
  "tool:input",
  "tool:input-partial",
  "tool:result",
  "tool:cancelled",
  "host:context",
  "bridge:teardown",
  "bridge:error",
];
for (const name of events) cloche.on(name, (value) => void seen.push([name, structuredClone(value)]));
const heard = (window.heard = []);
for (const name of [...events, "bridge:ready"]) addEventListener(name, (event) => void heard.push(name));

const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const shout = (name) => cloche.registerTool(name, "Say it louder", schema, ({ text }) => text.toUpperCase());
shout("shout");

window.act = {
  callTool: (name, args) => cloche.callTool(name, args),
  callFollowed: async (name, args) => {
    const steps = [];
    const result = await cloche.callTool(name, args, {
      onProgress: ({ progressToken: _, ...step }) => steps.push(step),
    });
    return { steps, result };
  },
  readResource: (uri) => cloche.readResource(uri),
  sendMessage: (text) => cloche.sendMessage(text),
  updateModelContext: (value) => cloche.updateModelContext(value),
  openLink: (url) => cloche.openLink(url),
  downloadFile: (file) => cloche.downloadFile(file),
  requestDisplayMode: (mode) => cloche.requestDisplayMode(mode),
  log: (level, data) => cloche.log(level, data.text, data),
  close: () => cloche.close(),
  context: () => cloche.hostContext,
  registerShout: (name) => void shout(name),
  grow: (pixels) => void (document.getElementById("box").style.height = `${pixels}px`),
};
window.ready = cloche.ready.then(() => seen.push(["bridge:ready", null]));
