// @ts-check
import { steadyChance } from "../cassettes/steady.js";
import { watchTime } from "../cassettes/time.js";
import { installStorage } from "../sandbox/storage.js";
import { followFragments, standInForParent, withoutRtc } from "../sandbox/surroundings.js";
import { GesturePlayer } from "./gestures.js";

/** What the page of a shared recording and the first script of a view in it say to each other. */
export const OWN = "cloche/shared-";

/**
 * Runs in front of a view of a shared recording: gives it the chance and the time that the recorded view had, takes
 * WebRTC away, plays what the person did, and says when somebody touches the view now. A view can forge all that it
 * says, and lies only about itself.
 *
 * @param {any} scope the view's window
 * @param {{seed: number, time: number}} setup
 */
export function prepareView(scope, { seed, time }) {
  const host = scope.parent;
  const setTimeout = scope.setTimeout.bind(scope);
  const began = Date.now();
  /** @param {string} name @param {object} [params] */
  const say = (name, params = {}) => host.postMessage({ jsonrpc: "2.0", method: OWN + name, params }, "*");
  const player = new GesturePlayer(scope);

  scope.addEventListener("message", async (/** @type {MessageEvent} */ event) => {
    const { method, params } = event.data ?? {};
    if (event.source !== host || method !== OWN + "do") return;
    event.stopImmediatePropagation();
    const problem = params.gesture ? await player.play(params.gesture) : "";
    // What the view does because of it comes first.
    setTimeout(() => setTimeout(() => say("done", { number: params.number, problem })));
  }, true);
  for (const type of ["pointerdown", "keydown"]) {
    scope.addEventListener(type, (/** @type {Event} */ event) => event.isTrusted && say("touched"), true);
  }
  standInForParent(scope);
  installStorage(scope);
  withoutRtc(scope);
  followFragments(scope);
  steadyChance(scope, seed);
  watchTime(scope, (now) => now - began + time);
  say("ready");
}
