// @ts-check
/** Attacks on the two phases: each tells whether it worked. */
import { call, F, sites, until } from "./lab.js";

/** Time enough for whatever was posted to arrive. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));

/** A frame that speaks to others. @param {import("./lab.js").Lab} lab @param {string} site @param {any[]} messages @param {string} to */
async function stranger(lab, site, messages, to) {
  const iframe = document.createElement("iframe");
  iframe.src = `${site}/stranger.html?${new URLSearchParams({ to, messages: JSON.stringify(messages) })}`;
  document.body.append(iframe);
  lab.later(() => iframe.remove());
  await new Promise((resolve) => iframe.onload = resolve);
  await settled();
}

const transportVisibility = { requirement: "hidden" };
const COMPLETE = { type: "MCP_SETUP_COMPLETE", status: "success", displayName: "forged", transportVisibility };

/** @type {Record<string, (lab: import("./lab.js").Lab) => Promise<boolean>>} */
export const ATTACKS = {
  /** A frame of the server's own origin completes the setup in the server's place. */
  async siblingToOuter(lab) {
    const { transport } = lab.open("another origin", { wait: "1" });
    const setup = transport.setup().then(({ displayName }) => displayName, () => "");
    await until(() => transport.state == "configuring");
    await stranger(lab, sites.port, [COMPLETE], "parent");
    transport.cancel();
    return await setup == "forged";
  },

  /** A frame of an allowed origin replies before the outer page does, and is pinned. */
  async siblingToInner(lab) {
    const { url, told } = lab.open("another origin");
    const { iframe } = lab.frame({});
    iframe.src = url.href;
    await new Promise((resolve) => iframe.onload = resolve);
    const index = Array.from({ length: frames.length }, (_, at) => at).find((at) => frames[at] == iframe.contentWindow);
    const reply = { type: "MCP_TRANSPORT_HANDSHAKE_REPLY", sessionId: "forged", protocolVersion: "1.0" };
    await stranger(lab, sites.own, [reply], String(index));
    // Then the page around it replies, as it should.
    iframe.contentWindow?.postMessage({ ...reply, sessionId: "real" }, url.origin);
    return (await told((report) => report.session)).session == "forged";
  },

  /** A page that the server does not allow has it in a frame. */
  async foreignOuter(lab) {
    const { transport } = lab.open("another origin", { allow: "https://else.example" });
    await transport.prepareToConnect().catch(() => {});
    return transport.isConnected;
  },

  /** The URL leads to a page of another origin. */
  async foreignInner(lab) {
    const { url, make } = lab.open("another origin", {}, {}, { control: { sandbox: null } });
    const transport = make({ url: `${sites.own}/redirect.html?to=${encodeURIComponent(url.href)}` });
    await transport.prepareToConnect().catch(() => {});
    return transport.isConnected;
  },

  /** A server asks for the camera, and the page asks nobody. */
  async silentCamera(lab) {
    const camera = { name: "camera", phase: ["transport"], required: false, purpose: "To watch" };
    const { transport } = lab.open("another origin", { options: { requestedPermissions: [camera] } });
    await transport.setup();
    await transport.prepareToConnect();
    return (await call(transport, "whoami")).camera;
  },

  /** The server's session, for another page below. */
  async keepSecret(lab) {
    const allow = `${sites.own},${sites.port}`;
    const { transport } = lab.open("another origin", { allow }, { sessionId: "known-to-both" });
    await transport.setup();
    await transport.prepareToConnect();
    return (await call(transport, "whoami")).name == "Ada";
  },

  /** Another page that the server allows has come to know the session's id. */
  async readSecret(lab) {
    const { transport } = lab.open("same origin", { allow: sites.own }, { sessionId: "known-to-both" });
    await transport.prepareToConnect();
    return (await call(transport, "whoami")).name == "Ada";
  },

  /** Two servers on one host: a second one is given another session, and looks for the first one's. */
  async otherServer(lab) {
    const { transport } = lab.open("another origin", {}, { sessionId: F.generateSessionId() });
    await transport.prepareToConnect();
    return (await call(transport, "whoami")).name == "Ada";
  },
};
