// @ts-check
/**
 * An inner page of ours. Its address says what it does: `allow` (origins), `options` of the transport, `visibility`, `fail`
 * (with a code), `wait` (never completes), `needs` (a stored value: "soft" goes on without), `role=client`.
 */
import { McpClient } from "../../../../src/cloche/web/client.js";
import * as F from "../../../../src/cloche/web/frames.js";
import { createServer } from "../../../../src/cloche/web/server.js";

const query = new URLSearchParams(location.search);
const given = (/** @type {string} */ name) => query.get(name) ?? "";
const control = new F.PostMessageInnerControl(given("allow").split(","));
/** @type {F.InnerFrameTransport} */
const transport = new F.InnerFrameTransport(control, {
  ...JSON.parse(given("options") || "{}"),
  logger: new F.Logger("INNER", "page", () => {}),
});
const phase = F.getServerPhase();

/** The test hears of it, beside the protocol. @param {Record<string, unknown>} what */
const report = (what) => (opener ?? parent).postMessage({ report: { id: given("id"), phase, ...what } }, "*");
const hasFeature = (/** @type {string} */ name) =>
  /** @type {any} */ (document).featurePolicy?.allowsFeature(name) ?? null;
const outcome = (/** @type {any} */ error) => report({ failed: error.code, message: error.message });

async function setUp() {
  await transport.prepareSetup();
  report({ camera: hasFeature("camera"), geolocation: hasFeature("geolocation"), version: transport.protocolVersion });
  transport.storage("demo").set("name", "Ada");
  if (query.has("fail")) return transport.failSetup(given("fail"), "It was not to be");
  if (query.has("wait")) return transport.setupSignal.addEventListener("abort", () => outcome(transport.error));
  await transport.completeSetup({
    displayName: "Demo",
    transportVisibility: JSON.parse(given("visibility") || '{"requirement":"hidden"}'),
    ephemeralMessage: "Saved",
  });
}

async function connect() {
  await transport.prepareToConnect();
  report({ session: transport.sessionId });
  transport.onClose(() => report({ closed: transport.state }));
  const stored = transport.storage("demo");
  if (query.has("needs") && stored.get("name") === undefined) {
    const canContinue = given("needs") == "soft";
    transport.requireSetup({ reason: "CONFIG_CHANGED", message: "No name is stored", canContinue });
    if (!canContinue) return report({ required: true });
  }
  if (given("role") == "client") {
    const client = new McpClient(transport, { name: "copilot", version: "1" });
    await client.connect();
    const { content } = await client.callTool("get_current_user", {});
    return report({ answered: content[0].text });
  }
  const server = createServer({ name: "demo", version: "1" });
  server.registerTool("whoami", {}, () => ({
    sessionId: transport.sessionId,
    pinned: transport.pinnedOrigin,
    origin: self.origin,
    name: stored.get("name") ?? null,
    isPersistent: stored.isPersistent,
    hasPort: !!transport.port,
    camera: hasFeature("camera"),
    geolocation: hasFeature("geolocation"),
  }));
  server.registerTool("run", {}, ({ script }) => void setTimeout(() => ACTIONS[script]()));
  server.connect(transport);
}

/** @type {Record<string, () => void>} */
const ACTIONS = {
  reload: () => location.reload(),
  leave: () => location.replace("/empty.html"),
  expire: () => transport.requireSetup({ reason: "AUTH_EXPIRED", message: "The token has expired" }),
  close: () => transport.close(),
};

(phase == "setup" ? setUp() : connect()).catch(outcome);
