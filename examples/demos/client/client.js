// @ts-check
/**
 * A page that uses MCP servers by URL: it adds them, has them set up, connects, shows and hides them, calls their tools,
 * and removes them. There is nothing behind it but static files.
 *
 * @typedef {{title: string, url: string, about: string}} Example
 */
import { byId } from "../../../src/cloche/web/dev/elements.js";
import { make } from "../../../src/cloche/web/elements.js";
import { SetupDialog } from "./dialogs.js";
import { keepServers, keptServers } from "./kept.js";
import { ServerPanel } from "./server-panel.js";

/** Milliseconds that a notice stays. */
const NOTICE = 6_000;

/** @type {ServerPanel[]} */
const panels = [];
/** @type {ServerPanel | undefined} */
let selected;
/** @type {any} */
let leaving;

const address = /** @type {HTMLInputElement} */ (byId("url"));
const around = { dialog: new SetupDialog(), notice, select, remove, changed: keep };

/** @param {string} text */
function notice(text) {
  const place = byId("notice");
  place.textContent = text;
  clearTimeout(leaving);
  leaving = setTimeout(() => place.textContent = "", NOTICE);
}

function keep() {
  keepServers(panels.flatMap(({ server: { url, setup } }) => setup ? [{ url, setup }] : []));
}

/** @param {ServerPanel} [panel] */
function select(panel) {
  selected = panel;
  for (const one of panels) one.select(one === panel);
  byId("welcome").hidden = !!panel;
  panel?.line.scrollIntoView({ block: "nearest", inline: "nearest" });
  panel?.title.focus({ preventScroll: true });
}

/** @param {ServerPanel} panel */
function remove(panel) {
  panel.server.remove();
  panels.splice(panels.indexOf(panel), 1);
  panel.element.remove();
  panel.line.remove();
  keep();
  offer();
  if (selected === panel) select(panels.at(-1));
  if (!panels.length) address.focus();
}

/** @param {string} url @param {import("./kept.js").Kept["setup"]} [setup] */
function put(url, setup) {
  const panel = new ServerPanel(url, around, setup);
  panels.push(panel);
  byId("list").append(panel.line);
  byId("servers").append(panel.element);
  offer();
  return panel;
}

/** @param {string} text */
async function add(text) {
  const url = urlOf(text);
  const same = panels.find(({ server }) => server.url === url);
  if (!url) return refuse("Enter a whole address, such as https://pi.example/");
  if (url.startsWith(location.origin + "/")) {
    return refuse("This is an address of this page’s own origin: a server needs an origin of its own");
  }
  if (same) return select(same);
  refuse("");
  address.value = "";
  const panel = put(url);
  select(panel);
  try {
    await panel.begin();
  } catch (error) {
    remove(panel);
    const message = String(/** @type {any} */ (error)?.message ?? error);
    address.value = url;
    refuse(message);
  }
}

/** @param {string} text */
function urlOf(text) {
  const found = URL.canParse(text) ? new URL(text) : undefined;
  if (!found || !/^https?:$/.test(found.protocol)) return "";
  found.hash = "";
  return found.href;
}

/** @param {string} problem */
function refuse(problem) {
  byId("add-problem").textContent = problem;
  address.toggleAttribute("aria-invalid", !!problem);
  if (problem) address.focus();
}

/** @type {Example[]} */
let examples = [];

/** The examples that are not in the list yet, as names and, while there is nothing else, as cards; the first is filled in. */
function offer() {
  const left = examples.filter(({ url }) => !panels.some(({ server }) => server.url === url));
  const place = byId("examples");
  place.hidden = !left.length;
  place.querySelector("[role=group]")?.replaceChildren(
    ...left.map(({ title, url, about }) =>
      make("button", { type: "button", class: "example", title: about, onclick: () => add(url) }, title)
    ),
  );
  byId("cards").replaceChildren(...left.map(({ title, url, about }) =>
    make(
      "button",
      { type: "button", class: "card", onclick: () => add(url) },
      make("strong", {}, title),
      make("span", {}, about),
      make("small", {}, new URL(url).host),
    )
  ));
  address.placeholder = left[0] ? `Example: ${left[0].url}` : "https://";
  if (!byId("add-problem").textContent) address.value = left[0]?.url ?? "";
}

/** @type {HTMLFormElement} */ (byId("add")).onsubmit = (event) => {
  event.preventDefault();
  add(address.value.trim());
};

try {
  examples = await (await fetch("servers.json")).json();
} catch {
  // A client without examples is one, too.
}
for (const { url, setup } of keptServers()) put(url, setup).server.connect();
offer();
select(panels[0]);
