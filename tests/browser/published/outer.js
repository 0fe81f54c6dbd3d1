// @ts-check
/** A page of another origin that uses a published server, in a frame. The tests call what stands in `outer`. */
import { McpClient } from "../../../src/cloche/web/client.js";
import { IframeWindowControl, OuterFrameTransport } from "../../../src/cloche/web/frames.js";

/** @type {Record<string, any>} */
const kept = {};
const iframe = /** @type {HTMLIFrameElement} */ (document.querySelector("iframe"));

/** @param {any} error */
const told = (error) => ({ failed: error.message, code: error.code });

Object.assign(globalThis, {
  outer: {
    kept,
    /** @param {string} url @param {Record<string, any>} [saved] of an earlier setup */
    use(url, saved) {
      kept.transport?.close();
      kept.required = new Promise((resolve) => {
        const options = { url, ...saved, timeouts: { handshake: 60_000 }, onSetupRequired: resolve };
        kept.transport = new OuterFrameTransport(new IframeWindowControl({ iframe }), options);
      });
    },
    begin: () => void (kept.setup = kept.transport.setup().catch(told)),
    saved: () => kept.setup,
    async connect() {
      try {
        await kept.transport.prepareToConnect();
        kept.client = new McpClient(kept.transport, { name: "outer" });
        await kept.client.connect();
        return "connected";
      } catch (error) {
        return told(error);
      }
    },
    /** @param {string} name @param {any} values */
    call: (name, values) => kept.client.callTool(name, values).catch(told),
    required: () => kept.required,
    lost: () => new Promise((resolve) => kept.transport.onClose(() => resolve(null))),
  },
});
