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
import { WatchedCalls } from "./watched-calls.js";

/**
 * The page in the frame or popup of a client: a server by URL, in both phases.
 *
 * @typedef {import("./about.js").About} About
 */

/** Characters that the id of a session has at least, and how many of them are different ones. */
const LENGTH = 16;
const LETTERS = 8;
const HIDDEN = { requirement: /** @type {const} */ ("hidden") };

/** @param {About} about */
export async function serveInside(about) {
  if (!about.allowedOrigins.length) {
    return refuse("No other page may use this server: it was built without --allow-origin.");
  }
  const control = new PostMessageInnerControl(about.allowedOrigins);
  const transport = new InnerFrameTransport(control, {
    requiresVisibleSetup: about.setup?.visible ?? false,
    requestedPermissions: about.setup?.permissions,
  });
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
  const weak = weakness(session);
  if (weak) return transport.failSetup("CONFIG_ERROR", weak);
  /** @param {string} [displayName] */
  const complete = (displayName) => {
    say("Done");
    return transport.completeSetup({
      displayName: displayName || titleOf(about),
      transportVisibility: visibilityOf(about),
    });
  };
  if (!setup) return await complete();
  const kept = new KeptSettings(session, setup);
  await kept.load();
  const restored = (/** @type {(file: File) => string} */ add) => void kept.valuesFor(add);
  const python = startServer({ setup: restored, secrets: () => textsOf(kept.withheld) });
  python.ready.catch((error) => attempt(() => transport.failSetup("CONFIG_ERROR", error.message)));
  transport.setupSignal.addEventListener("abort", () => python.close());
  if (!setup.visible) {
    const { problem, displayName } = await python.setUp({});
    if (problem) return transport.failSetup("CONFIG_ERROR", problem);
    await kept.keep({});
    return await complete(displayName);
  }
  const form = new SettingsForm(setup, kept, {
    enter: (values) => python.setUp(values),
    done: ({ displayName }) => void complete(displayName),
    forget: () => kept.forget(),
    pick: (file) => python.addFile(file),
    cancel: () => transport.failSetup("USER_CANCELLED", "The person cancelled the setup"),
  });
  form.because(`${session.origin} will be able to call the tools of this server. It does not see what you enter here.`);
  byId("main").append(form.element);
}

/** @param {About} about @param {InnerFrameTransport} transport */
async function serve(about, transport) {
  const { setup } = about;
  const session = await transport.prepareToConnect();
  const weak = weakness(session);
  if (weak) return transport.requireSetup({ reason: "OTHER", message: weak });
  const kept = new KeptSettings(session, setup);
  await kept.load();
  if (setup?.visible && !kept.values) {
    const nothing = "This browser stores nothing for it in a frame here: use it in a window of its own";
    const message = kept.isPersistent ? `${titleOf(about)} is not set up for this page yet` : nothing;
    transport.requireSetup({ reason: "CONFIG_CHANGED", message });
    return say("Not set up");
  }
  const secrets = () => textsOf(kept.withheld);
  const restored = setup && ((/** @type {(file: File) => string} */ add) => kept.valuesFor(add) ?? {});
  const python = startServer({ setup: restored, secrets });
  const watched = about.views && new WatchedCalls(about.views, python.transport, {
    seen: (result) => redacted(result, secrets()),
    storage: kept.states,
  });
  transport.onMessage((message) => {
    attempt(() => watched?.asked(message));
    attempt(() => python.transport.send(message));
  });
  python.transport.onMessage((message) => {
    const wanted = message.result?._meta?.[SETUP_REQUIRED];
    // What a view has asked is answered to the view alone.
    if (!watched?.isOwn(message)) {
      const told = redacted(message, secrets());
      attempt(() => watched?.answered(told));
      transport.send(told);
    }
    if (wanted) attempt(() => transport.requireSetup(wanted));
  });
  transport.onClose(() => python.close());
  python.transport.onClose(() => transport.close());
  byId("main").append(make("p", "about", `${session.origin} uses this server.`));
  if (watched) byId("main").append(watched.element);
  python.ready.then(() => {
    const { setupProblem: message } = python;
    if (message) attempt(() => transport.requireSetup({ reason: "CONFIG_CHANGED", message }));
  }, () => {});
}

/** What is wrong with a session's id: who guesses it, and is let in, gets at what it keeps. @param {{sessionId: string}} session */
const weakness = ({ sessionId }) =>
  sessionId.length >= LENGTH && new Set(sessionId).size >= LETTERS
    ? ""
    : `The session id can be guessed: it needs at least ${LENGTH} random characters, as generateSessionId() makes them`;

/** Whether the client shows this page while it calls tools: a server with views has something to show. @param {About} about */
function visibilityOf({ setup, views }) {
  if (!setup) return views ? { requirement: /** @type {const} */ ("optional"), description: "Its views" } : HIDDEN;
  const { visibility: requirement, description } = setup;
  return { requirement, ...description && { description } };
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
