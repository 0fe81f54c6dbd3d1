/** Python in a SharedWorker: pages that connect while it starts wait for it. */
import { bootPython } from "/everywhere/web/python/boot.js";
import { listenForPorts } from "/everywhere/web/transports/index.js";

const booted = bootPython(new URL("/shared/", location.href));
listenForPorts(async (transport) => (await booted).pyodide.pyimport("shared").serve(transport));
