// @ts-check
/**
 * Everything for tests that drive a page from outside, and a server so small that it shows what reaches it: it notes what it
 * is asked, and says its name.
 */
import * as base from "../../../../src/cloche/web/transports/base.js";
import * as broadcast from "../../../../src/cloche/web/transports/broadcast.js";
import * as care from "../../../../src/cloche/web/transports/care.js";
import * as cancellation from "../../../../src/cloche/web/transports/cancellation.js";
import * as event from "../../../../src/cloche/web/transports/event.js";
import * as port from "../../../../src/cloche/web/transports/port.js";
import * as seal from "../../../../src/cloche/web/transports/seal.js";
import * as session from "../../../../src/cloche/web/transports/session.js";
import * as subscriptions from "../../../../src/cloche/web/transports/subscriptions.js";
import * as tab from "../../../../src/cloche/web/transports/tab.js";

/** @type {string[]} */
const log = [];

/**
 * Answer on a transport under a name.
 *
 * @param {base.Transport} transport
 * @param {string} name
 */
function answer(transport, name) {
  transport.onClose(() => void log.push("end"));
  /** @type {Record<string, (params: any) => any>} */
  const handlers = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { resources: {} }, serverInfo: { name } }),
    "notifications/initialized": () => {},
    "resources/subscribe": () => ({}),
    "resources/unsubscribe": () => ({}),
    "resources/read": ({ uri }) => ({ contents: [{ uri, text: String(++reads) }] }),
    who: () => ({ name }),
    hang: () => new Promise(() => {}),
  };
  let reads = 0;
  transport.serve((method) => {
    const handler = handlers[method];
    return handler && ((params) => (log.push([method, params.uri].filter(Boolean).join(" ")), handler(params)));
  });
}

/** @param {base.Transport} transport */
async function greet(transport) {
  const params = { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: { name: "client" } };
  await transport.request({ method: "initialize", params });
  transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
}

/** @param {() => unknown} condition */
async function until(condition) {
  const end = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error("it did not come about: " + condition);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

Object.assign(globalThis, { ...base, ...broadcast, ...care, ...cancellation, ...event, ...port, ...seal, ...session });
Object.assign(globalThis, { ...subscriptions, ...tab });
Object.assign(globalThis, { log, answer, greet, until });
