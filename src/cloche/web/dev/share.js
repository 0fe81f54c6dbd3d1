// @ts-check
import { make } from "../elements.js";
import { byId } from "./elements.js";
import { saveFile } from "./files.js";

/**
 * The Share button: record what happens here, and save it as one HTML file that plays in any browser.
 *
 * @typedef {{recording: boolean, recorded: boolean, own: boolean, since: number}} SharingState
 */

const ABOUT =
  "Record what you do here and save it as one HTML file. It plays in any browser, with no server and no network: " +
  "the views at work, every message, step by step.";
const INSIDE =
  "Arguments, results and what you type are in the file. Passwords, headers and tokens of connections are not.";

/** @param {import("./api.js").Api} api */
export function bindShare(api) {
  const button = byId("share");
  const dialog = make("dialog", { id: "share-dialog", "aria-labelledby": "share-title" });
  const about = make("p", { role: "status" });
  const problem = make("p", { class: "problem", role: "alert" });
  const actions = make("div", "actions");
  const title = make("h2", { id: "share-title" }, "Share a recording");
  dialog.append(title, make("p", {}, ABOUT), make("p", "about", INSIDE), about, problem, actions);
  document.body.append(dialog);

  /** @param {string} label @param {() => Promise<void>} act @param {string} [kind] */
  const action = (label, act, kind = "") => {
    const made = make("button", { type: "button", class: kind }, label);
    made.onclick = async () => {
      problem.textContent = "";
      try {
        await act();
      } catch (error) {
        problem.textContent = /** @type {Error} */ (error).message;
      }
    };
    return made;
  };
  const save = async () => {
    const { html, name } = await api.ask("share-page");
    saveFile(html, name);
    about.textContent = `Saved ${name}, ${(html.length / 1e6).toFixed(1)} MB.`;
  };
  const start = async () => {
    await api.ask("share-start");
    dialog.close();
  };
  const stop = async () => draw(await api.ask("share-stop"));

  /** @param {SharingState} state */
  function draw({ recording, recorded, own, since }) {
    button.textContent = recording ? "Recording" : "Share";
    button.classList.toggle("recording", recording);
    const time = new Date(since * 1000).toLocaleTimeString();
    about.textContent = recording
      ? `Recording since ${time}.`
      : recorded
      ? "The recording has stopped. Starting another one replaces it."
      : "Starting shows the view again, so that it is recorded from its beginning.";
    actions.replaceChildren(
      ...recorded ? [action("Save HTML file", save, "main")] : [],
      ...recording ? [] : [action("Start recording", start, recorded ? "" : "main")],
      ...recording && own ? [action("Stop recording", stop)] : [],
      action("Close", () => Promise.resolve(dialog.close())),
    );
  }

  button.onclick = async () => {
    problem.textContent = "";
    draw(await api.ask("share"));
    dialog.showModal();
  };
  api.on("sharing", (told) => draw(/** @type {any} */ (told)));
  api.on("ready", async () => draw(await api.ask("share")));
}
