// @ts-check
import { make } from "../elements.js";
import { copyButton } from "./files.js";
import { markdown } from "../markdown.js";
import { addressOf } from "./router.js";
import { TaskSection } from "./tasks.js";
import { tree } from "./tree.js";

/**
 * The page of a server: what it says of itself, how it is reached, how the connection is.
 *
 * @typedef {Record<string, any>} Json
 */

/** @type {Record<string, string>} */
const STATUS = {
  idle: "Not connected: the next request connects",
  connecting: "Connecting …",
  ready: "Connected",
  failed: "Does not run",
  closed: "Closed",
};

/** @type {Record<string, string>} */
const ERAS = {
  handshake: "connections begin with initialize; a tool that asks waits for the answer",
  stateless: "each request stands alone; a tool that asks runs again from the top with the answer",
};

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** @param {import("./router.js").Visit} visit */
export function drawServer({ place, params: { name }, app }) {
  const tasks = new TaskSection(name, app);
  const draw = () => {
    const server = app.list.servers.find((/** @type {Json} */ one) => one.name === name);
    place.replaceChildren(...server ? partsOf(server, tasks, app) : missing(name));
  };
  draw();
  const stop = app.api.on("listed", draw);
  return () => (stop(), tasks.stop());
}

/** @param {string} name */
const missing = (name) => [make("h2", {}, "Not found"), make("p", "about", `There is no server ${name} here.`)];

/** @param {Json} server @param {TaskSection} tasks @param {any} app */
function partsOf(server, tasks, app) {
  if (!server.tools) return [make("h2", {}, server.name), make("p", "about", "starting …")];
  const { info, status, version, era, target, environment = [], signIn, problem } = server;
  const reached = Array.isArray(target) ? target.join(" ") : target ?? "an object in this process";
  return [
    make("h2", {}, info?.title ?? server.name),
    make("p", "about description", [info?.name, info?.version].filter(Boolean).join(" ")),
    make("div", "actions", restartButton(server, app)),
    make(
      "dl",
      "facts-list",
      ...fact("Connection", STATUS[status] ?? status),
      ...fact("Reached by", make("code", {}, reached), " ", copyButton(() => reached)),
      ...fact("Protocol", version ?? "unknown until it runs"),
      ...fact("Era", era ? `${era}: ${ERAS[era]}` : ""),
      ...fact("Speak", eraChoice(server, app)),
      ...fact("Log level", levelChoice(server, app)),
      ...fact("Sign-in", signIn, server.signedIn ? " " : "", server.signedIn ? signOutButton(server, app) : ""),
      ...fact("Environment", environment.length ? environment.join(", ") : ""),
    ),
    ...problem ? [make("pre", "problem", problem)] : [],
    tasks.element,
    ...instructionsOf(server),
    ...schemasOf(server),
    ...listOf("Resources", "uri", server.resources),
    ...listOf("Resource templates", "uriTemplate", server.resourceTemplates),
    ...listOf("Prompts", "name", server.prompts),
    make("h3", "with-actions", "Capabilities", copyButton(() => JSON.stringify(server.capabilities, null, 2))),
    Object.keys(server.capabilities ?? {}).length
      ? tree(server.capabilities, "", 3)
      : make("p", "about", "It declares none."),
  ];
}

/** @param {string} label @param {...(Node | string | null | undefined)} value */
function fact(label, ...value) {
  return value.some(Boolean) ? [make("dt", {}, label), make("dd", {}, ...value)] : [];
}

/** @param {Json} server @param {any} app */
function restartButton(server, app) {
  const onclick = () => app.api.ask("restart", { server: server.name });
  return make("button", { type: "button", onclick, title: "End the connection and open a new one" }, "Restart");
}

/** @param {Json} server @param {any} app */
function signOutButton({ name }, app) {
  const onclick = async () => {
    await app.api.ask("sign-out", { server: name });
    button.parentElement?.replaceChildren("Signed out");
  };
  const title = "Forget the token and connect again; what the authorization server remembers of you is its own";
  const button = make("button", { type: "button", class: "small", onclick, title }, "Sign out");
  return button;
}

/** The version of the protocol: a tool that asks can be seen in both eras. @param {Json} server @param {any} app */
function eraChoice({ name, chosen, versions = [] }, app) {
  const select = make("select", { "aria-label": "Protocol version" }, new Option("Whatever fits best", ""));
  for (const one of versions) select.append(new Option(one, one));
  select.value = chosen ?? "";
  select.onchange = () => app.api.ask("speak", { server: name, name: select.value });
  return select;
}

/** Told to the server once, or since 2026-07-28 with each request. @param {Json} server @param {any} app */
function levelChoice({ name, capabilities, logLevel }, app) {
  if (!capabilities?.logging) return "";
  const title = "Lines of this level and above appear under Output";
  const select = make("select", { "aria-label": "Log level", title });
  for (const one of LEVELS) select.append(new Option(one, one));
  select.value = logLevel;
  select.onchange = () => app.api.ask("log-level", { server: name, name: select.value });
  return select;
}

/** @param {Json} server */
function instructionsOf({ instructions }) {
  if (!instructions) return [];
  return [make("h3", "with-actions", "Instructions", copyButton(() => instructions)), markdown(instructions)];
}

/** Every tool with what it says of itself. @param {Json} server */
function schemasOf({ name, tools }) {
  if (!tools.length) return [];
  return [
    make("h3", "with-actions", `Tools (${tools.length})`),
    ...tools.map((/** @type {Json} */ tool) => {
      const hints = Object.entries(tool.annotations ?? {}).filter(([, value]) => value === true).map(([key]) => key);
      const summary = make("summary", {}, tool.name, " ", make("span", "about", hints.join(", ")));
      const details = make("details", {}, summary);
      details.addEventListener("toggle", () => {
        if (!details.open || details.childElementCount > 1) return;
        const { inputSchema, outputSchema, annotations, _meta } = tool;
        details.append(
          make("p", {}, make("a", { href: addressOf("tool", name, tool.name) }, "Try it")),
          tree({ annotations, inputSchema, outputSchema, _meta }, "", 2),
        );
      });
      return details;
    }),
  ];
}

/** Resources and prompts as the server lists them. @param {string} title @param {string} key @param {Json[]} [entries] */
function listOf(title, key, entries = []) {
  if (!entries.length) return [];
  return [
    make("h3", "with-actions", `${title} (${entries.length})`),
    ...entries.map((entry) => {
      const details = make("details", {}, make("summary", {}, String(entry[key])));
      details.addEventListener("toggle", () => {
        if (details.open && details.childElementCount === 1) details.append(tree(entry, "", 2));
      });
      return details;
    }),
  ];
}
