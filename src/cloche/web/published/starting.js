// @ts-check
import { byId } from "../dev/elements.js";
import { make } from "../elements.js";
import { startPythonServer } from "../python/start.js";
import { takePicture } from "./camera.js";
import { redacted } from "./redacted.js";

/** What a person reads at each stage. @type {Record<string, string>} */
const STAGES = {
  runtime: "Loading Python …",
  snapshot: "Starting Python …",
  packages: "Loading packages …",
  import: "Starting the server …",
  ready: "Ready",
};

/** Say how far it is. @param {string} text @param {number} [fraction] none when nothing is under way */
export function say(text, fraction) {
  byId("state").textContent = text;
  const bar = /** @type {HTMLProgressElement} */ (byId("progress"));
  bar.hidden = fraction === undefined || fraction >= 1;
  bar.value = fraction ?? 0;
}

/**
 * Start the server of this folder, and show how far it is.
 *
 * @param {{setup?: import("../python/start.js").PythonOptions["setup"], secrets?: () => string[]}} options
 */
export function startServer({ setup, secrets = () => [] }) {
  const python = startPythonServer({
    url: new URL("python/", document.baseURI),
    setup,
    onProgress: ({ stage, fraction }) => say(STAGES[stage] ?? "", fraction),
    onOutput: ({ stream, text }) => console[stream === "stderr" ? "error" : "log"](redacted(text, secrets())),
    onAsk: async (what, wish) => {
      if (what !== "picture") throw new Error(`The page of the server knows no ${what}`);
      say("Taking a picture …");
      return await takePicture(wish).finally(() => say("Ready"));
    },
    onRestart: ({ reason }) => console.error(`Python was started again: ${reason}`),
  });
  python.ready.then(() => {
    say("Ready");
    keep();
  }, showFailure);
  return python;
}

/** Have the site kept in the browser for the next visit, where the browser lets this page. */
function keep() {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("keeper.js").catch((error) =>
    console.warn(`The site is not kept: ${error.message}`)
  );
}

/** Say what went wrong, and what can be done. @param {any} error */
export function showFailure(error) {
  say("Not running");
  byId("main").prepend(make(
    "section",
    { class: "panel error", role: "alert" },
    make("h2", {}, "The server could not start"),
    make("p", {}, String(error?.message ?? error)),
    make("div", "actions", make("button", { type: "button", onclick: () => location.reload() }, "Try again")),
  ));
}
