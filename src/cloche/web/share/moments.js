// @ts-check
import { isNoise } from "../dev/exchanges.js";

/**
 * The steps of a recording, in the order in which they happened, and the words for each.
 *
 * @typedef {Record<string, any>} Json
 * @typedef {{
 *   kind: "server" | "told" | "opened" | "got" | "said" | "user", at: number, view?: number, server?: string, method?: string,
 *   request?: any, result?: any, error?: any, milliseconds?: number, message?: Json, gesture?: import("./gestures.js").Gesture,
 *   tool?: string,
 * }} Moment as `moments.py` writes them
 * @typedef {{
 *   server: string, tool: string, arguments: Json | null, page: number, seed: number, time: number, theme: string, width: number,
 *   height: number,
 * }} SharedView
 * @typedef {{
 *   title: string, made: string, cloche: string, interrupted: boolean, script: string,
 *   pages: {before: string, after: string, policy: string}[], views: SharedView[], moments: Moment[],
 * }} Recording
 */

/** What a person does without meaning much by it. */
const SMALL = new Set(["move", "leave", "scroll", "resize", "scheme", "down", "drag"]);

/** @type {Record<string, (gesture: any) => string>} */
const DEEDS = {
  click: ({ button, count }) => button ? "Right click" : count > 1 ? "Double click" : "Click",
  up: () => "Drag",
  input: ({ value }) => `Type ${JSON.stringify(value ?? "")}`,
  choose: ({ values }) => `Choose ${(values ?? []).join(", ")}`,
  key: ({ key }) => `Press ${key}`,
};

/** Whether a step says little to somebody who looks on. @param {Moment} moment @param {Moment | undefined} next */
export function isMinor(moment, next) {
  const { kind, gesture, method = "" } = moment;
  if (kind === "user") {
    if (SMALL.has(gesture?.event ?? "")) return true;
    // Of a text that is being typed, the last state says it all.
    return gesture?.event === "input" && next?.gesture?.event === "input" && next.gesture.target === gesture.target;
  }
  if (kind === "opened") return false;
  const lane = kind === "server" || kind === "told" ? "server" : "view";
  return !method || isNoise(/** @type {any} */ ({ method, lane, state: hasFailed(moment) ? "failed" : "done" }));
}

/** What came of a request; empty where nothing was asked. @param {Moment} moment @returns {{result?: any, error?: any}} */
export function outcomeOf({ kind, message, result, error }) {
  if (kind === "server") return error === undefined ? { result } : { error };
  if (kind !== "got" || !message || message.method !== undefined) return {};
  return message.error === undefined ? { result: message.result } : { error: message.error };
}

/** @param {Moment} moment */
export function hasFailed(moment) {
  const { result, error } = outcomeOf(moment);
  return error !== undefined || result?.isError === true;
}

/** Who speaks or acts. @param {Moment} moment */
export function laneOf({ kind }) {
  return kind === "user" ? "person" : kind === "server" || kind === "told" ? "server" : "view";
}

/** The step in a few words. @param {Moment} moment */
export function titleOf({ kind, method = "", request, gesture, tool }) {
  if (kind === "opened") return `View of ${tool}`;
  if (kind === "user") return (DEEDS[gesture?.event ?? ""] ?? (() => gesture?.event ?? ""))(gesture);
  const name = request?.name ?? request?.uri ?? request?.ref?.name ?? request?.ref?.uri;
  return typeof name === "string" ? name : method;
}

/** What stands below the words. @param {Moment} moment @param {SharedView[]} views */
export function aboutOf(moment, views) {
  const { kind, method = "", server, view, gesture, at } = moment;
  const title = titleOf(moment);
  const time = new Date(at).toLocaleTimeString();
  if (kind === "user") return [gesture?.target, time].filter(Boolean).join(" · ");
  const who = server ?? views[view ?? 0]?.server ?? "";
  const way = { server: "", told: "from the server", got: "to the view", said: "from the view", opened: "" }[kind];
  const what = kind === "opened" || method === title ? "" : method;
  return [what, way, who, time].filter(Boolean).join(" · ");
}
