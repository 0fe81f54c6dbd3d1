// @ts-check
import { make } from "../elements.js";
import { addressOf } from "./router.js";

/**
 * “Save as story”: what is in a tool's form, with the host, theme and width that it is looked at in.
 *
 * @typedef {Record<string, any>} Json
 */

const COMPARE = "Show the last result as several hosts would, side by side; the tool is not called again";

/** @param {any} trial */
function compareShown(trial) {
  if (!trial.shown || !trial.results.outcome?.ticket || trial.results.outcome.pending) {
    throw Error("There is no view to compare: call the tool first");
  }
  location.hash = addressOf("compare", "call", trial.shown);
}

/**
 * The buttons beside a tool's form.
 *
 * @param {import("./servers.js").Item} item @param {any} trial @param {(deed: (values: Json) => Promise<void>) => Promise<void>} attempt
 */
export function storyButtons(item, trial, attempt) {
  const server = trial.list.servers.find((/** @type {Json} */ one) => one.name === item.server);
  if (item.kind !== "tool") return [];
  const compare = make("button", { type: "button", class: "quiet", title: COMPARE }, "Compare hosts");
  compare.onclick = () => attempt(() => Promise.resolve(compareShown(trial)));
  if (!server?.file) return [compare];
  const title = "Keep these arguments in a text file beside the server, to see them again";
  const onclick = () => attempt((values) => Promise.resolve(ask(item, trial, values)));
  return [make("button", { type: "button", class: "quiet", title, onclick }, "Save as story"), compare];
}

/** @param {import("./servers.js").Item} item @param {any} trial @param {Json} values */
function ask(item, trial, values) {
  const outcome = trial.results.outcome;
  const hasResult = Boolean(trial.shown && outcome?.result);
  const readsOnly = trial.list.entry(item)?.annotations?.readOnlyHint === true;
  const name = make("input", { id: "story-name", required: true, maxLength: 100, autocomplete: "off" });
  const record = make("input", { type: "checkbox", checked: hasResult && !readsOnly, disabled: !hasResult });
  const problem = make("p", { class: "problem", role: "alert" });
  const look = lookOf(trial);
  const dialog = make("dialog", { id: "save-story", "aria-labelledby": "save-story-title" });
  const form = make(
    "form",
    { method: "dialog" },
    make("h2", { id: "save-story-title" }, "Save as story"),
    make("label", { htmlFor: "story-name" }, "Name"),
    name,
    make("label", "check", record, ` Record the result, so that looking at the story does not call ${item.name}`),
    !hasResult && make("p", "about", "Call the tool first to record its result."),
    make("p", "about", ["Shown as now:", ...Object.values(look).map(String)].join(" ")),
    problem,
    make(
      "div",
      "actions",
      make("button", "main", "Save"),
      make("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
    ),
  );
  form.onsubmit = async (event) => {
    event.preventDefault();
    const story = { name: name.value.trim(), tool: item.name, arguments: values, ...look };
    try {
      await trial.api.ask("save-story", { server: item.server, story, call: record.checked ? trial.shown : "" });
      dialog.close();
      location.hash = addressOf("story", item.server, story.name);
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  };
  dialog.onclose = () => dialog.remove();
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
}

/** The host, theme and width of the view now. @param {any} trial @returns {Json} */
function lookOf({ controls }) {
  const width = Number(controls.width.value);
  const theme = document.documentElement.dataset.theme;
  const profile = controls.host.value || "strict";
  return { profile, ...(theme ? { theme } : {}), ...(width ? { width } : {}) };
}
