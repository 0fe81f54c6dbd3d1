// @ts-check
import { make } from "../elements.js";
import { recalled, remember } from "./memory.js";
import { addressOf } from "./router.js";
import { whyNotAtOnce } from "./stories.js";

/**
 * Hosts side by side: one result, in the frame that each emulated host has, light and dark, on a phone and wide.
 *
 * @typedef {{name: string, title: string, about: string, ticket: string | null}} HostView
 * @typedef {import("./router.js").Visit} Visit
 */

const FIRST = ["claude", "chatgpt", "vscode"];
const THEMES = { light: "Light", dark: "Dark", both: "Light and dark" };
const WIDTHS = { phone: "Phone", wide: "Wide" };

/** Inner widths of the column in which a host shows a view, in pixels. */
const COLUMNS = { phone: 360, wide: 720 };

/** A story in several hosts; one that would call a tool that may change something waits for a click. @param {Visit} visit */
export function drawStoryComparison({ place, params: { server, name }, app }) {
  const back = make("a", { href: addressOf("story", server, name) }, name);
  const { stage, open } = draw(place, [back], () => app.api.ask("compare-story", { server, name }), name);
  let isOpen = false;
  const begin = async () => {
    const { servers } = await app.api.ask("stories");
    const home = servers.find((/** @type {Record<string, any>} */ one) => one.server === server);
    const story = home?.stories.find((/** @type {{name: string}} */ one) => one.name === name);
    if (isOpen) return;
    const why = story ? whyNotAtOnce(server, story, app) : home?.problem ?? "There is no story of this name.";
    isOpen = !why;
    if (isOpen) return open();
    const call = make("button", { type: "button", class: "main" }, `Call ${story?.tool}`);
    call.onclick = () => (isOpen = true, open());
    stage.replaceChildren(make("p", "about", why), why.startsWith("Calls") ? call : "");
  };
  begin();
  return app.api.on("listed", begin);
}

/** The last call in several hosts. @param {Visit} visit */
export function drawCallComparison({ place, params: { call }, app }) {
  draw(place, ["The last result"], () => app.api.ask("compare-call", { call })).open();
}

/**
 * @param {HTMLElement} place @param {(Node | string)[]} what @param {() => Promise<{hosts: HostView[]}>} load
 * @param {string} [user] what the person seems to have said
 */
function draw(place, what, load, user = "Show it to me") {
  const stage = make("div", { class: "hosts", role: "group", "aria-label": "Hosts" });
  const choices = make("fieldset", { class: "host-choices" }, make("legend", {}, "Hosts"));
  const theme = chooser("Theme", THEMES, "host theme", "light");
  const width = chooser("Width", WIDTHS, "host width", "phone");
  const bar = make("div", "controls", theme, width);
  place.append(make("p", "crumbs", ...what), make("h2", {}, "Hosts side by side"), bar, choices, stage);
  /** @type {HostView[]} */
  let hosts = [];
  /** @type {Set<string>} */
  const chosen = new Set(recalled("compared hosts") ?? FIRST);
  const show = () => {
    const themes = theme.value === "both" ? ["light", "dark"] : [theme.value];
    const shown = hosts.filter(({ name }) => chosen.has(name));
    stage.replaceChildren(
      ...shown.flatMap((host) =>
        themes.map((one) => frameOf(host, one, /** @type {"phone" | "wide"} */ (width.value), user))
      ),
    );
    if (!shown.length) stage.append(make("p", "about", "Choose the hosts to compare."));
  };
  theme.onchange = () => (remember("host theme", theme.value), show());
  width.onchange = () => (remember("host width", width.value), show());
  const open = async () => {
    stage.replaceChildren(make("p", { class: "about", role: "status" }, "Opening …"));
    try {
      ({ hosts } = await load());
    } catch (error) {
      return stage.replaceChildren(
        make("p", { class: "problem", role: "alert" }, /** @type {Error} */ (error).message),
      );
    }
    choices.replaceChildren(
      make("legend", {}, "Hosts"),
      ...hosts.map(({ name, title }) => {
        const box = make("input", { type: "checkbox", checked: chosen.has(name) });
        box.onchange = () => {
          if (box.checked) chosen.add(name);
          else chosen.delete(name);
          remember("compared hosts", [...chosen]);
          show();
        };
        return make("label", "check", box, ` ${title}`);
      }),
    );
    show();
  };
  return { stage, open };
}

/** @param {string} label @param {Record<string, string>} options @param {string} key @param {string} usual */
function chooser(label, options, key, usual) {
  const made = make("select", { "aria-label": label });
  for (const [value, text] of Object.entries(options)) made.append(new Option(text, value));
  made.value = recalled(key) ?? usual;
  return made;
}

/** A host's column with the view in it. @param {HostView} host @param {string} theme @param {"phone" | "wide"} width @param {string} user */
function frameOf({ name, title, about, ticket }, theme, width, user) {
  const column = make("div", { class: `host-column as-${name}`, "data-width": width });
  column.style.colorScheme = theme;
  column.style.width = `${COLUMNS[width]}px`;
  column.append(make("p", "host-user", user));
  if (ticket) {
    const view = document.createElement("mcp-app");
    view.setAttribute("ticket", ticket);
    view.setAttribute("theme", theme);
    column.append(view);
  } else column.append(make("p", "about", "This host shows no view for this result."));
  column.append(make("div", { class: "host-input", "aria-hidden": "true" }, "Reply …"));
  return make("figure", { class: "host", title: about }, make("figcaption", {}, `${title}, ${theme}`), column);
}
