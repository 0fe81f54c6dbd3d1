// @ts-check
import { McpClient } from "../client.js";
import { byId } from "../dev/elements.js";
import { make } from "../elements.js";
import { SETUP_REQUIRED } from "./about.js";
import { offerToAgents } from "./agents.js";
import { KeptSettings } from "./kept.js";
import { redacted, textsOf } from "./redacted.js";
import { SettingsForm } from "./settings-form.js";
import { showFailure, startServer } from "./starting.js";
import { ToolPanel } from "./tool-panel.js";
import { ViewServer } from "./view-server.js";
import { Views } from "./views.js";

/** The session of the person who opened the page itself. */
const SESSION = "direct";
/** So many tools are all unfolded. */
const FEW = 3;

/** The page, opened by a person: its setup, and its tools as forms. @param {import("./about.js").About} about */
export async function showServer({ tools, setup, views: policies }) {
  const kept = new KeptSettings({ sessionId: SESSION, origin: location.origin }, setup);
  await kept.load();
  const restored = setup && ((/** @type {(file: File) => string} */ add) => kept.valuesFor(add));
  const python = startServer({ setup: restored, secrets: () => textsOf(kept.withheld) });
  const client = new McpClient(python.transport, { name: "page" });
  /** @type {Promise<any> | undefined} */
  let connected;

  /** @type {import("./tool-panel.js").Call} */
  const call = async (name, values, options) => {
    await python.ready;
    await (connected ??= client.connect());
    return seen(await client.callTool(name, values, options));
  };
  const seen = (/** @type {any} */ result) => {
    const wanted = result._meta?.[SETUP_REQUIRED];
    if (wanted) ask(wanted.message);
    return redacted(result, textsOf(kept.withheld));
  };
  const views = policies && new Views(policies, new ViewServer(client, seen), kept.states);
  const isOpen = (/** @type {number} */ index) => tools.length <= FEW || index === 0;
  const panels = tools.map((tool, index) => new ToolPanel(tool, call, python, isOpen(index), views?.room()));
  const allow = (/** @type {boolean} */ isAllowed) => panels.forEach((panel) => panel.allow(isAllowed));
  const isAsked = setup?.visible;
  const summary = make("section", { class: "panel", id: "settings", hidden: true });
  const form = setup && new SettingsForm(setup, kept, {
    enter: (values) => python.setUp(values),
    done: ({ displayName = "" }) => settle(displayName),
    forget,
    pick: (file) => python.addFile(file),
  });
  async function forget() {
    await kept.forget();
    location.reload();
  }

  /** @param {string} why */
  function ask(why) {
    if (!form || !isAsked) return;
    form.because(why);
    form.element.hidden = false;
    summary.hidden = true;
    form.element.scrollIntoView({ block: "nearest" });
  }
  /** @param {string} name */
  function settle(name) {
    if (form) form.element.hidden = true;
    summary.hidden = false;
    const change = make("button", { type: "button", onclick: () => ask("") }, "Change");
    summary.replaceChildren(
      make("h2", {}, name || "Settings"),
      make("div", "actions", change, make("button", { type: "button", onclick: forget }, "Forget")),
    );
    allow(true);
  }

  const none = !tools.length && make("p", "about", "This server has no tools.");
  byId("main").append(
    ...form && isAsked ? [form.element, summary] : [],
    ...panels.map((panel) => panel.element),
    ...none ? [none] : [],
    make("footer", {}, "Everything runs in this tab: what you enter does not leave it unless a tool sends it."),
  );
  offerToAgents(panels);
  if (!setup) return;
  if (!isAsked) {
    // What keeps Python from starting is shown already.
    const told = python.setUp({}).then(({ problem }) => problem && showFailure(problem));
    return void told.catch(() => {});
  }
  if (kept.values) settle(kept.name);
  else allow(false);
  python.ready.then(() => python.setupProblem && (allow(false), ask(python.setupProblem)), () => {});
}
