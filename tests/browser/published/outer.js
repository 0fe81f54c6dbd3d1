// @ts-check
/** A page of another origin that uses a published server, in a frame. The tests call what stands in `outer`. */
import { McpClient } from "../../../src/cloche/web/client.js";
import { IframeWindowControl, OuterFrameTransport, PopupWindowControl } from "../../../src/cloche/web/frames.js";

/** @type {Record<string, any>} */
const kept = {};
const iframe = /** @type {HTMLIFrameElement} */ (document.querySelector("iframe"));

/** @param {any[]} wanted */
const onPermissionRequest = (wanted) => {
  kept.wanted = wanted;
  return outer.answer;
};

/** @param {any} error */
const told = (error) => ({ failed: error.message, code: error.code });

/** @type {Record<string, any>} */
const outer = Object.assign(globalThis, {
  outer: {
    kept,
    /** What the person says to permissions that a server wants. @type {boolean | string[]} */
    answer: false,
    /** Options of the client. @type {Record<string, any>} */
    client: {},
    /** @param {string} url @param {Record<string, any>} [saved] of an earlier setup @param {boolean} [isPopup] */
    use(url, saved, isPopup) {
      kept.transport?.close();
      kept.required = new Promise((resolve) => {
        const options = { url, ...saved, timeouts: { handshake: 60_000 }, onSetupRequired: resolve };
        const control = isPopup ? new PopupWindowControl() : new IframeWindowControl({ iframe, onPermissionRequest });
        kept.transport = new OuterFrameTransport(control, options);
      });
    },
    begin: () => void (kept.setup = kept.transport.setup().catch(told)),
    saved: () => kept.setup,
    async connect() {
      try {
        await kept.transport.prepareToConnect();
        kept.client = new McpClient(kept.transport, { name: "outer", ...outer.client });
        await kept.client.connect();
        return "connected";
      } catch (error) {
        return told(error);
      }
    },
    /** @param {string} name @param {any} values */
    call: (name, values) => kept.client.callTool(name, values).catch(told),
    required: () => kept.required,
    /** A click of the person's, without which no popup opens. */
    onClick: (/** @type {() => void} */ act) => addEventListener("click", act, { once: true }),
    lost: () => new Promise((resolve) => kept.transport.onClose(() => resolve(null))),
  },
}).outer;
