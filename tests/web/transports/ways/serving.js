// @ts-check
/** A page with the reference server: `?broadcast=CHANNEL`, or `?tab=CHANNEL`, which is reloaded when it is told so. */
import { BroadcastListener } from "../../../../src/cloche/web/transports/broadcast.js";
import { TabServerTransport } from "../../../../src/cloche/web/transports/tab.js";
import { referenceServer } from "../reference_server.js";
import { sealed } from "./tabs.js";

const options = new URLSearchParams(location.search);
const broadcast = options.get("broadcast");
const tab = options.get("tab");

function serveTab(/** @type {string} */ channelName) {
  const transport = new TabServerTransport({ channelName });
  referenceServer().connect(transport);
  transport.onClose(() => serveTab(channelName));
  return transport.reconnect();
}

if (broadcast) {
  const listener = new BroadcastListener({ channelName: broadcast, ...sealed(options.get("secret")) });
  listener.onConnection((transport) => referenceServer().connect(transport));
  await listener.leading;
}
if (tab) {
  await serveTab(tab);
  new BroadcastChannel("reload " + tab).addEventListener("message", () => location.reload());
}
document.title = "ready";
