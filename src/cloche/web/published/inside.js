// @ts-check
import { byId } from "../dev/elements.js";
import { make } from "../elements.js";
import { getServerPhase } from "../frames/addresses.js";
import { PostMessageInnerControl } from "../frames/inner-control.js";
import { InnerFrameTransport } from "../frames/inner.js";
import { attempt } from "../transports/base.js";
import { SETUP_REQUIRED, titleOf } from "./about.js";
import { KeptSettings } from "./kept.js";
import { redacted, textsOf } from "./redacted.js";
import { SettingsForm } from "./settings-form.js";
import { say, startServer } from "./starting.js";

/**
 * The page in the frame or popup of a client: a server by URL, in both phases.
 *
 * @typedef {import("./about.js").About} About
 */

/** @param {About} about */
export async function serveInside(about) {
  if (!about.allowedOrigins.length) {
    return refuse("No other page may use this server: it was built without --allow-origin.");
  }
  const control = new PostMessageInnerControl(about.allowedOrigins);
  const transport = new InnerFrameTransport(control, { requiresVisibleSetup: about.setup?.visible ?? false });
  try {
    await (getServerPhase() === "setup" ? setUp(about, transport) : serve(about, transport));
  } catch (error) {
    refuse(String(/** @type {any} */ (error)?.message ?? error));
  }
}

/** @param {About} about @param {InnerFrameTransport} transport */
async function setUp(about, transport) {
  const { setup } = about;
  const session = await transport.prepareSetup();
  /** @param {string} [displayName] */
  const complete = (displayName) => {
    say("Done");
    return transport.completeSetup({
      displayName: displayName || titleOf(about),
      transportVisibility: {
        requirement: setup?.visibility ?? "hidden",
        ...setup?.description && { description: setup.description },
      },
    });
  };
  if (!setup) return await complete();
  const kept = new KeptSettings({ ...session, secrets: setup.secrets });
  const python = startServer({ secrets: () => textsOf(kept.withheld) });
  python.ready.catch((error) => attempt(() => transport.failSetup("CONFIG_ERROR", error.message)));
  transport.setupSignal.addEventListener("abort", () => python.close());
  if (!setup.visible) {
    const { problem, displayName } = await python.setUp({});
    if (problem) return transport.failSetup("CONFIG_ERROR", problem);
    kept.keep({});
    return await complete(displayName);
  }
  const form = new SettingsForm(setup, kept, {
    enter: (values) => python.setUp(values),
    done: ({ displayName }) => void complete(displayName),
    forget: () => kept.forget(),
    cancel: () => transport.failSetup("USER_CANCELLED", "The person cancelled the setup"),
  });
  form.because(`${session.origin} will be able to call the tools of this server. It does not see what you enter here.`);
  byId("main").append(form.element);
}

/** @param {About} about @param {InnerFrameTransport} transport */
async function serve(about, transport) {
  const { setup } = about;
  const session = await transport.prepareToConnect();
  const kept = new KeptSettings({ ...session, secrets: setup?.secrets });
  const values = setup && (kept.values ?? (setup.visible ? undefined : {}));
  if (setup && !values) {
    transport.requireSetup({ reason: "CONFIG_CHANGED", message: `${titleOf(about)} is not set up for this page yet` });
    return say("Not set up");
  }
  const secrets = () => textsOf(kept.withheld);
  const python = startServer({ setup: values, secrets });
  transport.onMessage((message) => attempt(() => python.transport.send(message)));
  python.transport.onMessage((message) => {
    transport.send(redacted(message, secrets()));
    const wanted = message.result?._meta?.[SETUP_REQUIRED];
    if (wanted) attempt(() => transport.requireSetup(wanted));
  });
  transport.onClose(() => python.close());
  python.transport.onClose(() => transport.close());
  byId("main").append(make("p", "about", `${session.origin} uses this server.`));
  python.ready.then(() => {
    const { setupProblem: message } = python;
    if (message) attempt(() => transport.requireSetup({ reason: "CONFIG_CHANGED", message }));
  }, () => {});
}

/** Why another page cannot use this one, and how it can be used. @param {string} why */
function refuse(why) {
  say("Not connected");
  byId("main").append(make(
    "section",
    { class: "panel error", role: "alert" },
    make("h2", {}, "This page cannot be used from here"),
    make("p", {}, why),
    make("p", {}, "In a tab of its own you can use it: ", make("code", {}, location.origin + location.pathname)),
  ));
}
