// @ts-check
/** The reference server in an extension: for the pages that are listed, and as a control for everybody who knows a name. */
import { ExtensionServerTransport, listenInExtension } from "../../../../src/cloche/web/transports/extension.js";
import { referenceServer } from "../reference_server.js";
import { ORIGINS } from "./origins.js";

const { runtime } = Reflect.get(globalThis, "chrome");
/** @type {string[]} */
const refused = [];

/** @param {string} origin */
const onOriginViolation = (origin) => void refused.push(origin);
const listener = listenInExtension({ origins: ORIGINS, onOriginViolation }, (transport, sender) => {
  const server = referenceServer();
  server.registerMethod("sender", () => ({ origin: sender.origin, id: sender.id }));
  server.connect(transport);
});
Object.assign(globalThis, { listener, refused, listenInExtension });

/** @param {any} port */
const careless = (port) => {
  if (port.name == "careless") referenceServer().connect(new ExtensionServerTransport({ port }));
};
runtime.onConnect.addListener(careless);
runtime.onConnectExternal.addListener(careless);
