// @ts-check
/** The server in the service worker of an extension. Of another origin than the page, so it tells nobody. */
import { listenInExtension } from "../../../../src/cloche/web/transports/extension.js";
import { soakServer } from "./server.js";

const origins = ["ORIGIN"];
listenInExtension({ origins }, (transport) => soakServer(() => {}).connect(transport));
