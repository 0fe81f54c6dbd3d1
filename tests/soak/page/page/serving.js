// @ts-check
/** A server in a page, by what the address asks for: a tab of its own, one of several tabs, or a frame. */
import { BroadcastListener } from "../../../../src/cloche/web/transports/broadcast.js";
import { IframeChildTransport } from "../../../../src/cloche/web/transports/iframe.js";
import { TabServerTransport } from "../../../../src/cloche/web/transports/tab.js";
import { soakServer } from "./server.js";

const kind = new URLSearchParams(location.search).get("kind");

if (kind == "broadcast") {
  const listener = new BroadcastListener({ channelName: "soak" });
  listener.onConnection((transport) => soakServer().connect(transport));
  Reflect.set(globalThis, "listener", listener);
} else if (kind == "tab") {
  const serve = () => {
    const transport = new TabServerTransport({ channelName: "soak tab" });
    soakServer().connect(transport);
    transport.onClose(serve);
  };
  serve();
} else {
  const transport = new IframeChildTransport({ parentOrigin: location.origin });
  soakServer().connect(transport);
  transport.connect();
}
document.title = "ready";
