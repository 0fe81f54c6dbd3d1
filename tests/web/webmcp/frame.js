// @ts-nocheck: small enough to be read
// What the page around a frame may have done in it: each message names an action, and gets its outcome back.
const ask = (target, action, values) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    target.postMessage({ action, values }, "*", [port2]);
  });
let inner;

const actions = {
  frame: ([src, attributes]) =>
    new Promise((resolve) => {
      inner = document.createElement("iframe");
      for (const [name, value] of Object.entries({ ...attributes, src })) inner.setAttribute(name, value);
      inner.onload = () => resolve();
      document.body.append(inner);
    }),
  inside: ([action, ...values]) => ask(inner.contentWindow, action, values),
  register: ([name, options]) =>
    document.modelContext.registerTool({
      name,
      description: "of a frame",
      execute: (input) => ({ from: origin, input }),
    }, options),
  registerCounting: ([name, options]) => {
    let count = 0;
    return document.modelContext.registerTool({ name, description: "of a frame", execute: () => ++count }, options);
  },
  registerEndless: ([name, options]) =>
    document.modelContext.registerTool({
      name,
      description: "of a frame",
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          globalThis.called = true;
          signal.onabort = () => {
            globalThis.aborted = true;
            reject(signal.reason);
          };
        }),
    }, options),
  registerFailing: ([name, options]) =>
    document.modelContext.registerTool({
      name,
      description: "of a frame",
      inputSchema: { type: "object", properties: { n: { type: "number" } } },
      execute: () => {
        throw new Error("a secret of the frame");
      },
    }, options),
  tools: async ([options]) => (await document.modelContext.getTools(options)).map((tool) => [tool.name, tool.origin]),
  execute: async ([name, input, options]) => {
    const tool = (await document.modelContext.getTools(options)).find((one) => one.name == name);
    return await document.modelContext.executeTool(tool, input);
  },
  has: () => "modelContext" in document,
  until: async ([name]) => {
    while (!globalThis[name]) await new Promise((resolve) => setTimeout(resolve, 5));
    return true;
  },
};

addEventListener("message", async ({ data, source, ports: [port] }) => {
  if (!data?.action || source != parent) return;
  try {
    port.postMessage({ ok: (await actions[data.action](data.values)) ?? null });
  } catch (error) {
    port.postMessage({ rejected: error.name, message: error.message });
  }
});
