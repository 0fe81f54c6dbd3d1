// @ts-check
/** A stream of the era without a handshake: what a server tells of its own accord while a request stands open. */
import { CONNECTION_CLOSED, META } from "../protocol.js";
import { RpcError } from "../rpc.js";
import { RequestTimeoutError } from "./base.js";

/** @typedef {import("./base.js").Message} Message */

/** Milliseconds until a stream that broke off is opened again. */
const PAUSE = 1_000;

/** Whether a notification came by a stream. @param {string} id @param {Message} told */
export const isOf = (id, { _meta }) => (_meta?.[META + "subscriptionId"] ?? id) == id;

/**
 * Open a stream. Resolves when it stands, and rejects when the server refuses it. One that stood and broke off is opened
 * again, until `signal` is aborted or the server refuses; then `onLost` is called.
 *
 * @param {import("./base.js").Transport} transport
 * @param {Message} params what `subscriptions/listen` asks for
 * @param {{id: string, signal: AbortSignal, timeout: number, onLost?: (error: any) => void}} options
 * @returns {Promise<void>}
 */
export const openStream = (transport, params, options) =>
  new Promise((resolve, reject) => {
    const { id, signal, timeout, onLost } = options;
    let stood = false;
    const late = setTimeout(reject, timeout, new RequestTimeoutError(id));
    const stop = transport.onMessage(({ method, params }) => {
      if (method != "notifications/subscriptions/acknowledged" || !isOf(id, params)) return;
      stood = true;
      clearTimeout(late);
      resolve();
    });
    const ended = transport.rpc.request("subscriptions/listen", params, { id, timeout: 0, signal });
    ended.then(() => new RpcError(CONNECTION_CLOSED, "The stream has ended"), (error) => error).then((error) => {
      clearTimeout(late);
      stop();
      reject(error);
      const isWanted = () => transport.isConnected && !signal.aborted;
      const again = () => openStream(transport, params, options).catch((error) => isWanted() && onLost?.(error));
      // One that never stood would be refused again, and again.
      if (stood) setTimeout(() => isWanted() && again(), PAUSE);
    });
  });
