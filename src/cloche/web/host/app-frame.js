// @ts-check
import { IframeParentTransport } from "../transports/iframe.js";

/**
 * Runs in the frame that `createAppHost` puts around each app (app-holder.js). The app's `parent` is this window, so
 * whatever the page tells the app has to be posted by code of this window: an app looks at `event.source`.
 *
 * @typedef {{
 *   post: (frame: HTMLIFrameElement, message: unknown, origin: string) => void,
 *   transport: (options: import("../transports/iframe.js").ParentOptions & {iframe: HTMLIFrameElement}) =>
 *     IframeParentTransport,
 * }} Inside
 */

/** @type {Inside} */
const inside = {
  // Not as what it returns: that would be a tail call, for which WebKit names the page as the sender.
  post: (frame, message, origin) => {
    frame.contentWindow?.postMessage(message, origin);
  },
  transport: (options) => new IframeParentTransport(options),
};

Object.assign(window, { clocheAppFrame: inside });
