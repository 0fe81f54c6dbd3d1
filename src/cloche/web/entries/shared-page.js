// @ts-check
// A shared recording: first the room for views, then the policy that allows nothing but this script, then the recording.
import { showRecording } from "../share/page.js";

const stage = /** @type {HTMLIFrameElement} */ (document.getElementById("stage"));

/** The JSON in an element of the page that the browser neither runs nor shows. @param {string} id */
const held = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "");
const { room, policy } = held("setup");

addEventListener("message", ({ source, data }) => {
  if (source !== stage.contentWindow || !data?.stage || stage.dataset.ready) return;
  stage.dataset.ready = "yes";
  const strict = document.createElement("meta");
  strict.httpEquiv = "Content-Security-Policy";
  strict.content = policy;
  document.head.append(strict);
  showRecording(held("recording"), stage);
});
stage.srcdoc = room;
