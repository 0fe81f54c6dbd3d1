/** What the tests do in a page: start servers, keep what they say, and talk to them. */
import { McpClient } from "/src/cloche/web/client.js";
import { IframeParentTransport } from "/src/cloche/web/transports/index.js";
import { startPythonServer } from "/src/cloche/web/python/start.js";

/** @type {Worker[]} */
const workers = [];
globalThis.Worker = class extends Worker {
  /** @param {any} url @param {any} options */
  constructor(url, options) {
    super(url, options);
    workers.push(this);
    lab.urls.push(String(url));
  }
};

const lab = {
  /** @type {Record<string, any>} */
  servers: {},
  /** @type {string[]} what workers were started from */
  urls: [],
  /** @type {string[]} */
  violations: [],

  /** @param {string} name @param {any} options */
  start(name, options) {
    const kept = { progress: [], output: [], restarts: [], updates: [], notified: [] };
    const server = startPythonServer({
      ...options,
      onProgress: (one) => kept.progress.push(one),
      onOutput: (one) => kept.output.push(one),
      onRestart: (one) => kept.restarts.push(one),
    });
    lab.servers[name] = { server, kept, transport: server.transport, worker: workers.at(-1) };
  },

  /** @param {string} name @param {any} [options] */
  async connect(name, options = {}) {
    const one = lab.servers[name];
    one.client = new McpClient(one.transport, { versions: ["2025-11-25"], ...options });
    one.client.onNotification("notifications/resources/updated", ({ uri }) => one.kept.updates.push(uri));
    await one.client.connect();
  },

  /** A server on the thread of a frame. @param {string} name @param {string} url */
  async frame(name, url) {
    const iframe = document.createElement("iframe");
    iframe.src = url;
    const transport = new IframeParentTransport({ iframe, targetOrigin: location.origin, connectionTimeout: 60_000 });
    document.body.append(iframe);
    await transport.connect();
    lab.servers[name] = { transport, kept: { updates: [] } };
  },

  /** The whole answer. @param {string} name @param {string} method @param {any} params @param {any} [options] */
  ask: (name, method, params, options) => lab.servers[name].transport.request({ method, params }, options),

  /** @param {string} name @param {string} tool @param {any} [args] @param {any} [options] */
  call: (name, tool, args = {}, options = undefined) =>
    lab.ask(name, "tools/call", { name: tool, arguments: args }, options),

  /** @param {string} name @param {string} uri */
  subscribe: (name, uri) => lab.ask(name, "resources/subscribe", { uri }),

  /** What a start that fails says. @param {string} name */
  failure: (name) => lab.servers[name].server.ready.then(() => null, (error) => error.message),

  /** A port to a reference server of its own, in the first Python of a server. @param {string} name */
  port(name) {
    const { port1, port2 } = new MessageChannel();
    lab.servers[name].worker.postMessage({ type: "lab:port" }, [port2]);
    return port1;
  },
};

document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
  lab.violations.push(`${effectiveDirective} ${blockedURI}`));

/** @type {any} */ (globalThis).lab = lab;
